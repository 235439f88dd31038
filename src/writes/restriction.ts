import type { Context } from "hono";
import { clock, timestamp } from "../clock.ts";
import { keepsLetIn, leavesPolicies } from "../db/api_restriction.ts";
import { type App, ROOT } from "../env.ts";
import { isRestrictionOn } from "../http/auth.ts";
import { forbiddenPolicies, lockOut, unauthenticated } from "../http/errors.ts";
import { reaches } from "../roles.ts";
import { addressOf } from "../values/cidrs.ts";
import type { Requirement } from "./write.ts";

/*
 * What the restriction of the API by address requires of every batch, whichever operation it comes from: nobody but an admin changes
 * the policies that it names, and nobody shuts out themselves.
 */

/** True for events of objects that decide who may call the API. */
export const concernsRestriction = (event: string): boolean =>
  event.startsWith("ip_policy_") || event.startsWith("api_restriction_");

/** True for events after which somebody else may be let in. A policy in use is not deleted, and no restriction lets in everybody. */
const decidesWhoIsLetIn = (event: string): boolean =>
  event.startsWith("ip_policy_rule_") || /^api_restriction_(?:created|updated)/.test(event);

/** Requirements to be checked after everything else in a batch that records these events. */
export function restrictionRequirements(c: Context<App>, events: string[]): Requirement[] {
  const { caller, operationId, address } = c.get("request");
  if (!caller) throw unauthenticated();
  const { keyId, role } = caller;
  const networks = addressOf(address)?.networks ?? [];
  const isExempt = keyId === ROOT || !isRestrictionOn(c) || !events.some(decidesWhoIsLetIn);
  return [
    {
      condition: reaches(role, "admin") ? undefined : leavesPolicies(operationId),
      error: forbiddenPolicies,
    },
    {
      condition: isExempt ? undefined : keepsLetIn(role, networks, timestamp(clock.now())),
      error: () => lockOut(address),
    },
  ];
}
