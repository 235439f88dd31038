import type { components } from "edge-configuration-client";
import type { Call } from "./args.ts";
import { DIFFERENT } from "./commands.ts";
import { Ids } from "./ids.ts";
import { bodyOf, eachOf, Refusal, type Result, type Service } from "./service.ts";
import { paint, plain, print } from "./terminal.ts";

/*
 * Whether an edge lets an address in.
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

/** Something that lets addresses in or not. */
interface Door {
  title: string;
  ask: () => Promise<Result<Access>>;
}

/** Prints whether an edge lets an address in, and why: for an HTTPS edge, each of its routes. */
export async function access(service: Service, call: Call): Promise<number> {
  const [edge = "", ip = ""] = call.operands;
  const doors = await doorsOf(service, idOf(service, edge, call.text("file")), ip);
  if (doors.length === 0) {
    print("The edge has no routes: it lets nobody in.");
    return DIFFERENT;
  }
  const answers = await eachOf(doors, async ({ title, ask }) => ({ title, answer: bodyOf(await ask()) }));
  for (const { title, answer } of answers) {
    const { allowed, reason, rules } = answer;
    const verdict = allowed ? paint("green", "allowed") : paint("red", "refused");
    print(`${verdict}  ${plain(answer.ip)}  ${plain(title)}: ${reasons[reason]}`);
    for (const rule of rules)
      print(`  ${plain(rule.action)} ${plain(rule.cidr)}  ${plain(rule.ip_policy.id)}  ${plain(rule.id)}`);
  }
  return answers.every(({ answer }) => answer.allowed) ? 0 : DIFFERENT;
}

/** The id that a name stands for in a file. */
function idOf({ url }: Service, edge: string, file: string | undefined): string {
  if (file === undefined) return edge;
  const id = new Ids(file).of(url).get(edge);
  if (id === undefined)
    throw new Refusal(`${file}.ids.json has no id for ${JSON.stringify(edge)} on ${url}.`);
  return id;
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
      `${JSON.stringify(edge)} is no edge: expected an id that begins with edgtcp_, edgtls_ or edghts_, or a name and --file.`,
    );
  if (route !== undefined) return [doorOf(id, route, route)];
  const { routes } = bodyOf(await api.GET("/edges/https/{id}", { params: { path: { id } } }));
  return routes.map(({ id: route, match_type, match }) => doorOf(id, route, `${match_type} ${match}`));
}
