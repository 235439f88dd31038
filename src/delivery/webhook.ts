import { clock } from "../../packages/model/src/clock.ts";
import { keyOfWebhookSecret } from "../../packages/model/src/values/secrets.ts";
import type { StoredTarget } from "../db/column_types.ts";
import { failureOfStatus } from "./call.ts";
import { checkedUrl, hostProblem, refusedUrl } from "./guarded_url.ts";
import { privateHost } from "./resolver.ts";
import {
  allAccepted,
  failed,
  isFailure,
  type OutgoingEvent,
  type SendContext,
  type Sender,
  type SendFailure,
} from "./sender.ts";

/*
 * Webhooks as Standard Webhooks 1.0 describes them (https://www.standardwebhooks.com): one event per POST, signed with
 * HMAC-SHA256.
 */

type Webhook = NonNullable<StoredTarget["webhook"]>;

/** Bytes of the largest event: receivers commonly accept this much. */
const LARGEST = 1_000_000;

/** Statuses that mean that a receiver is overloaded. */
const OVERLOADED = new Set([429, 502, 504]);

/** The shortest backoff after those statuses, in milliseconds. */
const SLOW_DOWN = 60_000;

const GONE = 410;

/** Messages for some statuses, with what to do about them. */
const words = {
  301: "The webhook responded with a redirect, which is not followed. Set the URL to the redirect's destination.",
  401: "The webhook rejected the request (401). Check that it has the secret of this destination.",
  403: "The webhook rejected the request (403). Check that it has the secret of this destination.",
  404: "There is nothing at the URL of the webhook (404).",
  410: "The webhook wants no more events (410).",
  413: "The event is too large for the webhook (413).",
};

const encoder = new TextEncoder();

/** Sends each event in a separate POST. */
export const webhook: Sender<Webhook> = {
  limits: () => ({ events: 1, bytes: LARGEST, overhead: 0, largest: LARGEST }),

  async send(target, events, context) {
    const url = await receiverOf(target, context);
    if (typeof url !== "string") return failed(url);
    const keys = await keysOf(target);
    for (const [index, event] of events.entries()) {
      const failure = await post(url, keys, event, context);
      if (!failure) continue;
      return index === 0
        ? failed(failure)
        : { again: events.slice(index), againError: failure.error, rejected: [] };
    }
    return allAccepted;
  },
};

/** The URL to call, or the failure if it cannot be called. */
async function receiverOf(target: Webhook, context: SendContext): Promise<string | SendFailure> {
  const { endpoints, allowedHosts, origin } = context.settings;
  const { url, problem } = checkedUrl(target.url);
  if (!url) return refusedUrl("url", problem);
  const elsewhere = endpoints["webhook"];
  if (elsewhere !== undefined) return elsewhere + url.pathname + url.search;
  const own = URL.canParse(origin) ? [new URL(origin).hostname] : [];
  const wrongHost = hostProblem(url.hostname, allowedHosts, own);
  if (wrongHost !== undefined) return refusedUrl("url", wrongHost);
  return (await privateHost("url", url.hostname, context)) ?? url.href;
}

/** The keys to sign with now. For a day after the secret changes, the previous secret is used too. */
async function keysOf({ secret, previous }: Webhook): Promise<CryptoKey[]> {
  const secrets = new Set([secret]);
  if (previous && previous.until > clock.now()) secrets.add(previous.secret);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return Promise.all(
    Array.from(secrets, (text) =>
      crypto.subtle.importKey("raw", keyOfWebhookSecret(text), algorithm, false, ["sign"]),
    ),
  );
}

async function post(
  url: string,
  keys: CryptoKey[],
  { envelope, text }: OutgoingEvent,
  { call }: SendContext,
): Promise<SendFailure | undefined> {
  const id = envelope.event_id;
  const timestamp = String(Math.floor(clock.now() / 1000));
  const signed = encoder.encode(`${id}.${timestamp}.${text}`);
  const signatures = await Promise.all(keys.map((key) => signatureOf(key, signed)));
  const request: RequestInit = {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "User-Agent": "edge-configuration",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": signatures.join(" "),
    },
    body: text,
  };
  // Only the status matters. The body is not read, because it may never end.
  const reply = await call(url, request, 0);
  if (isFailure(reply)) return reply;
  const { status } = reply;
  if (status >= 200 && status < 300) return undefined;
  const failure = failureOfStatus(reply, { ...words, ...(isRedirect(status) && { [status]: words[301] }) });
  if (status === GONE) return { ...failure, class: "suspend" };
  if (!OVERLOADED.has(status)) return failure;
  return { ...failure, retryAfter: Math.max(failure.retryAfter ?? 0, SLOW_DOWN) };
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

async function signatureOf(key: CryptoKey, signed: Uint8Array): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, signed));
  return `v1,${btoa(String.fromCharCode(...bytes))}`;
}
