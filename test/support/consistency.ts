import { kinds } from "../../packages/model/src/kinds.ts";
import type { Json } from "./json.ts";
import { replayFaults } from "./replay.ts";

/*
 * Invariants of the stored data: no reference to an object that does not exist, and derived tables agree with their
 * sources.
 */

/** The rows of every table, by its name. JSON columns are strings. */
export type Rows = Record<string, Json[]>;

/** Columns that can refer to objects that no longer exist, and why. */
const MAY_DANGLE: Record<string, string> = {
  ip_restriction: "a deleted policy counts as a policy without rules",
  target: "as above",
  mutual_tls: "a certificate authority may be managed elsewhere",
  object_id: "an idempotency record outlives its object",
  response: "an idempotency record outlives its object",
  object: "an event outlives its object",
  effect: "a plan outlives the objects that it changes",
  reads: "as above",
  objects: "agents report traffic of objects that may be deleted by then",
  upstreams: "as above",
  principal: "an event outlives the key and the bot that caused it",
  edge_id: "routes may have modules here and be managed elsewhere; those that are objects: see routeFaults",
};

/** The tables whose rows have no `id`, each with a function that lists what is wrong with its rows. */
export const sideTables: Record<string, (rows: Rows) => string[]> = {
  uses: (rows) => {
    const referred = Object.values(rows).flatMap((some) => some.flatMap(usesIn));
    const kept = (rows["uses"] ?? []).map(useOf);
    return [
      ...without(referred, kept).map((use) => `uses lacks ${use}`),
      ...without(kept, referred).map((use) => `uses has ${use}, which no row has`),
    ];
  },
  idempotency_records: () => [],
  hourly_counts: () => [],
  events: replayFaults,
  cursors: ({ cursors = [], event_destinations = [] }) => {
    const ids = new Set(event_destinations.map(({ id }) => id));
    return cursors
      .filter(({ destination_id }) => !ids.has(destination_id))
      .map(({ destination_id }) => `cursors has ${destination_id}, which does not exist`);
  },
  dead_letters: ({ dead_letters = [], cursors = [] }) => {
    const ids = new Set(cursors.map(({ destination_id }) => destination_id));
    return dead_letters
      .filter(({ destination_id }) => !ids.has(destination_id))
      .map(({ destination_id }) => `dead_letters has ${destination_id}, which has no cursor`);
  },
  // Agents' reports, which are not objects.
  agents: () => [],
  agent_certificates: ({ agent_certificates = [], agents = [] }) => {
    const names = new Set(agents.map(({ name }) => name));
    return agent_certificates
      .filter(({ agent }) => !names.has(agent))
      .map(({ agent }) => `agent_certificates has ${agent}, which does not exist`);
  },
  traffic: ({ traffic = [], agents = [] }) => {
    const names = new Set(agents.map(({ name }) => name));
    return traffic
      .filter(({ agent }) => !names.has(agent))
      .map(({ agent }) => `traffic has ${agent}, which does not exist`);
  },
  // Sums of what agents reported, also of those that were forgotten since.
  traffic_hours: () => [],
  certificate_notices: () => [],
  // What agents ask for, which are not objects.
  certificate_orders: () => [],
  database_epoch: ({ database_epoch = [] }) =>
    database_epoch.length === 1 ? [] : [`database_epoch has ${database_epoch.length} rows`],
};

const isId = new RegExp(
  `^(?:${Object.values(kinds)
    .map(({ prefix }) => prefix)
    .join("|")})[0-9A-Za-z]{1,64}$`,
);

/**
 * The references in an object's JSON columns: everything there that has the form of an id, and its hostports. Lists
 * find HTTPS edges by their authorities, unless the edges are managed elsewhere.
 */
