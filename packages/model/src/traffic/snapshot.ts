import * as z from "zod";
import { exampleId, idSchema } from "../ids.ts";
import { anyBackend, leafBackends, type Kind } from "../kinds.ts";
import { programSchema } from "../policy/base/program.ts";
import { documentedAs, list, map, object, shownAs } from "../schemas.ts";
import { headerName } from "../values/header_map.ts";
import { hostport, listeningPoint } from "../values/hostports.ts";
import { plainIpv6 } from "../values/ip.ts";
import { requestPath } from "../values/request_path.ts";
import { nonEmpty, string, uint32 } from "../values/request_schemas.ts";
import { plainProblemSchema } from "./problems.ts";

/*
 * The snapshot: everything needed to serve traffic, resolved, at one instant. The service documents it with this schema, and the
 * agent only serves a snapshot that matches it.
 *
 * Parts of a snapshot become HAProxy configuration and file names, so the schema checks the form of every value. It rejects
 * unknown fields, because they may restrict access in a way that the agent cannot enforce. The documentation leaves out
 * patterns and limits: clients must accept values that a later version allows.
 */

export const id = (...allowed: [Kind, ...Kind[]]) => shownAs(idSchema(...allowed), z.string());
export const ids = (...allowed: [Kind, ...Kind[]]) => list(id(...allowed));
export const integer = (least = 0, most?: number) => shownAs(uint32(least, most), z.int());

/** A list of objects with distinct ids. */
const unique = <Item extends { id: string }>(item: z.ZodType<Item>) =>
  list(item).superRefine((items, context) => {
    const seen = new Set<string>();
    const index = items.findIndex(({ id }) => seen.size === seen.add(id).size);
    if (index >= 0)
      context.addIssue({
        code: "custom",
        path: [index, "id"],
        message: "Another item of the list has the same id.",
      });
  });

/** A hostport in its canonical form, so equal hostports are equal strings. */
const listening = () =>
  hostport().refine((value) => {
    const { host, port } = listeningPoint(value);
    return `${host}:${port}` === value;
  }, "Expected a canonical host: a lower-case name without a trailing dot, or an address in the form of RFC 5952.");

const IPV4_RANGE =
  /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\/(?:3[0-2]|[12]?\d)$/;
const GROUPS = "[\\da-f]{1,4}(?::[\\da-f]{1,4})";
/** Eight groups, or fewer with `::`; {@link isRange} counts them. */
const IPV6_RANGE = new RegExp(
  `^(?:${GROUPS}{7}|(?:${GROUPS}{0,6})?::(?:${GROUPS}{0,6})?)/(?:12[0-8]|1[01]\\d|[1-9]?\\d)$`,
);
const DOTTED_RANGE = /^([\da-f:.]+)\/(?:12[0-8]|1[01]\d|[1-9]?\d)$/;

/** True for an address with a prefix length. Uses neither schemas nor parsers, because a list can have millions of items. */
function isRange(value: unknown): boolean {
  if (typeof value !== "string") return false;
  if (IPV4_RANGE.test(value)) return true;
  if (IPV6_RANGE.test(value)) {
    const colons = value.split(":").length - 1;
    return colons <= 7 || (colons === 8 && (value.startsWith("::") || value.includes("::/")));
  }
  const [, address = ""] = DOTTED_RANGE.exec(value) ?? [];
  return address.includes(":") && address.includes(".") && plainIpv6(address) !== undefined;
}

export const ranges = () =>
  z
    .custom<string[]>(Array.isArray, "Expected a list.")
    .superRefine((items, context) => {
      const index = items.findIndex((item) => !isRange(item));
      if (index >= 0)
        context.addIssue({ code: "custom", path: [index], message: "Expected a range in CIDR notation." });
    })
    .pipe(documentedAs(z.array(z.string())))
    .describe("Ranges in CIDR notation, in canonical form.");

/** A value that stays within its header (RFC 9110 §5.5). */
const headerValue = () =>
  string().refine((value) => !/[\r\n\0]/.test(value), "A value must not contain CR, LF or NUL.");
export const headers = () => map(headerName(), headerValue());

const LONGEST_PEM = 32_768;
const PEM = /^-----BEGIN CERTIFICATE-----\n(?:[A-Za-z0-9+/]+={0,2}\n)+-----END CERTIFICATE-----\n?$/;
export const certificate = () =>
  shownAs(z.string().max(LONGEST_PEM).regex(PEM, "Expected exactly one PEM certificate."), z.string());

const restriction = () =>
  object({
    ip_policy_ids: ids("ip_policy").describe(
      "Ids of IP policies. Their rules form one set. If the list is empty, all sources are rejected.",
    ),
  }).describe("Allows only sources that match at least one allow rule and no deny rule.");
