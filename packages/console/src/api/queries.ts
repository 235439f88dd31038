import { useQuery } from "@tanstack/preact-query";
import { type Event, followed } from "./cache.ts";
import { api, bodyOf, clockSkew, type Schemas } from "./client.ts";
import {
  type BackendObject,
  changeBackends,
  changeEdges,
  type EdgeObject,
  newestOf,
  objectsOf,
  usersOf,
} from "./lists.ts";

/*
 * The queries of the pages. All data is cached, and follows the event log: see `cache.ts`.
 */

/** The query parameters that select a page: how many objects it has, and where it begins. */
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

export const useEdges = () => useQuery(followed(["edges"], readEdges, changeEdges));
export const useBackends = () => useQuery(followed(["backends"], readBackends, changeBackends));
export const usePolicies = () =>
  useQuery(
    followed(
      ["policies"],
      () => all((query) => bodyOf(api.GET("/ip_policies", { params: { query } }))),
      objectsOf("ipp"),
    ),
  );
export const useAuthorities = () =>
  useQuery(
    followed(
      ["authorities"],
      () => all((query) => bodyOf(api.GET("/certificate_authorities", { params: { query } }))),
      objectsOf("ca"),
    ),
  );

export const usePolicyUsers = (id: string) =>
  useQuery(
    followed(
      ["used_by", id],
      () => all((query) => bodyOf(api.GET("/ip_policies/{id}/used_by", { params: { path: { id }, query } }))),
      usersOf(id),
    ),
  );

export type AccessAnswer = Schemas["AccessList"]["access"][number];

/** Whether an address gets in at each entrance. After a change, the answer is out of date, and is only read again on request. */
export const useAccess = (ip: string) =>
  useQuery({
    queryKey: ["access", ip],
    queryFn: () => all((query) => bodyOf(api.GET("/access", { params: { query: { ip, ...query } } })), 1000),
    enabled: ip !== "",
    refetchOnMount: "always",
  });

export type Plan = Schemas["Plan"];

/** A plan with its ETag. Without an id, no request is sent. */
export const usePlan = (id: string | null) =>
  useQuery({
    queryKey: ["plans", id],
    enabled: id !== null,
    queryFn: async () => {
      if (id === null) return Promise.reject(new Error("The plan id is missing."));
      const answer = await api.GET("/plans/{id}", { params: { path: { id } } });
      const plan = await bodyOf(Promise.resolve(answer));
      return { plan, etag: answer.response.headers.get("ETag") ?? "" };
    },
  });

/** The plans that can be applied. */
export const useOpenPlans = (enabled: boolean) =>
  useQuery({
    ...followed(
      ["plans", "open"],
      async () =>
        (await bodyOf(api.GET("/plans", { params: { query: { state: "open", limit: 100 } } }))).plans,
      objectsOf("pln"),
    ),
    enabled,
  });

const newestEvents = async (query: { limit: number; object_id?: string }): Promise<Event[]> =>
  (await bodyOf(api.GET("/events", { params: { query } }))).events;

const RECENT = 100;

/** The newest events. */
export const useRecentEvents = () =>
  useQuery(
    followed(
      ["events", "recent"],
      () => newestEvents({ limit: RECENT }),
      newestOf(() => true, RECENT),
    ),
  );

export const useAgents = () =>
  useQuery({
    queryKey: ["agents"],
    queryFn: () => all((query) => bodyOf(api.GET("/agents", { params: { query } }))),
    refetchInterval: 10_000,
  });

/** The certificates of all hosts, for the page that lists them. */
export const useCertificates = () =>
  useQuery({
    queryKey: ["certificates"],
    queryFn: () => all((query) => bodyOf(api.GET("/certificates", { params: { query } }))),
    refetchInterval: 30_000,
  });

/** The states of certificates that somebody should look at. */
const ATTENTION = ["ending", "failing", "paused", "missing"] as const;
/** The most certificates of a state that the overview reads. */
const MOST_CERTIFICATES = 6;

/** The first certificates that somebody should look at. */
export const useEndingCertificates = () =>
  useQuery({
    queryKey: ["certificates", "attention"],
    queryFn: async () => {
      const pages = await Promise.all(
        ATTENTION.map((state) =>
          bodyOf(api.GET("/certificates", { params: { query: { state, limit: MOST_CERTIFICATES } } })),
        ),
      );
      return pages.flatMap(({ certificates }) => certificates);
    },
    staleTime: 60_000,
  });

/** The certificates of an edge's hosts. @param names without ports */
export const useCertificatesOf = (names: string[]) =>
  useQuery({
    queryKey: ["certificates", "of", names],
    queryFn: async () => {
      const pages = await Promise.all(
        names.map((host) => bodyOf(api.GET("/certificates", { params: { query: { host } } }))),
      );
      return pages.flatMap(({ certificates }) => certificates);
    },
    staleTime: 60_000,
  });

/** How many events the history of an object shows. */
const HISTORY = 8;

/** The newest events of an object. */
export const useObjectEvents = (id: string) =>
  useQuery(
    followed(
      ["events", "of", id],
      () => newestEvents({ object_id: id, limit: HISTORY }),
      newestOf(({ object }) => object.id === id, HISTORY),
    ),
  );

/** The objects that use a backend. */
export const useBackendUsers = (kind: BackendObject["kind"], id: string) =>
  useQuery(
    followed(
      ["used_by", id],
      () =>
        all((query) =>
          bodyOf(api.GET(`/backends/${kind}/{id}/used_by`, { params: { path: { id }, query } })),
        ),
      usersOf(id),
    ),
  );

/** Agents report once a minute. */
const REPORTED_EVERY = 60_000;

/** The traffic of all edges and routes, in the last hour and day. */
export const useTrafficSummary = () =>
  useQuery({
    queryKey: ["traffic", "summary"],
    queryFn: () => bodyOf(api.GET("/traffic/summary")),
    refetchInterval: REPORTED_EVERY,
  });

const DAY = 86_400_000;

/** The traffic of an edge, a route or of everything in the last day, by five minutes, or by the hour if there are many agents. */
export const useTraffic = (edge_id: string | undefined, route_id: string | undefined) =>
  useQuery({
    queryKey: ["traffic", edge_id, route_id],
    queryFn: async () => {
      const since = new Date(Date.now() + clockSkew.value - DAY).toISOString();
      const read = (resolution: "300" | "3600") => {
        const query = {
          resolution,
          since,
          ...(edge_id !== undefined && { edge_id }),
          ...(route_id !== undefined && { route_id }),
        };
        return bodyOf(api.GET("/traffic", { params: { query } }));
      };
      const traffic = await read("300");
      return traffic.agents_left_out > 0 ? read("3600") : traffic;
    },
    refetchInterval: REPORTED_EVERY,
  });

/** The servers of a backend, as agents last reported them. */
export const useServers = (backend_id: string) =>
  useQuery({
    queryKey: ["traffic", "servers", backend_id],
    queryFn: async () =>
      (await bodyOf(api.GET("/traffic/servers", { params: { query: { backend_id } } }))).servers,
    refetchInterval: REPORTED_EVERY,
  });
