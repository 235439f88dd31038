import "./common.ts";
import type { BackendObject } from "../api/lists.ts";
import { nameOf } from "../api/names.ts";
import { useBackends, useBackendUsers } from "../api/queries.ts";
import { link } from "../base/routes.ts";
import { backendKinds, childrenOf, describeBackend } from "../facts/backends.ts";
import { copiesOfBackend } from "../facts/copies.ts";
import { Branch } from "../widgets/branch.tsx";
import { Copy } from "../widgets/copy.tsx";
import { History } from "../widgets/history.tsx";
import { Loaded, NotFound, Page, Panel, Rows, Skeleton } from "../widgets/page.tsx";
import { Ref } from "../widgets/text.tsx";
import { ObjectActions } from "./edit_object.tsx";

/** A backend: its children or its response, and who uses it. */
export function BackendPage({ id }: { id: string }) {
  const backends = useBackends();
  if (!backends.data) return <Loaded query={backends}>{() => <Skeleton />}</Loaded>;
  const backend = backends.data.find((one) => one.id === id);
  return backend ? (
    <BackendView backend={backend} all={backends.data} />
  ) : (
    <NotFound what="backend" id={id} />
  );
}

function BackendView({ backend, all }: { backend: BackendObject; all: BackendObject[] }) {
  const users = useBackendUsers(backend.kind, backend.id);
  const path = `/backends/${backend.kind}/${backend.id}`;
  return (
    <Page
      title={nameOf(backend)}
      of={{ name: "Backends", href: link("backends") }}
      subtitle={
        <>
          {backendKinds[backend.kind]} · {describeBackend(backend)} · <code class="t3">{backend.id}</code>
        </>
      }
      actions={<ObjectActions path={path} title={nameOf(backend)} />}
    >
      <div class="grid">
        <div class="col">
          {backend.kind === "http_response" && <Response backend={backend} />}
          {backend.kind === "weighted" && <Shares backend={backend} />}
          {childrenOf(backend).length > 0 && (
            <Panel title="Children">
              <ul class="tree">
                <Branch backend={backend} all={all} depth={0} />
              </ul>
            </Panel>
          )}
          <Panel title="Used by">
            <Rows query={users} empty="Nothing uses this backend, so it can be deleted.">
              {(user) => (
                <div class="row" key={user.id}>
                  <span class="cut">
                    <Ref id={user.id} />
                  </span>
                </div>
              )}
            </Rows>
            {users.data && users.data.length > 0 && (
              <footer class="t3 sm pad">It cannot be deleted while something uses it.</footer>
            )}
          </Panel>
        </div>
        <div class="col">
          <History id={backend.id} />
          <Copy copies={copiesOfBackend(backend)} />
        </div>
      </div>
    </Page>
  );
}

function Response({ backend }: { backend: BackendObject & { kind: "http_response" } }) {
  return (
    <Panel title={`Response ${backend.status_code}`}>
      {Object.entries(backend.headers ?? {}).map(([name, value]) => (
        <div class="row mono" key={name}>
          {name}: <bdi class="wrap">{value}</bdi>
        </div>
      ))}
      <pre class="pad mono" dir="auto">
        {backend.body || "No body"}
      </pre>
    </Panel>
  );
}

function Shares({ backend }: { backend: BackendObject & { kind: "weighted" } }) {
  const weights = Object.entries(backend.backends ?? {});
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0) || 1;
  let start = 0;
  return (
    <Panel title="Shares">
      <svg class="shares" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        {weights.map(([id, weight], index) => {
          const x = start;
          start += (weight / total) * 100;
          return (
            <rect key={id} class={`share-${index % 3}`} x={x} width={(weight / total) * 100} height="6" />
          );
        })}
      </svg>
    </Panel>
  );
}
