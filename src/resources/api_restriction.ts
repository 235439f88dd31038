import type { Context } from "hono";
import * as z from "zod";
import { clock, timestamp } from "../../packages/model/src/clock.ts";
import {
  API_RESTRICTION as id,
  EXAMPLE_ORIGIN,
  exampleId,
  exampleRef,
  idSchema,
  Ref,
  ref,
  refs,
} from "../../packages/model/src/ids.ts";
import { kinds, titled } from "../../packages/model/src/kinds.ts";
import { type Role, roles } from "../../packages/model/src/roles.ts";
import { requestObject, schema } from "../../packages/model/src/values/request_schemas.ts";
import { apiRestrictions as table } from "../db/access_schema.ts";
import { type Cause, eventType, recorderOf } from "../db/event_writes.ts";
import { recordRefusal } from "../db/refusals.ts";
import { rowsOf, userOf, type Change } from "../db/rows.ts";
import { bound, sql, type Sql } from "../db/statements.ts";
import { byKey, useChanges } from "../db/uses.ts";
import { noteRecorded } from "../delivery/notes.ts";
import type { App, Caller } from "../http/env.ts";
import { forgetAll } from "../http/keys.ts";
import { inBackground } from "../http/log.ts";
import { operation } from "../http/operation.ts";
import { endpoints } from "../http/router.ts";
import { enabled, isEnabled } from "../modules/module.ts";
import { causeOfCaller, commit } from "../writes/commit.ts";
import { authorized, conditionsMet, referencesExist } from "../writes/requirements.ts";
import { objectMembers, toObject } from "./common.ts";
import { objectsOf } from "./objects.ts";

/*
 * The restriction of the API by address: the addresses from which callers with some roles may call. `writes/restriction.ts` keeps
 * callers from locking themselves out, and `http/auth.ts` rejects callers.
 */

type Row = typeof table.$inferSelect;

/** Every caller's address is looked up in all of them. */
const MOST_POLICIES = 100;

/** Agents and monitoring often have addresses that change. */
const DEFAULT_ROLES: Role[] = roles.filter((role) => role !== "agent" && role !== "metrics");

const references = { ip_policy_ids: { path: "$" } } as const;
const rows = rowsOf("api_restriction", table, { references });
const user = userOf(table, { references });
const recorder = recorderOf("api_restriction", user);

const meanings = {
  ip_policies:
    "The IP policies whose rules decide: an address is let in if an `allow` rule and no `deny` rule of any of them matches.",
  roles: "The roles that the restriction applies to. Keys with other roles can be used from everywhere.",
};

const ApiRestriction = schema("ApiRestriction", () => ({
  description: kinds.api_restriction.about,
  examples: [
    {
      ...ref(EXAMPLE_ORIGIN, id),
      created_at: "2026-01-02T03:04:05Z",
      enabled: true,
      ip_policies: [exampleRef("ip_policy")],
      roles: DEFAULT_ROLES,
    },
  ],
  type: z.strictObject({
    ...objectMembers(),
    enabled: isEnabled(),
    ip_policies: z.array(Ref).describe(meanings.ip_policies),
    roles: z.array(z.enum(roles)).describe(meanings.roles),
  }),
}));

const ApiRestrictionReplaceRequest = schema("ApiRestrictionReplaceRequest", () => ({
  examples: [{ ip_policy_ids: [exampleId("ip_policy")] }],
  type: requestObject({
    enabled: enabled(),
    ip_policy_ids: z
      .array(idSchema("ip_policy"))
      .max(MOST_POLICIES, `Contains more than ${MOST_POLICIES} items.`)
      .describe(
        `Ids of the IP policies whose rules decide, at most ${MOST_POLICIES}. With none, only the root key is let in.`,
      ),
    roles: z
      .array(z.enum(roles))
      .max(roles.length, `Contains more than ${roles.length} items.`)
      .describe(`${meanings.roles} Defaults to all but \`agent\` and \`metrics\`.`)
      .exactOptional(),
  }),
}));

/** A row as responses show it. */
export const toApiRestriction = (row: Row, origin: string): z.output<typeof ApiRestriction> => ({
  ...toObject(row, origin),
  enabled: row.enabled,
  ip_policies: refs(origin, row.ip_policy_ids) ?? [],
  roles: row.roles,
});

const restrictions = objectsOf("api_restriction", rows, toApiRestriction);

