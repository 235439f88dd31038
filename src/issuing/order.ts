import { isObject } from "../../packages/model/src/json.ts";
import type { AcmeClient, ObjectReply } from "./acme.ts";
import { checkedChain, type IssuedCertificate, OTHER_KEY } from "./chain.ts";
import { readRequest } from "./csr.ts";
import { AuthorityFailure, rejected, retryAfter, wordsOf } from "./failures.ts";

/*
 * An order for a certificate (RFC 8555 §7.1.6). Each call makes one step, of which the database keeps only the order's URL: what the
 * order needs next is read from the authority, so a step that was interrupted is made again.
 *
 *     no URL       newOrder (§7.4): the URL is stored before anything else
 *     pending      the challenge of its authorization is announced as ready (§7.5.1), unless the authorization is valid already
 *     ready        the request for the certificate is sent (§7.4, finalize)
 *     processing   the authority is at work
 *     valid        the chain is downloaded (§7.4.2)
 *     invalid      the authority has rejected the order
 */

/** What is ordered. */
export interface WantedCertificate {
  host: string;
  /** The agent's request, in base64url. */
  csr: string;
  /** Of the order; null before there is one. */
  order_url: string | null;
  /** Identifies the certificate that this one replaces (RFC 9773 §4.1). */
  replaces: string | null;
  /** How often the order was looked at. */
  looks: number;
}

/** What a step leads to. */
export type StepResult =
  | { is: "ordered"; order_url: string }
  /** @param wait until the next step, in milliseconds */
  | { is: "waiting"; wait: number }
  | ({ is: "issued" } & IssuedCertificate);

/** How long to wait if the authority is at work and does not say for how long, in milliseconds. */
const POLL = 2_000;

/** A challenge is announced again if the authority has done nothing for so many steps. */
const BETWEEN_ANNOUNCEMENTS = 8;

/** The time until the next step if the authority waits for it. */
const NOW = 0;

/**
 * Makes the next step of an order.
 *
 * @param now milliseconds since the Unix epoch
 * @throws AuthorityFailure
 */
export async function nextStep(
  client: AcmeClient,
  wanted: WantedCertificate,
  now: number,
): Promise<StepResult> {
  const { order_url } = wanted;
  if (order_url === null) return newOrder(client, wanted);
  const order = await client.post(order_url);
  switch (order.object["status"]) {
    case "pending":
      return authorize(client, order, wanted);
    case "ready":
      return finalize(client, order, wanted.csr);
    case "processing":
      return { is: "waiting", wait: retryAfter(order) ?? POLL };
    case "valid":
      return download(client, order, wanted, now);
    case "invalid":
      throw rejected(await reasonOf(client, order));
    default:
      throw rejected("The authority's order has an unknown status.");
  }
}

/**
 * RFC 8555 §7.4, and RFC 9773 §5: the certificate that is replaced is only a hint. An authority that rejects it (it was replaced already, it
 * is another account's, the authority has forgotten it) gets the order without it.
 */
async function newOrder(client: AcmeClient, { host, replaces }: WantedCertificate): Promise<StepResult> {
  const { newOrder: url, renewalInfo } = await client.directory();
  const order = { identifiers: [{ type: "dns", value: host }] };
  const isReplacing = replaces !== null && renewalInfo !== undefined;
  const { headers } = await (isReplacing
    ? client.post(url, { ...order, replaces }).catch((error: unknown) => {
        if (error instanceof AuthorityFailure && error.consequence === "rejected")
          return client.post(url, order);
        throw error;
      })
    : client.post(url, order));
  return { is: "ordered", order_url: client.ownUrl(headers.get("Location"), "order") };
}

