import { isFields } from "./api/client.ts";
import { inWords, textOf } from "./changes/diff.ts";

/*
 * Modules of edges and routes, in words.
 */

/** The modules, in the order in which pages show them. */
export const modules: Record<string, string> = {
  ip_restriction: "Who gets in",
  mutual_tls: "Client certificates",
  tls_termination: "TLS",
  backend: "Goes to",
  traffic_policy: "Traffic policy",
  circuit_breaker: "Circuit breaker",
  user_agent_filter: "User agents",
  request_headers: "Request headers",
  response_headers: "Response headers",
  compression: "Compression",
  webhook_verification: "Webhook verification",
  websocket_tcp_converter: "WebSocket to TCP",
};

/** What a module does, in words. */
export function describe(name: string, module: unknown, nameById: (id: string) => string): string {
  if (!isFields(module)) return "";
  if (name === "compression" || name === "websocket_tcp_converter") return "On";
  if (name === "circuit_breaker") {
    const share = Number(module["error_threshold_percentage"]) * 100;
    return `Opens for ${textOf(module["tripped_duration"])} s at ${share} % errors, of ${textOf(module["volume_threshold"])} requests or more in ${textOf(module["rolling_window"])} s`;
  }
  if (name === "tls_termination") {
    const version = module["min_version"];
    const where = module["terminate_at"] === "upstream" ? "Passed through to the backend" : "Terminated here";
    return typeof version === "string" ? `${where}, TLS ${version} or later` : where;
  }
  if (name === "backend") return inWords(module["backend"], nameById);
  if (name === "ip_restriction") return inWords(module["ip_policies"], nameById);
  if (name === "mutual_tls") return inWords(module["certificate_authorities"], nameById);
  if (name === "traffic_policy") return textOf(module["value"]);
  return Object.entries(module)
    .filter(([field, value]) => field !== "enabled" && value !== null)
    .map(([field, value]) => `${field} ${inWords(value)}`)
    .join(" · ");
}
