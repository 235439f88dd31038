import { QueryClient, useQuery } from "@tanstack/preact-query";
import { api, bodyOf, type Schemas } from "./client.ts";

/*
 * What the pages read. Everything is kept until an event names it.
 */

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: Infinity, gcTime: 600_000, refetchOnWindowFocus: false },
  },
});

/** Where a page of a list begins. */
const cursors = ["before_id", "before_edge_id", "after"] as const;
type Query = { limit: number } & { [name in (typeof cursors)[number]]?: string };

/** Every object of a list, page by page. @param limit the most objects on a page */
export async function all<P extends { next_page_uri: string | null }, T>(
  read: (query: Query) => Promise<P>,
  itemsOf: (page: P) => T[],
  limit = 100,
): Promise<T[]> {
  const items: T[] = [];
  let query: Query = { limit };
  for (;;) {
    const page = await read(query);
    items.push(...itemsOf(page));
    if (page.next_page_uri === null) return items;
    const next = new URL(page.next_page_uri).searchParams;
    query = { limit };
    for (const name of cursors) {
      const value = next.get(name);
      if (value !== null) query[name] = value;
    }
  }
}

export type EdgeObject =
  | (Schemas["TcpEdge"] & { kind: "tcp" })
  | (Schemas["TlsEdge"] & { kind: "tls" })
  | (Schemas["HttpsEdge"] & { kind: "https" });
export type RouteObject = Schemas["HttpsEdgeRoute"];

async function readEdges(): Promise<EdgeObject[]> {
  const [https, tls, tcp] = await Promise.all([
    all(
      (query) => bodyOf(api.GET("/edges/https", { params: { query } })),
      (page) => page.https_edges,
    ),
    all(
      (query) => bodyOf(api.GET("/edges/tls", { params: { query } })),
      (page) => page.tls_edges,
    ),
    all(
      (query) => bodyOf(api.GET("/edges/tcp", { params: { query } })),
      (page) => page.tcp_edges,
    ),
  ]);
  return [
    ...https.map((edge) => ({ ...edge, kind: "https" as const })),
    ...tls.map((edge) => ({ ...edge, kind: "tls" as const })),
    ...tcp.map((edge) => ({ ...edge, kind: "tcp" as const })),
  ];
}

export type BackendObject =
  | (Schemas["HttpResponseBackend"] & { kind: "http_response" })
  | (Schemas["StaticBackend"] & { kind: "static" })
  | (Schemas["WeightedBackend"] & { kind: "weighted" })
  | (Schemas["FailoverBackend"] & { kind: "failover" });

async function readBackends(): Promise<BackendObject[]> {
  const [failover, weighted, http, fixed] = await Promise.all([
    all(
      (query) => bodyOf(api.GET("/backends/failover", { params: { query } })),
      (page) => page.backends,
    ),
    all(
      (query) => bodyOf(api.GET("/backends/weighted", { params: { query } })),
      (page) => page.backends,
    ),
    all(
      (query) => bodyOf(api.GET("/backends/http_response", { params: { query } })),
      (page) => page.backends,
    ),
    all(
      (query) => bodyOf(api.GET("/backends/static", { params: { query } })),
      (page) => page.backends,
    ),
  ]);
  return [
    ...failover.map((backend) => ({ ...backend, kind: "failover" as const })),
    ...weighted.map((backend) => ({ ...backend, kind: "weighted" as const })),
    ...fixed.map((backend) => ({ ...backend, kind: "static" as const })),
    ...http.map((backend) => ({ ...backend, kind: "http_response" as const })),
  ];
}

export const useEdges = () => useQuery({ queryKey: ["edges"], queryFn: readEdges });
export const useBackends = () => useQuery({ queryKey: ["backends"], queryFn: readBackends });
export const usePolicies = () =>
  useQuery({
    queryKey: ["policies"],
    queryFn: () =>
      all(
        (query) => bodyOf(api.GET("/ip_policies", { params: { query } })),
        (page) => page.ip_policies,
      ),
  });
