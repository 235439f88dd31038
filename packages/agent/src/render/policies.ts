import { hash } from "node:crypto";
import { actionsIn, type Program } from "../../../model/src/policy/base/program.ts";
import type { Route } from "../../../model/src/traffic/snapshot.ts";
import { rejectingFor } from "../base/rules.ts";
import type { KeyFile } from "../policy/contract.ts";
import { translate } from "../policy/translate.ts";
import type { Output } from "./output.ts";
import type { PolicyLines } from "./parts.ts";

const NONE: PolicyLines = { before: [], after: [] };

/**
 * The lines of an edge's or a route's policy; none without a policy. Undefined, and a problem, if it cannot be enforced: then the
 * edge or route must not be served. Policies with the same program share lines, files and counters' tables.
 */
export function policyLines(
  { id, traffic_policy: policy }: Pick<Route, "id" | "traffic_policy">,
  output: Output,
): PolicyLines | undefined {
  const { ignoreTrafficPolicies, keySetOf } = output.settings;
  if (!policy || ignoreTrafficPolicies) return NONE;
  const { program } = policy;
  if (!program) {
    return output.problem(
      id,
      "traffic_policy",
      "Not served: its traffic_policy cannot be enforced. GET /problems of the service says why. Change or disable the module, or start the agent with --ignore-traffic-policies.",
    );
  }
  const sets = keySetUrls(program).map((url) => ({ url, ...keySetOf(url) }));
  for (const { url, keys } of sets) output.add({ is: "keys", url, keys });
  for (const { url, error } of sets.filter(({ keys }) => keys.length === 0))
    output.problem(
      id,
      "jwt_keys_missing",
      `The agent has no keys from ${url}, which the traffic_policy needs to check tokens. ${error ?? ""}`.trim(),
    );
  const text = JSON.stringify([program, sets.map(({ keys }) => keys)]);
  return output.once(output.known.policies, text, [], (own) => linesOf(program, digest(text), own));
}

/** The keys of a set, each in a file that all policies share. */
const keysOf = (url: string, output: Output): KeyFile[] =>
  output.settings
    .keySetOf(url)
    .keys.map(({ pem, ...key }) => ({ ...key, file: output.file(`keys/${digest(pem)}.pem`, pem) }));

function linesOf(program: Program, name: string, output: Output): PolicyLines {
  const { connect, request, requestEnd, response, options, tables, files } = translate(program, {
    prefix: `p${name}_`,
    owner: "var(txn.route)",
    pathOf: (file) => output.path(`policies/${name}/${file}`),
    keysOf: (url) => keysOf(url, output),
  });
  for (const [file, content] of files) {
    output.file(`policies/${name}/${file}`, content);
    output.add({ is: "body", bytes: Buffer.byteLength(content) });
  }
  for (const { name: table, spec } of tables) output.table(table, spec);
  return {
    before: [
      ...options,
      ...rejectingFor("tcp-request content", "traffic_policy", connect),
      ...rejectingFor("http-request", "traffic_policy", request),
      ...rejectingFor("http-response", "traffic_policy", response),
    ],
    after: requestEnd,
  };
}

const digest = (text: string): string => hash("sha256", text).slice(0, 16);

/** The URLs of the key sets that a program needs. */
export const keySetUrls = (program: Program): string[] =>
  actionsIn(program).flatMap((action) => (action.do === "jwt" ? action.key_urls : []));
