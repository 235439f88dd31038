import "./common.ts";
import { useState } from "preact/hooks";
import type { Fields } from "../api/client.ts";
import type { EdgeObject, RouteObject } from "../api/lists.ts";
import { nameOf, useNames } from "../api/names.ts";
import { useEdges } from "../api/queries.ts";
import { mayPlan } from "../api/session.ts";
import { edgeLink, policyLink } from "../base/links.ts";
import { link, place } from "../base/routes.ts";
import { describe, modules } from "../changes/modules.ts";
import { pending } from "../changes/pending.ts";
import { copiesOfEdge } from "../facts/copies.ts";
import { needsCertificate, stateOf, tones, urlOf } from "../facts/entrances.ts";
import { useProblems } from "../facts/problems.ts";
import { AccessTest } from "../widgets/access_test.tsx";
import { Copy } from "../widgets/copy.tsx";
import { History } from "../widgets/history.tsx";
import { Chip, Empty, Loaded, NotFound, Page, Panel, Skeleton } from "../widgets/page.tsx";
import { EditModule } from "./edit_module.tsx";
import { ObjectActions } from "./edit_object.tsx";

/** An edge, or one of its routes: where it accepts traffic, its modules, its problems. */
export function EdgePage({ id }: { id: string }) {
  const edges = useEdges();
  if (!edges.data) return <Loaded query={edges}>{() => <Skeleton />}</Loaded>;
  const edge = edges.data.find((one) => one.id === id);
  const routeId = place.value.query.get("route");
  const route = edge?.kind === "https" ? edge.routes.find((one) => one.id === routeId) : undefined;
  if (!edge || (routeId !== null && !route))
    return <NotFound what={routeId ? "route" : "edge"} id={routeId ?? id} />;
  return <EdgeView edge={edge} route={route} />;
}

function EdgeView({ edge, route }: { edge: EdgeObject; route: RouteObject | undefined }) {
  const object = route ?? edge;
  const path = route ? `/edges/https/${edge.id}/routes/${route.id}` : `/edges/${edge.kind}/${edge.id}`;
  const all = useProblems();
  const problems = all.data?.filter(({ object: id }) => id === object.id || id === edge.id);
  const state = problems && stateOf(problems, edge, route);
  const isPending = pending.value[path] !== undefined;
  return (
    <Page
      title={nameOf(object)}
      of={route ? { name: nameOf(edge), href: edgeLink(edge.id) } : { name: "Edges", href: link("edges") }}
      subtitle={
        <>
          {state && <Chip tone={tones[state]}>{state}</Chip>}{" "}
          <span class="mono">
            {(edge.hostports ?? []).join(", ")}
            {route?.match}
          </span>{" "}
          <span class="t3">
            {route ? route.match_type.replace("_", " ") : edge.kind.toUpperCase()} · <code>{object.id}</code>
          </span>{" "}
          {isPending && <Chip tone="acc">changes not applied yet</Chip>}
        </>
      }
      actions={<ObjectActions path={path} title={nameOf(object)} />}
    >
      <Loaded query={{ ...all, data: problems }}>
        {(own) =>
          own.map(({ code, msg, effect }) => (
            <p class={`notice ${effect === "partly" || effect === "warning" ? "warn" : "bad"}`} key={code}>
              {msg}
            </p>
          ))
        }
      </Loaded>
      <div class="grid">
        <div class="col">
          <Modules object={object} path={path} edge={edge} />
          {(route || edge.kind !== "https") && (
            <p>
              <a class="btn" href={policyLink(edge.id, route?.id)}>
                {"traffic_policy" in object && object.traffic_policy
                  ? "Open the traffic policy"
                  : "Add a traffic policy"}
              </a>{" "}
              <a class="btn" href={link("simulate", undefined, { url: urlOf(edge, route) })}>
                Simulate a request
              </a>
            </p>
          )}
          {edge.kind === "https" && !route && <Routes edge={edge} routes={edge.routes} />}
          <Copy copies={copiesOfEdge(edge, route)} />
        </div>
        <div class="col">
          <AccessTest
            only={(access) => access.edge.id === edge.id && (!route || access.route?.id === route.id)}
          />
          <History id={object.id} />
        </div>
      </div>
    </Page>
  );
}

/** The modules that are set, and a way to change them and to add others. */
function Modules({
  object,
  path,
  edge,
}: {
  object: EdgeObject | RouteObject;
  path: string;
  edge: EdgeObject;
}) {
  const names = useNames();
  const [edited, setEdited] = useState<string>();
  const fields: Fields = { ...object };
  // The traffic policy has a page of its own.
  const unset = Object.entries(modules).filter(
    ([name]) => name !== "traffic_policy" && name in fields && fields[name] === null,
  );
  const set = Object.entries(modules).flatMap(([name, title]) => {
    const module = fields[name];
    if (typeof module !== "object" || module === null) return [];
    const isEnabled = "enabled" in module && module.enabled === true;
    return [{ name, title, isEnabled, text: describe(name, module, (id) => names(id).name) }];
  });
  return (
    <Panel title="Modules">
      {set.length === 0 && <Empty>No module is set.</Empty>}
      {object !== edge && needsCertificate(edge) && (
        <div class="row">
          <span class="module t3">{modules.mutual_tls}</span>
          <span class="grow">Clients need a certificate</span>
          <a class="link" href={edgeLink(edge.id)}>
            of the edge
          </a>
        </div>
      )}
      {set.map(({ name, title, isEnabled, text }) => (
        <div class="row" key={name}>
          <span class="module t3">{title}</span>
          <bdi class={`grow wrap ${name === "traffic_policy" ? "mono" : ""}`}>{text}</bdi>
          {!isEnabled && <Chip tone="warn">disabled</Chip>}
          {mayPlan.value && name !== "traffic_policy" && (
            <button type="button" class="btn sm" onClick={() => setEdited(name)}>
              Change<span class="hidden"> {title}</span>
            </button>
          )}
        </div>
      ))}
      {mayPlan.value && unset.length > 0 && (
        <div class="row">
          <select
            class="input"
            aria-label="Add a module"
            value=""
            onChange={(event) => {
              setEdited(event.currentTarget.value);
              event.currentTarget.value = "";
            }}
          >
            <option value="">Add a module…</option>
            {unset.map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </div>
      )}
      {edited !== undefined && (
        <EditModule path={path} title={nameOf(object)} name={edited} close={() => setEdited(undefined)} />
      )}
    </Panel>
  );
}

function Routes({ edge, routes }: { edge: EdgeObject; routes: RouteObject[] }) {
  return (
    <Panel title="Routes">
      {routes.length === 0 && <Empty>There is no route, so every request gets 404.</Empty>}
      {routes.map((route) => (
        <div class="row" key={route.id}>
          <span class="module mono cut">{route.match}</span>
          <a class="link grow cut" href={edgeLink(edge.id, route.id)}>
            <bdi>{nameOf(route)}</bdi>
          </a>
          <span class="t3 sm">{route.match_type.replace("_", " ")}</span>
        </div>
      ))}
    </Panel>
  );
}
