import * as z from "zod";
import { API_RESTRICTION, stamp } from "../../../packages/model/src/ids.ts";
import { kinds, policyUsers } from "../../../packages/model/src/kinds.ts";
import { boundedTexts } from "../../../packages/model/src/values/descriptions.ts";
import { requestObject, schema } from "../../../packages/model/src/values/request_schemas.ts";
import { isNotUsedBy } from "../../db/references.ts";
import { rowsOf } from "../../db/rows.ts";
import { ipPolicyRules, ipPolicies as table } from "../../db/schema.ts";
import { operationsOn } from "../../http/collection.ts";
import { inUse } from "../../http/errors.ts";
import { endpoints } from "../../http/router.ts";
import { commit } from "../../writes/commit.ts";
import { rule } from "../../writes/requirements.ts";
import { describedMembers, exampleObject, toDescribed, unsetTexts } from "../common.ts";
import { objectsOf } from "../objects.ts";
import { usedBy } from "../used_by.ts";
import { policyAccess } from "./access.ts";

type Row = typeof table.$inferSelect;
export const rows = rowsOf("ip_policy", table, {
  short: ["description", "metadata"],
  owned: { table: ipPolicyRules, owner: ipPolicyRules.ip_policy_id },
  lost: {
    member: "rules",
    table: ipPolicyRules,
    owner: ipPolicyRules.ip_policy_id,
    columns: [
      ipPolicyRules.cidr,
      ipPolicyRules.action,
      ipPolicyRules.description,
      ipPolicyRules.metadata,
      ipPolicyRules.expires_at,
    ],
  },
});

const IpPolicy = schema("IpPolicy", () => ({
  description: kinds.ip_policy.about,
  examples: [{ ...exampleObject("ip_policy"), description: "Lisbon office" }],
  type: z.strictObject(describedMembers()),
}));

const IpPolicyCreate = schema("IpPolicyCreate", () => ({
  examples: [{ description: "Lisbon office" }],
  type: requestObject(boundedTexts()),
}));
const IpPolicyUpdate = schema("IpPolicyUpdate", () => ({
  examples: [{ description: "Lisbon and Porto offices" }],
  type: requestObject(boundedTexts()),
}));

/** A row as responses show it. */
export const toIpPolicy: (row: Row, origin: string) => z.output<typeof IpPolicy> = toDescribed;

const policies = objectsOf("ip_policy", rows, toIpPolicy);
const operations = operationsOn("ip_policy", IpPolicy);

export const ipPolicies = endpoints()
  .post("/", operations.create(IpPolicyCreate), (c) =>
    commit(c, policies.create(c, { ...stamp("ip_policy"), ...unsetTexts, ...c.req.valid("json") })),
  )
  .get("/", operations.list(), (c) => policies.list(c, c.req.valid("query")))
  .get("/:id", operations.get(), (c) => policies.get(c, c.req.param()))
  .patch("/:id", operations.update(IpPolicyUpdate), (c) =>
    commit(c, policies.change(c, c.req.param(), c.req.valid("json"))),
  )
  // Edges keep their Refs to a deleted policy, which counts as a policy without rules.
  .delete(
    "/:id",
    operations.remove(
      "Its rules are deleted too. Edges that refer to it keep the reference, and treat it as a policy without rules. A policy that the API restriction names cannot be deleted. A source that was blocked only by its `deny` rules is then allowed if another policy allows it.",
      "ERR_IN_USE",
    ),
    (c) => {
      const { id } = c.req.param();
      const isFree = rule(isNotUsedBy(id, API_RESTRICTION), () => inUse([API_RESTRICTION]));
      return commit(c, policies.remove(c, { id }, [isFree]));
    },
  )
  .route("/:id/access", policyAccess(rows))
  .route("/:id/used_by", usedBy({ kind: "ip_policy", users: [...policyUsers, "api_restriction"], rows }));