export const useAuthorities = () =>
  useQuery({
    queryKey: ["authorities"],
    queryFn: () =>
      all(
        (query) => bodyOf(api.GET("/certificate_authorities", { params: { query } })),
        (page) => page.certificate_authorities,
      ),
  });

type Rule = Schemas["IpPolicyRulesList"]["rules"][number];

/** A policy's rules with the ETag that replacing them needs. */
export interface TaggedRules {
  etag: string;
  rules: Rule[];
}

/** Reads all rules of a policy. If they change between two pages, it starts again. @throws Failure */
export async function readRules(id: string): Promise<TaggedRules> {
  const rules: Rule[] = [];
  let etag: string | undefined;
  for (;;) {
    const last = rules.at(-1);
    const query = last ? { limit: 10_000, after: last.id } : { limit: 10_000 };
    const answer = await api.GET("/ip_policies/{id}/rules", { params: { path: { id }, query } });
    const page = await bodyOf(Promise.resolve(answer));
    const current = answer.response.headers.get("ETag") ?? "";
    if (etag !== undefined && etag !== current) return readRules(id);
    etag = current;
    rules.push(...page.rules);
    if (page.next_page_uri === null) return { etag, rules };
  }
}

export const useRules = (id: string) => useQuery({ queryKey: ["rules", id], queryFn: () => readRules(id) });

export const usePolicyUsers = (id: string) =>
  useQuery({
    queryKey: ["edges", "policy", id],
    queryFn: () =>
      all(
        (query) => bodyOf(api.GET("/ip_policies/{id}/used_by", { params: { path: { id }, query } })),
        (page) => page.used_by,
      ),
  });

export type AccessAnswer = Schemas["AccessList"]["access"][number];

/** Whether an address gets in at each entrance. */
export const useAccess = (ip: string) =>
  useQuery({
    queryKey: ["access", ip],
    queryFn: () =>
      all(
        (query) => bodyOf(api.GET("/access", { params: { query: { ip, ...query } } })),
        (page) => page.access,
        1000,
      ),
    enabled: ip !== "",
    staleTime: 0,
  });

export type Plan = Schemas["Plan"];

/** A plan with its ETag. */
export const usePlan = (id: string) =>
  useQuery({
    queryKey: ["plans", id],
    queryFn: async () => {
      const answer = await api.GET("/plans/{id}", { params: { path: { id } } });
      const plan = await bodyOf(Promise.resolve(answer));
      return { plan, etag: answer.response.headers.get("ETag") ?? "" };
    },
  });

export type Event = Schemas["Event"];

/** The newest events. */
export const useRecentEvents = () =>
  useQuery({
    queryKey: ["events", "recent"],
    queryFn: async () => (await bodyOf(api.GET("/events", { params: { query: { limit: 100 } } }))).events,
  });

export const useAgents = () =>
  useQuery({
    queryKey: ["agents"],
    queryFn: () =>
      all(
        (query) => bodyOf(api.GET("/agents", { params: { query } })),
        (page) => page.agents,
      ),
    refetchInterval: 10_000,
  });

/** The newest events of an object. */
export const useObjectEvents = (id: string) =>
  useQuery({
    queryKey: ["events", "of", id],
    queryFn: async () =>
      (await bodyOf(api.GET("/events", { params: { query: { object_id: id, limit: 20 } } }))).events,
  });

/** The objects that use a backend, by the backend's path. */
export const useBackendUsers = (kind: BackendObject["kind"], id: string) =>
  useQuery({
    queryKey: ["edges", "backend", id],
    queryFn: () =>
      all(
        (query) => {
          const params = { path: { id }, query };
          const answers = {
            static: () => api.GET("/backends/static/{id}/used_by", { params }),
            weighted: () => api.GET("/backends/weighted/{id}/used_by", { params }),
            failover: () => api.GET("/backends/failover/{id}/used_by", { params }),
            http_response: () => api.GET("/backends/http_response/{id}/used_by", { params }),
          };
          return bodyOf(answers[kind]());
        },
        (page) => page.used_by,
      ),
  });
