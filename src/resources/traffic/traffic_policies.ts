import * as z from "zod";
import { nonEmpty, requestObject, schema } from "../../../packages/model/src/values/request_schemas.ts";
import { operation } from "../../http/operation.ts";
import { respond } from "../../http/respond.ts";
import { endpoints } from "../../http/router.ts";
import { compiledPolicy, language } from "../../traffic/policies.ts";
import { inTurns } from "../../traffic/turns.ts";

/*
 * Checks the text of a traffic policy before it is stored.
 */

const example = {
  value:
    '{"on_http_request":[{"name":"admins","expressions":["req.url.path.startsWith(\'/admin\')"],"actions":[{"type":"deny"}]}]}',
  for: "https_edge_route",
} as const;

export const policyTarget = () =>
  z
    .enum(["tcp_edge", "tls_edge", "https_edge_route"])
    .describe("What the policy belongs to, which decides the phases that it can have.");

const TrafficPolicyCheckRequest = schema("TrafficPolicyCheckRequest", () => ({
  description: "The text of a traffic policy, to be checked.",
  examples: [example],
  type: requestObject({
    value: nonEmpty().describe("The text of the policy, as the module `traffic_policy` has it."),
    for: policyTarget(),
  }),
}));

const phase = () => z.enum(["on_tcp_connect", "on_http_request", "on_http_response"]).describe("The phase.");

const TrafficPolicyFinding = schema("TrafficPolicyFinding", () => ({
  description: "Something that is wrong with a policy, or a warning.",
  type: z.strictObject({
    severity: z.enum(["error", "warning"]).describe("Whether the policy is served."),
    code: z.string().describe("What is wrong, for programs to act on."),
    path: z.string().describe("JSON pointer to the place in the policy; empty for the whole text."),
    offset: z
      .int()
      .nullable()
      .describe("Position in the string at `path`, or in the text if `path` is empty, in UTF-16 units."),
    line: z
      .int()
      .nullable()
      .describe("The line of the place in the whole text, from 1; null if the whole text is meant."),
    column: z.int().nullable().describe("The column of the place in its line, from 1, in UTF-16 units."),
    msg: z.string().describe("What is wrong, for people."),
  }),
}));

/** Fields that say whether a policy can be enforced. */
export const verdictMembers = () => ({
  verdict: z
    .enum(["enforced", "invalid", "not_enforced"])
    .describe(
      "`enforced`; `invalid`: the text breaks a rule of the language; or `not_enforced`: it is valid, but something in it cannot be enforced. With the last two, an edge is not served and a route returns 503.",
    ),
  findings: z.array(TrafficPolicyFinding).describe("Errors and warnings, at most 100."),
});

const TrafficPolicyCheck = schema("TrafficPolicyCheck", () => ({
  description: "The verdict on a traffic policy.",
  examples: [
    {
      verdict: "enforced",
      findings: [
        {
          severity: "warning",
          code: "expression_can_fail",
          path: "/on_http_request/0/expressions/0",
          offset: null,
          line: null,
          column: null,
          msg: "This expression can end in an error, which refuses the request with the status 500 or closes the connection.",
        },
      ],
      rules: [
        {
          phase: "on_http_request",
          index: 0,
          name: "admins",
          expressions: [{ text: "req.url.path.startsWith('/admin')", can_fail: true }],
          actions: [{ type: "deny", terminates: true }],
        },
      ],
    },
  ],
  type: z.strictObject({
    ...verdictMembers(),
    rules: z
      .array(
        z.strictObject({
          phase: phase(),
          index: z.int().describe("Position in the phase, from 0."),
          name: z.string().nullable().describe("The rule's name."),
          expressions: z
            .array(
              z.strictObject({
                text: z.string().describe("The expression."),
                can_fail: z
                  .boolean()
                  .describe("Whether it can end in an error, which refuses the request with the status 500."),
              }),
            )
            .describe("The rule's expressions."),
          actions: z
            .array(
              z.strictObject({
                type: z.string().describe("The type of the action."),
                terminates: z.boolean().describe("Whether it can end the phase."),
              }),
            )
            .describe("The rule's actions."),
        }),
      )
      .describe("The rules that were understood."),
  }),
}));

/** Checks the text of a policy for a kind of object. */
export async function checkedPolicy(
  value: string,
  target: z.output<ReturnType<typeof policyTarget>>,
): Promise<z.output<typeof TrafficPolicyCheck>> {
  const { verdict, findings, rules } = await compiledPolicy(value, target);
  const { placesIn } = await language();
  const places = await inTurns(placesIn(value, findings));
  return {
    verdict,
    findings: findings.map(({ severity, code, path, offset, msg }, i) => {
      const { line, column } = places[i] ?? { line: null, column: null };
      return { severity, code, path, offset, line, column, msg };
    }),
    rules,
  };
}

export const trafficPolicies = endpoints().post(
  "/check",
  operation({
    id: "TrafficPolicyCheck",
    access: "viewer",
    summary: "Check a traffic policy",
    description:
      "Checks the text of a traffic policy and returns a verdict, with the place of everything that is wrong. Nothing is stored. The module `traffic_policy` accepts any text: a policy that cannot be enforced as written is not served, and `GET /problems` reports it.",
    tag: "Traffic",
    isConstant: true,
    body: TrafficPolicyCheckRequest,
    status: 200,
    response: TrafficPolicyCheck,
  }),
  async (c) => {
    const { value, for: target } = c.req.valid("json");
    return respond(c, 200, JSON.stringify(await checkedPolicy(value, target)));
  },
);
