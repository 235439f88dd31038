import "./common.ts";
import { useState } from "preact/hooks";
import type { EdgeObject, RouteObject } from "../api/lists.ts";
import { nameOf } from "../api/names.ts";
import { useCertificatesOf, useEdges } from "../api/queries.ts";
import { mayPlan } from "../api/session.ts";
import { edgeLink } from "../base/links.ts";
import { link, place } from "../base/routes.ts";
import { sourceOf, stateOfCertificate } from "../facts/certificates.ts";
import { copiesOfEdge } from "../facts/copies.ts";
import { urlOf } from "../facts/entrances.ts";
import { useKnown } from "../facts/known.ts";
import { needsAttention, type Served, type ServedFacts, servedOf, worstOf } from "../facts/served.ts";
import { AccessTest } from "../widgets/access_test.tsx";
import { useListed } from "../widgets/dialog.tsx";
import { History } from "../widgets/history.tsx";
import { Icon } from "../widgets/icons.tsx";
import { Machines } from "../widgets/machines.tsx";
import { ObjectMenu } from "../widgets/object_menu.tsx";
import { Loaded, Notice, NotListed, Page, Panel, Rows, Unread } from "../widgets/page.tsx";
import { pendingMark } from "../widgets/pending_mark.tsx";
import { ServedState, State } from "../widgets/state.tsx";
import { Time } from "../widgets/text.tsx";
import { EdgeRoutes } from "./edge_routes.tsx";
import { EdgeSteps } from "./edge_steps.tsx";
import { EdgeTraffic } from "./edge_traffic.tsx";
import { EditButton, NewObject } from "./edit_object.tsx";

/** An edge, or one of its routes: where it accepts traffic, what happens to it, and which machines serve it. */
export function EdgePage({ id }: { id: string }) {
  const edges = useEdges();
  const edge = useListed(edges.data, id);
  const routeId = place.value.query.get("route");
  const route = useListed(edge?.kind === "https" ? edge.routes : undefined, routeId);
  if (!edges.data) return <Unread query={edges} what="edge" />;
  if (!edge || (routeId !== null && !route))
    return <NotListed what={routeId ? "route" : "edge"} id={routeId ?? id} />;
  return <EdgeView key={routeId ?? id} edge={edge} route={route} />;
}

const matchTypes = { exact_path: "this path only", path_prefix: "this path and below" } as const;

function EdgeView({ edge, route }: { edge: EdgeObject; route: RouteObject | undefined }) {
  const object = route ?? edge;
  const title = nameOf(object);
  const path = route ? `/edges/https/${edge.id}/routes/${route.id}` : `/edges/${edge.kind}/${edge.id}`;
  const known = useKnown();
  const own = known.data && servedOf(known.data, edge, route);
  const all = { name: "Edges", href: link("edges") };
  const [isNew, setNew] = useState(false);
  const addRoute = (): void => setNew(true);
  const hasRoutes = edge.kind === "https" && !route;
  const routes = hasRoutes && known.data ? routesOf(edge, known.data) : [];
  const served = own && worstOf(own, ...routes.map(([, state]) => state));
  return (
    <Page
      title={title}
      of={route ? [all, { name: nameOf(edge), href: edgeLink(edge.id) }] : [all]}
      state={served && <ServedState served={served} />}
      facts={[
        (edge.hostports ?? []).map((hostport) => (
          <code key={hostport}>
            {hostport}
            {route?.match}
          </code>
        )),
        route ? matchTypes[route.match_type] : edge.kind.toUpperCase(),
        pendingMark(path),
      ]}
      actions={<EdgeActions edge={edge} route={route} path={path} addRoute={addRoute} />}
    >
      <Loaded query={{ ...known, data: own }}>{(state) => <Why served={state} name={title} />}</Loaded>
      {own && <WhyRoutes edge={edge} routes={routes.filter(([, { kind }]) => kind !== own.kind)} />}
      <div class="grid">
        <div class="col">
          <EdgeTraffic edge={edge.id} route={route?.id} name={title} />
          {hasRoutes && <EdgeRoutes edge={edge} add={addRoute} />}
          <EdgeSteps object={object} path={path} edge={edge} />
        </div>
        <div class="col">
          <Machines
            edge={edge.id}
            served={routes.every(([, { kind }]) => kind === served?.kind) ? served : own}
          />
          {edge.kind !== "tcp" && <Certificates edge={edge} />}
          <AccessTest
            only={{
              has: (access) => access.edge.id === edge.id && (!route || access.route?.id === route.id),
              none: "It has no routes, so nobody gets in.",
            }}
          />
          <History id={object.id} />
        </div>
      </div>
      {isNew && <NewObject kinds={["route"]} parent={edge.id} close={() => setNew(false)} />}
    </Page>
  );
}

