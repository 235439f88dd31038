import { create } from "./api.ts";
import { certificate, pem } from "./certificates.ts";
import type { Json } from "./json.ts";

/*
 * The objects that a test starts from. Each factory creates one object through the API; the given fields override its
 * defaults.
 */

export const givenTcpEdge = (given: Json = {}) =>
  create("/edges/tcp", { hostports: ["tcp.example.com:443"], ...given });
export const givenTlsEdge = (given: Json = {}) =>
  create("/edges/tls", { hostports: ["tls.example.com:443"], ...given });
export const givenHttpsEdge = (given: Json = {}) =>
  create("/edges/https", { hostports: ["shop.example.com:443"], ...given });
let matches = 0;
/** A route with a unique match, in a new edge unless `edge_id` is given. */
export const givenRoute = async ({ edge_id, ...given }: Json = {}) =>
  create(`/edges/https/${edge_id ?? (await givenHttpsEdge())["id"]}/routes`, {
    match_type: "path_prefix",
    match: `/${(matches += 1)}`,
    ...given,
  });
export const givenIpPolicy = (given: Json = {}) =>
  create("/ip_policies", { description: "office", ...given });
export const givenRule = (given: Json) =>
  create("/ip_policy_rules", { cidr: "192.0.2.0/24", action: "allow", ...given });
export const givenFailover = (given: Json = {}) => create("/backends/failover", given);
export const givenHttpResponse = (given: Json = {}) =>
  create("/backends/http_response", { body: "maintenance", status_code: 503, ...given });
export const givenWeighted = (given: Json = {}) => create("/backends/weighted", given);
export const givenStatic = (given: Json = {}) =>
  create("/backends/static", { address: "shop.internal:8080", ...given });
export const givenBotUser = (given: Json = {}) => create("/bot_users", { name: "deploy", ...given });
export const givenDestination = (given: Json = {}) =>
  create("/event_destinations", { target: { monitoring_vendor: { api_key: SECRET } }, ...given });
export const givenSubscription = (given: Json = {}) => create("/event_subscriptions", given);

export const givenAuthority = (given: Json = {}) =>
  create("/certificate_authorities", { ca_pem: pem(certificate()), ...given });

/** An API key. Its holder sends its `token`. */
export const givenKey = (given: Json = {}) => create("/api_keys", given);

/** A secret that no response may show. */
export const SECRET = "s3cr3t-that-must-not-be-seen";

/** Ids of objects that are managed elsewhere, of which only the form matters. The authority has no row here. */
export const CA = "ca_2fCzyKyxGFFQjbGvSPXiVOWCOkX";
export const HTTPS_EDGE = "edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX";
export const HTTPS_ROUTE = "edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX";
