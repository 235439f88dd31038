import { Hono } from "hono";
import * as z from "zod";
import { eventType } from "../../db/events.ts";
import type { App } from "../../env.ts";
import { operation } from "../../http/operation.ts";
import { stamp } from "../../ids.ts";
import { kinds, titled } from "../../kinds.ts";
import { cidr } from "../../values/cidrs.ts";
import { boundedTexts } from "../../values/descriptions.ts";
import { ITEMS, requestObject } from "../../values/members.ts";
import { causeOf, commit, commitAll, toResponse } from "../../writes/commit.ts";
import { authorized, conditionsMet, exists } from "../../writes/requirements.ts";
import { type Answer, step, type Write } from "../../writes/write.ts";
import { unsetTexts } from "../common.ts";
import { rows } from "./ip_policies.ts";
import { action, futureEnd, range } from "./ip_policy_rules.ts";
import { countsList, countsOf, replaceRules, versionOf } from "./rule_statements.ts";

/*
 * Replaces all rules of an IP policy in one request.
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
        description:
          "The complete list of the policy's rules. Each combination of CIDR and action must be unique.",
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
      unchanged: count("were unchanged"),
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
          .meta({
            type: "boolean",
            description: "True to check and count everything without changing anything.",
          })
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
    /** @param counts how many rules were created, changed and deleted */
    const answer = (counts: unknown[], version?: number): Answer => {
      const [created = 0, updated = 0, deleted = 0] = counts.map(Number);
      const body = { created, updated, deleted, unchanged: wanted.length - created - updated };
      return { status: 200, body, ...(version !== undefined && { version }) };
    };
    const row = rows.row({ id });
    const write: Write = {
      requires: [authorized(c), exists("ip_policy", row), conditionsMet(c, row)],
      steps: (cause) => [
        ...replaceRules(id, wanted, cause).map((statement, i) => ({
          statement,
          ...(i === 0 && {
            records: RECORDED,
            effect: { verb: "replace", policy: id, rules: wanted } as const,
          }),
        })),
        step(c.get("request").part ? versionOf(id) : countsOf(id, cause), ({ version, ...counts }) =>
          answer(
            COUNTS.map((name) => counts[name]),
            Number(version),
          ),
        ),
      ],
    };
    if (!dry_run) return commit(c, write);
    const checked = await commitAll(c, [write], { dryRun: countsList(causeOf(c)) });
    if ("rejected" in checked) throw checked.rejected.error;
    // Nothing was changed, so there is no version to make an ETag of.
    return toResponse(c, answer("said" in checked ? checked.said : []));
  },
);
