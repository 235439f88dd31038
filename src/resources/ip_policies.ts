import { Hono } from "hono";
import * as z from "zod";
import { rowsOf } from "../db/rows.ts";
import { ipPolicyRules, ipPolicies as table } from "../db/schema.ts";
import type { App } from "../env.ts";
import { operationsOn } from "../http/collection.ts";
import { precondition, represent, representIfNew } from "../http/conditions.ts";
import { create } from "../http/creation.ts";
import { notFound } from "../http/errors.ts";
import { page, pageOf, showPage } from "../http/pages.ts";
import { changeRefusal } from "../http/refusals.ts";
import { respond } from "../http/respond.ts";
import { stamp, kinds } from "../kinds.ts";
import { boundedTexts, members } from "../values/members.ts";
import { describedMembers, exampleObject, toDescribed, unsetTexts } from "./object.ts";

type Row = typeof table.$inferSelect;
const rows = rowsOf(table, { short: "all" });

const IpPolicy = z.lazy(() =>
  z.strictObject(describedMembers()).meta({
    id: "IpPolicy",
    description: kinds.ip_policy.about,
    examples: [{ ...exampleObject("ip_policy"), description: "Lisbon office" }],
  }),
);
const IpPolicyList = z.lazy(() => pageOf({ ip_policies: z.array(IpPolicy) }).meta({ id: "IpPolicyList" }));

const IpPolicyCreate = z.lazy(() =>
  members(boundedTexts()).meta({
    id: "IpPolicyCreate",
    examples: [{ description: "Lisbon office" }],
  }),
);
const IpPolicyUpdate = z.lazy(() =>
  members(boundedTexts()).meta({
    id: "IpPolicyUpdate",
    examples: [{ description: "Lisbon and Porto offices" }],
  }),
);

const toIpPolicy: (row: Row, origin: string) => z.output<typeof IpPolicy> = toDescribed;

const operations = operationsOn("ip_policy", IpPolicy, IpPolicyList);

export const ipPolicies = new Hono<App>()
  .post("/", ...operations.create(IpPolicyCreate), async (c) => {
    const { origin } = c.get("request");
    const row = { ...stamp("ip_policy"), ...unsetTexts, ...c.req.valid("json") };
    const shown = toIpPolicy(row, origin);
    return create(c, { row, insert: (guard) => rows.insert(row, guard), shown });
  })
  .get("/", ...operations.list(), async (c) => {
    const { session, origin } = c.get("request");
    const query = c.req.valid("query");
    const { objects, links } = page(c, "ip_policy", query, await rows.page(session, origin, query));
    return showPage(c, { ip_policies: objects.map((row) => toIpPolicy(row, origin)), ...links });
  })
  .get("/:id", ...operations.get(), async (c) => {
    const { session, origin } = c.get("request");
    const row = await rows.find(session, c.req.param("id"));
    if (!row) throw notFound("ip_policy");
    return representIfNew(c, row.version, toIpPolicy(row, origin));
  })
  .patch("/:id", ...operations.update(IpPolicyUpdate), async (c) => {
    const { session, origin } = c.get("request");
    const id = c.req.param("id");
    const row = await rows.change(session, id, c.req.valid("json"), precondition(c, rows));
    if (!row) throw await changeRefusal(c, "ip_policy", await rows.find(session, id));
    return represent(c, row.version, toIpPolicy(row, origin));
  })
  // Edges keep their Refs to a deleted policy: it counts as one without rules.
  .delete(
    "/:id",
    ...operations.remove(
      "Its rules go with it. Edges that refer to it keep the reference: it counts as a policy without rules. What only its `deny` rules refused is let in where another policy allows it.",
    ),
    async (c) => {
      const { session } = c.get("request");
      const id = c.req.param("id");
      const [deleted] = await session.batch([
        rows.remove(id, precondition(c, rows)),
        rows.removeOwned(ipPolicyRules.ip_policy_id, id),
      ]);
      if (!deleted?.length) throw await changeRefusal(c, "ip_policy", await rows.find(session, id));
      return respond(c, 204, null);
    },
  );
