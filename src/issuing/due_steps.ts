import { clock } from "../../packages/model/src/clock.ts";
import { hostObjection, issuerFor } from "../../packages/model/src/traffic/issuing.ts";
import { rootCause } from "../db/failures.ts";
import { logFault } from "../http/log.ts";
import { type IssuerRow } from "./issuer_rows.ts";
import { allIssuers, type DueOrder, forgetRequests } from "./order_statements.ts";
import { performStep, type StepContext } from "./steps.ts";

/** How many steps are made at the same time: the platform opens six connections for a run, and deliveries need some. */
const AT_ONCE = 3;

/**
 * Makes a step for each request whose agent has stopped asking, so that it does not keep others from their certificates. Deletes
 * those that nothing orders any more. Never throws.
 *
 * @param until no step begins after it, in milliseconds since the Unix epoch
 */
export async function makeDueSteps(
  context: StepContext,
  due: readonly DueOrder[],
  until: number,
): Promise<void> {
  if (due.length === 0) return;
  try {
    const issuers = await context.session.all(allIssuers());
    const left = [...due];
    const work = async (): Promise<void> => {
      for (let next = left.shift(); next && clock.now() < until; next = left.shift())
        // One that fails, for instance because the secrets of its issuer cannot be opened, does not end the others.
        await stepFor(context, next, issuers).catch(logFailure);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } catch (error) {
    logFailure(error);
  }
}

const logFailure = (error: unknown): void =>
  logFault("minute", "A step of a certificate's order failed.", rootCause(error));

async function stepFor(
  context: StepContext,
  { row, isWanted }: DueOrder,
  issuers: IssuerRow[],
): Promise<void> {
  const { agent, host, issuer_id } = row;
  const own = issuers.filter(({ agents }) => agents.includes("*") || agents.includes(agent));
  const found = issuerFor(host, own);
  // An agent that asks again starts again.
  if (!isWanted || found?.issuer.id !== issuer_id || hostObjection(host, found.pattern) !== undefined)
    await context.session.batch([forgetRequests(agent, host)]);
  else await performStep(context, row, row, found.issuer);
}
