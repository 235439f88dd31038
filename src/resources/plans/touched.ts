import { prefixOf } from "../../../packages/model/src/ids.ts";
import { kinds } from "../../../packages/model/src/kinds.ts";
import type { Effect } from "../../db/rows.ts";
import type { RowKey } from "../../db/uses.ts";
import type { Use } from "./plan_statements.ts";
import { type ConfigKind, EDGES, isConfigKind, nameOf } from "./rows_in_memory.ts";

/*
 * What some effects change and refer to.
 */

const kindByPrefix = new Map(
  Object.entries(kinds).map(([name, { prefix }]): [string, string] => [prefix, name]),
);

/** The kind of configuration that an id, or the name of a route, belongs to. */
export function kindOf(name: string): ConfigKind | undefined {
  if (name.includes("/")) return "https_edge_route";
  const kind = kindByPrefix.get(prefixOf(name));
  return kind !== undefined && isConfigKind(kind) ? kind : undefined;
}

/** Everything in a value that has the form of an id. */
const idsIn = (value: unknown): string[] => JSON.stringify(value ?? null).match(/[a-z]+_[0-9A-Za-z]+/g) ?? [];

/** What some effects change and refer to. */
export interface Touched {
  changed: Map<ConfigKind, Map<string, RowKey>>;
  /** Ids of objects that do not exist yet. */
  created: Set<string>;
  /** Everything in new values that has the form of an id. */
  named: Set<string>;
}

export function touchedBy(effects: Effect[]): Touched {
  const changed = new Map<ConfigKind, Map<string, RowKey>>();
  const created = new Set<string>();
  const named = new Set<string>();
  const add = (kind: ConfigKind, key: RowKey) =>
    changed.set(kind, (changed.get(kind) ?? new Map<string, RowKey>()).set(nameOf(key), key));
  for (const effect of effects) {
    if (effect.verb === "replace") {
      add("ip_policy", { id: effect.policy });
      continue;
    }
    const { kind, key, verb } = effect;
    if (!isConfigKind(kind)) continue;
    add(kind, key);
    if (verb === "insert") created.add(nameOf(key));
    if (key.edge_id !== undefined) add("https_edge", { id: key.edge_id });
    const values = verb === "remove" || typeof effect.values === "function" ? {} : effect.values;
    for (const id of idsIn(values)) named.add(id);
    const { ip_policy_id } = values;
    if (typeof ip_policy_id === "string") add("ip_policy", { id: ip_policy_id });
  }
  return { changed, created, named };
}

/**
 * The HTTPS edges all of whose routes count: those that come or go, or get other hostports or another mutual TLS, which the traffic
 * policies of routes can need; those whose certificate authorities change; and those whose routes come and go or get another match,
 * because the other routes then get other paths.
 */
export function ownersIn(effects: Effect[], uses: Use[]): string[] {
  const owners = effects.flatMap((effect) => {
    if (effect.verb === "replace") return [];
    const { kind, key } = effect;
    if (kind === "https_edge") return setsAny(effect, ["hostports", "mutual_tls"]) ? [key.id] : [];
    const isRoute = kind === "https_edge_route" && setsAny(effect, ["match", "match_type"]);
    return isRoute && key.edge_id !== undefined ? [key.edge_id] : [];
  });
  const authenticating = uses.flatMap(({ target, user }) =>
    kindOf(target) === "certificate_authority" && kindOf(user) === "https_edge" ? [user] : [],
  );
  return [...new Set([...owners, ...authenticating])];
}

/** An effect can change who gets which hostport. */
export const setsHostports = (effect: Effect): boolean =>
  effect.verb !== "replace" &&
  EDGES.some((kind) => kind === effect.kind) &&
  setsAny(effect, ["hostports", "created_at"]);

/** An effect creates or deletes its row, or sets one of some columns. */
function setsAny(effect: Exclude<Effect, { verb: "replace" }>, columns: string[]): boolean {
  if (effect.verb !== "change") return true;
  const { values } = effect;
  return typeof values === "function" || columns.some((name) => name in values);
}
