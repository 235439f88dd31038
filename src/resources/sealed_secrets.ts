import { and, eq, sql } from "drizzle-orm";
import { Hono } from "hono";
import * as z from "zod";
import { pageOf } from "../db/page_statement.ts";
import { eventDestinations as table, type StoredTarget } from "../db/schema.ts";
import { isCurrent, isSealed, placeOf, seal, unseal } from "../db/seals.ts";
import { draft, placeholder, type Guard, type Statement, statement } from "../db/statements.ts";
import type { App } from "../env.ts";
import { authority } from "../http/auth/authority.ts";
import { keyRingFor } from "../http/auth/sealing_keys.ts";
import { operation } from "../http/operations/validate.ts";
import { respond } from "../http/responses/respond.ts";
import { idSchema } from "../ids.ts";
import { requestObject } from "../values/members.ts";
import { refusalOf } from "../writes/commit.ts";
import { authorized } from "../writes/requirements.ts";
import { rows as destinations } from "./event_destinations.ts";
import { mapSecrets } from "./event_targets.ts";

/** The most destinations handled per request; fewer if their secrets are long, because a page is limited in size. */
const CHUNK = 10;

const ResealRequest = z.lazy(() =>
  requestObject({
    before_id: idSchema("event_destination")
      .describe(
        "The `next_before_id` of the previous response. If omitted, starts with the newest destination.",
      )
      .exactOptional(),
  }).meta({ id: "ResealRequest", examples: [{}] }),
);

const ResealResponse = z.lazy(() =>
  z
    .strictObject({
      looked_at: z.int().describe("Number of destinations examined."),
      resealed: z.int().describe("Number of destinations whose secrets were sealed again."),
      unopened: z
        .array(z.string())
        .describe("Ids of destinations with a secret that none of the keys can open."),
      unwritten: z
        .array(z.string())
        .describe(
          "Ids of destinations that another request changed in the meantime. A later run includes them again.",
        ),
      next_before_id: z
        .string()
        .nullable()
        .describe("Send this as `before_id` to continue; null when there are no more."),
    })
    .meta({
      id: "ResealResponse",
      examples: [{ looked_at: 10, resealed: 4, unopened: [], unwritten: [], next_before_id: null }],
    }),
);

/**
 * Replaces the target of a destination only if it is still the one that was read: one replaced in the meantime is kept, and
 * reported. What responses show does not change, and so the version does not either.
 */
const replaceTarget = (id: string, read: StoredTarget, resealed: StoredTarget, guard: Guard): Statement =>
  statement(
    `replace target ${guard.shape}`,
    () =>
      draft
        .update(table)
        .set({ target: placeholder("resealed", table.target) })
        .where(
          and(
            eq(table.id, sql.placeholder("id")),
            sql`${table.target} = ${placeholder("read", table.target)}`,
            guard.sql(),
          ),
        )
        .returning({ id: table.id }),
    { id, read, resealed, ...guard.values },
  );

export const sealedSecrets = new Hono<App>().post(
  "/reseal",
  ...operation({
    id: "SealedSecretsReseal",
    summary: "Seal secrets with the current key",
    description:
      "Seals the secrets of a batch of event destinations, newest first, with the first of the `SEALING_KEYS`. For operators who rotate these keys; can be interrupted and resumed at any time.",
    tag: "Service",
    access: "admin",
    body: ResealRequest,
    status: 200,
    response: ResealResponse,
  }),
  async (c) => {
    const { session, origin } = c.get("request");
    const ring = await keyRingFor(c);
    const query = { limit: CHUNK, ...c.req.valid("json") };
    const page = pageOf(await session.rows(destinations.page(origin, query)), CHUNK);
    const rows = page.rows.map((row) => destinations.decode(row));
    const unopened: string[] = [];
    const changes: { id: string; statement: Statement }[] = [];
    for (const { id, target } of rows) {
      try {
        const resealed = await mapSecrets(target, async (secret, member) => {
          const place = placeOf(id, `target.${member}`);
          // Opened even if it names the current key: another key may have the same id.
          const opened = isSealed(secret) ? await unseal(ring, secret, place) : secret;
          return isCurrent(ring, secret) ? secret : seal(ring, opened, place);
        });
        if (JSON.stringify(resealed) === JSON.stringify(target)) continue;
        changes.push({ id, statement: replaceTarget(id, target, resealed, authority(c)) });
      } catch {
        unopened.push(id);
      }
    }
    const results =
      changes.length === 0 ? [] : await session.batch(changes.map(({ statement }) => statement));
    const written = new Set(results.flat().map(({ id }) => id));
    const unwritten = changes.map(({ id }) => id).filter((id) => !written.has(id));
    const refusal = unwritten.length > 0 ? await refusalOf(session, [authorized(c)]) : undefined;
    if (refusal) throw refusal;
    const next_before_id = page.isMore ? (rows.at(-1)?.id ?? null) : null;
    const body = { looked_at: rows.length, resealed: written.size, unopened, unwritten, next_before_id };
    return respond(c, 200, JSON.stringify(body));
  },
);
