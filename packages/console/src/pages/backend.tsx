import "./common.ts";
import type { BackendObject } from "../api/lists.ts";
import { nameOf } from "../api/names.ts";
import { useBackends, useBackendUsers, useServers } from "../api/queries.ts";
import { link } from "../base/routes.ts";
import { backendKinds, childrenOf, describeBackend } from "../facts/backends.ts";
import { copiesOfBackend } from "../facts/copies.ts";
import { Branch } from "../widgets/branch.tsx";
import { useListed } from "../widgets/dialog.tsx";
import { History } from "../widgets/history.tsx";
import { ObjectMenu } from "../widgets/object_menu.tsx";
import { NotListed, Page, Panel, Rows, Unread } from "../widgets/page.tsx";
import { pendingMark } from "../widgets/pending_mark.tsx";
import { State } from "../widgets/state.tsx";
import { Time } from "../widgets/text.tsx";
import { UsedBy } from "../widgets/used_by.tsx";
import { EditButton } from "./edit_object.tsx";

/** A backend: its children or its response, and who uses it. */
export function BackendPage({ id }: { id: string }) {
  const backends = useBackends();
  const backend = useListed(backends.data, id);
  if (!backends.data) return <Unread query={backends} what="backend" />;
  return backend ? (
    <BackendView backend={backend} all={backends.data} />
  ) : (
    <NotListed what="backend" id={id} />
  );
}

function BackendView({ backend, all }: { backend: BackendObject; all: BackendObject[] }) {
  const users = useBackendUsers(backend.kind, backend.id);
  const title = nameOf(backend);
  const path = `/backends/${backend.kind}/${backend.id}`;
  return (
    <Page
      title={title}
      of={[{ name: "Backends", href: link("backends") }]}
      facts={[
        backendKinds[backend.kind],
        backend.kind === "static" ? <code>{describeBackend(backend)}</code> : describeBackend(backend),
        pendingMark(path),
      ]}
      actions={
        <>
          <ObjectMenu id={backend.id} path={path} title={title} copies={copiesOfBackend(backend)} />
          <EditButton path={path} title={title} isPrimary />
        </>
      }
    >
      <div class="grid">
        <div class="col">
          {backend.kind === "http_response" && <Response backend={backend} />}
          {childrenOf(backend).length > 0 && (
            <Panel title={backend.kind === "weighted" ? "Shares" : "In this order"}>
              {backend.kind === "weighted" && <Shares backend={backend} />}
              <ul class="tree">
                <Branch backend={backend} all={all} depth={0} />
              </ul>
            </Panel>
          )}
          {backend.kind === "static" && <Servers id={backend.id} />}
          <UsedBy
            users={users}
            none="Nothing uses this backend, so it can be deleted."
            note="It cannot be deleted while something uses it."
          />
        </div>
        <History id={backend.id} />
      </div>
    </Page>
  );
}

/** The servers of a backend, as each machine sees them. */
function Servers({ id }: { id: string }) {
  const servers = useServers(id);
  return (
    <Panel title="Servers" note="as the machines see them">
      <Rows
        query={servers}
        empty="No machine has reported in the last five minutes whether its servers can be reached."
      >
        {({ agent, address, up, since }) => (
          <div class="row" key={`${agent} ${address}`}>
            <div class="grow">
              <code class="b">{address}</code>
              <div class="meta">
                from {agent}, since <Time at={since} />
              </div>
            </div>
            <State tone={up ? "good" : "bad"}>{up ? "Up" : "Down"}</State>
          </div>
        )}
      </Rows>
    </Panel>
  );
}

function Response({ backend }: { backend: BackendObject & { kind: "http_response" } }) {
  return (
    <Panel title={`Response ${backend.status_code}`}>
      <div>
        {Object.entries(backend.headers ?? {}).map(([name, value]) => (
          <div class="row" key={name}>
            <code>
              {name}: <bdi class="wrap">{value}</bdi>
            </code>
          </div>
        ))}
        <pre class="pad mono" dir="auto">
          {backend.body || "No body"}
        </pre>
      </div>
    </Panel>
  );
}

function Shares({ backend }: { backend: BackendObject & { kind: "weighted" } }) {
  const weights = Object.entries(backend.backends ?? {});
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0) || 1;
  let start = 0;
  return (
    <svg class="shares" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      {weights.map(([id, weight], index) => {
        const x = start;
        start += (weight / total) * 100;
        return <rect key={id} class={`share-${index % 3}`} x={x} width={(weight / total) * 100} height="6" />;
      })}
    </svg>
  );
}
