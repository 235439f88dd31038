import * as z from "zod";
import {
  EXAMPLE_ORIGIN,
  exampleId,
  exampleRef,
  idSchema,
  ref,
  stamp,
  uriOf,
} from "../../../packages/model/src/ids.ts";
import { kinds, titled, plural } from "../../../packages/model/src/kinds.ts";
import { cidr } from "../../../packages/model/src/values/cidrs.ts";
import { boundedTexts } from "../../../packages/model/src/values/descriptions.ts";
import { ITEMS, requestObject, schema } from "../../../packages/model/src/values/request_schemas.ts";
import { eventType } from "../../db/event_writes.ts";
import { invalidMembers, notFound } from "../../http/errors.ts";
import { limit, listSchemaAt, pageLinks } from "../../http/lists.ts";
import { operation } from "../../http/operation.ts";
import { show } from "../../http/respond.ts";
import { endpoints } from "../../http/router.ts";
import { causeOf, commit, commitAll, toResponse } from "../../writes/commit.ts";
import { authorized, conditionsMet, exists } from "../../writes/requirements.ts";
import { type Answer, type Write } from "../../writes/write.ts";
import { unsetTexts } from "../common.ts";
import { rows } from "./ip_policies.ts";
import { action, futureEnd, range } from "./ip_policy_rules.ts";
import { policyOfPage, rulePage } from "./rule_page_statement.ts";
import { countsList, countsOf, replaceRules, versionOf } from "./rule_statements.ts";

/*
 * Lists and replaces all rules of an IP policy.
 */

const IpPolicyRulesList = schema("IpPolicyRulesList", () => ({
  description: "Rules of an IP policy, in the order of their networks.",
  examples: [
    {
      rules: [
        {
          ...exampleRef("ip_policy_rule"),
          cidr: "198.51.100.0/24",
          action: "allow",
          description: "Lisbon office",
        },
      ],
      uri: `${EXAMPLE_ORIGIN}${kinds.ip_policy.path}/${exampleId("ip_policy")}/rules`,
      next_page_uri: null,
    },
  ],
  type: listSchemaAt(`${kinds.ip_policy.path}/${exampleId("ip_policy")}/rules`, {
    rules: z
      .array(
        z.strictObject({
          id: z.string().describe("Id of the rule."),
          uri: z.string().describe("URI of the rule."),
          cidr: z.string().describe(`${range} Always in canonical form.`),
          action: action(),
          description: z.string().describe("Human-readable description. Omitted if not set.").optional(),
          metadata: z
            .string()
            .describe("Machine-readable string in a format of your own. Omitted if not set.")
            .optional(),
          expires_at: z.string().describe("When the rule expires (RFC 3339). Omitted if not set.").optional(),
        }),
      )
      .describe(
        "The rules on this page, in ascending order of their networks: IPv4 before IPv6, and a network before the networks that it contains.",
      ),
  }),
}));

const RulesQuery = z.lazy(() =>
  requestObject({
    limit: limit(undefined, ITEMS).exactOptional(),
    after: idSchema("ip_policy_rule")
      .describe("Lists only the rules after this rule of the policy, which must still exist.")
      .exactOptional(),
  }),
);

const tag = titled(plural(kinds.ip_policy.noun));
const path = { id: "ip_policy" } as const;

const IpPolicyRulesReplaceRequest = schema("IpPolicyRulesReplaceRequest", () => ({
  examples: [{ rules: [{ cidr: "198.51.100.0/24", action: "allow", description: "Lisbon office" }] }],
  type: requestObject({
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
  }),
}));

const count = (what: string) => z.int().describe(`How many rules ${what}.`);
const IpPolicyRulesReplaced = schema("IpPolicyRulesReplaced", () => ({
  description: "How many rules of an IP policy were created, changed, deleted and kept.",
  examples: [{ created: 1, updated: 0, deleted: 0, unchanged: 0 }],
  type: z.strictObject({
    created: count("were created"),
    updated: count("were changed"),
    deleted: count("were deleted"),
    unchanged: count("were unchanged"),
  }),
}));

const COUNTS = ["created", "updated", "deleted"] as const;
const RECORDED = [
  eventType("ip_policy", "updated"),
  ...COUNTS.map((verb) => eventType("ip_policy_rule", verb)),
];

export const policyRules = endpoints();

policyRules.get(
  "/",
  operation({
    id: "IpPoliciesListRules",
    access: "viewer",
    summary: "List the rules of an IP policy",
    description: `Lists the rules of an IP policy in ascending order of their networks, with the fields that replacing the rules accepts, and \`id\` and \`uri\`. A page holds up to ${ITEMS} rules. The \`ETag\` is that of the policy: send it as \`If-Match\` when you replace the rules. If it differs between two pages, the rules have changed: start again.`,
    tag,
    path,
    conditional: "read",
    query: RulesQuery,
    status: 200,
    response: IpPolicyRulesList,
  }),
  async (c) => {
    const { session, origin } = c.get("request");
    const id = c.req.param("id") ?? "";
    const { limit: most = ITEMS, after } = c.req.valid("query");
    const policy = policyOfPage(id, after);
    const page = rulePage(id, most, after, origin);
    const [[row] = [], found = []] = await session.batch([policy, page]);
    if (!row) throw notFound("ip_policy");
    const { version, hasStart } = policy.decode(row);
    if (!hasStart)
      throw invalidMembers([
        {
          path: "after",
          msg: "The policy has no such rule. If it was deleted in the meantime, start again without `after`.",
        },
      ]);
    const read = found.map(page.decode);
    const rules = read.slice(0, most).filter(({ fits }) => fits);
    const last = rules.length < read.length ? rules.at(-1)?.id : undefined;
    const body = {
      rules: rules.map((rule) => ({
        ...ref(origin, rule.id),
        cidr: rule.cidr,
        action: rule.action,
        description: rule.description ?? undefined,
        metadata: rule.metadata ?? undefined,
        expires_at: rule.expires_at ?? undefined,
      })),
      ...pageLinks(c, `${uriOf(origin, id)}/rules`, most, last === undefined ? undefined : { after: last }),
    } satisfies z.output<typeof IpPolicyRulesList>;
    return show(c, version, body);
  },
);

policyRules.put(
  "/",
  operation({
    id: "IpPoliciesReplaceRules",
    access: "editor",
    summary: "Replace the rules of an IP policy",
    description:
      "Replaces all rules of an IP policy with the given ones, for example to import a list of addresses. A rule with the same CIDR and action is kept, and gets the given description, metadata and expiry. Other rules are created or deleted. If any rule changes, the policy gets a new version.",
    tag,
    path,
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
    errors: ["ERR_LOCK_OUT"],
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
      change(cause) {
        const replacing = replaceRules(id, wanted, cause);
        return {
          statements: [...replacing, c.get("request").part ? versionOf(id) : countsOf(id, cause)],
          main: replacing.length,
          records: RECORDED,
          effect: { verb: "replace", policy: id, rules: wanted },
        };
      },
      answer: ({ version, ...counts }) =>
        answer(
          COUNTS.map((name) => counts[name]),
          Number(version),
        ),
    };
    if (!dry_run) return commit(c, write);
    const checked = await commitAll(c, [write], { dryRun: countsList(causeOf(c)) });
    if ("rejected" in checked) throw checked.rejected.error;
    // Nothing was changed, so there is no version to make an ETag of.
    return toResponse(c, answer("said" in checked ? checked.said : []));
  },
);
