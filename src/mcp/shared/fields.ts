import * as z from "zod";
import type { Kind } from "../../../packages/model/src/kinds.ts";

/*
 * Fields of the input and output of several tools. Ids are checked by the service, so they are strings here.
 */

/** The kinds of objects that tools find: all but API keys, people and their sessions. */
export const FINDABLE = [
  "tcp_edge",
  "tls_edge",
  "https_edge",
  "https_edge_route",
  "ip_policy",
  "ip_policy_rule",
  "static_backend",
  "http_response_backend",
  "weighted_backend",
  "failover_backend",
  "certificate_authority",
  "certificate_issuer",
  "bot_user",
  "event_destination",
  "event_subscription",
] as const satisfies Kind[];

export const id = () => z.string();
export const edgeId = () => id().describe("HTTPS edge of a route").exactOptional();

/** How many items of a list are returned. */
export const limit = () => z.int().min(1).max(50).describe("20 if omitted").exactOptional();
export const USUAL_LIMIT = 20;

/** True if something was left out because the result would be too long. */
export const more = () => z.boolean();

/** An object with fields of the API. */
export const object = () => z.looseObject({ id: z.string() });
export const open = () => z.looseObject({});