function usesIn({ id, edge_id = "", description, metadata, hostports, ...columns }: Json): string[] {
  // What a plan names may not exist.
  if (id === undefined || id.startsWith("pln_")) return [];
  const ids = Object.values(columns)
    .filter((value) => /^[[{]/.test(String(value)))
    .flatMap(textsIn)
    .filter((text) => isId.test(text));
  const served: string[] = JSON.parse(hostports ?? "[]");
  const places = served.flatMap((hostport) => [hostport.toLowerCase(), hostport.replace(/^.*:/, ":")]);
  return [...ids, ...places].map((target) => {
    const isListed = id.startsWith("edghts_") && target.startsWith("ca_") && isObject(columns);
    return useOf({ target, user: id, edge_id, listed: isListed ? 1 : null });
  });
}

const useOf = ({ target, user, edge_id, listed }: Json): string =>
  `${target} by ${user} ${edge_id}${listed ? ", listed" : ""}`;

const without = (some: string[], others: string[]): string[] => {
  const known = new Set(others);
  return [...new Set(some)].filter((item) => !known.has(item));
};

const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength;

/** Bytes of a route in responses without Refs, and the number of its Refs: see `https_route_statements.ts`. */
function measureOf(route: Json): { bytes: number; refs: number } {
  const { description, metadata, match, ip_restriction, ...others } = route;
  const plain = [
    "circuit_breaker",
    "compression",
    "request_headers",
    "response_headers",
    "traffic_policy",
  ].concat("user_agent_filter", "webhook_verification", "websocket_tcp_converter");
  const policies: Json | null = JSON.parse(ip_restriction ?? "null");
  const lengths = [
    700,
    ...plain.map((name) => bytesOf(others[name] ?? "")),
    ...[description, metadata, match].map((text) => bytesOf(JSON.stringify(text))),
    2 * bytesOf(ip_restriction ?? ""),
  ];
  return {
    bytes: lengths.reduce((sum, length) => sum + length, 0),
    refs: 2 + (policies?.["ip_policy_ids"]?.length ?? 0),
  };
}

/** Faults in routes that are objects, and in what their edges store about them. */
function routeFaults({ https_edges = [], https_edge_routes = [] }: Rows): string[] {
  const edges = new Map(https_edges.filter(isObject).map((edge) => [edge["id"], edge]));
  const byEdge = Map.groupBy(https_edge_routes, ({ edge_id }) => edge_id);
  const strays = https_edge_routes.flatMap((route) =>
    isObject(route) === edges.has(route["edge_id"])
      ? []
      : [
          `route ${route["id"]} of ${route["edge_id"]} is ${isObject(route) ? "an object" : "none"}, unlike its edge`,
        ],
  );
  const wrong = [...edges].flatMap(([id, { routes_bytes, routes_refs }]) => {
    const measures = (byEdge.get(id) ?? []).map(measureOf);
    const said = `${routes_bytes} bytes and ${routes_refs} Refs`;
    const is = `${measures.reduce((sum, { bytes }) => sum + bytes, 0)} bytes and ${measures.reduce((sum, { refs }) => sum + refs, 0)} Refs`;
    return said === is ? [] : [`${id} says that its routes have ${said}: they have ${is}`];
  });
  const matches = Map.groupBy(https_edge_routes.filter(isObject), ({ edge_id, match_type, match }) =>
    JSON.stringify([edge_id, match_type, match]),
  );
  const twice = [...matches].flatMap(([match, { length }]) =>
    length === 1 ? [] : [`${length} routes match ${match}`],
  );
  return [...strays, ...wrong, ...twice];
}

const isObject = ({ created_at }: Json): boolean => created_at !== null;

/** Every string in a column, including those in its JSON. */
function textsIn(value: unknown): string[] {
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
  if (typeof value !== "string") return [];
  return /^[[{]/.test(value) ? textsIn(parsed(value)) : [value];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The faults in the rows, one line each. Any value in the form of an id counts as a reference, so a new column is
 * checked without being listed here.
 *
 * @param prefixes of the ids of objects that this API creates
 */
export function inconsistenciesIn(rows: Rows, prefixes: string[]): string[] {
  const ids = new Set(Object.values(rows).flatMap((all) => all.map((row) => row["id"])));
  const isOurs = new RegExp(`^(?:${prefixes.join("|")})[0-9A-Za-z]{27}$`);
  const dangling = Object.entries(rows).flatMap(([table, all]) =>
    all.flatMap((row) =>
      Object.entries(row)
        .filter(([column]) => !(column in MAY_DANGLE))
        .flatMap(([column, value]) =>
          textsIn(value)
            .filter((text) => isOurs.test(text) && !ids.has(text))
            .map(
              (id) =>
                `${table}.${column} of ${row["id"] ?? JSON.stringify(row)} refers to ${id}, which does not exist`,
            ),
        ),
    ),
  );
  return [...dangling, ...Object.values(sideTables).flatMap((check) => check(rows)), ...routeFaults(rows)];
}
