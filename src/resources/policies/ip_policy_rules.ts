import * as z from "zod";
import { exampleId, exampleRef, idSchema, Ref, ref, stamp } from "../../../packages/model/src/ids.ts";
import { kinds } from "../../../packages/model/src/kinds.ts";
import { cidr } from "../../../packages/model/src/values/cidrs.ts";
import { boundedTexts } from "../../../packages/model/src/values/descriptions.ts";
import { clearableInstant, isAhead, NOT_IN_THE_FUTURE } from "../../../packages/model/src/values/instants.ts";
import { requestObject, schema } from "../../../packages/model/src/values/request_schemas.ts";
import { rowsOf } from "../../db/rows.ts";
import { ipPolicyRules as table } from "../../db/schema.ts";
import { sql } from "../../db/statements.ts";
import { operationsOn } from "../../http/collection.ts";
import { invalidMembers } from "../../http/errors.ts";
import { byExpiry, byMetadata, type Filters } from "../../http/lists.ts";
import { endpoints } from "../../http/router.ts";
import { commit } from "../../writes/commit.ts";
import { referencesExist, rule } from "../../writes/requirements.ts";
import type { Requirement } from "../../writes/write.ts";
import { describedMembers, exampleObject, toDescribed, unsetTexts } from "../common.ts";
import { objectsOf } from "../objects.ts";
import { changePolicies, changePolicy } from "./rule_statements.ts";

type Row = typeof table.$inferSelect;
const rows = rowsOf("ip_policy_rule", table, {
  short: ["description", "metadata", "cidr", "ip_policy_id", "action", "expires_at"],
  followUps: changePolicy,
  followUpsOfMany: changePolicies,
});

const meaning =
  "Whether sources in the range are allowed. A matching `deny` rule overrides every `allow` rule, whichever policies they belong to.";
export const action = () => z.enum(["allow", "deny"]).describe(meaning);
export const range =
  "An IPv4 or IPv6 address or range in CIDR notation. Matches only sources of the same address family.";

const end =
  "When the rule expires (RFC 3339). From then on it has no effect, and it is deleted within a minute.";
const clearing = 'Must be in the future; "" clears it.';

const filters: Filters = {
  ip_policy_id: z.lazy(() => idSchema("ip_policy").describe("Lists only the rules of this IP policy.")),
  ...byExpiry,
  ...byMetadata,
};

const IpPolicyRule = schema("IpPolicyRule", () => ({
  description: kinds.ip_policy_rule.about,
  examples: [
    {
      ...exampleObject("ip_policy_rule"),
      cidr: "198.51.100.0/24",
      ip_policy: exampleRef("ip_policy"),
      action: "allow",
    },
  ],
  type: z.strictObject({
    ...describedMembers(),
    cidr: z.string().describe(`${range} Always in canonical form.`),
    ip_policy: Ref.describe("The policy that the rule belongs to."),
    action: action(),
    expires_at: z.string().describe(`${end} Omitted if not set.`).optional(),
  }),
}));

const IpPolicyRuleCreate = schema("IpPolicyRuleCreate", () => ({
  examples: [{ cidr: "198.51.100.0/24", ip_policy_id: exampleId("ip_policy"), action: "allow" }],
  type: requestObject({
    ...boundedTexts(),
    cidr: cidr().describe(`${range} No host bits may be set.`),
    ip_policy_id: idSchema("ip_policy").describe(
      "The policy that the rule belongs to. Cannot be changed later.",
    ),
    action: action().describe(`${meaning} Cannot be changed later.`),
    // Whether it is in the future is checked when the rule is written, because a replay may arrive later than that.
    expires_at: clearableInstant().describe(`${end} ${clearing}`).exactOptional(),
  }),
}));

/** When a rule expires, in requests that are not replayed. */
export const futureEnd = () =>
  clearableInstant()
    .refine((instant) => instant === null || isAhead(instant), NOT_IN_THE_FUTURE)
    .describe(`${end} ${clearing}`);

/** The action and the policy of a rule cannot be changed. */
const IpPolicyRuleUpdate = schema("IpPolicyRuleUpdate", () => ({
  examples: [{ cidr: "2001:db8:42::/48" }],
  type: requestObject({
    ...boundedTexts(),
    cidr: cidr().describe(`${range} No host bits may be set.`).exactOptional(),
    expires_at: futureEnd().exactOptional(),
  }),
}));

/** A row as responses show it. */
export const toIpPolicyRule = (row: Row, origin: string): z.output<typeof IpPolicyRule> => ({
  ...toDescribed(row, origin),
  cidr: row.cidr,
  ip_policy: ref(origin, row.ip_policy_id),
  action: row.action,
  expires_at: row.expires_at ?? undefined,
});

/** 400: a new rule expires in the future. */
const isToCome = (expires_at: string | null | undefined): Requirement =>
  rule(typeof expires_at !== "string" || isAhead(expires_at) ? undefined : sql`false`, () =>
    invalidMembers([{ path: "/expires_at", msg: NOT_IN_THE_FUTURE }]),
  );

const rules = objectsOf("ip_policy_rule", rows, toIpPolicyRule);
const operations = operationsOn("ip_policy_rule", IpPolicyRule);

export const ipPolicyRules = endpoints()
  .post("/", operations.create(IpPolicyRuleCreate, "ERR_UNKNOWN_REFERENCE", "ERR_LOCK_OUT"), (c) => {
    const body = c.req.valid("json");
    const row = { ...stamp("ip_policy_rule"), ...unsetTexts, expires_at: null, ...body };
    const policy = referencesExist([{ path: "/ip_policy_id", id: body.ip_policy_id }]);
    return commit(c, rules.create(c, row, [isToCome(row.expires_at), policy]));
  })
  .get("/", operations.list(filters), (c) => rules.list(c, c.req.valid("query")))
  .get("/:id", operations.get(), (c) => rules.get(c, c.req.param()))
  .patch("/:id", operations.update(IpPolicyRuleUpdate, "ERR_LOCK_OUT"), (c) =>
    commit(c, rules.change(c, c.req.param(), c.req.valid("json"))),
  )
  .delete(
    "/:id",
    operations.remove(
      "Sources that only this rule matched are then decided by the policy's other rules.",
      "ERR_LOCK_OUT",
    ),
    (c) => commit(c, rules.remove(c, c.req.param())),
  );
