import { and, desc, eq } from "drizzle-orm";
import { Hono } from "hono";
import * as z from "zod";
import type { Database } from "../db/database.ts";
import { ipPolicyRules as table } from "../db/schema.ts";
import { insertIf, isEmpty, olderThan } from "../db/statements.ts";
import { next } from "../db/versions.ts";
import type { App } from "../env.ts";
import { operationsOn } from "../http/collection.ts";
import { precondition, represent, representIfNew } from "../http/conditions.ts";
import { create } from "../http/creation.ts";
import { notFound } from "../http/errors.ts";
import { page, pageOf } from "../http/pages.ts";
import { changeRefusal } from "../http/refusals.ts";
import { exampleId, exampleRef, idOf, Ref, ref, stamp, kinds } from "../kinds.ts";
import { cidr } from "../values/cidrs.ts";
import { boundedTexts, members } from "../values/members.ts";
import { describedMembers, exampleObject, toDescribed, unsetTexts } from "./object.ts";

type Row = typeof table.$inferSelect;

const action = z.enum(["allow", "deny"]).describe("What happens to traffic from the range.");
const range = "An IPv4 or IPv6 address or range in CIDR notation";

const IpPolicyRule = z
  .strictObject({
    ...describedMembers,
    cidr: z.string().describe(`${range}, in canonical form.`),
    ip_policy: Ref.describe("The policy that the rule belongs to."),
    action,
  })
  .meta({
    id: "IpPolicyRule",
    description: kinds.ip_policy_rule.about,
    examples: [
      {
        ...exampleObject("ip_policy_rule"),
        cidr: "198.51.100.0/24",
        ip_policy: exampleRef("ip_policy"),
        action: "allow",
      },
    ],
  });
const IpPolicyRuleList = pageOf({ ip_policy_rules: z.array(IpPolicyRule) }).meta({ id: "IpPolicyRuleList" });

const IpPolicyRuleCreate = members({
  ...boundedTexts,
  cidr: cidr().describe(`${range}; without host bits.`),
  ip_policy_id: idOf("ip_policy").describe("The policy that the rule belongs to, for life."),
  action: action.describe("What happens to traffic from the range; fixed for life."),
}).meta({
  id: "IpPolicyRuleCreate",
  examples: [{ cidr: "198.51.100.0/24", ip_policy_id: exampleId("ip_policy"), action: "allow" }],
});

/** A rule keeps its action and its policy for life. */
const IpPolicyRuleUpdate = members({
  ...boundedTexts,
  cidr: cidr().describe(`${range}; without host bits.`).exactOptional(),
}).meta({ id: "IpPolicyRuleUpdate", examples: [{ cidr: "2001:db8:42::/48" }] });

const toIpPolicyRule = (row: Row, origin: string): z.infer<typeof IpPolicyRule> => ({
  ...toDescribed(row, origin),
  cidr: row.cidr,
  ip_policy: ref(origin, row.ip_policy_id),
  action: row.action,
});

async function find(db: Database, id: string): Promise<Row | undefined> {
  const [row] = await db.select().from(table).where(eq(table.id, id));
  return row;
}

const operations = operationsOn("ip_policy_rule", IpPolicyRule, IpPolicyRuleList);

export const ipPolicyRules = new Hono<App>()
  .post("/", operations.create(IpPolicyRuleCreate, "ERR_UNKNOWN_REFERENCE"), async (c) => {
    const { db, origin } = c.var;
    const body = c.req.valid("json");
    const row = { ...stamp("ip_policy_rule"), ...unsetTexts, ...body };
    const references = [{ path: "/ip_policy_id", id: body.ip_policy_id }];
    const shown = toIpPolicyRule(row, origin);
    return create(c, { row, references, insert: (guard) => insertIf(db, table, row, guard), shown });
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
    const row = await find(c.var.db, c.req.param("id"));
    if (!row) throw notFound("ip_policy_rule");
    return representIfNew(c, row.version, toIpPolicyRule(row, c.var.origin));
  })
  .patch("/:id", operations.update(IpPolicyRuleUpdate), async (c) => {
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
    if (!row) throw await changeRefusal(c, "ip_policy_rule", await find(db, id));
    return represent(c, row.version, toIpPolicyRule(row, origin));
  })
  .delete("/:id", operations.remove(""), async (c) => {
    const { db } = c.var;
    const id = c.req.param("id");
    const isIt = eq(table.id, id);
    const [deleted] = await db
      .delete(table)
      .where(and(isIt, precondition(c, table, isIt)))
      .returning({ id: table.id });
    if (!deleted) throw await changeRefusal(c, "ip_policy_rule", await find(db, id));
    return c.body(null, 204);
  });
