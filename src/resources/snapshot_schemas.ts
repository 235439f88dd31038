import * as z from "zod";
import { exampleId } from "../ids.ts";

/*
 * Snapshots, as the documentation describes them. What they mean is in `src/traffic/snapshot_types.ts`.
 */

export const ProblemSchema = z.lazy(() =>
  z
    .strictObject({
      object: z.string().describe("Id of the object."),
      code: z.string().describe("What is wrong, for programs to act on."),
      msg: z.string().describe("What is wrong and what is served instead, for people."),
    })
    .meta({
      id: "Problem",
      description: "Something that is not served as it is written, or not at all.",
      examples: [
        {
          object: exampleId("tcp_edge"),
          code: "backend_not_set",
          msg: "The edge is not served: it has no enabled backend.",
        },
      ],
    }),
);

const ids = (of: string) => z.array(z.string()).describe(`Ids of ${of}.`);

const restriction = () =>
  z
    .strictObject({
      ip_policy_ids: ids("IP policies, whose rules are one set; without any, nobody is let in"),
    })
    .describe("Only sources that at least one allow rule matches, and no deny rule, are let in.")
    .optional();
const backend = () => z.strictObject({ backend_id: z.string().describe("Id of the backend.") });
const trafficPolicy = () =>
  z
    .strictObject({ value: z.string().describe("The traffic policy.") })
    .describe(
      "Not interpreted. An edge or route with a traffic policy is not served unless the agent runs with `--ignore-traffic-policies`.",
    )
    .optional();
const termination = () =>
  z.strictObject({ min_version: z.enum(["1.0", "1.1", "1.2", "1.3"]).describe("Minimum TLS version.") });
const mutualTls = () =>
  z
    .strictObject({ certificate_authority_ids: ids("certificate authorities, at least one") })
    .describe("Only clients with a certificate of one of these authorities are let in.")
    .optional();
const headers = (of: string) =>
  z
    .strictObject({
      add: z.record(z.string(), z.string()).nullable().describe("Headers that are set, by name."),
      remove: z.array(z.string()).nullable().describe("Names of headers that are removed."),
    })
    .describe(`What is changed in the headers of ${of}.`)
    .optional();
const isOn = (description: string) => z.strictObject({}).describe(description).optional();

const frame = () => ({
  id: z.string().describe("Id of the edge."),
  hostports: z
    .array(z.string())
    .describe(
      "Where it is served, in lower case, addresses in canonical form; without those that an older edge has. An address is where connections are accepted; a name means all addresses.",
    ),
});

const route = () =>
  z.strictObject({
    id: z.string().describe("Id of the route."),
    match_type: z.enum(["exact_path", "path_prefix"]).describe("How `match` is compared."),
    match: z
      .string()
      .describe(
        "Compared with the path as it was sent, without the query. Exact matches come before prefixes, longer prefixes before shorter ones.",
      ),
    backend: backend()
      .describe("Without it, requests for this path are answered with 503, never by another route.")
      .optional(),
    ip_restriction: restriction(),
    traffic_policy: trafficPolicy(),
    circuit_breaker: z
      .strictObject({
        tripped_duration: z.number().describe("Seconds."),
        rolling_window: z.number().describe("Seconds."),
        num_buckets: z.number().describe("How finely the window is divided."),
        volume_threshold: z.number().describe("Requests in a window."),
        error_threshold_percentage: z.number().describe("A fraction, from 0 to 1."),
      })
      .describe("When requests are no longer passed to the backend for a while.")
      .optional(),
    request_headers: headers("requests"),
    response_headers: headers("responses"),
    compression: isOn("Responses are compressed."),
    user_agent_filter: z
      .strictObject({
        allow: z.array(z.string()).nullable().describe("Regular expressions."),
        deny: z.array(z.string()).nullable().describe("Regular expressions."),
      })
      .describe("Which user agents are let in: allow comes before deny.")
      .optional(),
    websocket_tcp_converter: isOn(
      "Binary messages of WebSocket connections are passed to the backend as TCP.",
    ),
  });

const edge = () =>
  z.discriminatedUnion("kind", [
    z.strictObject({
      ...frame(),
      kind: z.literal("tcp").describe("A TCP edge."),
      backend: backend().describe("Where connections go."),
      ip_restriction: restriction(),
      traffic_policy: trafficPolicy(),
    }),
    z.strictObject({
      ...frame(),
      kind: z.literal("tls").describe("A TLS edge."),
      backend: backend().describe("Where connections go."),
      ip_restriction: restriction(),
      traffic_policy: trafficPolicy(),
      tls_termination: termination()
        .describe("How TLS is terminated. Without it, TLS is passed through to the upstream.")
        .optional(),
      mutual_tls: mutualTls(),
    }),
    z.strictObject({
      ...frame(),
      kind: z.literal("https").describe("An HTTPS edge."),
      tls_termination: termination().describe("How TLS is terminated."),
      mutual_tls: mutualTls(),
      routes: z
        .array(route())
        .describe(
          "What is done with requests, oldest first. A path that none of them matches is answered with 404.",
        ),
    }),
  ]);

const snapshotBackend = () =>
  z.discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("static").describe("An address."),
      address: z.string().describe("`host:port`."),
      tls: z
        .boolean()
        .describe(
          "Whether it is called over TLS, its certificate checked for the host against the system's roots.",
        ),
    }),
    z.strictObject({
      kind: z.literal("http_response").describe("A fixed response."),
      status_code: z.number().describe("Its status."),
      headers: z.record(z.string(), z.string()).describe("Its headers, by name in lower case."),
      body: z.string().describe("Its body."),
    }),
    z.strictObject({
      kind: z.literal("failover").describe("Backends that are tried in order."),
      backends: ids("backends, in order"),
    }),
    z.strictObject({
      kind: z.literal("weighted").describe("Backends among which traffic is divided."),
      backends: z.record(z.string(), z.number()).describe("Weights by id."),
    }),
  ]);

export const SnapshotSchema = z.lazy(() =>
  z
    .strictObject({
      version: z.number().describe("Number of the newest change."),
      edges: z
        .array(edge())
        .describe("What is to be served, oldest first. Only enabled modules are there, without `enabled`."),
      ip_policies: z
        .record(
          z.string(),
          z.strictObject({
            allow: z.array(z.string()).describe("Ranges in CIDR notation, in canonical form."),
            deny: z.array(z.string()).describe("Ranges in CIDR notation, in canonical form."),
          }),
        )
        .describe(
          "IP policies by id. Ranges of IPv4-mapped addresses are there as IPv4; a range matches addresses of its own family alone.",
        ),
      backends: z.record(z.string(), snapshotBackend()).describe("Backends by id."),
      certificate_authorities: z.record(z.string(), z.string()).describe("Certificates in PEM by id."),
      problems: z.array(ProblemSchema).describe("What is not served as it is written, by object and code."),
    })
    .meta({
      id: "Snapshot",
      description: "Everything that serving traffic needs, resolved, of one instant.",
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

/** Its members are Traefik's own, and checked against its schema in the tests. */
export const TraefikConfiguration = z.lazy(() =>
  z
    .strictObject({
      http: z.looseObject({}).describe("Routers, services and middlewares.").optional(),
      tcp: z.looseObject({}).describe("Routers and services.").optional(),
      tls: z.looseObject({}).describe("Options.").optional(),
    })
    .meta({
      id: "TraefikConfiguration",
      description: "A dynamic configuration of a Traefik proxy, version 3.",
      examples: [{ tcp: { routers: {}, services: {} } }],
    }),
);