const target = () => object({ backend_id: id(...anyBackend).describe("Id of the backend.") });
const trafficPolicy = () =>
  object({
    value: z.string().describe("The text of the traffic policy."),
    program: programSchema()
      .describe("The compiled policy. Without it, the policy cannot be enforced.")
      .exactOptional(),
  }).describe(
    "What is done with connections, requests and responses. An edge or route whose policy the agent cannot enforce is not served unless the agent runs with `--ignore-traffic-policies`.",
  );
const termination = () =>
  object({ min_version: z.enum(["1.0", "1.1", "1.2", "1.3"]).describe("Minimum TLS version.") });
const mutualTls = () =>
  object({
    certificate_authority_ids: ids("certificate_authority").describe(
      "Ids of certificate authorities, at least one.",
    ),
  }).describe("Accepts only clients with a certificate from one of these authorities.");
export const headerChanges = (of: string) =>
  object({
    add: headers().nullable().describe("Headers to set, by name."),
    remove: list(shownAs(headerName(), z.string())).nullable().describe("Names of headers to remove."),
  }).describe(`Changes of the headers of ${of}.`);
const isOn = (description: string) => object({}).describe(description);

export const circuitBreaker = () =>
  object({
    tripped_duration: integer().describe("In seconds."),
    rolling_window: integer(1).describe("In seconds."),
    num_buckets: integer(1, 128).describe("Number of buckets that the window is divided into."),
    volume_threshold: integer().describe("Minimum number of requests in a window."),
    error_threshold_percentage: shownAs(z.number().min(0).max(1), z.number()).describe(
      "Share of failed requests, as a fraction from 0 to 1.",
    ),
  }).describe("When to stop sending requests to the backend for a while.");

const EXPRESSION_BYTES = 1024;
const expressions = () =>
  list(shownAs(nonEmpty(EXPRESSION_BYTES), z.string()))
    .nullable()
    .describe("Regular expressions.");
export const userAgentFilter = () =>
  object({ allow: expressions(), deny: expressions() }).describe(
    "The user agents that are allowed or rejected: a match of `allow` overrides every match of `deny`.",
  );

const route = () =>
  object({
    id: id("https_edge_route").describe("Id of the route."),
    match_type: z.enum(["exact_path", "path_prefix"]).describe("How `match` is compared."),
    match: shownAs(requestPath(), z.string()).describe(
      "Compared with the path as it was sent, without the query. Exact matches take precedence over prefixes, and longer prefixes over shorter ones.",
    ),
    backend: target()
      .describe("If absent, requests for this path get a 503, and never reach another route.")
      .exactOptional(),
    ip_restriction: restriction().exactOptional(),
    traffic_policy: trafficPolicy().exactOptional(),
    circuit_breaker: circuitBreaker().exactOptional(),
    request_headers: headerChanges("requests").exactOptional(),
    response_headers: headerChanges("responses").exactOptional(),
    compression: isOn("Responses are compressed.").exactOptional(),
    user_agent_filter: userAgentFilter().exactOptional(),
    websocket_tcp_converter: isOn(
      "Binary messages of WebSocket connections are passed to the backend as TCP.",
    ).exactOptional(),
  });

const frame = (kind: Kind) => ({
  id: id(kind).describe("Id of the edge."),
  hostports: list(listening()).describe(
    "The hostports that the edge serves: names in lower case, addresses in canonical form. Hostports of an older edge are left out. An edge with an address accepts connections only at that address; a name stands for all addresses.",
  ),
});
const forwarding = () => ({
  backend: target().describe("The backend that receives connections."),
  ip_restriction: restriction().exactOptional(),
  traffic_policy: trafficPolicy().exactOptional(),
});

const tcpEdge = () =>
  object({ ...frame("tcp_edge"), kind: z.literal("tcp").describe("A TCP edge."), ...forwarding() });
const tlsEdge = () =>
  object({
    ...frame("tls_edge"),
    kind: z.literal("tls").describe("A TLS edge."),
    ...forwarding(),
    tls_termination: termination()
      .describe("How TLS is terminated. If absent, TLS is passed through to the upstream.")
      .exactOptional(),
    mutual_tls: mutualTls().exactOptional(),
  }).refine(({ tls_termination, mutual_tls }) => tls_termination !== undefined || mutual_tls === undefined, {
    path: ["mutual_tls"],
    message: "Cannot be enforced without tls_termination.",
  });
