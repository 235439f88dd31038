import * as z from "zod";
import type { Reference } from "../../db/references.ts";
import type { tcpEdges } from "../../db/schema.ts";
import { backend } from "../../modules/backend.ts";
import { ipRestriction } from "../../modules/ip_restriction.ts";
import { referencesIn, shown } from "../../modules/module.ts";
import { trafficPolicy } from "../../modules/traffic_policy.ts";
import { hostport } from "../../values/hostports.ts";
import { boundedTexts, list } from "../../values/members.ts";
import { describedMembers, toDescribed, unsetTexts } from "../object.ts";

/*
 * What TCP and TLS edges have in common.
 */

/** Members of a request that creates or changes an edge. A module that is named replaces the stored one whole. */
export const edgeMutateMembers = {
  ...boundedTexts,
  hostports: list(hostport()).exactOptional(),
  backend: backend.mutate.exactOptional(),
  ip_restriction: ipRestriction.mutate.exactOptional(),
  traffic_policy: trafficPolicy.mutate.exactOptional(),
};

/** Members of an edge in responses. */
export const edgeMembers = {
  ...describedMembers,
  hostports: z.array(z.string()).nullable(),
  backend: backend.response.nullable(),
  ip_restriction: ipRestriction.response.nullable(),
  traffic_policy: trafficPolicy.response.nullable(),
  policy: z.null(),
};

/** The columns of an edge that was created with nothing said. */
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

/** What a request refers to that must exist, in the modules that both kinds of edges have. */
export const edgeReferences = (body: Partial<typeof tcpEdges.$inferSelect>): Reference[] => [
  ...referencesIn(backend, body.backend),
  ...referencesIn(ipRestriction, body.ip_restriction),
  ...referencesIn(trafficPolicy, body.traffic_policy),
];
