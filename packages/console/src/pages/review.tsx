import "./common.ts";
import { useEffect, useState } from "preact/hooks";
import { type RequestFailure, failureOf } from "../api/errors.ts";
import { go, link } from "../base/routes.ts";
import { planPending } from "../changes/operations.ts";
import { pending, pendingCount } from "../changes/pending.ts";
import { count } from "../facts/amounts.ts";
import { None, Page, Problem, Skeleton } from "../widgets/page.tsx";
import { Merge } from "./merge.tsx";

/** Makes a plan of the pending changes, and opens it. If somebody else changed the same objects, merges first. */
export function Review() {
  const [failure, setFailure] = useState<RequestFailure>();
  const make = (): void => {
    setFailure(undefined);
    if (pendingCount.value === 0) return;
    planPending(Object.values(pending.value), "").then(
      (id) => go(link("plans", id), "replace"),
      (error: unknown) => setFailure(failureOf(error)),
    );
  };
  useEffect(make, []);
  if (pendingCount.value === 0)
    return (
      <Page title="Review">
        <None>There are no changes to review.</None>
      </Page>
    );
  return (
    <Page
      title={`Review ${count(pendingCount.value, "change")}`}
      facts={["nothing has changed yet"]}
      isTask
      actions={
        <button type="button" class="btn" data-key="escape" onClick={() => history.back()}>
          Back <kbd aria-hidden="true">Esc</kbd>
        </button>
      }
    >
      {failure?.status === 412 && <Merge done={make} />}
      {failure && failure.status !== 412 && <Problem error={failure} retry={make} />}
      {!failure && <Skeleton />}
    </Page>
  );
}
