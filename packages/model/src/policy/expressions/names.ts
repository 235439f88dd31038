import type { Need, Phase } from "../base/program.ts";
import { invalid, notEnforced, suggestion } from "../base/wrong.ts";
import type { Kept, ExpressionScope, ExpressionValue } from "./values.ts";

/*
 * The names that expressions can refer to.
 */

interface Named {
  value: ExpressionValue;
  phases: readonly Phase[];
  need?: Need;
}

const ALL: readonly Phase[] = ["on_tcp_connect", "on_http_request", "on_http_response"];
const HTTP: readonly Phase[] = ["on_http_request", "on_http_response"];
const RESPONSE: readonly Phase[] = ["on_http_response"];

const text = (from: Extract<ExpressionValue, { type: "string" }>["text"]): ExpressionValue => ({
  type: "string",
  text: from,
});

/** Every variable of a request, a response or a connection. */
const names: Record<string, Named> = {
  "req.method": { value: text({ from: "method" }), phases: HTTP },
  "req.url.path": { value: text({ from: "path" }), phases: HTTP },
  "req.url.raw_path": { value: text({ from: "raw_path" }), phases: HTTP },
  "req.url.query": { value: text({ from: "query" }), phases: HTTP },
  "req.url.uri": { value: text({ from: "uri" }), phases: HTTP },
  "req.url.query_params": { value: { type: "map", of: "query_param" }, phases: HTTP },
  "req.host": { value: text({ from: "host" }), phases: HTTP },
  "req.user_agent": { value: text({ from: "user_agent" }), phases: HTTP },
  "req.content_type": { value: text({ from: "content_type" }), phases: HTTP },
  "req.content_length": { value: { type: "int", int: { from: "content_length" } }, phases: HTTP },
  "req.headers": { value: { type: "map", of: "header" }, phases: HTTP },
  "req.cookies": { value: { type: "map", of: "cookie" }, phases: HTTP },
  "res.status_code": { value: { type: "int", int: { from: "status_code" } }, phases: RESPONSE },
  "res.headers": { value: { type: "map", of: "response_header" }, phases: RESPONSE },
  "conn.client_ip": { value: { type: "address", address: "client_ip" }, phases: ALL },
  "conn.server_ip": { value: { type: "address", address: "server_ip" }, phases: ALL },
  "conn.client_port": { value: { type: "int", int: { from: "client_port" } }, phases: ALL },
  "conn.server_port": { value: { type: "int", int: { from: "server_port" } }, phases: ALL },
  "conn.tls.sni": { value: text({ from: "sni" }), phases: ALL, need: "tls_termination" },
  "conn.tls.version": { value: text({ from: "tls_version" }), phases: ALL, need: "tls_termination" },
  "conn.tls.negotiated_alpn": { value: text({ from: "alpn" }), phases: ALL, need: "tls_termination" },
  "conn.tls.client.subject.common_name": {
    value: text({ from: "client_common_name" }),
    phases: ALL,
    need: "mutual_tls",
  },
  "time.now": { value: { type: "now" }, phases: ALL },
};

const results: Record<Kept, ExpressionValue> = {
  "restrict_ips.action": text({ from: "restrict_ips_action" }),
  "rate_limit.limited": { type: "bool", bool: { op: "kept", name: "limited" } },
  "basic_auth.credentials.authorized": { type: "bool", bool: { op: "kept", name: "authorized" } },
};

/** Names that mean something, but that nothing here can look up. */
const UNSUPPORTED =
  /^(?:conn\.(?:geo|client_ip|server_ip|ip_categories|k8s|pod|pop|tls\.(?:client|server|cipher_suite|version))|req\.(?:location|user_agent|ip_categories|trailers|transfer_encoding|url|version)|res\.(?:location|content_length|content_type|cookies|trailers)|endpoint|ip|time|rand|json|hash|url|base64|secrets|pod)(?:\.|$)/;

const isKept = (name: string): name is Kept => Object.hasOwn(results, name);

/** Whether anything is called so, or anything's name begins so. */
export const isNamespace = (path: string): boolean =>
  Object.keys(names).some((name) => name.startsWith(`${path}.`)) || UNSUPPORTED.test(path);

/** What a name stands for. @throws Wrong */
export function lookUp(path: string, at: number, scope: ExpressionScope): ExpressionValue {
  const named = Object.hasOwn(names, path) ? names[path] : undefined;
  if (named) {
    if (!named.phases.includes(scope.phase)) invalid(`"${path}" is not available in ${scope.phase}.`, at);
    if (named.need) scope.needs.add(named.need);
    if (named.need === "mutual_tls") scope.needs.add("tls_termination");
    return named.value;
  }
  if (path.startsWith("vars.")) return variable(path.slice("vars.".length), at, scope);
  if (path.startsWith("actions.")) return result(path.slice("actions.".length), at, scope);
  if (UNSUPPORTED.test(path)) return notEnforced(`"${path}" is not enforced.`, at);
  return invalid(() => `Unknown name "${path}"${suggestion(path, Object.keys(names))}`, at);
}

function variable(name: string, at: number, { vars }: ExpressionScope): ExpressionValue {
  const found = vars.get(name);
  if (!found)
    return invalid(
      () => `No earlier set-vars of this phase sets the variable "${name}"${suggestion(name, vars.keys())}`,
      at,
    );
  switch (found.type) {
    case "string":
      return text({ from: "var", name });
    case "int":
      return { type: "int", int: { from: "var", name } };
    case "bool":
      return { type: "bool", bool: { op: "var", name } };
    case "list":
      return { type: "var_list", name, values: found.values };
  }
}

/** `actions.basic_auth.…` and `actions.anything.basic_auth.…` are the same. */
function result(path: string, at: number, scope: ExpressionScope): ExpressionValue {
  for (const name of [path, path.slice(path.indexOf(".") + 1)]) {
    if (!isKept(name)) continue;
    if (!scope.kept.has(name)) invalid(`No earlier action of this phase sets "${name}".`, at);
    return results[name];
  }
  return notEnforced(`"actions.${path}" is not enforced.`, at);
}
