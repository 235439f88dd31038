import type { components } from "edge-configuration-client";
import type { Call } from "./args.ts";
import { ANSWER_IS_NO } from "./errors.ts";
import { type OutputLine, paint, print } from "./output.ts";
import { counted } from "./report.ts";
import { all, bodyOf, type ServiceAccess, RequestError } from "./service.ts";

/*
 * Who calls, whether the service works, and what agents serve.
 */

/** Prints who the key belongs to, and what it may do. */
export async function whoami({ api, url }: ServiceAccess, call: Call): Promise<number> {
  const identity = bodyOf(await api.GET("/whoami"));
  if (call.has("json")) {
    print(JSON.stringify({ url, ...identity }));
    return 0;
  }
  const { id, subject, role, owner, expires_at: end } = identity;
  print(url);
  print([paint("bold", subject), subject === id ? "" : paint("dim", `  ${id}`)]);
  print(`role: ${role}`);
  if (owner) print(`owner: ${owner.id}`);
  print(`expires: ${end ?? "never"}`);
  return 0;
}

/** Prints whether the service works, and its release. */
export async function health({ api, url }: ServiceAccess): Promise<number> {
  try {
    const { version } = bodyOf(await api.GET("/health"));
    print([paint("green", "ok"), `  ${url}  release ${version}`]);
    return 0;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    print([paint("red", "not ok"), `  ${url}  ${error.message}`]);
    return ANSWER_IS_NO;
  }
}

type Agent = components["schemas"]["Agent"];

/** Agents report at least once a minute. */
const SILENT_AFTER_MILLISECONDS = 180_000;

/** Prints what each agent serves. */
export async function agents({ api }: ServiceAccess, call: Call): Promise<number> {
  const found = await all((query) => api.GET("/agents", { params: { query } }));
  if (call.has("json")) for (const agent of found) print(JSON.stringify(agent));
  else if (found.length === 0) print("No agent has reported.");
  else for (const line of found.flatMap(agentLines)) print(line);
  return found.every((agent) => faultsOf(agent).length === 0) ? 0 : ANSWER_IS_NO;
}

/** What is wrong with an agent. */
const faultsOf = ({ last_seen, ok, error, problems }: Agent): string[] => [
  ...(Date.now() - Date.parse(last_seen) > SILENT_AFTER_MILLISECONDS ? [`last seen ${last_seen}`] : []),
  ...(ok ? [] : [error ?? "not ok"]),
  ...problems.map(({ object, code, msg }) => `${object}: ${msg} (${code})`),
];

function agentLines(agent: Agent): OutputLine[] {
  const { name, applied_version: version, behind, behind_since: since, proxy } = agent;
  const faults = faultsOf(agent);
  const serves = version === null ? "serves nothing yet" : `serves version ${version}`;
  const edges = edgesOf(agent);
  const late = behind === 0 ? "" : `, ${counted(behind, "change")} behind since ${since ?? "now"}`;
  return [
    [
      faults.length === 0 ? paint("green", "ok     ") : paint("red", "not ok "),
      `${name}  ${serves}${late}${edges}`,
      paint("dim", proxy === null ? "" : `  ${proxy}`),
    ],
    ...faults.map((fault) => `         ${fault}`),
  ];
}

/** How many edges an agent serves. Nothing if it is not known: a restored service does not have the edges of later versions. */
function edgesOf({ edges, applied_version: version, newest_version: newest }: Agent): string {
  if (edges === null || version === null || version > newest) return "";
  const { served, partly, not_served, not_wanted } = edges;
  const wanted = served + partly + not_served;
  const parts = partly === 0 ? "" : `, ${partly} of them in part`;
  const others = not_wanted === 0 ? "" : `; ${not_wanted} left out by --only`;
  return `, ${served + partly} of ${counted(wanted, "edge")}${parts}${others}`;
}
