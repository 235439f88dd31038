import canonicalize from "canonicalize";
import type { Context } from "hono";
import { clock } from "../clock.ts";
import { dayOf, type Recorded } from "../db/idempotency.ts";
import type { App } from "../env.ts";
import { tooLarge, unauthenticated } from "../http/errors/errors.ts";
import { withoutNulls } from "../http/operations/body.ts";
import { routeOf } from "../http/operations/route.ts";
import { sha256 } from "../tokens.ts";
import { byteLength } from "../values/members.ts";

/** The largest row that the tables' constraints allow, in bytes. */
const ROW_BYTES = 1_900_000;

/**
 * The record of a creation with an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header), so that repeating the
 * request creates nothing; undefined without such a key.
 *
 * @param creates what the record tells: an id that is unique to the request, the body and the version of the response
 * @param request what a repeated request must be equal to; its body, unless some of that is ignored
 * @throws 413 for a response too large to record
 */
export async function recordOf(
  c: Context<App>,
  creates: { id: string; kept: object; answer: { version: number } } | undefined,
  request?: object,
): Promise<Recorded | undefined> {
  const key = creates && c.req.header("Idempotency-Key");
  if (key === undefined || creates === undefined) return undefined;
  const { caller } = c.get("request");
  if (!caller) throw unauthenticated();
  const response = JSON.stringify(creates.kept);
  if (byteLength(response, ROW_BYTES) > ROW_BYTES)
    throw tooLarge(
      "The response is larger than 1.9 MB, the most that is stored for an Idempotency-Key. Leave out the key.",
    );
  const now = clock.now();
  const [key_sha256, request_sha256] = await Promise.all([
    sha256(JSON.stringify([caller.keyId, key])),
    sha256(JSON.stringify([key, pathOf(c), canonicalize(request ?? withoutNulls(await c.req.json()))])),
  ]);
  const { version } = creates.answer;
  const object_id = creates.id;
  return { day: dayOf(now), key_sha256, request_sha256, created_at: now, object_id, response, version };
}

/** The path of a request as its route writes it, with the ids of this request: a trailing slash makes no difference. */
const pathOf = (c: Context<App>): string | undefined =>
  routeOf(c)?.path.replace(/:(\w+)/g, (_, name: string) => c.req.param(name) ?? "");
