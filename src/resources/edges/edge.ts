import * as z from "zod";
import { exampleId, exampleRef, idSchema } from "../../../packages/model/src/ids.ts";
import { anyBackend, type Kind } from "../../../packages/model/src/kinds.ts";
import { boundedTexts } from "../../../packages/model/src/values/descriptions.ts";
import { hostport } from "../../../packages/model/src/values/hostports.ts";
import { clearableList } from "../../../packages/model/src/values/request_schemas.ts";
import type { Reference } from "../../db/references.ts";
import type { tcpEdges } from "../../db/schema.ts";
import type { References } from "../../db/uses.ts";
import { byMetadata, type Filters } from "../../http/lists.ts";
import { backend } from "../../modules/backend.ts";
import { ipRestriction } from "../../modules/ip_restriction.ts";
import { nullableModule, optionalModule, referencesIn, shown } from "../../modules/module.ts";
import { trafficPolicy } from "../../modules/traffic_policy.ts";
import { describedMembers, exampleObject, toDescribed, unsetTexts } from "../common.ts";

/*
 * Shared by TCP and TLS edges. HTTPS edges share the hostports.
 */

const hostports =
  "The addresses that the edge serves, each as `host:port`. The host is a DNS name, an IPv4 address or an IPv6 address in brackets.";

/** The field `hostports` of an edge in requests and in responses. */
export const hostportsMutate = () => clearableList(hostport()).describe(hostports);
export const hostportsMember = () => z.array(z.string()).nullable().describe(hostports);

/** Fields of a request that creates or changes an edge. A module in the body replaces the stored one as a whole. */
export const edgeMutateMembers = () => ({
  ...boundedTexts(),
  hostports: hostportsMutate().exactOptional(),
  backend: optionalModule(backend),
  ip_restriction: optionalModule(ipRestriction),
  traffic_policy: optionalModule(trafficPolicy),
});

/** Fields of an edge in responses. */
export const edgeMembers = () => ({
  ...describedMembers(),
  hostports: hostportsMember(),
  backend: nullableModule(backend),
  ip_restriction: nullableModule(ipRestriction),
  traffic_policy: nullableModule(trafficPolicy),
  policy: z.null().describe("Reserved; always null."),
});

/** A request that creates an edge and refers to nothing, so that it can be sent as it is, for examples. */
export const exampleEdgeCreate = {
  description: "Front door",
  hostports: ["front.example.com:443"],
  traffic_policy: { value: '{"on_tcp_connect":[]}' },
};

/** A request that creates an edge and refers to other objects, for examples. */
export const exampleEdgeCreateReferring = {
  description: "Front door",
  hostports: ["front.example.com:443"],
  backend: { backend_id: exampleId("http_response_backend") },
  ip_restriction: { ip_policy_ids: [exampleId("ip_policy")] },
};

/** An edge of `kind`, for examples. */
export const exampleEdge = (kind: Kind) => ({
  ...exampleObject(kind),
  description: "Front door",
  hostports: ["front.example.com:443"],
  backend: { enabled: true, backend: exampleRef("http_response_backend") },
  ip_restriction: { enabled: true, ip_policies: [exampleRef("ip_policy")] },
  traffic_policy: null,
  policy: null,
});

/** The columns of an edge created from an empty body. */
export const unsetEdge = {
  ...unsetTexts,
  hostports: null,
  backend: null,
  ip_restriction: null,
  traffic_policy: null,
};

/** {@link edgeMembers} of a row. */
export const toEdge = (row: typeof tcpEdges.$inferSelect, origin: string) => ({
  ...toDescribed(row, origin),
  hostports: row.hostports,
  backend: shown(backend, row.backend, origin),
  ip_restriction: shown(ipRestriction, row.ip_restriction, origin),
  traffic_policy: shown(trafficPolicy, row.traffic_policy, origin),
  policy: null,
});

/** Edges are found by their hostports. */
export const hostportReferences = {
  hostports: { path: "$", areShown: true, filter: "hostport", areHostports: true },
} as const satisfies References;

/** Where the columns that both kinds of edges have refer to other objects. */
export const edgeColumnReferences = {
  ...hostportReferences,
  backend: { path: "$.backend_id", filter: "backend_id" },
  ip_restriction: { path: "$.ip_policy_ids", filter: "ip_policy_id" },
} as const satisfies References;

/** The filter of lists of edges by hostport. */
export const byHostport: Filters = {
  hostport: z.lazy(() =>
    hostport().describe("Lists only edges with this hostport among their `hostports`. Case-insensitive."),
  ),
};

/** The filter of lists of edges by certificate authority. */
export const byAuthority: Filters = {
  certificate_authority_id: z.lazy(() =>
    idSchema("certificate_authority").describe(
      "Lists only edges whose `mutual_tls` refers to this certificate authority, enabled or not.",
    ),
  ),
};

/** The filters of lists of both kinds of edges. */
export const edgeFilters: Filters = {
  ...byHostport,
  backend_id: z.lazy(() =>
    idSchema(...anyBackend).describe("Lists only edges whose `backend` is this one, enabled or not."),
  ),
  ip_policy_id: z.lazy(() =>
    idSchema("ip_policy").describe(
      "Lists only edges whose `ip_restriction` refers to this IP policy, enabled or not.",
    ),
  ),
  ...byMetadata,
};

/** References that must exist, in the modules of a request that both kinds of edges have. */
export const edgeReferences = (body: Partial<typeof tcpEdges.$inferSelect>): Reference[] => [
  ...referencesIn(backend, body.backend),
  ...referencesIn(ipRestriction, body.ip_restriction),
  ...referencesIn(trafficPolicy, body.traffic_policy),
];
