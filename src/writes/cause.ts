import type { Context } from "hono";
import { clock } from "../clock.ts";
import type { Cause } from "../db/events.ts";
import type { StoredPrincipal } from "../db/stored.ts";
import type { App } from "../env.ts";
import { type Caller, ROOT } from "../http/auth/caller.ts";
import { unauthenticated } from "../http/errors/errors.ts";

/** Who changes what now, for the events of a write: the bot user that owns the key, otherwise the key itself. */
export function causeOf(c: Context<App>): Cause {
  const { caller, operationId, origin } = c.get("request");
  if (!caller) throw unauthenticated();
  return { at: clock.now(), operation_id: operationId, principal: principalOf(caller), origin };
}

/** How much of a subject events show: the name of a bot user may be as long as a request. */
const SUBJECT_CHARACTERS = 255;

const principalOf = ({ keyId, ownerId, subject }: Caller): StoredPrincipal => ({
  id: ownerId ?? keyId,
  subject: subject.slice(0, SUBJECT_CHARACTERS).toWellFormed(),
  source: "API",
  credential: keyId === ROOT ? null : keyId,
});
