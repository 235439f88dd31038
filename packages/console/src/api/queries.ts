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

/** The most objects on a page, and where it begins. */
interface Query {
  limit: number;
  before_id?: string;
  before_edge_id?: string;
  after?: string;
}

/** The type of the items in a page, which has one list. */
type ItemOf<Page> = Extract<Page[keyof Page], readonly unknown[]>[number];

const isList = <Page>(value: unknown): value is ItemOf<Page>[] => Array.isArray(value);

/** Every object of a list, page by page. @param limit the most objects on a page */
export async function all<Page extends { next_page_uri: string | null }>(
  read: (query: Query) => Promise<Page>,
  limit = 100,
): Promise<ItemOf<Page>[]> {
  const items: ItemOf<Page>[] = [];
  let query: Query = { limit };
  for (;;) {
    const page = await read(query);
    const fields: unknown[] = Object.values(page);
    for (const field of fields) if (isList<Page>(field)) items.push(...field);
    if (page.next_page_uri === null) return items;
    query = { ...Object.fromEntries(new URL(page.next_page_uri).searchParams), limit };
  }
}

export type EdgeObject =
  | (Schemas["TcpEdge"] & { kind: "tcp" })
  | (Schemas["TlsEdge"] & { kind: "tls" })
  | (Schemas["HttpsEdge"] & { kind: "https" });
export type RouteObject = Schemas["HttpsEdgeRoute"];

async function readEdges(): Promise<EdgeObject[]> {
  const [https, tls, tcp] = await Promise.all([
    all((query) => bodyOf(api.GET("/edges/https", { params: { query } }))),
    all((query) => bodyOf(api.GET("/edges/tls", { params: { query } }))),
    all((query) => bodyOf(api.GET("/edges/tcp", { params: { query } }))),
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
    all((query) => bodyOf(api.GET("/backends/failover", { params: { query } }))),
    all((query) => bodyOf(api.GET("/backends/weighted", { params: { query } }))),
    all((query) => bodyOf(api.GET("/backends/http_response", { params: { query } }))),
    all((query) => bodyOf(api.GET("/backends/static", { params: { query } }))),
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
    queryFn: () => all((query) => bodyOf(api.GET("/ip_policies", { params: { query } }))),
  });
export const useAuthorities = () =>
  useQuery({
    queryKey: ["authorities"],
    queryFn: () => all((query) => bodyOf(api.GET("/certificate_authorities", { params: { query } }))),
  });

type Rule = Schemas["IpPolicyRulesList"]["rules"][number];

/** A policy's rules with the ETag that replacing them needs. */
export interface TaggedRules {
  etag: string;
  rules: Rule[];
}

/** Reads all rules of a policy. If they change between two pages, it starts again. @throws RequestFailure */
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
      all((query) => bodyOf(api.GET("/ip_policies/{id}/used_by", { params: { path: { id }, query } }))),
  });

export type AccessAnswer = Schemas["AccessList"]["access"][number];

/** Whether an address gets in at each entrance. */
export const useAccess = (ip: string) =>
  useQuery({
    queryKey: ["access", ip],
    queryFn: () => all((query) => bodyOf(api.GET("/access", { params: { query: { ip, ...query } } })), 1000),
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
    queryFn: () => all((query) => bodyOf(api.GET("/agents", { params: { query } }))),
    refetchInterval: 10_000,
  });

/** The newest events of an object. */
export const useObjectEvents = (id: string) =>
  useQuery({
    queryKey: ["events", "of", id],
    queryFn: async () =>
      (await bodyOf(api.GET("/events", { params: { query: { object_id: id, limit: 8 } } }))).events,
  });

/** The objects that use a backend. */
export const useBackendUsers = (kind: BackendObject["kind"], id: string) =>
  useQuery({
    queryKey: ["edges", "backend", id],
    queryFn: () =>
      all((query) => bodyOf(api.GET(`/backends/${kind}/{id}/used_by`, { params: { path: { id }, query } }))),
  });
