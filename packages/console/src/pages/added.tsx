import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { mayPlan } from "../api/session.ts";
import { link } from "../base/routes.ts";
import { textOf } from "../changes/diff.ts";
import { kindOfPath } from "../changes/forms.ts";
import { discard, incomplete, keyOfNew, type PendingCreation } from "../changes/pending.ts";
import { focusNear } from "../widgets/rows.ts";
import { State } from "../widgets/state.tsx";
import { NewObject } from "./edit_object.tsx";

interface Shown {
  added: PendingCreation[];
  /** What else can be done with one. */
  more?: (change: PendingCreation) => ComponentChildren;
}

/** A panel of new objects that are not applied yet. Nothing if there are none. */
export const Added = (props: Shown) =>
  props.added.length > 0 && (
    <section class="panel" aria-label="Not applied yet">
      <AddedRows {...props} />
    </section>
  );

/** New objects that are not applied yet, each with what can be done with it. */
export function AddedRows({ added, more }: Shown) {
  const [edited, setEdited] = useState<PendingCreation>();
  const kind = edited && kindOfPath(edited.path);
  return (
    <>
      {added.map((change) => {
        const { name, title } = change;
        const isIncomplete = incomplete.value.some(({ key }) => key === keyOfNew(change));
        return (
          <div class="row added" key={name}>
            <span class="grow cut">
              <bdi class="b">{title}</bdi> <code class="meta">{textOf(change.body["match"])}</code>
            </span>
            {isIncomplete ? (
              <a href={link("review")}>Enter its secret again</a>
            ) : (
              <>
                <State tone="busy">Not applied yet</State>
                {mayPlan.value && more?.(change)}
                {mayPlan.value && (
                  <button type="button" class="btn q s" onClick={() => setEdited(change)}>
                    Edit<span class="hidden"> {title}</span>
                  </button>
                )}
              </>
            )}
            <button
              type="button"
              class="btn q s"
              onClick={({ currentTarget }) => {
                focusNear(currentTarget);
                discard(keyOfNew(change));
              }}
            >
              Take back<span class="hidden"> {title}</span>
            </button>
          </div>
        );
      })}
      {kind && <NewObject kinds={[kind]} pending={edited} close={() => setEdited(undefined)} />}
    </>
  );
}
