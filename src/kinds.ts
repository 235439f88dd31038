import * as z from "zod";
import { clock, timestamp } from "./clock.ts";
import { ksuid } from "./ksuid.ts";

/**
 * The one table of object kinds: prefix of their ids, path of their collection, and their names: `types` in operation
 * ids, `noun` and `nouns` in sentences, and what they are `about`. Certificate authorities, HTTPS edges and their routes
 * are managed elsewhere; this service only refers to them.
 */
export const kinds = {
  tcp_edge: {
    prefix: "edgtcp_",
    path: "/edges/tcp",
    types: "TcpEdges",
    noun: "TCP edge",
    nouns: "TCP edges",
    about: "An entry point of TCP traffic.",
  },
  tls_edge: {
    prefix: "edgtls_",
    path: "/edges/tls",
    types: "TlsEdges",
    noun: "TLS edge",
    nouns: "TLS edges",
    about: "An entry point of TLS traffic.",
  },
  https_edge: {
    prefix: "edghts_",
    path: "/edges/https",
    types: "HttpsEdges",
    noun: "HTTPS edge",
    nouns: "HTTPS edges",
    about: "An entry point of HTTPS traffic, managed elsewhere: only its modules are here.",
  },
  https_edge_route: {
    prefix: "edghtsrt_",
    path: "/edges/https/{edge_id}/routes",
    types: "HttpsEdgeRoutes",
    noun: "HTTPS edge route",
    nouns: "HTTPS edge routes",
    about: "A route of an HTTPS edge, managed elsewhere: only its modules are here.",
  },
  ip_policy: {
    prefix: "ipp_",
    path: "/ip_policies",
    types: "IpPolicies",
    noun: "IP policy",
    nouns: "IP policies",
    about:
      "A set of rules about source IPs, in no order. It applies to traffic where an IP restriction refers to it.",
  },
  ip_policy_rule: {
    prefix: "ipr_",
    path: "/ip_policy_rules",
    types: "IpPolicyRules",
    noun: "IP policy rule",
    nouns: "IP policy rules",
    about: "Allows or denies traffic from a range of source IPs. A deny outweighs every allow.",
  },
  failover_backend: {
    prefix: "bkdfo_",
    path: "/backends/failover",
    types: "FailoverBackends",
    noun: "failover backend",
    nouns: "failover backends",
    about: "Backends that are tried in order.",
  },
  http_response_backend: {
    prefix: "bkdhr_",
    path: "/backends/http_response",
    types: "HttpResponseBackends",
    noun: "HTTP response backend",
    nouns: "HTTP response backends",
    about: "A fixed answer.",
  },
  bot_user: {
    prefix: "bot_",
    path: "/bot_users",
    types: "BotUsers",
    noun: "bot user",
    nouns: "bot users",
    about: "A machine identity.",
  },
  api_key: {
    prefix: "ak_",
    path: "/api_keys",
    types: "ApiKeys",
    noun: "API key",
    nouns: "API keys",
    about: "Lets its holder call the API, as far as its role goes.",
  },
  event_destination: {
    prefix: "ed_",
    path: "/event_destinations",
    types: "EventDestinations",
    noun: "event destination",
    nouns: "event destinations",
    about: "Where serialized events are sent. It gets events once an event subscription refers to it.",
  },
  certificate_authority: {
    prefix: "ca_",
    path: "/certificate_authorities",
    types: "CertificateAuthorities",
    noun: "certificate authority",
    nouns: "certificate authorities",
    about: "Vouches for certificates; managed elsewhere.",
  },
} as const;

export type Kind = keyof typeof kinds;

/** "a bot user", "an IP policy". */
export const withArticle = (noun: string): string =>
  `${/^(?:[aeiou]|API|IP|HTTP)/.test(noun) ? "an" : "a"} ${noun}`;

/** With a capital first letter: "Bot users". */
export const titled = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

const pathOfPrefix = new Map<string, string>(Object.values(kinds).map(({ prefix, path }) => [prefix, path]));

/** What a new object begins with: a fresh id of its kind, the same instant as RFC 3339 text, and its first version. */
export function stamp(kind: Kind): { id: string; created_at: string; version: number } {
  const now = clock.now();
  return { id: kinds[kind].prefix + ksuid(now), created_at: timestamp(now), version: 1 };
}

/** A fresh id for one handled request, `op_` and 27 characters; shown to the caller and written to the log. */
export const newOperationId = (): string => `op_${ksuid(clock.now())}`;

/** What follows the prefix of an id. Ours have 27 characters; those that are made elsewhere may have others. */
const OPAQUE = "[0-9A-Za-z]{1,64}";
const opaque = new RegExp(`^${OPAQUE}$`);

/** True when `id` has the form of an id of `kind`: its prefix, then 1 to 64 letters and digits. */
export const isIdOf = (kind: Kind, id: string): boolean =>
  id.startsWith(kinds[kind].prefix) && opaque.test(id.slice(kinds[kind].prefix.length));

/** The prefix of an id, with its underscore; "" for a text without one. */
export const prefixOf = (id: string): string => id.slice(0, id.indexOf("_") + 1);

/** The absolute URI of the object `id`, found by its prefix. `origin` has no trailing slash. */
export const uriOf = (origin: string, id: string): string =>
  `${origin}${pathOfPrefix.get(prefixOf(id)) ?? ""}/${id}`;

/** What every response shows of an object that it only refers to (spec: `Ref`). */
export const Ref = z.lazy(() =>
  z
    .strictObject({
      id: z.string().describe("Identifier of the object referred to."),
      uri: z.string().describe("Where that object is."),
    })
    .meta({ id: "Ref", description: "A reference to another object." }),
);

/** The Ref of an id. It follows from the id alone, so it takes no query and outlives the object. */
export const ref = (origin: string, id: string): z.output<typeof Ref> => ({ id, uri: uriOf(origin, id) });

/** The Refs of a list of ids, in the order given; null for a list that is not set. */
export const refs = (origin: string, ids: string[] | null): z.output<typeof Ref>[] | null =>
  ids?.map((id) => ref(origin, id)) ?? null;

/** An id and a Ref of `kind` for examples. */
export const exampleId = (kind: Kind): string => `${kinds[kind].prefix}2fCzyKyxGFFQjbGvSPXiVOWCOkX`;
export const exampleRef = (kind: Kind): z.output<typeof Ref> => ref(EXAMPLE_ORIGIN, exampleId(kind));
export const EXAMPLE_ORIGIN = "https://api.example.com";

/** A request's id of one of `allowed`. Only the form is checked here; see `db/references.ts` for existence. */
export function idOf(...allowed: [Kind, ...Kind[]]): z.ZodString {
  const prefixes = allowed.map((kind) => kinds[kind].prefix);
  return z
    .string()
    .regex(
      new RegExp(`^(?:${prefixes.join("|")})${OPAQUE}$`),
      `Expected an id that starts with ${prefixes.join(" or ")}, followed by 1 to 64 letters and digits.`,
    );
}