const httpsEdge = () =>
  object({
    ...frame("https_edge"),
    kind: z.literal("https").describe("An HTTPS edge."),
    tls_termination: termination().describe("How TLS is terminated."),
    mutual_tls: mutualTls().exactOptional(),
    routes: unique(route()).describe("The routes, oldest first. Requests that match no route get a 404."),
  });
const edge = () => z.discriminatedUnion("kind", [tcpEdge(), tlsEdge(), httpsEdge()]);

const INSTANT = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;
const rangeName = () => z.string().refine(isRange, "Expected a range in CIDR notation.");
const instant = () =>
  shownAs(z.string().regex(INSTANT, "Expected an instant such as 2030-01-02T03:04:05Z."), z.string());
/** When ranges end, by range. */
export const endsOfRanges = () => map(rangeName(), instant());
/** When ranges of a policy end, if any does. */
export const endsOfPolicy = () =>
  object({
    allow: endsOfRanges().describe("Expiry times of ranges in `allow`."),
    deny: endsOfRanges().describe("Expiry times of ranges in `deny`."),
  })
    .describe(
      "When ranges expire (RFC 3339), by range. An expired range counts as absent, even if the snapshot still lists it. Ranges that do not expire are not listed.",
    )
    .exactOptional();

const policy = () => object({ allow: ranges(), deny: ranges(), expires_at: endsOfPolicy() });

const backend = () =>
  z.discriminatedUnion("kind", [
    object({
      kind: z.literal("static").describe("An address that traffic is forwarded to."),
      address: hostport().describe("`host:port`."),
      tls: z
        .boolean()
        .describe(
          "Whether traffic is forwarded over TLS. The certificate must be valid for the host and issued under the system's roots.",
        ),
    }),
    object({
      kind: z.literal("http_response").describe("A fixed response."),
      status_code: integer(200, 599).describe("Status code of the response."),
      headers: headers().describe("Headers of the response, with names in lower case."),
      body: z.string().describe("Body of the response."),
    }),
    object({
      kind: z.literal("failover").describe("Backends that are tried in order."),
      // There are no cycles.
      backends: ids(...anyBackend).describe("Ids of backends, in order."),
    }),
    object({
      kind: z.literal("weighted").describe("Backends among which traffic is divided."),
      backends: map(idSchema(...leafBackends), integer(0, 10_000)).describe("Weights by id."),
    }),
  ]);

/** The schema of a snapshot. */
export const snapshotSchema = z.lazy(() =>
  object({
    version: integer(0, Number.MAX_SAFE_INTEGER).describe("Number of the newest change."),
    edges: unique(edge()).describe(
      "The edges to serve, oldest first. Disabled modules are left out, and enabled ones have no field `enabled`.",
    ),
    // The policies of restrictions. A deleted policy is included, without rules.
    ip_policies: map(idSchema("ip_policy"), policy()).describe(
      "IP policies by id. Ranges of IPv4-mapped addresses are shown as IPv4. A range only matches addresses of its own family.",
    ),
    backends: map(idSchema(...anyBackend), backend()).describe("Backends by id."),
    certificate_authorities: map(idSchema("certificate_authority"), certificate()).describe(
      "Certificates in PEM by id.",
    ),
    problems: list(plainProblemSchema).describe(
      "Configuration that is not served as written, by object and code.",
    ),
  }).meta({
    id: "Snapshot",
    description: "Everything needed to serve traffic, resolved, at one instant.",
    examples: [
      {
        version: 17,
        edges: [
          {
            id: exampleId("tcp_edge"),
            kind: "tcp",
            hostports: ["db.example.com:5432"],
            backend: { backend_id: exampleId("static_backend") },
            ip_restriction: { ip_policy_ids: [exampleId("ip_policy")] },
          },
        ],
        ip_policies: { [exampleId("ip_policy")]: { allow: ["198.51.100.0/24"], deny: [] } },
        backends: {
          [exampleId("static_backend")]: {
            kind: "static",
            address: "db.internal.example.com:5432",
            tls: false,
          },
        },
        certificate_authorities: {},
        problems: [],
      },
    ],
  }),
);

type Of<Schema extends (...args: string[]) => z.ZodType> = z.output<ReturnType<Schema>>;

export type Snapshot = z.output<typeof snapshotSchema>;
export type Edge = Of<typeof edge>;
export type HttpsEdge = Of<typeof httpsEdge>;
export type Route = Of<typeof route>;
export type Backend = Of<typeof backend>;
export type Policy = Of<typeof policy>;
export type IpRestriction = Of<typeof restriction>;
export type MutualTls = Of<typeof mutualTls>;
export type Termination = Of<typeof termination>;
export type HeaderChanges = Of<typeof headerChanges>;
export type UserAgentFilter = Of<typeof userAgentFilter>;
