import { type Fields, isFields } from "../base/json.ts";
import { inWords, isSecret, textOf } from "./diff.ts";
import type { Field } from "./fields.ts";

/*
 * Modules of edges and routes, in words.
 */

/** The modules in the order in which they handle a request, from access control to the response. */
export const modules: Record<string, string> = {
  ip_restriction: "Who gets in",
  mutual_tls: "Client certificates",
  tls_termination: "TLS",
  traffic_policy: "Traffic policy",
  user_agent_filter: "User agents",
  webhook_verification: "Webhook verification",
  request_headers: "Request headers",
  circuit_breaker: "Circuit breaker",
  websocket_tcp_converter: "WebSocket to TCP",
  backend: "Goes to",
  response_headers: "Response headers",
  compression: "Compression",
};

/** What can be added, in groups, with what each does. */
export const steps: { heading: string; modules: Record<string, string> }[] = [
  {
    heading: "Who gets in",
    modules: {
      ip_restriction: "Only clients with addresses of IP policies",
      mutual_tls: "Only clients with a certificate of your authorities",
      user_agent_filter: "Allow or deny by user agent",
      webhook_verification: "Only signed requests. No machine can check that yet",
    },
  },
  {
    heading: "On the way",
    modules: {
      traffic_policy: "Rules of your own: deny, redirect, limit rates",
      request_headers: "Add or remove headers of requests",
      backend: "Where traffic goes",
      circuit_breaker: "Stop sending when the backend fails",
      tls_termination: "The oldest version, and where it ends",
      websocket_tcp_converter: "WebSockets to a TCP server",
    },
  },
  {
    heading: "On the way back",
    modules: {
      compression: "Shorten responses with gzip",
      response_headers: "Add or remove headers of responses",
    },
  },
];

const ofTls = ["mutual_tls", "tls_termination"];
const ofTcp = ["ip_restriction", "traffic_policy", "backend"];

/** The modules that an object can have. @param kind of an edge, or `route` */
export function modulesOf(kind: string): string[] {
  if (kind === "https") return ofTls;
  if (kind === "tls") return [...ofTcp, ...ofTls];
  if (kind === "tcp") return ofTcp;
  return kind === "route" ? Object.keys(modules).filter((name) => !ofTls.includes(name)) : [];
}

/** A number without the digits that binary fractions add: 0.07 × 100 is 7.000000000000001. */
export const rounded = (value: number): number => Number(value.toPrecision(12));

const headerFields: Field[] = [
  { name: "add", label: "Add", hint: "Name: value, one per line", type: "headers" },
  { name: "remove", label: "Remove", hint: "One name per line", type: "lines" },
];

/**
 * A warning if a line is probably not an RE2 expression. RE2 has flags and named groups that browsers reject, and has no lookarounds or
 * backreferences.
 */
function doubtOf(line: string): string | undefined {
  try {
    if (!/\(\?<?[=!]|\\[1-9]/.test(line))
      return void new RegExp(line.replaceAll(/\(\?[imsU-]+\)|\?(?:[imsU-]+:|P<\w+>)/g, ""));
  } catch {}
  return `“${line}” is not a regular expression (RE2)`;
}

const expressions = {
  hint: "One regular expression (RE2) per line",
  type: "lines",
  doubtOf,
} as const;

const versions = ["1.0", "1.1", "1.2", "1.3"].map((value) => ({ value, text: `TLS ${value} or later` }));

const fields: Record<string, Field[]> = {
  ip_restriction: [
    {
      name: "ip_policy_ids",
      label: "Only clients of these IP policies",
      hint: "Only clients that the chosen policies allow",
      hintIfNone: "No policy is chosen, so nobody gets in. To let everybody in, remove this step",
      type: "references",
      empty: [],
    },
  ],
  mutual_tls: [
    {
      name: "certificate_authority_ids",
      label: "Only clients with a certificate of these authorities",
      type: "references",
      isRequired: true,
      empty: [],
    },
  ],
  tls_termination: [
    {
      name: "terminate_at",
      label: "Terminated",
      type: "choice",
      options: [
        { value: "edge", text: "here" },
        { value: "upstream", text: "at the backend" },
      ],
    },
    {
      name: "min_version",
      label: "Minimum version",
      type: "choice",
      options: [{ value: "", text: "the default, TLS 1.2" }, ...versions],
    },
  ],
  backend: [{ name: "backend_id", label: "Goes to", type: "reference" }],
  circuit_breaker: [
    {
      name: "error_threshold_percentage",
      label: "Error rate that opens it, in %",
      type: "share",
      max: 100,
    },
    { name: "volume_threshold", label: "Minimum number of requests", type: "number" },
    { name: "rolling_window", label: "Window, in seconds", type: "number", min: 1 },
    { name: "num_buckets", label: "Buckets in the window", type: "number", min: 1, max: 128 },
    { name: "tripped_duration", label: "Time open, in seconds", type: "number" },
  ],
  user_agent_filter: [
    { name: "allow", label: "Allow", ...expressions },
    { name: "deny", label: "Deny", ...expressions },
  ],
  request_headers: headerFields,
  response_headers: headerFields,
  webhook_verification: [
    {
      name: "provider",
      label: "Provider",
      hint: "No machine checks signatures yet: while this is enabled, the route answers 503, whatever the provider",
      placeholder: "github",
      type: "text",
      isRequired: true,
      pattern: ["\\w{1,64}", "Use at most 64 letters, digits and underscores."],
    },
    {
      name: "secret",
      label: "Signing secret",
      hint: "As the provider shows it; sns has none. It is never shown again",
      type: "secret",
    },
  ],
};

/** The fields of a module's form, apart from `enabled`. @param path of the edge or the route */
export const fieldsOf = (name: string, path: string): Field[] =>
  (fields[name] ?? []).filter((field) => field.name !== "terminate_at" || path.startsWith("/edges/tls/"));

/** A module that is added, before anything is typed. The numbers are the service's defaults. */
export const startOf = (name: string): Fields =>
  name === "circuit_breaker"
    ? {
        enabled: true,
        tripped_duration: 10,
        rolling_window: 10,
        num_buckets: 10,
        volume_threshold: 20,
        error_threshold_percentage: 0.5,
      }
    : { enabled: true };

/** What a module does, in words. */
export function describe(name: string, module: unknown, nameById: (id: string) => string): string {
  if (!isFields(module)) return "";
  if (name === "compression" || name === "websocket_tcp_converter") return "On";
  if (name === "circuit_breaker") {
    const share = rounded(Number(module["error_threshold_percentage"]) * 100);
    return `Opens for ${textOf(module["tripped_duration"])} s at ${share} % errors, of ${textOf(module["volume_threshold"])} requests or more in ${textOf(module["rolling_window"])} s`;
  }
  if (name === "tls_termination") {
    const version = module["min_version"];
    const where = module["terminate_at"] === "upstream" ? "Passed through to the backend" : "Terminated here";
    return typeof version === "string" ? `${where}, TLS ${version} or later` : where;
  }
  if (name === "backend") return inWords(module["backend"] ?? module["backend_id"], nameById);
  if (name === "ip_restriction") return inWords(module["ip_policies"] ?? module["ip_policy_ids"], nameById);
  if (name === "mutual_tls")
    return inWords(module["certificate_authorities"] ?? module["certificate_authority_ids"], nameById);
  if (name === "traffic_policy") return textOf(module["value"]);
  return Object.entries(module)
    .filter(([field, value]) => field !== "enabled" && value !== null)
    .map(([field, value]) => `${field} ${isSecret(field) ? "not shown" : inWords(value)}`)
    .join(" · ");
}
