import { isObject } from "../../packages/model/src/json.ts";
import type { AcmeClient } from "./acme.ts";
import { rejected, retryAfter } from "./failures.ts";

/*
 * When a certificate is renewed: as the authority suggests (ARI, RFC 9773), otherwise after a part of its life.
 */

const DAY = 86_400_000;

/** Certificates that live shorter than this are renewed after half of their life; others after two thirds. */
const SHORT_LIVED = 10 * DAY;

/** Certificates' dates, in milliseconds since the Unix epoch. */
interface Life {
  not_before: number;
  not_after: number;
}

/** When a certificate is renewed of which the authority suggests nothing. */
export function renewsAt({ not_before, not_after }: Life): number {
  const life = not_after - not_before;
  return Math.round(not_before + (life < SHORT_LIVED ? life / 2 : (life / 3) * 2));
}

/**
 * When a certificate that replaces another one is renewed at the earliest, whatever the authority says: one that always says "now" does not
 * cost more than a certificate a day, or two in the life of a shorter one.
 */
export const earliestRenewal = (not_after: number, now: number): number =>
  now + Math.min(DAY, Math.round((not_after - now) / 2));

/** A suggested instant, not before `from`, nor in the last tenth of the certificate's life. */
export const within = ({ not_before, not_after }: Life, from: number, instant: number): number =>
  Math.min(Math.max(instant, from), Math.round(not_after - (not_after - not_before) / 10));

/** An authority's suggestion, in milliseconds since the Unix epoch. */
export interface RenewalSuggestion {
  window: { start: number; end: number };
  poll_at: number;
}

/** How long to wait until the next question: at least, at most, and if the authority does not say it. */
const [LEAST_POLL, MOST_POLL, USUAL_POLL] = [60_000, DAY, 6 * 3_600_000];

/** The instant after a question when the next one is due. */
export const nextPoll = (now: number, wait: number | undefined): number =>
  now + Math.min(Math.max(wait ?? USUAL_POLL, LEAST_POLL), MOST_POLL);

/**
 * Asks when to renew a certificate (RFC 9773 §4.1).
 *
 * @param id of the certificate
 * @throws AuthorityFailure
 */
export async function suggestedRenewal(
  client: AcmeClient,
  id: string,
  now: number,
): Promise<RenewalSuggestion> {
  const { renewalInfo } = await client.directory();
  if (renewalInfo === undefined) throw rejected("The authority does not suggest when to renew.");
  const reply = await client.get(`${renewalInfo.replace(/\/$/, "")}/${id}`);
  const window = reply.object["suggestedWindow"];
  const [start, end] = isObject(window) ? [instantIn(window, "start"), instantIn(window, "end")] : [];
  // §4.2: a window that ends before it starts is ignored.
  if (start === undefined || end === undefined || !(start < end))
    throw rejected("The authority suggests no valid window for the renewal.");
  return { window: { start, end }, poll_at: nextPoll(now, retryAfter(reply)) };
}

function instantIn(window: Record<string, unknown>, name: string): number | undefined {
  const value = window[name];
  return typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : undefined;
}

/**
 * When a certificate is renewed in a window (RFC 9773 §4.2): the same instant each time, spread over the window. A window that has
 * passed means now.
 *
 * @param salt identifies the certificate and its holder
 */
export async function placeIn({ start, end }: RenewalSuggestion["window"], salt: string): Promise<number> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(salt));
  const fraction = new DataView(digest).getUint32(0) / 2 ** 32;
  return Math.round(start + (end - start) * fraction);
}
