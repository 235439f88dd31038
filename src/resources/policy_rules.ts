import { Hono } from "hono";
import * as z from "zod";
import { eventType } from "../db/events.ts";
import { replaceRules } from "../db/policy_rule_statements.ts";
import type { App } from "../env.ts";
import { operation } from "../http/operations/validate.ts";
import { etagOf } from "../http/responses/conditions.ts";
import { respond } from "../http/responses/respond.ts";
import { stamp } from "../ids.ts";
import { kinds, titled } from "../kinds.ts";
import { cidr } from "../values/cidrs.ts";
import { boundedTexts } from "../values/descriptions.ts";
import { ITEMS, requestObject } from "../values/members.ts";
import { causeOf } from "../writes/cause.ts";
import { authorized, conditionsMet, exists } from "../writes/requirements.ts";
import { commitSets } from "../writes/transaction.ts";
import { unsetTexts } from "./common.ts";
import { rows } from "./ip_policies.ts";
import { action, futureEnd, range } from "./ip_policy_rules.ts";

/*
 * The rules of an IP policy as a whole.
 */

const IpPolicyRulesReplaceRequest = z.lazy(() =>
  requestObject({
    rules: z
      .array(
        requestObject({
          ...boundedTexts(),
          cidr: cidr().describe(`${range} No host bits may be set.`),
          action: action(),
          expires_at: futureEnd().exactOptional(),
        }),
      )
      .max(ITEMS, `Contains more than ${ITEMS} items.`)
      .superRefine((rules, context) => {
        const seen = new Set<string>();
        for (const [i, rule] of rules.entries()) {
          const pair = `${rule.action} ${rule.cidr}`;
          if (seen.has(pair))
            context.addIssue({
              code: "custom",
              path: [i],
              message: "Another rule has the same CIDR and action.",
            });
          seen.add(pair);
        }
      })
      .meta({
        description: "All rules that the policy is to have, each CIDR and action once.",
        maxItems: ITEMS,
      }),
  }).meta({
    id: "IpPolicyRulesReplaceRequest",
    examples: [{ rules: [{ cidr: "198.51.100.0/24", action: "allow", description: "Lisbon office" }] }],
  }),
);

const count = (what: string) => z.int().describe(`How many rules ${what}.`);
const IpPolicyRulesReplaced = z.lazy(() =>
  z
    .strictObject({
      created: count("were created"),
      updated: count("were changed"),
      deleted: count("were deleted"),
      unchanged: count("stayed as they were"),
    })
    .meta({
      id: "IpPolicyRulesReplaced",
      description: "How many rules of an IP policy were created, changed, deleted and kept.",
      examples: [{ created: 1, updated: 0, deleted: 0, unchanged: 0 }],
    }),
);

const COUNTS = ["created", "updated", "deleted"] as const;
const RECORDED = [
  eventType("ip_policy", "updated"),
  ...COUNTS.map((verb) => eventType("ip_policy_rule", verb)),
];

export const policyRules = new Hono<App>().put(
  "/",
  ...operation({
    id: "IpPoliciesReplaceRules",
    access: "editor",
    summary: "Replace the rules of an IP policy",
    description:
      "Replaces all rules of an IP policy with the given ones, for example to import a list of addresses. A rule with the same CIDR and action is kept, and gets the given description, metadata and expiry. Other rules are created or deleted. If any rule changes, the policy gets a new version.",
    tag: titled(kinds.ip_policy.nouns),
    path: { id: "ip_policy" },
    conditional: "change",
    query: z.lazy(() =>
      requestObject({
        dry_run: z
          .stringbool({ truthy: ["true"], falsy: ["false"], error: "Expected true or false." })
          .meta({ type: "boolean", description: "True to check everything, count, and change nothing." })
          .exactOptional(),
      }),
    ),
    body: IpPolicyRulesReplaceRequest,
    status: 200,
    response: IpPolicyRulesReplaced,
  }),
  async (c) => {
    const id = c.req.param("id") ?? "";
    const { dry_run = false } = c.req.valid("query");
    const wanted = c.req
      .valid("json")
      .rules.map((rule) => ({ ...stamp("ip_policy_rule"), ...unsetTexts, expires_at: null, ...rule }));
    const requires = [
      authorized(c),
      exists("ip_policy", rows.row({ id })),
      conditionsMet(c, rows.row({ id })),
    ];
    const statements = replaceRules(id, wanted, causeOf(c), dry_run);
    const done = await commitSets(c, requires, statements, RECORDED);
    const counts = "row" in done ? COUNTS.map((name) => done.row[name]) : done.said;
    const [created = 0, updated = 0, deleted = 0] = counts.map(Number);
    const body = { created, updated, deleted, unchanged: wanted.length - created - updated };
    // A dry run reads nothing that an ETag could be of.
    const headers = "row" in done ? { ETag: etagOf(c, Number(done.row["version"])) } : undefined;
    return respond(c, 200, JSON.stringify(body), headers);
  },
);
