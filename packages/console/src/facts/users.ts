import { useMemo } from "preact/hooks";
import type { BackendObject, EdgeObject } from "../api/lists.ts";
import { useBackends, useEdges } from "../api/queries.ts";
import { childrenOf } from "./backends.ts";

/*
 * Which objects refer to backends, policies and authorities.
 */

/** The ids of the edges, routes and backends that refer to each object, by its id, once all of them have been read. */
export function useUsers() {
  const edges = useEdges();
  const backends = useBackends();
  const data = useMemo(
    () => edges.data && backends.data && usersOf(edges.data, backends.data),
    [edges.data, backends.data],
  );
  const refetch = (): unknown => Promise.all([edges.refetch(), backends.refetch()]);
  return { data, error: edges.error ?? backends.error, refetch };
}

function usersOf(edges: EdgeObject[], backends: BackendObject[]): Map<string, string[]> {
  const users = new Map<string, string[]>();
  const add = (user: string, ids: string[]): void => {
    for (const id of ids) users.set(id, [...(users.get(id) ?? []), user]);
  };
  for (const edge of edges) {
    if (edge.kind !== "tcp") add(edge.id, idsOf(edge.mutual_tls?.certificate_authorities));
    for (const { id, ip_restriction: restriction, backend } of edge.kind === "https" ? edge.routes : [edge]) {
      add(id, idsOf(restriction?.ip_policies));
      if (backend) add(id, [backend.backend.id]);
    }
  }
  for (const backend of backends) add(backend.id, idsOf(childrenOf(backend)));
  return users;
}

const idsOf = (refs: { id: string }[] | null | undefined): string[] => (refs ?? []).map(({ id }) => id);
