import { timestamp } from "../../packages/model/src/clock.ts";
import { type CertificateProgress, hostObjection } from "../../packages/model/src/traffic/issuing.ts";
import type { IssuerRow } from "./issuer_rows.ts";
import type { Asked, OrderRow } from "./order_statements.ts";
import { ABANDONED } from "./progress.ts";
import { renewsAt } from "./renewal.ts";

/*
 * What follows from a request of an agent, before anything is written. An agent that repeats its request costs nothing at the authority:
 * each row has one order at a time, rejections slow it down, and another key for a certificate that is not due for renewal is accepted
 * once a day.
 */

/** What an agent asks for now. */
export interface AgentRequest {
  agent: string;
  host: string;
  csr: string;
  keyId: string;
  issuer: IssuerRow;
  /** The issuer's pattern that fits the host. */
  pattern: string;
}

/**
 * - `step`: the row becomes this, and a step is made
 * - `keep`: the row becomes this
 * - `refuse`: the row stays as it is
 */
export type Decision =
  | { is: "step" | "keep"; row: OrderRow }
  | { is: "refuse"; progress: CertificateProgress };

/** A key that was lost is replaced once in this time, in milliseconds. */
const DAY = 86_400_000;

const TOO_SOON =
  "This agent got a certificate for this host less than a day ago. Another key gets one after a day, or when an editor renews it (POST /certificates/{host}/renew).";

/** Decides what follows from a request. @param now milliseconds since the Unix epoch */
export function decide(asked: Asked, request: AgentRequest, now: number): Decision {
  const { agent, host, csr, keyId, issuer, pattern } = request;
  const { row: before, reported } = asked;
  const asking = { csr, key_id: keyId, issuer_id: issuer.id, asked_at: now };
  const fresh: OrderRow = { ...NOTHING, ...asking, agent, host, next_attempt_at: now };
  const objection = hostObjection(host, pattern);
  if (objection !== undefined) {
    const row = { ...(before ?? fresh), ...asking, ...STOPPED, last_error: objection };
    return { is: "keep", row: { ...row, state: "failing", next_attempt_at: laterThan(before, now) } };
  }
  if (!before) {
    const renews_at = reported && renewsAt(reported);
    return renews_at === undefined || renews_at <= now
      ? { is: "step", row: fresh }
      : {
          is: "keep",
          row: {
            ...fresh,
            ...reported,
            renews_at,
            state: "issued",
            lease_until: now,
            next_attempt_at: now + ABANDONED,
          },
        };
  }
  return before.state === "issued"
    ? decideIssued(before, asking, now)
    : decideOpen(asked, before, asking, now);
}

type Asking = Pick<OrderRow, "csr" | "key_id" | "issuer_id" | "asked_at">;

/** A certificate was issued: it is renewed if the agent sends another key and it is due. */
function decideIssued(before: OrderRow, asking: Asking, now: number): Decision {
  const { ari, chain, lease_until: issuedAt, renews_at } = before;
  const isSameIssuer = asking.issuer_id === before.issuer_id;
  const isDue = (renews_at ?? 0) <= now;
  const isNewKey = asking.csr !== before.csr;
  // Without a chain, the agent has the certificate, and the key of the request may be the next one.
  if (isDue ? isNewKey || chain === null : isNewKey && now - issuedAt >= DAY) {
    const replaces = (isSameIssuer && ari?.id) || null;
    const started = {
      ...STOPPED,
      state: "pending",
      replaces,
      ari: null,
      chain: null,
      next_attempt_at: now,
    } as const;
    return { is: "step", row: { ...before, ...asking, ...started } };
  }
  if (isNewKey)
    return { is: "refuse", progress: { ...WAITING, retry_after: MOST_SECONDS, last_error: TOO_SOON } };
  const row = {
    ...before,
    ...asking,
    ari: isSameIssuer ? ari : null,
    next_attempt_at: laterThan(before, now),
  };
  const isPoll = row.ari !== null && row.ari.poll_at <= now && !isDue;
  return { is: isPoll ? "step" : "keep", row };
}

/** An order is in progress, or has failed. */
function decideOpen({ isResumed }: Asked, before: OrderRow, asking: Asking, now: number): Decision {
  const { state, failures, lease_until } = before;
  const isSameIssuer = asking.issuer_id === before.issuer_id;
  const isRejectedHost = state === "failing" && failures === 0;
  const isNew = !isSameIssuer || isRejectedHost || (state === "paused" && isResumed);
  const begun = isSameIssuer ? { failures: 0 } : { ...STOPPED, replaces: null };
  const row = {
    ...before,
    ...asking,
    // The authority may have the order's key already. With another one, its certificate would be issued, but not recorded.
    ...(isSameIssuer && before.order_url !== null && { csr: before.csr }),
    ...(isNew && ({ ...begun, state: "pending", last_error: null, next_attempt_at: now } as const)),
    ...(state === "paused" && !isNew && { next_attempt_at: laterThan(before, now) }),
  };
  const isDue = row.state !== "paused" && (row.next_attempt_at ?? 0) <= now && lease_until <= now;
  return { is: isDue ? "step" : "keep", row };
}

/** A row of which nothing is known. */
const NOTHING = {
  state: "pending",
  order_url: null,
  lease: null,
  lease_until: 0,
  looks: 0,
  failures: 0,
  last_error: null,
  serial: null,
  not_before: null,
  not_after: null,
  renews_at: null,
  ari: null,
  replaces: null,
  chain: null,
} as const;

/** No order is in progress. */
const STOPPED = { order_url: null, failures: 0, last_error: null } as const;

/** When a row that needs no step is deleted unless its agent asks. Seldom changes, because each change is written. */
const laterThan = (before: OrderRow | undefined, now: number): number =>
  before?.next_attempt_at && before.next_attempt_at > now + ABANDONED - DAY
    ? before.next_attempt_at
    : now + ABANDONED;

/** How often it is written that an agent still asks, in milliseconds. */
const NOTED = 60_000;

/** Whether a row must be written that only differs in when the agent asked. */
export const isNoted = (before: OrderRow, { state, asked_at }: OrderRow): boolean =>
  state === "issued" || state === "paused" || asked_at - before.asked_at < NOTED;

/** How long agents wait at most, in seconds: for a step, and for a certificate that they have to be renewed. */
const MOST_SECONDS = 300;
const ISSUED_SECONDS = 600;

/** What an agent is told if it has to wait for another step or another agent. */
export const WAITING: CertificateProgress = {
  state: "pending",
  retry_after: 5,
  chain: null,
  last_error: null,
  renews_at: null,
};

/** What an agent is told. */
export function progressOf(row: OrderRow, now: number): CertificateProgress {
  const { state, next_attempt_at, lease_until, last_error, renews_at, chain } = row;
  const wait = Math.ceil((Math.max(next_attempt_at ?? 0, lease_until) - now) / 1000);
  const isIssued = state === "issued";
  return {
    state,
    retry_after: isIssued ? ISSUED_SECONDS : Math.min(Math.max(wait, 1), MOST_SECONDS),
    chain: isIssued ? chain : null,
    last_error,
    renews_at: isIssued && renews_at !== null ? timestamp(renews_at) : null,
  };
}
