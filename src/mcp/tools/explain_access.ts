import * as z from "zod";
import { Room } from "../cut.ts";
import { edgeId, id, more, object } from "../fields.ts";
import { tool } from "../tool.ts";

interface Access {
  ip: string;
  allowed: boolean;
  reason: string;
  rules: { id: string; cidr: string; action: "allow" | "deny"; ip_policy: { id: string } }[];
}

/** The reasons that do not depend on a rule. */
const REASONS: Record<string, string> = {
  no_restriction: "there is no IP restriction",
  restriction_disabled: "the IP restriction is disabled",
  no_policies: "the IP restriction has no policies",
  no_matching_rule: "no rule matches the address",
};

function sentenceOf(id: string, { ip, allowed, reason, rules }: Access): string {
  const decisive = rules.find(({ action }) => action === "deny") ?? rules[0];
  const because =
    REASONS[reason] ??
    (decisive
      ? `rule ${decisive.id} of policy ${decisive.ip_policy.id} ${decisive.action === "deny" ? "denies" : "allows"} ${decisive.cidr}`
      : reason);
  return `The IP restriction of ${id} ${allowed ? "allows" : "rejects"} ${ip}, because ${because}.`;
}

/** Tests whether an address gets in. */
export const explainAccess = tool({
  name: "explain_access",
  title: "Explain access",
  description:
    "Tells whether an address gets past the IP restriction of a TCP or TLS edge or a route, or past one IP policy, and which rules decide it. Only the address of the connection counts. Routes need edge_id.",
  role: "viewer",
  hints: "reads",
  input: z.strictObject({
    id: id(),
    edge_id: edgeId(),
    ip: z.string().max(100).describe("IPv4 or IPv6 address"),
  }),
  output: z.strictObject({
    sentence: z.string(),
    ip: z.string(),
    allowed: z.boolean(),
    reason: z.string(),
    rules: z.array(object()),
    more: more(),
  }),
  run: async ({ id, edge_id, ip }, api) => {
    const { path } = api.objectAt(id, ["tcp_edge", "tls_edge", "https_edge_route", "ip_policy"], edge_id);
    const { body } = await api.ask<Access>({ path: `${path}/access`, query: { ip } });
    const { items, isCut } = new Room().list(body.rules);
    return { sentence: sentenceOf(id, body), ...body, rules: items, more: isCut };
  },
});
