import type { components } from "edge-configuration-client";
import type { Call } from "./args.ts";
import { ANSWER_IS_NO, UserError } from "./errors.ts";
import { kinds } from "./kinds.ts";
import { idOf, idsOf } from "./named_edge.ts";
import { titles } from "./names.ts";
import { paint, print } from "./output.ts";
import { bodyOf, eachOf, type Result, type ServiceAccess } from "./service.ts";

/*
 * Access checks: whether an edge admits an address.
 */

type Access = components["schemas"]["Access"];

const reasons: Record<Access["reason"], string> = {
  no_restriction: "there is no IP restriction",
  restriction_disabled: "the IP restriction is disabled",
  no_policies: "the IP restriction has no policies",
  no_matching_rule: "no rule matches",
  deny_rule: "a rule denies it",
  allow_rule: "a rule allows it, and none denies it",
};

/** The access check of an edge or a route. */
interface AccessCheck {
  title: string;
  run: () => Promise<Result<Access>>;
}

/** Prints whether an edge admits an address, and why; for an HTTPS edge, checks each route. */
export async function access(service: ServiceAccess, call: Call): Promise<number> {
  const [edge = "", ip = ""] = call.operands;
  const ids = idsOf(service, call);
  const checkedEdge = ids ? idOf(ids, service, edge) : edge;
  const checks = await checksOf(service, checkedEdge, ip);
  if (checks.length === 0) {
    print("The edge has no routes, so it admits no address.");
    return ANSWER_IS_NO;
  }
  const needsCertificate = await isMutualTls(service, checkedEdge);
  const titleIn = titles(ids?.of(service.url) ?? new Map());
  const results = await eachOf(checks, async ({ title, run }) => ({ title, result: bodyOf(await run()) }));
  if (call.has("json"))
    for (const { title, result } of results)
      print(JSON.stringify({ title, ...result, client_certificate: needsCertificate }));
  else
    for (const { title, result } of results) {
      const { allowed, reason, rules } = result;
      const verdict = allowed ? paint("green", "allowed") : paint("red", "denied");
      const certificate = allowed && needsCertificate ? "; the client also needs a certificate" : "";
      print([verdict, `  ${result.ip}  ${title}: ${reasons[reason]}${certificate}`]);
      for (const { action, cidr, ip_policy, id } of rules)
        print(`  ${action} ${cidr}  ${titleIn(ip_policy.id) ?? ip_policy.id}  ${id}`);
    }
  return results.every(({ result }) => result.allowed) ? 0 : ANSWER_IS_NO;
}

/** Whether an edge, or that of a route, requires client certificates. */
async function isMutualTls({ api }: ServiceAccess, edge: string): Promise<boolean> {
  const [id = ""] = edge.split("/");
  if (id.startsWith("edgtcp_")) return false;
  const kind = id.startsWith("edgtls_") ? "tls" : "https";
  const result = await api.GET(`/edges/${kind}/{id}/mutual_tls`, { params: { path: { id } } });
  return result.response.status !== 404 && bodyOf(result).enabled;
}

async function checksOf({ api }: ServiceAccess, edge: string, ip: string): Promise<AccessCheck[]> {
  const query = { ip };
  const [id = "", route] = edge.split("/");
  const routeCheck = (edge_id: string, id: string, title: string): AccessCheck => ({
    title,
    run: () =>
      api.GET("/edges/https/{edge_id}/routes/{id}/access", { params: { path: { edge_id, id }, query } }),
  });
  const kind = id.startsWith("edgtcp_") ? "tcp" : id.startsWith("edgtls_") ? "tls" : undefined;
  if (kind)
    return [
      {
        title: edge,
        run: () => api.GET(`/edges/${kind}/{id}/access`, { params: { path: { id }, query } }),
      },
    ];
  if (!id.startsWith("edghts_")) {
    const kind = kinds.find(({ prefix }) => id.startsWith(prefix));
    throw new UserError(
      kind
        ? `${edge} is not an edge: its kind is ${kind.noun}. Pass the id of an edge, or its name and --file.`
        : `${JSON.stringify(edge)} is not an edge id: ids start with edgtcp_, edgtls_ or edghts_. To use a name, pass --file.`,
    );
  }
  if (route !== undefined) return [routeCheck(id, route, route)];
  const { routes } = bodyOf(await api.GET("/edges/https/{id}", { params: { path: { id } } }));
  return routes.map(({ id: route, match_type, match }) => routeCheck(id, route, `${match_type} ${match}`));
}
