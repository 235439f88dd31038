import { desc, eq } from "drizzle-orm";
import { Hono } from "hono";
import * as z from "zod";
import { allExist } from "../db/references.ts";
import { ipPolicyRules as table } from "../db/schema.ts";
import { isEmpty, olderThan, rowIf } from "../db/statements.ts";
import type { App } from "../env.ts";
import { cidr } from "../values/cidrs.ts";
import { notFound } from "../http/errors.ts";
import { boundedTexts, members } from "../values/members.ts";
import { operation } from "../http/operation.ts";
import { page, pageOf, pageQuery } from "../http/pages.ts";
import { referenceRefusal } from "../http/refusals.ts";
import { idOf, Ref, ref, stamp, uriOf } from "../kinds.ts";

type Row = typeof table.$inferSelect;

const action = z.enum(["allow", "deny"]);

const IpPolicyRule = z
  .strictObject({
    id: z.string(),
    uri: z.string(),
    created_at: z.string(),
    description: z.string().optional(),
    metadata: z.string().optional(),
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
  id: row.id,
  uri: uriOf(origin, row.id),
  created_at: row.created_at,
  description: row.description ?? undefined,
  metadata: row.metadata ?? undefined,
  cidr: row.cidr,
  ip_policy: ref(origin, row.ip_policy_id),
  action: row.action,
});

export const ipPolicyRules = new Hono<App>()
  .post(
    "/",
    operation({
      id: "IpPolicyRulesCreate",
      summary: "Create an IP policy rule",
      body: IpPolicyRuleCreate,
      status: 201,
      response: IpPolicyRule,
    }),
    async (c) => {
      const { db, origin } = c.var;
      const body = c.req.valid("json");
      const row = { ...stamp("ip_policy_rule"), description: null, metadata: null, ...body };
      const references = [{ path: "/ip_policy_id", id: body.ip_policy_id }];
      const [written] = await db
        .insert(table)
        .select(rowIf(table, row, allExist(references)))
        .returning({ id: table.id });
      if (!written) throw await referenceRefusal(db, references);
      return c.json(toIpPolicyRule(row, origin), 201);
    },
  )
  .get(
    "/",
    operation({
      id: "IpPolicyRulesList",
      summary: "List IP policy rules",
      query: pageQuery("ip_policy_rule"),
      status: 200,
      response: IpPolicyRuleList,
    }),
    async (c) => {
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
    },
  )
  .get(
    "/:id",
    operation({
      id: "IpPolicyRulesGet",
      summary: "Get an IP policy rule",
      status: 200,
      response: IpPolicyRule,
    }),
    async (c) => {
      const [row] = await c.var.db
        .select()
        .from(table)
        .where(eq(table.id, c.req.param("id")));
      if (!row) throw notFound("IP policy rule");
      return c.json(toIpPolicyRule(row, c.var.origin));
    },
  )
  .patch(
    "/:id",
    operation({
      id: "IpPolicyRulesUpdate",
      summary: "Update an IP policy rule",
      body: IpPolicyRuleUpdate,
      status: 200,
      response: IpPolicyRule,
    }),
    async (c) => {
      const { db, origin } = c.var;
      const patch = c.req.valid("json");
      const isIt = eq(table.id, c.req.param("id"));
      const [row] = await (isEmpty(patch)
        ? db.select().from(table).where(isIt)
        : db.update(table).set(patch).where(isIt).returning());
      if (!row) throw notFound("IP policy rule");
      return c.json(toIpPolicyRule(row, origin));
    },
  )
  .delete(
    "/:id",
    operation({ id: "IpPolicyRulesDelete", summary: "Delete an IP policy rule", status: 204 }),
    async (c) => {
      const isIt = eq(table.id, c.req.param("id"));
      const [deleted] = await c.var.db.delete(table).where(isIt).returning({ id: table.id });
      if (!deleted) throw notFound("IP policy rule");
      return c.body(null, 204);
    },
  );
