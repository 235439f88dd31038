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
