import { clock } from "../../packages/model/src/clock.ts";
import { isObject, parsedJson } from "../../packages/model/src/json.ts";
import type { StoredTarget } from "../db/column_types.ts";
import { failureOfStatus, gzip } from "./call.ts";
import { checkedUrl, refusedUrl } from "./guarded_url.ts";
import { privateHost } from "./resolver.ts";
import {
  allAccepted,
  failed,
  isFailure,
  type Reply,
  type SendContext,
  type Sender,
  type SendFailure,
  sendFailure,
} from "./sender.ts";

/*
 * The Logs Ingestion API of Azure Monitor, with a token of Microsoft Entra (client credentials):
 * https://learn.microsoft.com/azure/azure-monitor/logs/logs-ingestion-api-overview.
 */

type LogsIngestion = NonNullable<StoredTarget["logs_ingestion"]>;

const API_VERSION = "2023-01-01";

/** A call can have 1 MB, both compressed and uncompressed. */
const CALL_BYTES = 1_000_000;

/** The service cuts fields of over 64 KB, even in the middle of JSON, so larger events are sent with a truncated object. */
const LARGEST = 64_000;

/** How long before its end a token is no longer used, in milliseconds. */
const TOKEN_MARGIN = 300_000;

/** The most tokens that an isolate keeps. */
const MOST_TOKENS = 100;

interface Cloud {
  suffix: string;
  /** Where tokens are issued. */
  entra: string;
  scope: string;
}

const PUBLIC_CLOUD: Cloud = {
  suffix: ".ingest.monitor.azure.com",
  entra: "https://login.microsoftonline.com",
  // Two slashes: the resource is `https://monitor.azure.com/`.
  scope: "https://monitor.azure.com//.default",
};

const CLOUDS: Cloud[] = [
  PUBLIC_CLOUD,
  {
    suffix: ".ingest.monitor.azure.us",
    entra: "https://login.microsoftonline.us",
    scope: "https://monitor.azure.us//.default",
  },
  {
    suffix: ".ingest.monitor.azure.cn",
    entra: "https://login.partner.microsoftonline.cn",
    scope: "https://monitor.azure.cn//.default",
  },
];

const words = {
  400: "The endpoint rejected the events (400). Check the stream's name, and that its columns match the events.",
  401: "The endpoint rejected the token (401). Check tenant_id and client_id.",
  403: "The client is not allowed to send to this rule (403). Assign it the role Monitoring Metrics Publisher on the rule, which takes effect within 30 minutes.",
  404: "There is no such rule at this endpoint (404). Check logs_ingestion_uri and data_collection_rule_id.",
};

const encoder = new TextEncoder();

/** Puts events into the body of a request, as a list. */
export const logsIngestion: Sender<LogsIngestion> = {
  // Two bytes for the brackets, and one with each event for the comma.
  limits: () => ({ events: 10_000, bytes: CALL_BYTES - 2, overhead: 1, largest: LARGEST }),

  async send(target, events, context) {
    const endpoint = await endpointOf(target, context);
    if (!("url" in endpoint)) return failed(endpoint);
    // Compression makes JSON smaller, so the limit holds for both.
    const body = await gzip(encoder.encode(`[${events.map(({ text }) => text).join(",")}]`));
    const post = (token: string) =>
      context.call(endpoint.url, {
        method: "POST",
        headers: {
          Authorization: `Bearer ${token}`,
          "Content-Type": "application/json",
          "Content-Encoding": "gzip",
          "x-ms-client-request-id": crypto.randomUUID(),
        },
        body,
      });
    const reply = await withToken(target, endpoint, context, post);
    if (isFailure(reply)) return failed(reply);
    return reply.status >= 200 && reply.status < 300 ? allAccepted : failed(failureOf(reply));
  },
};

/** A 400 is about the stream or its schema, so a smaller batch would not help. */
function failureOf(reply: Reply): SendFailure {
  const failure = failureOfStatus(reply, words);
  return reply.status === 400 ? { ...failure, class: "configuration" } : failure;
}

/** Where events and credentials are sent. */
interface Endpoint extends Omit<Cloud, "suffix"> {
  url: string;
}

