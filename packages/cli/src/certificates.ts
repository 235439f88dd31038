import type { components } from "edge-configuration-client";
import type { Call } from "./args.ts";
import { ANSWER_IS_NO, UserError } from "./errors.ts";
import { type OutputLine, paint, print } from "./output.ts";
import { all, type ServiceAccess } from "./service.ts";

/*
 * The command `edge certificates`: which certificates the machines have for each host, and when they end.
 */

type HostCertificate = components["schemas"]["HostCertificate"];
type State = HostCertificate["state"];

const colors = {
  valid: "green",
  ending: "yellow",
  pending: "yellow",
  failing: "red",
  paused: "red",
  missing: "red",
  unknown: "dim",
} as const;

/** States that need somebody. */
const BAD = new Set<State>(["ending", "failing", "paused", "missing"]);

const isState = (text: string): text is State => Object.hasOwn(colors, text);

/** Hosts are aligned, unless they are longer. */
const LONGEST_HOST = 40;

/** The most agents that a line names. */
const NAMED = 3;

/** Prints the certificates for each host. */
export async function certificates({ api }: ServiceAccess, call: Call): Promise<number> {
  const state = call.text("state");
  if (state !== undefined && !isState(state))
    throw new UserError(`--state must be one of ${Object.keys(colors).join(", ")}.`);
  const found = await all((cursor) =>
    api.GET("/certificates", { params: { query: { ...(state !== undefined && { state }), ...cursor } } }),
  );
  if (call.has("json")) for (const one of found) print(JSON.stringify(one));
  else if (found.length === 0)
    print(state === undefined ? "No edge needs a certificate, and no agent reports one." : "None.");
  else {
    const width = Math.min(LONGEST_HOST, Math.max(...found.map(({ host }) => host.length)));
    for (const one of found) print(lineOf(one, width));
  }
  return found.some(({ state }) => BAD.has(state)) ? ANSWER_IS_NO : 0;
}

function lineOf(certificate: HostCertificate, width: number): OutputLine {
  const { host, state, not_after: end, edges, issued_by: issuer, last_error: error } = certificate;
  const isUnused = edges.length === 0;
  return [
    paint(colors[state], state.padEnd(9)),
    host.padEnd(width),
    end === null ? "  no certificate" : `  ${Date.parse(end) < Date.now() ? "ended" : "ends"} ${end}`,
    agentsOf(certificate),
    paint("dim", `${isUnused ? "  no edge" : ""}${issuer ? `  ${issuer}` : ""}`),
    error === null ? "" : `  ${error}`,
  ];
}

function agentsOf({ agents, agent_count: count }: HostCertificate): string {
  if (count === 0) return "";
  const names = agents.slice(0, NAMED).map(({ name }) => name);
  return `  on ${names.join(", ")}${count > names.length ? ` and ${count - names.length} more` : ""}`;
}
