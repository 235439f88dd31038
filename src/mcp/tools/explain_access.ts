import * as z from "zod";
import type { Access as schema } from "../../resources/policies/access.ts";
import type { Api } from "../shared/api.ts";
import { Room } from "../shared/cut.ts";
import { edgeId, id, more, object } from "../shared/fields.ts";
import { tool } from "../shared/tool.ts";

type Access = z.output<typeof schema>;

/** The reasons that do not depend on a rule, except that there is no IP restriction. */
const REASONS: Record<string, string> = {
  restriction_disabled: "it is disabled",
  no_policies: "it has no policies",
  no_matching_rule: "no rule matches the address",
};

/** @param isMutual true if clients also need a certificate */
function sentenceOf(id: string, { ip, allowed, reason, rules }: Access, isMutual: boolean): string {
  const certificate = allowed && isMutual ? ` ${CERTIFICATE}` : "";
  if (reason === "no_restriction") return `${id} has no IP restriction, so it allows ${ip}.${certificate}`;
  const decisive = rules.find(({ action }) => action === "deny") ?? rules[0];
  const because =
    REASONS[reason] ??
    (decisive
      ? `rule ${decisive.id} of policy ${decisive.ip_policy.id} ${decisive.action === "deny" ? "denies" : "allows"} ${decisive.cidr}`
      : reason);
  const which = id.startsWith("ipp_") ? "IP policy" : "The IP restriction of";
  return `${which} ${id} ${allowed ? "allows" : "rejects"} ${ip}, because ${because}.${certificate}`;
}

const CERTIFICATE = "The client also needs a certificate: the edge requires mutual TLS.";

/** Whether the edge of a tested object requires client certificates. @param path the edge's path */
async function isMutualTls(path: string, api: Api): Promise<boolean> {
  try {
    return (await api.ask<{ enabled: boolean }>({ path: `${path}/mutual_tls` })).body.enabled;
  } catch (error) {
    if ((await api.errorOf(error)).status_code === 404) return false;
    throw error;
  }
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
    "Tells whether an address gets past an IP policy or the IP restriction of an edge or route, why, and whether a certificate is needed. Tests all routes of HTTPS edges. Only the connection's address counts.",
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
    const { path, kind } = api.objectAt(
      id,
      ["tcp_edge", "tls_edge", "https_edge_route", "ip_policy"],
      edge_id,
    );
    const { body } = await api.ask<Access>({ path: `${path}/access`, query: { ip } });
    const { items, isCut } = new Room().list(body.rules);
    const edge = kind === "tls_edge" ? path : kind === "https_edge_route" ? `/edges/https/${edge_id}` : "";
    const isMutual = edge !== "" && (await isMutualTls(edge, api));
    return { sentence: sentenceOf(id, body, isMutual), ...body, rules: items, more: isCut };
  },
});

/** Tests the routes of an HTTPS edge, which have the restrictions. */
async function ofEachRoute(edge: string, ip: string, api: Api) {
  const { body } = await api.ask<{ routes: Route[]; mutual_tls: { enabled: boolean } | null }>({
    path: `/edges/https/${edge}`,
  });
  const isMutual = body.mutual_tls?.enabled === true;
  const tested = body.routes.slice(0, MOST_ROUTES);
  const routes = await Promise.all(
    tested.map(async ({ id, match_type, match }) => {
      const path = `/edges/https/${edge}/routes/${id}/access`;
      const { body: access } = await api.ask<Access>({ path, query: { ip } });
      return { id, match_type, match, allowed: access.allowed, sentence: sentenceOf(id, access, isMutual) };
    }),
  );
  const count = routes.filter(({ allowed }) => allowed).length;
  return {
    sentence: `${count} of ${tested.length} routes of ${edge} allow ${ip}.${count > 0 && isMutual ? ` ${CERTIFICATE}` : ""}`,
    ip,
    allowed: count > 0,
    reason: "routes",
    rules: [],
    routes,
    more: tested.length < body.routes.length,
  };
}
