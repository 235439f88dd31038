import type { Context } from "hono";
import { clock, timestamp } from "../../packages/model/src/clock.ts";
import { reaches } from "../../packages/model/src/roles.ts";
import { addressOf } from "../../packages/model/src/values/cidrs.ts";
import { isUnrestricted, leavesPolicies, letsInCaller } from "../db/api_restriction.ts";
import { sql } from "../db/statements.ts";
import { isRestrictionOn, rejected, validity } from "../http/auth.ts";
import { type App, ROOT } from "../http/env.ts";
import { forbiddenPolicies, lockOut, unauthenticated } from "../http/errors.ts";
import type { Requirement } from "./write.ts";

/*
 * What the restriction of the API by address requires of every batch, whichever operation it comes from: nobody but an admin changes
 * the policies that it names, nobody changes them from an address that is not let in, and nobody locks themselves out.
 */

/** True for events of objects that decide who may call the API. No restriction names a policy before it exists. */
const concernsRestriction = (event: string): boolean =>
  (event.startsWith("ip_policy_") && !event.startsWith("ip_policy_created")) ||
  event.startsWith("api_restriction_");

/** True for events after which the restriction itself may let in others. Without a restriction, everybody is let in. */
const setsRestriction = (event: string): boolean => /^api_restriction_(?:created|updated)/.test(event);

/** True for events after which a policy may let in others. A policy that the restriction names is not deleted. */
const changesRules = (event: string): boolean => event.startsWith("ip_policy_rule_");

/** Requirements of a batch. */
interface BatchRequirements {
  /** To be checked before everything else. */
  first: Requirement[];
  /** To be checked after everything else. */
  last: Requirement[];
}

/** Requirements of a batch that records these events; undefined if none of them concerns the restriction. */
export function restrictionRequirements(c: Context<App>, events: string[]): BatchRequirements | undefined {
  if (!events.some(concernsRestriction)) return undefined;
  const { caller, operationId, address } = c.get("request");
  if (!caller) throw unauthenticated();
  const { keyId, role } = caller;
  const leaves = leavesPolicies(operationId);
  // These change no policy that the restriction names, so they shut out nobody.
  if (!reaches(role, "admin")) return { first: [], last: [{ condition: leaves, error: forbiddenPolicies }] };
  const networks = addressOf(address)?.networks ?? [];
  const now = timestamp(clock.now());
  const isExempt = keyId === ROOT || !isRestrictionOn(c);
  const isLetIn = (isLasting: boolean) =>
    isExempt ? undefined : letsInCaller(role, networks, now, isLasting);
  const [stays, isValid] = [isLetIn(true), validity(c)];
  const keeps = events.some(setsRestriction)
    ? stays
    : stays && events.some(changesRules)
      ? sql`(${stays} or ${leaves})`
      : undefined;
  return {
    // What was cached about the caller may be out of date: others may have shut out this address.
    first: [{ condition: isLetIn(false), error: () => rejected(c, caller) }],
    last: [
      { condition: isValid && sql`(${isUnrestricted} or ${isValid} or ${leaves})`, error: unauthenticated },
      { condition: keeps, error: () => lockOut(address) },
    ],
  };
}
