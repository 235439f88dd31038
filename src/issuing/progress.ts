import type { Transport } from "../delivery/sender.ts";
import { type AccountTerms, register } from "./account.ts";
import { AcmeClient } from "./acme.ts";
import { AuthorityFailure, rejected } from "./failures.ts";
import { ACCOUNT_CHANGED, type IssuerRow } from "./issuer_rows.ts";
import { nextStep, type StepResult } from "./order.ts";
import type { OrderRow } from "./order_statements.ts";
import { earliestRenewal, nextPoll, placeIn, renewsAt, suggestedRenewal, within } from "./renewal.ts";

/*
 * One step for a request of an agent, and what it changes. It does not use the database.
 */

/** An issuer with its secrets opened. */
export interface OpenedIssuer extends Pick<IssuerRow, "directory_url" | "account_uri" | "last_error"> {
  accountKey: JsonWebKey;
  terms: AccountTerms;
}

/** What a step changes. */
export interface Progress {
  order: Partial<OrderRow>;
  issuer: Partial<IssuerRow>;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How long to wait after each rejection in a row. After one more, no attempt follows. */
const BACKOFFS = [MINUTE, 10 * MINUTE, HOUR, 6 * HOUR];

/** How long to wait at least if the authority is down, in milliseconds, whatever it says. */
const LEAST_WAIT = 10_000;

/** How often an order is looked at before the waits get longer, and how often before it counts as rejected: after five hours at least. */
const [QUICK_LOOKS, MOST_LOOKS] = [5, 40];

/** The longest wait for an order, unless the authority asks for a longer one, in milliseconds. */
const MOST_BETWEEN = 10 * MINUTE;

/** Requests that need no step are deleted after this time, in milliseconds, if their agents stop asking. */
export const ABANDONED = 7 * 24 * HOUR;

/**
 * Makes one step for a request: registers the account, makes a step of the order, or asks when to renew the certificate.
 *
 * @param row a request that is not paused, and to whom no other step is made meanwhile
 * @param call sends requests to the authority
 */
export async function makeStep(
  row: OrderRow,
  issuer: OpenedIssuer,
  call: Transport,
  now: number,
): Promise<Progress> {
  const { directory_url: directoryUrl, account_uri: uri, accountKey: key } = issuer;
  if (uri === null) return registered(row, issuer, call, now);
  const client = new AcmeClient({ directoryUrl, key, uri }, call);
  if (row.state === "issued") return { order: await askedForRenewal(client, row, now), issuer: {} };
  try {
    const result = await nextStep(client, row, now);
    const { renewalInfo } = await client.directory();
    return { order: afterResult(row, result, renewalInfo !== undefined, now), issuer: {} };
  } catch (error) {
    if (!(error instanceof AuthorityFailure)) throw error;
    if (error.consequence === "unregistered") return registered(row, issuer, call, now);
    return { order: afterFailure(row, error, now), issuer: {} };
  }
}

/** Registers an account. The authority may know it under another URL than before; its orders are then lost. */
async function registered(
  row: OrderRow,
  issuer: OpenedIssuer,
  call: Transport,
  now: number,
): Promise<Progress> {
  const result = await registration(issuer, call);
  if (result instanceof AuthorityFailure)
    return {
      order: afterFailure(row, result, now),
      issuer: result.consequence === "unavailable" ? {} : { last_error: result.message },
    };
  const isSame = result.account_uri === issuer.account_uri;
  const isLost = issuer.account_uri !== null;
  // The authority that did not know the account finds it, or loses one after another: to go on would lead here again.
  if (isSame || (isLost && row.failures > 0))
    return {
      order: afterFailure(row, rejected("The authority rejects its own account."), now),
      issuer: isSame ? {} : result,
    };
  const failures = row.failures + Number(isLost);
  return { order: { order_url: null, next_attempt_at: now, failures }, issuer: result };
}

/** What the registration of an account changes in its issuer, or why it failed. */
export async function registration(
  { directory_url: directoryUrl, account_uri, accountKey: key, terms }: OpenedIssuer,
  call: Transport,
): Promise<Pick<IssuerRow, "account_uri" | "caa_identities" | "last_error"> | AuthorityFailure> {
  try {
    const found = await register(new AcmeClient({ directoryUrl, key, uri: null }, call), terms);
    const isChanged = account_uri !== null && account_uri !== found.account_uri;
    return { ...found, last_error: isChanged ? ACCOUNT_CHANGED : null };
  } catch (error) {
    if (error instanceof AuthorityFailure) return error;
    throw error;
  }
}

function afterResult(row: OrderRow, result: StepResult, suggests: boolean, now: number): Partial<OrderRow> {
  if (result.is === "ordered") return { order_url: result.order_url, next_attempt_at: now, looks: 0 };
  if (result.is === "waiting") return afterLook(row, result.wait, now);
  const { chain, serial, not_before, not_after, renewalId } = result;
  const from = row.serial === null ? 0 : earliestRenewal(not_after, now);
  return {
    state: "issued",
    order_url: null,
    failures: 0,
    last_error: null,
    replaces: null,
    next_attempt_at: now + ABANDONED,
    renews_at: Math.max(renewsAt(result), from),
    ari: suggests && renewalId !== undefined ? { id: renewalId, window: null, poll_at: now, from } : null,
    chain,
    serial,
    not_before,
    not_after,
  };
}

/** The authority has not decided yet. It is asked at growing intervals, and the order is rejected after {@link MOST_LOOKS} looks. */
function afterLook(row: OrderRow, wait: number, now: number): Partial<OrderRow> {
  if (row.looks >= MOST_LOOKS)
    return afterFailure(row, rejected("The authority has not finished the order."), now);
  const least = row.looks < QUICK_LOOKS ? 0 : Math.min(1_000 * 2 ** (row.looks - QUICK_LOOKS), MOST_BETWEEN);
  return { next_attempt_at: now + Math.max(wait, least), looks: row.looks + 1 };
}

/** A rejection ends the order, and counts. If the authority is down, the order is continued later. */
function afterFailure(
  row: Pick<OrderRow, "failures">,
  { consequence, message, retryAfter }: AuthorityFailure,
  now: number,
): Partial<OrderRow> {
  if (consequence === "unavailable")
    return { last_error: message, next_attempt_at: now + Math.max(retryAfter ?? MINUTE, LEAST_WAIT) };
  const backoff = BACKOFFS[row.failures];
  return {
    state: backoff === undefined ? "paused" : "failing",
    failures: row.failures + 1,
    last_error: message,
    order_url: null,
    next_attempt_at: now + (backoff ?? ABANDONED),
  };
}

/** Asks when to renew a certificate. If the authority does not say it, what was known stays. */
async function askedForRenewal(client: AcmeClient, row: OrderRow, now: number): Promise<Partial<OrderRow>> {
  const { ari, agent, host, serial, not_before, not_after } = row;
  if (!ari || not_before === null || not_after === null) return {};
  try {
    const { window, poll_at } = await suggestedRenewal(client, ari.id, now);
    return {
      ari: { ...ari, window, poll_at },
      renews_at: within(
        { not_before, not_after },
        ari.from,
        await placeIn(window, `${agent} ${host} ${serial}`),
      ),
    };
  } catch (error) {
    if (!(error instanceof AuthorityFailure)) throw error;
    return { ari: { ...ari, poll_at: nextPoll(now, error.retryAfter) } };
  }
}
