import * as z from "zod";
import type { Api } from "../shared/api.ts";
import { Room } from "../shared/cut.ts";
import { edgeId, id, more, object } from "../shared/fields.ts";
import { tool } from "../shared/tool.ts";

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

interface Route {
  id: string;
  match_type: string;
  match: string;
}

/** The most routes of an edge that are tested. */
const MOST_ROUTES = 20;

/** Tests whether an address gets in. */
export const explainAccess = tool({
  name: "explain_access",
  title: "Explain access",
  description:
    "Tells whether an address gets past the IP restriction of an edge or a route, or past an IP policy, and which rules decide it. Of an HTTPS edge, tests each route. Only the connection's address counts.",
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
    routes: z.array(object()).exactOptional(),
    more: more(),
  }),
  run: async ({ id, edge_id, ip }, api) => {
    if (id.startsWith("edghts_")) return ofEachRoute(id, ip, api);
    const { path } = api.objectAt(id, ["tcp_edge", "tls_edge", "https_edge_route", "ip_policy"], edge_id);
    const { body } = await api.ask<Access>({ path: `${path}/access`, query: { ip } });
    const { items, isCut } = new Room().list(body.rules);
    return { sentence: sentenceOf(id, body), ...body, rules: items, more: isCut };
  },
});

/** Tests the routes of an HTTPS edge, which have the restrictions. */
async function ofEachRoute(edge: string, ip: string, api: Api) {
  const { body } = await api.ask<{ routes: Route[] }>({ path: `/edges/https/${edge}` });
  const tested = body.routes.slice(0, MOST_ROUTES);
  const routes = await Promise.all(
    tested.map(async ({ id, match_type, match }) => {
      const path = `/edges/https/${edge}/routes/${id}/access`;
      const { body: access } = await api.ask<Access>({ path, query: { ip } });
      return { id, match_type, match, allowed: access.allowed, sentence: sentenceOf(id, access) };
    }),
  );
  const count = routes.filter(({ allowed }) => allowed).length;
  return {
    sentence: `The IP restrictions of ${count} of ${tested.length} routes of ${edge} allow ${ip}.`,
    ip,
    allowed: count > 0,
    reason: "routes",
    rules: [],
    routes,
    more: tested.length < body.routes.length,
  };
}
