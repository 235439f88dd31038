import { useEffect } from "preact/hooks";
import { usePlan } from "./api/queries.ts";
import { pendingPlan, told } from "./changes/pending.ts";
import { forgetPlan, readCreated, settlePlan } from "./changes/settling.ts";
import { Notice } from "./widgets/page.tsx";

/** Messages about automatic edits of the pending changes, above the page. */
export function Told() {
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

/** Watches the plan of the pending changes, which somebody else can apply or withdraw. */
export function usePendingPlan(): void {
  const plan = usePlan(pendingPlan.value).data?.plan;
  useEffect(() => {
    if (!plan || plan.state === "open" || plan.id !== pendingPlan.value) return;
    if (plan.state !== "applied") return forgetPlan();
    const settle: typeof settlePlan = (created) => {
      if (plan.id === pendingPlan.value) settlePlan(created);
    };
    readCreated(plan).then(settle, () => settle());
  }, [plan]);
}
