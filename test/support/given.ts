import { create } from "./api.ts";
import { certificate, pem } from "./certificates.ts";
import type { Json } from "./json.ts";

/*
 * The objects that a test starts from. Each factory creates one object through the API; the given fields override its
 * defaults.
 */

export const tcpEdge = (given: Json = {}) =>
  create("/edges/tcp", { hostports: ["tcp.example.com:443"], ...given });
export const tlsEdge = (given: Json = {}) =>
  create("/edges/tls", { hostports: ["tls.example.com:443"], ...given });
export const httpsEdge = (given: Json = {}) =>
  create("/edges/https", { hostports: ["shop.example.com:443"], ...given });
let matches = 0;
/** A route with a unique match, in a new edge unless `edge_id` is given. */
export const route = async ({ edge_id, ...given }: Json = {}) =>
  create(`/edges/https/${edge_id ?? (await httpsEdge())["id"]}/routes`, {
    match_type: "path_prefix",
    match: `/${(matches += 1)}`,
    ...given,
  });
export const ipPolicy = (given: Json = {}) => create("/ip_policies", { description: "office", ...given });
export const rule = (given: Json) =>
  create("/ip_policy_rules", { cidr: "192.0.2.0/24", action: "allow", ...given });
export const failover = (given: Json = {}) => create("/backends/failover", given);
export const httpResponse = (given: Json = {}) =>
  create("/backends/http_response", { body: "maintenance", status_code: 503, ...given });
export const weighted = (given: Json = {}) => create("/backends/weighted", given);
export const staticBackend = (given: Json = {}) =>
  create("/backends/static", { address: "shop.internal:8080", ...given });
export const botUser = (given: Json = {}) => create("/bot_users", { name: "deploy", ...given });
export const destination = (given: Json = {}) =>
  create("/event_destinations", { target: { monitoring_vendor: { api_key: SECRET } }, ...given });
export const subscription = (given: Json = {}) => create("/event_subscriptions", given);

export const authority = (given: Json = {}) =>
  create("/certificate_authorities", { ca_pem: pem(certificate()), ...given });

export const issuer = (given: Json = {}) =>
  create("/certificate_issuers", {
    directory_url: "https://acme.example.com/directory",
    terms_of_service_agreed: true,
    hosts: ["shop.example.com"],
    ...given,
  });

/** An API key. Its holder sends its `token`. */
export const key = (given: Json = {}) => create("/api_keys", given);

/** A secret that no response may show. */
export const SECRET = "s3cr3t-that-must-not-be-seen";

/** Ids of objects that are managed elsewhere, of which only the form matters. The authority has no row here. */
export const CA = "ca_2fCzyKyxGFFQjbGvSPXiVOWCOkX";
export const HTTPS_EDGE = "edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX";
export const HTTPS_ROUTE = "edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX";
