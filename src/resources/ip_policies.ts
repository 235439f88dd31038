import { and, desc, eq, notExists } from "drizzle-orm";
import { Hono } from "hono";
import * as z from "zod";
import type { Database } from "../db/database.ts";
import { ipPolicyRules, ipPolicies as table } from "../db/schema.ts";
import { insertIf, isEmpty, olderThan } from "../db/statements.ts";
import { next } from "../db/versions.ts";
import type { App } from "../env.ts";
import { operationsOn } from "../http/collection.ts";
import { precondition, represent, representIfNew } from "../http/conditions.ts";
import { create } from "../http/creation.ts";
import { notFound } from "../http/errors.ts";
import { page, pageOf } from "../http/pages.ts";
import { changeRefusal } from "../http/refusals.ts";
import { stamp, kinds } from "../kinds.ts";
import { boundedTexts, members } from "../values/members.ts";
import { describedMembers, exampleObject, toDescribed, unsetTexts } from "./object.ts";

type Row = typeof table.$inferSelect;

const IpPolicy = z.strictObject(describedMembers).meta({
  id: "IpPolicy",
  description: kinds.ip_policy.about,
  examples: [{ ...exampleObject("ip_policy"), description: "Lisbon office" }],
});
const IpPolicyList = pageOf({ ip_policies: z.array(IpPolicy) }).meta({ id: "IpPolicyList" });

const IpPolicyCreate = members(boundedTexts).meta({
  id: "IpPolicyCreate",
  examples: [{ description: "Lisbon office" }],
});
const IpPolicyUpdate = members(boundedTexts).meta({
  id: "IpPolicyUpdate",
  examples: [{ description: "Lisbon and Porto offices" }],
});

const toIpPolicy: (row: Row, origin: string) => z.infer<typeof IpPolicy> = toDescribed;

async function find(db: Database, id: string): Promise<Row | undefined> {
  const [row] = await db.select().from(table).where(eq(table.id, id));
  return row;
}

const operations = operationsOn("ip_policy", IpPolicy, IpPolicyList);

export const ipPolicies = new Hono<App>()
  .post("/", operations.create(IpPolicyCreate), async (c) => {
    const { db, origin } = c.var;
    const row = { ...stamp("ip_policy"), ...unsetTexts, ...c.req.valid("json") };
    const shown = toIpPolicy(row, origin);
    return create(c, { row, insert: (guard) => insertIf(db, table, row, guard), shown });
  })
  .get("/", operations.list(), async (c) => {
    const { db, origin } = c.var;
    const query = c.req.valid("query");
    const found = await db
      .select()
      .from(table)
      .where(olderThan(table.id, query.before_id))
      .orderBy(desc(table.id))
      .limit(query.limit + 1);
    const { rows, links } = page(c, "ip_policy", query, found);
    return c.json({ ip_policies: rows.map((row) => toIpPolicy(row, origin)), ...links });
  })
  .get("/:id", operations.get(), async (c) => {
    const row = await find(c.var.db, c.req.param("id"));
    if (!row) throw notFound("ip_policy");
    return representIfNew(c, row.version, toIpPolicy(row, c.var.origin));
  })
  .patch("/:id", operations.update(IpPolicyUpdate), async (c) => {
    const { db, origin } = c.var;
    const patch = c.req.valid("json");
    const id = c.req.param("id");
    const isIt = eq(table.id, id);
    const where = and(isIt, precondition(c, table, isIt));
    const [row] = await (isEmpty(patch)
      ? db.select().from(table).where(where)
      : db
          .update(table)
          .set({ ...patch, version: next(table.version) })
          .where(where)
          .returning());
    if (!row) throw await changeRefusal(c, "ip_policy", await find(db, id));
    return represent(c, row.version, toIpPolicy(row, origin));
  })
  // Edges keep their Refs to a deleted policy: it counts as one without rules.
  .delete(
    "/:id",
    operations.remove(
      "Its rules go with it. Edges that refer to it keep the reference: it counts as a policy without rules.",
    ),
    async (c) => {
      const { db } = c.var;
      const id = c.req.param("id");
      const isIt = eq(table.id, id);
      const isGone = notExists(db.select({ id: table.id }).from(table).where(isIt));
      const [[deleted]] = await db.batch([
        db
          .delete(table)
          .where(and(isIt, precondition(c, table, isIt)))
          .returning({ id: table.id }),
        db.delete(ipPolicyRules).where(and(eq(ipPolicyRules.ip_policy_id, id), isGone)),
      ]);
      if (!deleted) throw await changeRefusal(c, "ip_policy", await find(db, id));
      return c.body(null, 204);
    },
  );
