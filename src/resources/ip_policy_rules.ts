import { Hono } from "hono";
import * as z from "zod";
import { rowsOf } from "../db/rows.ts";
import { ipPolicyRules as table } from "../db/schema.ts";
import type { App } from "../env.ts";
import { operationsOn } from "../http/collection.ts";
import { precondition, represent, representIfNew } from "../http/conditions.ts";
import { create } from "../http/creation.ts";
import { notFound } from "../http/errors.ts";
import { page, pageOf, showPage } from "../http/pages.ts";
import { changeRefusal } from "../http/refusals.ts";
import { respond } from "../http/respond.ts";
import { exampleId, exampleRef, idOf, Ref, ref, stamp, kinds } from "../kinds.ts";
import { cidr } from "../values/cidrs.ts";
import { boundedTexts, members } from "../values/members.ts";
import { describedMembers, exampleObject, toDescribed, unsetTexts } from "./object.ts";

type Row = typeof table.$inferSelect;
const rows = rowsOf(table, { short: "all" });

const meaning =
  "Whether sources in the range are let in. One `deny` outweighs every `allow`, whichever policies the rules belong to.";
const action = () => z.enum(["allow", "deny"]).describe(meaning);
const range = "An IPv4 or IPv6 address or range in CIDR notation; it matches sources of its own family only";

const IpPolicyRule = z.lazy(() =>
  z
    .strictObject({
      ...describedMembers(),
      cidr: z.string().describe(`${range}. In canonical form.`),
      ip_policy: Ref.describe("The policy that the rule belongs to."),
      action: action(),
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
    }),
);
const IpPolicyRuleList = z.lazy(() =>
  pageOf({ ip_policy_rules: z.array(IpPolicyRule) }).meta({ id: "IpPolicyRuleList" }),
);

const IpPolicyRuleCreate = z.lazy(() =>
  members({
    ...boundedTexts(),
    cidr: cidr().describe(`${range}. Without host bits.`),
    ip_policy_id: idOf("ip_policy").describe("The policy that the rule belongs to, for life."),
    action: action().describe(`${meaning} Fixed for life.`),
  }).meta({
    id: "IpPolicyRuleCreate",
    examples: [{ cidr: "198.51.100.0/24", ip_policy_id: exampleId("ip_policy"), action: "allow" }],
  }),
);

/** A rule keeps its action and its policy for life. */
const IpPolicyRuleUpdate = z.lazy(() =>
  members({
    ...boundedTexts(),
    cidr: cidr().describe(`${range}. Without host bits.`).exactOptional(),
  }).meta({ id: "IpPolicyRuleUpdate", examples: [{ cidr: "2001:db8:42::/48" }] }),
);

const toIpPolicyRule = (row: Row, origin: string): z.output<typeof IpPolicyRule> => ({
  ...toDescribed(row, origin),
  cidr: row.cidr,
  ip_policy: ref(origin, row.ip_policy_id),
  action: row.action,
});

const operations = operationsOn("ip_policy_rule", IpPolicyRule, IpPolicyRuleList);

export const ipPolicyRules = new Hono<App>()
  .post("/", ...operations.create(IpPolicyRuleCreate, "ERR_UNKNOWN_REFERENCE"), async (c) => {
    const { origin } = c.get("request");
    const body = c.req.valid("json");
    const row = { ...stamp("ip_policy_rule"), ...unsetTexts, ...body };
    const references = [{ path: "/ip_policy_id", id: body.ip_policy_id }];
    const shown = toIpPolicyRule(row, origin);
    return create(c, { row, references, insert: (guard) => rows.insert(row, guard), shown });
  })
  .get("/", ...operations.list(), async (c) => {
    const { session, origin } = c.get("request");
    const query = c.req.valid("query");
    const { objects, links } = page(c, "ip_policy_rule", query, await rows.page(session, origin, query));
    return showPage(c, { ip_policy_rules: objects.map((row) => toIpPolicyRule(row, origin)), ...links });
  })
  .get("/:id", ...operations.get(), async (c) => {
    const { session, origin } = c.get("request");
    const row = await rows.find(session, c.req.param("id"));
    if (!row) throw notFound("ip_policy_rule");
    return representIfNew(c, row.version, toIpPolicyRule(row, origin));
  })
  .patch("/:id", ...operations.update(IpPolicyRuleUpdate), async (c) => {
    const { session, origin } = c.get("request");
    const id = c.req.param("id");
    const row = await rows.change(session, id, c.req.valid("json"), precondition(c, rows));
    if (!row) throw await changeRefusal(c, "ip_policy_rule", await rows.find(session, id));
    return represent(c, row.version, toIpPolicyRule(row, origin));
  })
  .delete("/:id", ...operations.remove(""), async (c) => {
    const { session } = c.get("request");
    const id = c.req.param("id");
    const [deleted] = await session.all(rows.remove(id, precondition(c, rows)));
    if (!deleted) throw await changeRefusal(c, "ip_policy_rule", await rows.find(session, id));
    return respond(c, 204, null);
  });
