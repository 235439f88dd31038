import { useEffect } from "preact/hooks";
import { type Fields, isFields } from "./api/client.ts";
import { usePlan } from "./api/queries.ts";
import { identity } from "./api/session.ts";
import { kept } from "./base/kept.ts";
import { textOf } from "./changes/diff.ts";
import { pendingCount, pendingPlan, tell, told } from "./changes/pending.ts";
import { createdIn, forgetPlan, settlePlan } from "./changes/settling.ts";
import { Notice } from "./widgets/page.tsx";

/** Messages about automatic edits of the pending changes, above the page. */
export function Told() {
  useOwner();
  if (told.value.length === 0) return null;
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

/** The key of the person or program that signed in last, in the storage of this tab and in the one that all tabs share. */
const SIGNED_IN = "signed in";

/** Who made the pending changes of this tab: the id and the name. */
const owner = kept<Fields>(SIGNED_IN, {}, isFields);

/** Says so if the pending changes were made by somebody else, and follows a sign-in in another tab, which is that of this tab, too. */
function useOwner(): void {
  const { id = "", subject = "" } = identity.value ?? {};
  useEffect(() => {
    const { id: last = id, subject: earlier } = owner.value;
    if (last !== id && pendingCount.value > 0)
      tell(`The pending changes were made by ${textOf(earlier)}. You are signed in as ${subject}.`);
    owner.value = { id, subject };
    localStorage.setItem(SIGNED_IN, id);
    const follow = ({ key, newValue }: StorageEvent): void => {
      if (key === SIGNED_IN && newValue !== id) location.reload();
    };
    addEventListener("storage", follow);
    return () => removeEventListener("storage", follow);
  }, [id]);
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
