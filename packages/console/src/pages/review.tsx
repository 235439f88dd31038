import "./common.ts";
import { useEffect, useRef, useState } from "preact/hooks";
import { type RequestFailure, failureOf } from "../api/errors.ts";
import { useNames, withNames } from "../api/names.ts";
import { goLater, link } from "../base/routes.ts";
import { explained } from "../changes/explained.ts";
import { discardAll, planPending } from "../changes/operations.ts";
import { incomplete, pending, pendingCount } from "../changes/pending.ts";
import { count } from "../facts/amounts.ts";
import { None, Notice, Page, Skeleton } from "../widgets/page.tsx";
import { LostSecrets } from "./lost_secrets.tsx";
import { Merge } from "./merge.tsx";
import { Waiting } from "./waiting.tsx";

/**
 * Makes a plan of the pending changes, and opens it. If somebody else changed the same objects, merges the changes first. The review merges
 * automatically only once: if the next plan is rejected, too, the user has to decide.
 */
export function Review() {
  const [failure, setFailure] = useState<RequestFailure>();
  const hasMerged = useRef(false);
  const make = (isMerged = false): void => {
    hasMerged.current = isMerged;
    setFailure(undefined);
    if (pendingCount.value === 0) return discardAll();
    if (incomplete.value.length > 0) return;
    const changes = Object.values(pending.value);
    const goOn = goLater();
    planPending(changes, "").then(
      (id) => goOn(link("plans", id), "replace"),
      (error: unknown) => setFailure(explained(failureOf(error), changes)),
    );
  };
  useEffect(() => make(), []);
  if (pendingCount.value === 0)
    return (
      <Page title="Review">
        <None>There are no changes to review.</None>
      </Page>
    );
  const isMergeable = [404, 412].includes(failure?.status ?? 0) && !hasMerged.current;
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
      {incomplete.value.length > 0 && <LostSecrets done={() => make()} />}
      {failure && isMergeable && <Merge merged={() => make(true)} done={() => make()} />}
      {failure && !isMergeable && <Rejected failure={failure} retry={() => make()} />}
      {failure && <Waiting changed={() => make()} />}
      {!failure && incomplete.value.length === 0 && <Skeleton />}
    </Page>
  );
}

/** Explains why the changes cannot be planned, with the names of objects. */
function Rejected({ failure, retry }: { failure: RequestFailure; retry: () => void }) {
  const names = useNames();
  return (
    <Notice
      tone="bad"
      role="alert"
      title={withNames(failure.message, names)}
      actions={
        <button type="button" class="btn s" onClick={retry}>
          Try again
        </button>
      }
    >
      {failure.fields.length > 0 && (
        <ul>
          {failure.fields.map(({ path, msg }) => (
            <li key={path}>
              <b>{path}</b>: {withNames(msg, names)}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
