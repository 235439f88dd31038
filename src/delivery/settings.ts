import { isObject, parsedJson } from "../../packages/model/src/json.ts";
import type { Bindings } from "../http/env.ts";
import { logFault } from "../http/log.ts";
import { isLoopback } from "../http/request.ts";
import { nameProblem } from "./guarded_url.ts";
import type { DeliverySettings } from "./sender.ts";
import { targetTypes } from "./senders.ts";

/** Targets, and the two services with which senders authenticate. */
const ENDPOINTS = new Set<string>([...targetTypes, "sts", "entra"]);

/** IAM: "External ID". */
const EXTERNAL_ID = /^[\w+=,.@:/-]{2,1224}$/;

type Variables = Pick<
  Bindings,
  | "TARGET_ENDPOINTS"
  | "ALLOWED_TARGET_HOSTS"
  | "RESOLVER"
  | "CLOUD_ACCESS_KEY_ID"
  | "CLOUD_SECRET_ACCESS_KEY"
  | "CLOUD_EXTERNAL_ID"
>;

/** The settings, or the problems with the variables: for the operator, without their values. */
export type ReadSettings =
  | { settings: DeliverySettings; problems?: never }
  | { settings?: never; problems: string[] };

/**
 * Reads the operator's variables. An empty variable counts as unset. If any is malformed, nothing may be sent: events could go
 * to an unwanted place, or bypass a check that the operator configured.
 *
 * @param origin the start of URIs in events
 */
export function settingsOf(env: Variables, origin: string): ReadSettings {
  const problems: string[] = [];
  const endpoints = endpointsIn(env.TARGET_ENDPOINTS, problems);
  const allowedHosts = hostsIn(env.ALLOWED_TARGET_HOSTS, problems);
  const resolver = resolverIn(env.RESOLVER, problems);
  const { CLOUD_ACCESS_KEY_ID: accessKeyId, CLOUD_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (Boolean(accessKeyId) !== Boolean(secretAccessKey))
    problems.push("Set both CLOUD_ACCESS_KEY_ID and CLOUD_SECRET_ACCESS_KEY, or neither.");
  const externalId = env.CLOUD_EXTERNAL_ID || undefined;
  if (externalId !== undefined && !EXTERNAL_ID.test(externalId))
    problems.push("CLOUD_EXTERNAL_ID must be 2 to 1224 letters, digits and characters of _+=,.@:/-.");
  if (problems.length > 0) return { problems };
  const cloudKey = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined;
  return { settings: { endpoints, allowedHosts, resolver, cloudKey, externalId, origin } };
}

/** The operator's origin, if one is set. */
export const baseUrl = ({ BASE_URL }: Pick<Bindings, "BASE_URL">): string | undefined =>
  BASE_URL?.replace(/\/+$/, "");

/** The start of URIs in events without a request, unless `BASE_URL` is set: a name that says what to set. */
export const NO_ORIGIN = "https://base-url.not-set.invalid";

/** {@link settingsOf}; undefined if a variable is malformed, which the log then says. @param origin of the request, if any */
export function settingsFor(
  env: Bindings,
  operationId: string,
  origin?: string,
): DeliverySettings | undefined {
  const { settings, problems = [] } = settingsOf(env, baseUrl(env) || origin || NO_ORIGIN);
  for (const problem of problems) logFault(operationId, problem, undefined, "alert");
  return settings;
}

/** `{"webhook": "http://127.0.0.1:4000"}`: origins by field of a target, `sts` or `entra`. */
function endpointsIn(text: string | undefined, problems: string[]): DeliverySettings["endpoints"] {
  if (!text) return {};
  const value = parsedJson(text);
  if (!isObject(value)) {
    problems.push('TARGET_ENDPOINTS must be a JSON object, such as {"webhook": "http://127.0.0.1:4000"}.');
    return {};
  }
  const endpoints: DeliverySettings["endpoints"] = {};
  for (const [name, origin] of Object.entries(value)) {
    if (!ENDPOINTS.has(name))
      problems.push(`TARGET_ENDPOINTS has an unknown field; known: ${[...ENDPOINTS].join(", ")}.`);
    else if (!isOrigin(origin))
      problems.push(`TARGET_ENDPOINTS: ${name} must be an origin, such as http://127.0.0.1:4000.`);
    else endpoints[name] = new URL(origin).origin;
  }
  return endpoints;
}

/** True for a URL that has only the scheme `http` or `https`, a host and optionally a port. */
function isOrigin(value: unknown): value is string {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  const { protocol, href, origin } = new URL(value);
  return /^https?:$/.test(protocol) && href === `${origin}/`;
}

/** Comma-separated host names. */
function hostsIn(text: string | undefined, problems: string[]): string[] {
  if (!text) return [];
  const hosts = text.split(",").map((host) => host.trim().toLowerCase());
  if (hosts.some((host) => nameProblem(host) !== undefined))
    problems.push(
      "ALLOWED_TARGET_HOSTS must be comma-separated DNS names without ports, not IP addresses or localhost.",
    );
  return hosts;
}

/** A DNS-over-HTTPS URL. On a loopback host, it can be HTTP. */
function resolverIn(text: string | undefined, problems: string[]): string | undefined {
  if (!text) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSecure = url?.protocol === "https:" || (url !== undefined && isLoopback(url.href));
  if (!url || !isSecure || url.username !== "" || url.hash !== "")
    problems.push("RESOLVER must be an https URL, such as https://cloudflare-dns.com/dns-query.");
  return url?.href;
}
