import { useMemo } from "preact/hooks";
import { edgeLink } from "../base/links.ts";
import { link } from "../base/routes.ts";
import { type EdgeObject, useAuthorities, useBackends, useEdges, usePolicies } from "./queries.ts";

/*
 * What pages call an object, and where they show it.
 */

/** How an object is shown. */
export interface Named {
  name: string;
  kind: string;
  href: string | undefined;
}

/** The kind of an object, in words, by the prefix of its id. */
const kinds: Record<string, string> = {
  edgtcp: "TCP edge",
  edgtls: "TLS edge",
  edghts: "HTTPS edge",
  edghtsrt: "route",
  ipp: "IP policy",
  ipr: "rule",
  bkdhr: "fixed response",
  bkdsc: "static backend",
  bkdwd: "weighted backend",
  bkdfo: "failover backend",
  ca: "authority",
  ed: "event destination",
  esb: "event subscription",
  bot: "bot user",
  ak: "API key",
  apr: "API restriction",
  usr: "person",
  ses: "session",
  pln: "plan",
};

/** The kind of the object with an id. */
export const kindOf = (id: string): string => kinds[id.split("_")[0] ?? ""] ?? "object";

/** The page of an object, by its id; undefined if there is none. */
export function hrefOf(id: string, edgeId?: string): string | undefined {
  const prefix = id.split("_")[0] ?? "";
  if (prefix === "edghtsrt") return edgeId === undefined ? undefined : edgeLink(edgeId, id);
  const page = pages[prefix];
  return page === undefined ? undefined : link(page, id);
}

const pages: Record<string, string> = {
  edgtcp: "edges",
  edgtls: "edges",
  edghts: "edges",
  ipp: "policies",
  bkdhr: "backends",
  bkdsc: "backends",
  bkdwd: "backends",
  bkdfo: "backends",
  ed: "deliveries",
  pln: "plans",
  ev: "changes",
};

/** What an object is called: its description, otherwise its id. */
export const nameOf = ({ description, id }: { description?: string; id: string }): string =>
  description || id;

/** How every known object is shown, by its id. */
export function useAllNames(): Map<string, Named> {
  const edges = useEdges().data;
  const backends = useBackends().data;
  const policies = usePolicies().data;
  const authorities = useAuthorities().data;
  return useMemo(
    () => namesOf(edges ?? [], [...(backends ?? []), ...(policies ?? []), ...(authorities ?? [])]),
    [edges, backends, policies, authorities],
  );
}

/** Finds an object's name by its id. Objects that are not known are shown by their id. */
export function useNames(): (id: string) => Named {
  const names = useAllNames();
  return (id) => names.get(id) ?? { name: id, kind: kindOf(id), href: hrefOf(id) };
}

function namesOf(edges: EdgeObject[], others: { id: string; description?: string }[]): Map<string, Named> {
  const names = new Map<string, Named>();
  const add = (object: { id: string; description?: string }, edgeId?: string): void => {
    names.set(object.id, { name: nameOf(object), kind: kindOf(object.id), href: hrefOf(object.id, edgeId) });
  };
  for (const object of others) add(object);
  for (const edge of edges) {
    add(edge);
    if (edge.kind === "https") for (const route of edge.routes) add(route, edge.id);
  }
  return names;
}
