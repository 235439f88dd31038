import { desc, eq } from "drizzle-orm";
import { Hono } from "hono";
import * as z from "zod";
import { allExist } from "../db/references.ts";
import { ipPolicyRules as table } from "../db/schema.ts";
import { isEmpty, olderThan, rowIf } from "../db/statements.ts";
import type { App } from "../env.ts";
import { operationsOn } from "../http/collection.ts";
import { notFound } from "../http/errors.ts";
import { page, pageOf } from "../http/pages.ts";
import { referenceRefusal } from "../http/refusals.ts";
import { idOf, Ref, ref, stamp } from "../kinds.ts";
import { cidr } from "../values/cidrs.ts";
import { boundedTexts, members } from "../values/members.ts";
import { describedMembers, toDescribed, unsetTexts } from "./object.ts";

type Row = typeof table.$inferSelect;

const action = z.enum(["allow", "deny"]);

const IpPolicyRule = z
  .strictObject({
    ...describedMembers,
    cidr: z.string(),
    ip_policy: Ref,
    action,
  })
  .meta({ id: "IpPolicyRule" });
const IpPolicyRuleList = pageOf({ ip_policy_rules: z.array(IpPolicyRule) }).meta({ id: "IpPolicyRuleList" });

const IpPolicyRuleCreate = members({
  ...boundedTexts,
  cidr: cidr(),
  ip_policy_id: idOf("ip_policy"),
  action,
}).meta({ id: "IpPolicyRuleCreate" });

/** A rule keeps its action and its policy for life. */
const IpPolicyRuleUpdate = members({ ...boundedTexts, cidr: cidr().exactOptional() }).meta({
  id: "IpPolicyRuleUpdate",
});

const toIpPolicyRule = (row: Row, origin: string): z.infer<typeof IpPolicyRule> => ({
  ...toDescribed(row, origin),
  cidr: row.cidr,
  ip_policy: ref(origin, row.ip_policy_id),
  action: row.action,
});

const operations = operationsOn("ip_policy_rule", IpPolicyRule, IpPolicyRuleList);

export const ipPolicyRules = new Hono<App>()
  .post("/", operations.create(IpPolicyRuleCreate), async (c) => {
    const { db, origin } = c.var;
    const body = c.req.valid("json");
    const row = { ...stamp("ip_policy_rule"), ...unsetTexts, ...body };
    const references = [{ path: "/ip_policy_id", id: body.ip_policy_id }];
    const [written] = await db
      .insert(table)
      .select(rowIf(table, row, allExist(references)))
      .returning({ id: table.id });
    if (!written) throw await referenceRefusal(db, references);
    return c.json(toIpPolicyRule(row, origin), 201);
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
    const { rows, links } = page(c, "ip_policy_rule", query, found);
    return c.json({ ip_policy_rules: rows.map((row) => toIpPolicyRule(row, origin)), ...links });
  })
  .get("/:id", operations.get(), async (c) => {
    const [row] = await c.var.db
      .select()
      .from(table)
      .where(eq(table.id, c.req.param("id")));
    if (!row) throw notFound("ip_policy_rule");
    return c.json(toIpPolicyRule(row, c.var.origin));
  })
  .patch("/:id", operations.update(IpPolicyRuleUpdate), async (c) => {
    const { db, origin } = c.var;
    const patch = c.req.valid("json");
    const isIt = eq(table.id, c.req.param("id"));
    const [row] = await (isEmpty(patch)
      ? db.select().from(table).where(isIt)
      : db.update(table).set(patch).where(isIt).returning());
    if (!row) throw notFound("ip_policy_rule");
    return c.json(toIpPolicyRule(row, origin));
  })
  .delete("/:id", operations.remove(), async (c) => {
    const isIt = eq(table.id, c.req.param("id"));
    const [deleted] = await c.var.db.delete(table).where(isIt).returning({ id: table.id });
    if (!deleted) throw notFound("ip_policy_rule");
    return c.body(null, 204);
  });
