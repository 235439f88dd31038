import { useState } from "preact/hooks";
import { place } from "./base/routes.ts";
import { discardAll } from "./changes/operations.ts";
import { isPlanCurrent, isStored, pending, pendingCount, pendingPlan, told } from "./changes/pending.ts";
import { count } from "./facts/amounts.ts";
import { usePendingPlan } from "./told.tsx";
import { FormDialog } from "./widgets/dialog.tsx";

/** The pending changes, at the bottom of every page except the review and the page of a plan that contains all of them. */
export function PendingBar() {
  usePendingPlan();
  const [isAsking, setAsking] = useState(false);
  const [page, id] = place.value.path;
  const isReview = page === "review" || (id === pendingPlan.value && isPlanCurrent.value);
  if (pendingCount.value === 0 || isReview) return null;
  const titles = Object.values(pending.value).map(({ title }) => title);
  const close = (): void => setAsking(false);
  return (
    <section class="pend" aria-label="Changes">
      <b role="status">{count(pendingCount.value, "change")} not applied yet</b>
      <span class="meta wide cut">{titles.join(", ")}</span>
      {!isStored.value && <span class="t-warn">A reload would lose them: they are too large to store</span>}
      <span class="push line one">
        <button type="button" class="btn q" onClick={() => setAsking(true)}>
          Discard…
        </button>
        <a class="btn p" href="#/review" data-key="enter">
          Review <kbd aria-hidden="true">Ctrl ↵</kbd>
        </a>
      </span>
      {isAsking && (
        <FormDialog
          title={`Discard ${count(pendingCount.value, "change")}?`}
          verb="Discard"
          isDangerous
          close={close}
          submit={() => {
            close();
            discardAll();
            told.value = [];
            // The bar, and its button that had the focus, are gone.
            setTimeout(() => document.querySelector<HTMLElement>("main h1")?.focus());
          }}
        >
          <ul class="stack">
            {titles.map((title, i) => (
              <li key={i} class="wrap">
                <bdi>{title}</bdi>
              </li>
            ))}
          </ul>
        </FormDialog>
      )}
    </section>
  );
}