/** RFC 8555 §7.5: an order for one name has one authorization. A valid one, of an earlier order, needs no challenge. */
async function authorize(
  client: AcmeClient,
  order: ObjectReply,
  { host, looks }: WantedCertificate,
): Promise<StepResult> {
  for (const url of authorizationsOf(client, order)) {
    const authorization = await client.post(url);
    const { status, identifier } = authorization.object;
    if (!isObject(identifier) || identifier["value"] !== host)
      throw rejected("The authority asks for the authorization of another name.");
    if (status === "valid") continue;
    if (status !== "pending")
      throw rejected(
        challengeReason(authorization) ??
          `The authorization is ${typeof status === "string" ? status : "without a status"}.`,
      );
    const challenge = challengesIn(authorization).find(({ type }) => type === "http-01");
    if (!challenge) throw rejected("The authority offers no http-01 challenge for this host.");
    // Agents can answer every challenge at any time, so nothing has to be prepared (§8.3). It stays pending while some authorities validate
    // it, and each announcement makes these try again (§8.2), so it is seldom repeated.
    if (challenge["status"] !== "pending" || looks % BETWEEN_ANNOUNCEMENTS > 0)
      return { is: "waiting", wait: retryAfter(authorization) ?? POLL };
    return { is: "waiting", wait: retryAfter(await client.post(client.urlIn(challenge, "url"), {})) ?? NOW };
  }
  return { is: "waiting", wait: retryAfter(order) ?? POLL };
}

/** RFC 8555 §7.4. If the order is not ready after all, it is read again, and the request is not repeated at once. */
async function finalize(client: AcmeClient, order: ObjectReply, csr: string): Promise<StepResult> {
  try {
    const reply = await client.post(client.urlIn(order.object, "finalize"), { csr });
    return { is: "waiting", wait: retryAfter(reply) ?? NOW };
  } catch (error) {
    if (error instanceof AuthorityFailure && error.consequence === "not_ready")
      return { is: "waiting", wait: error.retryAfter ?? POLL };
    throw error;
  }
}

/** RFC 8555 §7.4.2. The chain is only passed on if it is what was ordered. */
async function download(
  client: AcmeClient,
  order: ObjectReply,
  { host, csr }: WantedCertificate,
  now: number,
): Promise<StepResult> {
  const { key } = await readRequest(csr, host);
  const { text } = await client.postAny(client.urlIn(order.object, "certificate"));
  const issued = key ? checkedChain(text, { host, key, now }) : OTHER_KEY;
  if (typeof issued === "string") throw rejected(issued);
  return { is: "issued", ...issued };
}

/** The most authorizations of an order that are looked at: it has one name. */
const MOST_AUTHORIZATIONS = 2;

function authorizationsOf(client: AcmeClient, { object }: ObjectReply): string[] {
  const urls: unknown[] = Array.isArray(object["authorizations"]) ? object["authorizations"] : [];
  if (urls.length === 0) throw rejected("The authority's order has no authorization.");
  return urls.slice(0, MOST_AUTHORIZATIONS).map((url) => client.ownUrl(url, "authorization"));
}

function challengesIn({ object }: ObjectReply): Record<string, unknown>[] {
  const challenges: unknown[] = Array.isArray(object["challenges"]) ? object["challenges"] : [];
  return challenges.filter(isObject);
}

/** The authority's words for a failed challenge, with the address that it tried (RFC 8555 §8). */
function challengeReason(authorization: ObjectReply): string | undefined {
  const failed = challengesIn(authorization).find(({ error }) => isObject(error));
  if (!failed) return undefined;
  const records: unknown[] = Array.isArray(failed["validationRecord"]) ? failed["validationRecord"] : [];
  const addresses = records
    .filter(isObject)
    .flatMap(({ addressUsed }) => (typeof addressUsed === "string" ? [addressUsed] : []));
  const words = wordsOf(failed["error"]);
  const tried = addresses.filter((address) => !words.includes(address));
  return `The authority rejected the challenge: ${words}${tried.length > 0 ? ` (tried ${[...new Set(tried)].join(", ")})` : ""}`;
}

/** Why an order is invalid: its own error, or that of an authorization. */
async function reasonOf(client: AcmeClient, order: ObjectReply): Promise<string> {
  for (const url of authorizationsOf(client, order)) {
    const reason = challengeReason(await client.post(url));
    if (reason !== undefined) return reason;
  }
  return `The authority rejected the order: ${wordsOf(order.object["error"])}`;
}
