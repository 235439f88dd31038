import { useEffect, useState } from "preact/hooks";
import { type Fields, isFields, isHeld } from "./api/client.ts";
import { usePlan } from "./api/queries.ts";
import { identity } from "./api/session.ts";
import { kept } from "./base/kept.ts";
import { textOf } from "./changes/diff.ts";
import { hasSecrets, pendingCount, pendingPlan, tell, told } from "./changes/pending.ts";
import { createdIn, forgetPlan, settlePlan } from "./changes/settling.ts";
import { Dialog, DialogFooter, UNSAVED } from "./widgets/dialog.tsx";
import { Notice } from "./widgets/page.tsx";

/** Messages about the pending changes, above the page. */
export function Told() {
  useOwner();
  return (
    <>
      {isHeld.value && <Held />}
      {told.value.length > 0 && <Messages />}
    </>
  );
}

/** Messages about automatic edits of the pending changes. */
function Messages() {
  return (
    <Notice
      role="status"
      actions={
        <button type="button" class="btn s" onClick={() => (told.value = [])}>
          Close
        </button>
      }
    >
      {told.value.map((text) => (
        <p key={text} dir="auto">
          {text}
        </p>
      ))}
    </Notice>
  );
}

/** The key, in the storage that all tabs share, of the id of whoever signed in last. */
const SIGNED_IN = "signed in";

/** Who made the first of the pending changes of this tab: the id and the name. Empty without changes. */
const maker = kept<Fields>("maker of the changes", {}, isFields);

const MADE_BY = "The pending changes were made by ";

/** Says so if the pending changes were made by somebody else, and follows a sign-in in another tab, which is that of this tab, too. */
function useOwner(): void {
  const { id = "", subject = "" } = identity.value ?? {};
  const isPending = pendingCount.value > 0;
  useEffect(() => {
    told.value = told.value.filter((text) => !text.startsWith(MADE_BY));
    if (!isPending) maker.value = {};
    else if (maker.value["id"] === undefined) maker.value = { id, subject };
    else if (maker.value["id"] !== id)
      tell(`${MADE_BY}${textOf(maker.value["subject"])}. You are signed in as ${subject}.`);
  }, [id, isPending]);
  useEffect(() => {
    localStorage.setItem(SIGNED_IN, id);
    const follow = ({ key, newValue }: StorageEvent): void => {
      if (key !== SIGNED_IN) return;
      isHeld.value = newValue !== id && (document.querySelector(UNSAVED) !== null || hasSecrets());
      if (newValue !== id && !isHeld.value) location.reload();
    };
    addEventListener("storage", follow);
    return () => removeEventListener("storage", follow);
  }, [id]);
}

/** Says that somebody else has signed in in another tab, while a reload would lose something. */
function Held() {
  const [isClosed, setClosed] = useState(false);
  if (isClosed) return null;
  const close = (): void => setClosed(true);
  return (
    <Dialog title="Somebody else has signed in" close={close}>
      <p class="inside-dialog">
        The sign-in was in another tab. This tab sends nothing until you reload it, or until{" "}
        {identity.value?.subject} signs in again. A reload discards unfinished input and secrets.
      </p>
      <DialogFooter>
        <button type="button" class="btn" onClick={close}>
          Stay
        </button>
        <button type="button" class="btn p" onClick={() => location.reload()}>
          Reload
        </button>
      </DialogFooter>
    </Dialog>
  );
}

/** Watches the plan of the pending changes, which somebody else can apply or withdraw. */
export function usePendingPlan(): void {
  const plan = usePlan(pendingPlan.value).data?.plan;
  useEffect(() => {
    if (!plan || plan.state === "open" || plan.id !== pendingPlan.value) return;
    if (plan.state !== "applied") return forgetPlan();
    settlePlan(createdIn(plan));
  }, [plan]);
}
