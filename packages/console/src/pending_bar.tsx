import { place } from "./base/routes.ts";
import { withdraw } from "./changes/operations.ts";
import { discard, pending, pendingCount, pendingPlan } from "./changes/pending.ts";
import { count } from "./facts/amounts.ts";

/** Changes that are not applied yet, at the bottom of every page except their review. */
export function PendingBar() {
  const [page] = place.value.path;
  if (pendingCount.value === 0 || page === "review" || place.value.path[1] === pendingPlan.value) return null;
  const throwAway = (): void => {
    const plan = pendingPlan.value;
    discard();
    pendingPlan.value = null;
    if (plan !== null) void withdraw(plan).catch(() => undefined);
  };
  return (
    <section class="pend" aria-label="Changes">
      <b role="status">{count(pendingCount.value, "change")} not applied yet</b>
      <span class="meta wide cut">
        {Object.values(pending.value)
          .map(({ title }) => title)
          .join(", ")}
      </span>
      <span class="push line">
        <button type="button" class="btn q" onClick={throwAway}>
          Discard
        </button>
        <a class="btn p" href="#/review" data-key="enter">
          Review <kbd aria-hidden="true">Ctrl ↵</kbd>
        </a>
      </span>
    </section>
  );
}