const common = (verb: string) => ({
  id: `ApiRestriction${verb}`,
  access: "admin" as const,
  tag: titled(kinds.api_restriction.noun),
});

export const apiRestriction = endpoints()
  .get(
    "/",
    operation({
      ...common("Get"),
      summary: "Get the API restriction",
      description: "Returns the API restriction; 404 if there is none.",
      conditional: "read",
      status: 200,
      response: ApiRestriction,
      errors: ["ERR_NOT_FOUND"],
    }),
    (c) => restrictions.get(c, { id }),
  )
  .put(
    "/",
    operation({
      ...common("Replace"),
      summary: "Replace the API restriction",
      description:
        "Sets which addresses may call the API, and returns the restriction. It takes effect within 20 seconds. From then on, only admins can change the IP policies that it names, and their rules. A change that would lock out its caller is rejected with 409. This check ignores rules that expire. The root key can be used from everywhere.",
      conditional: "change",
      body: ApiRestrictionReplaceRequest,
      status: 200,
      response: ApiRestriction,
      errors: ["ERR_UNKNOWN_REFERENCE", "ERR_LOCK_OUT"],
    }),
    (c) => {
      const { origin } = c.get("request");
      const { roles: given = DEFAULT_ROLES, ...body } = c.req.valid("json");
      const ip_policy_ids = [...new Set(body.ip_policy_ids)];
      const row: Row = {
        id,
        created_at: timestamp(clock.now()),
        enabled: body.enabled,
        ip_policy_ids,
        roles: roles.filter((role) => given.includes(role)),
        version: 1,
      };
      return commit(c, {
        requires: [
          authorized(c),
          referencesExist(
            body.ip_policy_ids.map((policy, index) => ({ path: `/ip_policy_ids/${index}`, id: policy })),
          ),
          conditionsMet(c, rows.row({ id })),
        ],
        change: (cause) => replaced(row, cause),
        answer(found) {
          const changed = rows.decode(found);
          return { status: 200, version: changed.version, body: toApiRestriction(changed, origin) };
        },
      }).finally(forgetAll);
    },
  )
  .delete(
    "/",
    operation({
      ...common("Delete"),
      summary: "Delete the API restriction",
      description: "The API can then be called from everywhere. Succeeds if there is none.",
      conditional: "change",
      status: 204,
    }),
    (c) =>
      commit(c, {
        requires: [authorized(c), conditionsMet(c, rows.row({ id }))],
        change: (cause) => rows.remove({ id }, cause),
        answer: () => ({ status: 204 }),
        otherwise: () => ({ status: 204 }),
      }).finally(forgetAll),
  );

/** Inserts the row, or replaces what it says: the event is that of a creation or of a change. */
function replaced(row: Row, cause: Cause): Change {
  const { enabled, ip_policy_ids, roles } = row;
  const where = byKey(user, { id });
  const { before, after } = useChanges(user, { id }, where, { ip_policy_ids });
  const upsert = sql`insert into ${table} (id, created_at, enabled, ip_policy_ids, roles, version)
      values (${row.id}, ${row.created_at}, ${bound(enabled)}, ${bound(ip_policy_ids)}, ${bound(roles)}, 1)
      on conflict (id) do update set enabled = excluded.enabled, ip_policy_ids = excluded.ip_policy_ids, roles = excluded.roles,
        version = version + 1
      returning *`;
  const recorded = (verb: "created" | "updated", isNew: Sql): Sql =>
    recorder.rows(
      verb,
      { with: sql`only_one as (select 1)`, source: sql`from ${table} where ${where} and ${isNew}` },
      cause,
    );
  return {
    statements: [
      ...before,
      upsert,
      recorded("created", sql`version = 1`),
      recorded("updated", sql`version > 1`),
      ...after,
    ],
    main: before.length,
    records: [eventType("api_restriction", "created"), eventType("api_restriction", "updated")],
  };
}

/** Records the caller if the restriction has rejected it, up to a limit: callers without a valid key are not recorded. */
export function recordRejected(c: Context<App>): void {
  const { rejected } = c.get("request");
  if (rejected) inBackground(c, recorded(c, rejected));
}

async function recorded(c: Context<App>, caller: Caller): Promise<void> {
  const { session, origin, address } = c.get("request");
  const object = { ...ref(origin, id), ip: address };
  const rows = await session.batch(recordRefusal("api_restriction", object, causeOfCaller(c, caller)));
  if (rows.at(-1)?.length) noteRecorded(["api_restriction_refused.v0"]);
}
