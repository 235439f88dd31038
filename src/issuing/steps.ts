import { clock } from "../../packages/model/src/clock.ts";
import { type Cause, eventType } from "../db/event_writes.ts";
import type { Session } from "../db/session.ts";
import { bound } from "../db/statements.ts";
import { noteRecorded } from "../delivery/notes.ts";
import { ownCause } from "../delivery/own_cause.ts";
import type { DeliverySettings } from "../delivery/sender.ts";
import type { Bindings } from "../http/env.ts";
import { AuthorityFailure } from "./failures.ts";
import { issuerRows, type IssuerRow } from "./issuer_rows.ts";
import { openIssuer } from "./issuer_secrets.ts";
import { claim, finish, type OrderRow } from "./order_statements.ts";
import { makeStep, type OpenedIssuer, registration } from "./progress.ts";
import { authorityCaller } from "./transport.ts";

/*
 * Steps with their effects: a round trip that claims the row, requests to the authority, and a round trip that writes what they led to.
 */

/** How long the requests of a step may begin, in milliseconds. Together with the last one they end before the lease does. */
const STEP_MILLISECONDS = 40_000;

/** What steps need. */
export interface StepContext {
  env: Bindings;
  session: Session;
  settings: DeliverySettings;
  /** Of the event of a certificate that is issued. */
  cause: Cause;
}

/** An issuer with its secrets opened. @throws if no key opens them */
async function opened(env: Bindings, issuer: IssuerRow): Promise<OpenedIssuer> {
  const { accountKey, externalAccount } = await openIssuer(env, issuer);
  return { ...issuer, accountKey, terms: { contact: issuer.contact, external_account: externalAccount } };
}

/**
 * Makes a step for a row, and returns the row after it; undefined if somebody else makes one, or the row is gone.
 *
 * @param before as it was read; undefined if there was none
 * @param row as it becomes before the step
 */
export async function performStep(
  { env, session, settings, cause }: StepContext,
  before: OrderRow | undefined,
  row: OrderRow,
  issuer: IssuerRow,
): Promise<OrderRow | undefined> {
  const account = await opened(env, issuer);
  const begin = clock.now();
  const claimed = await session.first(claim(before, row, crypto.randomUUID(), begin));
  if (!claimed) return undefined;
  const call = authorityCaller(settings, begin + STEP_MILLISECONDS);
  const changed = await makeStep(claimed, account, call, clock.now());
  const now = clock.now();
  // Of an issued certificate, it stays the instant at which it was issued.
  const until = before && claimed.state === "issued" ? before.lease_until : now;
  const registered = changeOf(issuer, changed.issuer, now);
  const [written = []] = await session.batch([
    ...finish({ ...claimed, lease_until: until }, changed.order, cause),
    ...registered.statements,
  ]);
  if (written.length === 0) return undefined;
  const after = { ...claimed, ...changed.order, lease_until: until };
  const isIssued = after.state === "issued" && claimed.state !== "issued";
  noteRecorded([...registered.records, ...(isIssued ? [eventType("certificate", "issued")] : [])]);
  return after;
}

/** The statements that write what an issuer's registration changes, if that differs from what is known. */
function changeOf(issuer: IssuerRow, changes: Partial<IssuerRow>, now: number) {
  const known = new Map(Object.entries(issuer).map(([name, value]) => [name, bound(value)]));
  const isSame = Object.entries(changes).every(([name, value]) => bound(value) === known.get(name));
  if (isSame) return { statements: [], records: [] };
  const { statements, records = [] } = issuerRows.change(
    { id: issuer.id },
    changes,
    ownCause(now, "certificates"),
  );
  return { statements, records };
}

/** Registers the account of an issuer that is stored. What fails is repeated by the first step. */
export async function registerAccount(context: Omit<StepContext, "cause">, issuer: IssuerRow): Promise<void> {
  const { env, session, settings } = context;
  if (issuer.account_uri !== null) return;
  const call = authorityCaller(settings, clock.now() + STEP_MILLISECONDS);
  const result = await registration(await opened(env, issuer), call);
  const isFailure = result instanceof AuthorityFailure;
  if (isFailure && result.consequence === "unavailable") return;
  const { statements, records } = changeOf(
    issuer,
    isFailure ? { last_error: result.message } : result,
    clock.now(),
  );
  if (statements.length === 0) return;
  await session.batch(statements);
  noteRecorded(records);
}