function EdgeActions(props: {
  edge: EdgeObject;
  route: RouteObject | undefined;
  path: string;
  addRoute: () => void;
}) {
  const { edge, route, path, addRoute } = props;
  const object = route ?? edge;
  const title = nameOf(object);
  const hasRoutes = edge.kind === "https" && !route;
  return (
    <>
      <ObjectMenu
        id={object.id}
        path={path}
        title={title}
        copies={copiesOfEdge(edge, route)}
        more={
          hasRoutes
            ? []
            : [
                {
                  text: "Simulate a request",
                  run: () => (location.hash = link("simulate", undefined, { url: urlOf(edge, route) })),
                },
              ]
        }
      />
      <EditButton path={path} title={title} {...(!hasRoutes && { isPrimary: true })} />
      {hasRoutes && mayPlan.value && (
        <button type="button" class="btn p" data-key="n" onClick={addRoute}>
          <Icon name="add" />
          Add route <kbd aria-hidden="true">N</kbd>
        </button>
      )}
    </>
  );
}

/** Why something is not served as written, on which machines. */
function Why({ served: { kind, tone, text, reasons }, name }: { served: Served; name: string }) {
  if (kind === "no host")
    return (
      <Notice tone="warn" title="No client can reach it">
        It has no host and port.
      </Notice>
    );
  if (kind === "no route")
    return (
      <Notice tone="warn" title="Every request gets 404">
        It has no route that says where traffic goes.
      </Notice>
    );
  if (reasons.length === 0 || (tone !== "bad" && tone !== "warn")) return null;
  const titles: Partial<Record<typeof kind, string>> = {
    "not served": `No machine serves ${name}`,
    "answers 503": "Every request is answered with 503",
  };
  const machines = [...new Set(reasons.flatMap(({ machine }) => machine ?? []))];
  const ofSome =
    machines.length === 1
      ? `${machines[0]} does not serve it as configured`
      : "Some machines do not serve it as configured";
  return (
    <Notice
      tone={tone}
      title={titles[kind] ?? (machines.length === 0 ? `It is ${text.toLowerCase()}` : ofSome)}
    >
      <ul>
        {[...Map.groupBy(reasons, ({ msg }) => msg)].map(([msg, own]) => (
          <li key={msg}>
            {machines.length > 1 && own.some(({ machine }) => machine !== null) && (
              <b>{own.map(({ machine }) => machine).join(", ")}: </b>
            )}
            {msg}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** The routes of an edge, each with its state. */
const routesOf = (edge: EdgeObject, known: ServedFacts): [RouteObject, Served][] =>
  edge.kind === "https" ? edge.routes.map((route) => [route, servedOf(known, edge, route)]) : [];

/** The routes whose state differs from their edge's, and the reasons. */
function WhyRoutes({ edge, routes }: { edge: EdgeObject; routes: [RouteObject, Served][] }) {
  const bad = routes.filter(([, state]) => needsAttention(state));
  const [first] = bad;
  if (!first) return null;
  const { tone } = worstOf(first[1], ...bad.map(([, state]) => state));
  const named = (route: RouteObject) => (
    <a class="link" href={edgeLink(edge.id, route.id)}>
      <bdi>{nameOf(route)}</bdi>
    </a>
  );
  const why = ({ reasons }: Served): string => [...new Set(reasons.map(({ msg }) => msg))].join(" ");
  const isOne = bad.length === 1;
  return (
    <Notice
      tone={tone === "bad" ? "bad" : "warn"}
      title={
        isOne ? (
          <>
            {named(first[0])}: {first[1].text}
          </>
        ) : (
          `${bad.length} routes need attention`
        )
      }
    >
      {isOne ? (
        why(first[1])
      ) : (
        <ul>
          {bad.slice(0, MOST_LISTED).map(([route, state]) => (
            <li key={route.id}>
              {named(route)}: {state.text}. {why(state)}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

/** The maximum number of hosts whose certificates are shown, and of routes that a notice lists. */
const MOST_LISTED = 8;

/** The certificates of an edge's hosts. */
function Certificates({ edge }: { edge: EdgeObject }) {
  const names = (edge.hostports ?? []).map((hostport) => hostport.replace(/:\d+$/, ""));
  const certificates = useCertificatesOf([...new Set(names)].slice(0, MOST_LISTED));
  return (
    <Panel
      title="Certificates"
      aside={
        <a class="link" href={link("certificates")}>
          All
        </a>
      }
    >
      <Rows query={certificates} empty="It needs none, or no machine has reported any.">
        {(certificate) => {
          const { tone, text } = stateOfCertificate(certificate);
          return (
            <div class="row" key={certificate.host}>
              <div class="grow">
                <code class="b wrap">{certificate.host}</code>
                <div class="meta wrap">
                  {certificate.last_error ?? sourceOf(certificate)}
                  {certificate.not_after !== null && (
                    <>
                      {" "}
                      · {text === "Expired" ? "ended" : "ends"} <Time at={certificate.not_after} />
                    </>
                  )}
                </div>
              </div>
              <State tone={tone}>{text}</State>
            </div>
          );
        }}
      </Rows>
    </Panel>
  );
}