/** The URLs to call, or the failure if they cannot be called. */
async function endpointOf(target: LogsIngestion, context: SendContext): Promise<Endpoint | SendFailure> {
  const { endpoints, allowedHosts } = context.settings;
  // Each is one segment of a path, and `URL` would remove `.` and `..`.
  for (const member of ["tenant_id", "data_collection_rule_id", "data_collection_stream_name"] as const)
    if (/^\.{1,2}$/.test(target[member])) return refusedUrl(member, "Expected a name other than . and ..");
  const tenant = encodeURIComponent(target.tenant_id);
  const rule = encodeURIComponent(target.data_collection_rule_id);
  const stream = encodeURIComponent(target.data_collection_stream_name);
  const { url, problem } = checkedUrl(target.logs_ingestion_uri);
  if (!url) return refusedUrl("logs_ingestion_uri", problem);
  if (url.pathname !== "/" || url.search !== "")
    return refusedUrl("logs_ingestion_uri", "Expected a URL without a path or a query.");
  const cloud = CLOUDS.find(({ suffix }) => url.hostname.endsWith(suffix));
  const elsewhere = endpoints["logs_ingestion"];
  if (elsewhere === undefined) {
    if (!cloud && !allowedHosts.includes(url.hostname))
      return refusedUrl(
        "logs_ingestion_uri",
        `Expected a host that ends in ${CLOUDS.map(({ suffix }) => suffix).join(", ")}, or one in ALLOWED_TARGET_HOSTS.`,
      );
    const failure = await privateHost("logs_ingestion_uri", url.hostname, context);
    if (failure) return failure;
  }
  const { entra, scope } = cloud ?? PUBLIC_CLOUD;
  return {
    url: `${elsewhere ?? url.origin}/dataCollectionRules/${rule}/streams/${stream}?api-version=${API_VERSION}`,
    entra: `${endpoints["entra"] ?? entra}/${tenant}/oauth2/v2.0/token`,
    scope,
  };
}

/** Tokens by everything they were issued for, including all credentials, so other credentials never get the same token. */
const tokens = new Map<string, { token: string; expires: number }>();

/** Makes a call with a token. If a cached token is rejected, makes the call again with a new one. */
async function withToken(
  target: LogsIngestion,
  endpoint: Endpoint,
  context: SendContext,
  post: (token: string) => Promise<Reply | SendFailure>,
): Promise<Reply | SendFailure> {
  const { client_id, client_secret } = target;
  const key = JSON.stringify([endpoint.entra, endpoint.scope, client_id, client_secret]);
  const known = tokens.get(key);
  if (known && known.expires > clock.now()) {
    const reply = await post(known.token);
    if (isFailure(reply) || reply.status !== 401) return reply;
    tokens.delete(key);
  }
  const issued = await issue(target, endpoint, context);
  if (!("token" in issued)) return issued;
  const reply = await post(issued.token);
  if (isFailure(reply) || reply.status !== 401) {
    if (tokens.size >= MOST_TOKENS) tokens.clear();
    tokens.set(key, issued);
  }
  return reply;
}

/** A new token (RFC 6749 §4.4). */
async function issue(
  { client_id, client_secret }: LogsIngestion,
  { entra, scope }: Endpoint,
  { call }: SendContext,
): Promise<{ token: string; expires: number } | SendFailure> {
  const form = { client_id, client_secret, grant_type: "client_credentials", scope };
  const reply = await call(entra, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(form).toString(),
  });
  if (isFailure(reply)) return reply;
  const { status } = reply;
  if (status < 200 || status >= 300) {
    const failure = failureOfStatus(reply, { [status]: `No token was issued (${status}).` });
    if (failure.class === "retry") return failure;
    const msg = `No token was issued (${status}). Check tenant_id, client_id and client_secret.`;
    return sendFailure("configuration", "token_refused", msg, status);
  }
  return (
    tokenIn(reply.text) ?? sendFailure("retry", "no_token", "The token endpoint responded without a token.")
  );
}

/** The token in a response, and until when it is used; undefined if there is none that is valid in a header. */
function tokenIn(text: string): { token: string; expires: number } | undefined {
  const body = parsedJson(text);
  if (!isObject(body)) return undefined;
  const token = body["access_token"];
  if (typeof token !== "string" || !/^[\x21-\x7e]+$/.test(token)) return undefined;
  return { token, expires: clock.now() + (Number(body["expires_in"]) || 0) * 1000 - TOKEN_MARGIN };
}
