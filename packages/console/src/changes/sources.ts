import { kindOf } from "../api/names.ts";

/*
 * Types of events in groups: everything that happens to objects of a kind.
 */

const capitals: Record<string, string> = {
  api: "API",
  ip: "IP",
  https: "HTTPS",
  http: "HTTP",
  tls: "TLS",
  tcp: "TCP",
};

/** The ids' prefixes of objects that have other names on pages than in types of events. */
const prefixes: Record<string, string> = {
  static_backend: "bkdsc",
  weighted_backend: "bkdwd",
  failover_backend: "bkdfo",
  http_response_backend: "bkdhr",
  bot_user: "bot",
};

/** What a group of types is called: "ip_policy_created.v0" is of "IP policy". */
function groupOf(type: string): string {
  const words = type.replace(/\.v\d+$/, "").split("_");
  const kind = words.length > 1 ? words.slice(0, -1) : words;
  const prefix = prefixes[kind.join("_")];
  const text = prefix ? kindOf(prefix) : kind.map((word) => capitals[word] ?? word).join(" ");
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Types by group, in alphabetical order. */
export const grouped = (types: readonly string[]): [group: string, types: string[]][] =>
  [...Map.groupBy(types, groupOf)].toSorted(([a], [b]) => a.localeCompare(b));

/** What happens, as the last word of a type says it: "changed" for "ip_policy_updated.v0". */
export const happeningOf = (type: string): string => {
  const verb = /_([a-z]+)\.v\d+$/.exec(type)?.[1] ?? "changed";
  return verb === "updated" ? "changed" : verb;
};

/** Types in words: "IP policy (created, deleted), Session (created)". */
export const typesInWords = (types: readonly string[]): string =>
  grouped(types)
    .map(([group, own]) => `${group} (${own.map(happeningOf).toSorted().join(", ")})`)
    .join(", ");
