import type { Context } from "hono";
import * as z from "zod";
import { changesSchema } from "../../../packages/model/src/traffic/changes.ts";
import { requestObject } from "../../../packages/model/src/values/request_schemas.ts";
import { confirmCaller } from "../../http/auth.ts";
import type { App } from "../../http/env.ts";
import { changesGone } from "../../http/errors.ts";
import { operation } from "../../http/operation.ts";
import { respond } from "../../http/respond.ts";
import { endpoints } from "../../http/router.ts";
import { LONGEST_WAIT, newerVersion } from "../../traffic/waiting.ts";
import { newestVersion } from "./form_cache.ts";
import { changesSince, everything, nothingSince, texts, versionAt } from "./snapshot_forms.ts";

/*
 * What agents read: first everything that is stored, and then only what has changed since. An agent waits for the next change.
 */

const ACCESS = "viewer or agent";

const waitQuery = () =>
  z
    .string()
    .refine(
      (text) => /^(?:\d|[1-9]\d)$/.test(text) && Number(text) <= LONGEST_WAIT,
      `Expected a whole number from 0 to ${LONGEST_WAIT}.`,
    )
    .transform(Number)
    .meta({
      type: "integer",
      minimum: 0,
      maximum: LONGEST_WAIT,
      description:
        "How many seconds to wait for a change if there is none; 0 if omitted. Only keys with the role `agent` wait, and not if many requests do.",
    })
    .exactOptional();

/** Waits until there is a newer version than the caller's, or until the time is over. Resolves to the newest version that was read. */
async function waited(c: Context<App>, known: number, seconds: number): Promise<number> {
  const { caller, session } = c.get("request");
  if (caller?.role !== "agent") return known;
  const { epoch } = session;
  const newest = await newerVersion(caller.keyId, known, seconds, async () => {
    const version = await newestVersion(c);
    // After a restore, the same version is another configuration.
    if (session.epoch !== epoch) throw changesGone();
    return version;
  });
  // The key can have been revoked meanwhile.
  await confirmCaller(c, ACCESS);
  return newest;
}

export const changes = endpoints().get(
  "/",
  operation({
    id: "SnapshotChangesGet",
    access: ACCESS,
    summary: "Get changes of the snapshot",
    description:
      "Returns what has changed since a position, for agents that resolve the snapshot themselves: a changed rule takes a few hundred bytes. Without `since`, returns everything. Apply changes only if `from` is the version that you have. If the log of events does not say what has changed, or there are more than 256 changes, the response is 410: request everything again. Other clients read `GET /snapshot`.",
    tag: "Traffic",
    query: z.lazy(() =>
      requestObject({
        since: z
          .string()
          .regex(/^[\w-]{1,200}$/, "Expected the field `next` of a response.")
          .describe("The field `next` of the last response.")
          .exactOptional(),
        wait: waitQuery(),
      }),
    ),
    status: 200,
    response: changesSchema,
    errors: ["ERR_GONE", "ERR_TOO_LARGE"],
  }),
  async (c) => {
    const { since, wait = 0 } = c.req.valid("query");
    const { session } = c.get("request");
    // What is read belongs to the database that the position is of.
    session.alwaysReadEpoch();
    if (since === undefined) return respond(c, 200, (await texts.current(c, everything)).json);
    let newest = await newestVersion(c);
    const known = versionAt(c, since);
    if (known === undefined) throw changesGone();
    if (newest <= known && wait > 0) newest = await waited(c, known, wait);
    const { json } =
      newest > known ? await texts.current(c, changesSince(known), newest) : await nothingSince(c, known);
    if (versionAt(c, since) === undefined) throw changesGone();
    return respond(c, 200, json);
  },
);
