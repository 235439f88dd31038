import type { components } from "edge-configuration-client";
import type { Call } from "./args.ts";
import { Ids } from "./ids.ts";
import { titles } from "./names.ts";
import { paint, print } from "./output.ts";
import { ANSWER_IS_NO, Refusal } from "./refusal.ts";
import { bodyOf, eachOf, type Result, type Service } from "./service.ts";

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

/** An edge or a route. */
interface Door {
  title: string;
  ask: () => Promise<Result<Access>>;
}

/** Prints whether an edge admits an address, and why; for an HTTPS edge, whether each route does. */
export async function access(service: Service, call: Call): Promise<number> {
  const [edge = "", ip = ""] = call.operands;
  const ids = idsOf(service, call);
  const doors = await doorsOf(service, ids ? idOf(ids, service, edge) : edge, ip);
  if (doors.length === 0) {
    print("The edge has no routes, so it admits no address.");
    return ANSWER_IS_NO;
  }
  const titleIn = titles(ids?.of(service.url) ?? new Map());
  const answers = await eachOf(doors, async ({ title, ask }) => ({ title, answer: bodyOf(await ask()) }));
  for (const { title, answer } of answers) {
    const { allowed, reason, rules } = answer;
    const verdict = allowed ? paint("green", "allowed") : paint("red", "denied");
    print([verdict, `  ${answer.ip}  ${title}: ${reasons[reason]}`]);
    for (const { action, cidr, ip_policy, id } of rules)
      print(`  ${action} ${cidr}  ${titleIn(ip_policy.id) ?? ip_policy.id}  ${id}`);
  }
  return answers.every(({ answer }) => answer.allowed) ? 0 : ANSWER_IS_NO;
}

/** The ids of the file that --file names. */
function idsOf({ url }: Service, call: Call): Ids | undefined {
  const file = call.text("file");
  if (file === undefined) return undefined;
  const ids = new Ids(file, call.has("follow-symlinks"));
  ids.requireKnown(url);
  return ids;
}

/** The id that a name stands for in a file. */
function idOf(ids: Ids, { url }: Service, edge: string): string {
  const [name = "", route] = edge.split("/");
  const id = ids.of(url).get(name);
  if (id === undefined) throw new Refusal(`${ids.name} has no id for ${JSON.stringify(name)} on ${url}.`);
  return route === undefined ? id : `${id}/${route}`;
}

async function doorsOf({ api }: Service, edge: string, ip: string): Promise<Door[]> {
  const query = { ip };
  const [id = "", route] = edge.split("/");
  const doorOf = (edge_id: string, id: string, title: string): Door => ({
    title,
    ask: () =>
      api.GET("/edges/https/{edge_id}/routes/{id}/access", { params: { path: { edge_id, id }, query } }),
  });
  if (id.startsWith("edgtcp_"))
    return [
      { title: edge, ask: () => api.GET("/edges/tcp/{id}/access", { params: { path: { id }, query } }) },
    ];
  if (id.startsWith("edgtls_"))
    return [
      { title: edge, ask: () => api.GET("/edges/tls/{id}/access", { params: { path: { id }, query } }) },
    ];
  if (!id.startsWith("edghts_"))
    throw new Refusal(
      `${JSON.stringify(edge)} is not an edge id: ids start with edgtcp_, edgtls_ or edghts_. To use a name, pass --file.`,
    );
  if (route !== undefined) return [doorOf(id, route, route)];
  const { routes } = bodyOf(await api.GET("/edges/https/{id}", { params: { path: { id } } }));
  return routes.map(({ id: route, match_type, match }) => doorOf(id, route, `${match_type} ${match}`));
}
