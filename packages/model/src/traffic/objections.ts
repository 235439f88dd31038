import { actionsIn, type Need, type Program } from "../policy/base/program.ts";
import type { Compiled, PolicyOwner } from "../policy/compile.ts";
import type { ProblemCode } from "./problems.ts";

/** Compiles the text of a policy for what it belongs to. */
export type Judge = (
  value: string,
  target: PolicyOwner,
) => Pick<Compiled, "verdict" | "findings" | "program">;

/** What an edge or a route offers to its policy: what it needs, and the proxy's counters. */
export type Offered = Partial<Record<Need | "counters", boolean>>;

export const NOT_ENFORCED = "traffic_policy_not_enforced";

/** What is wrong with a policy, if anything, and a detail. */
export function objectionTo(
  verdict: Compiled["verdict"],
  findings: Compiled["findings"],
  program: Program | null,
  offered: Offered,
): [code?: ProblemCode, detail?: string] {
  const about = (is: (finding: Compiled["findings"][number]) => boolean): string => {
    const { path = "", msg = "" } = findings.find(is) ?? {};
    return `${path && `${placeIn(path)}: `}${msg}`.replace(/\.$/, "");
  };
  if (verdict === "invalid")
    return ["traffic_policy_invalid", about(({ code }) => code === "traffic_policy_invalid")];
  if (!program) return [NOT_ENFORCED, about(({ severity }) => severity === "error")];
  const missing = program.needs.find((need) => offered[need] !== true);
  if (missing !== undefined) return [NOT_ENFORCED, `it needs ${missing}`];
  if (hasLimit(program) && offered.counters !== true)
    return [NOT_ENFORCED, "rate-limit is not enforced beside circuit_breaker"];
  const isPartly = findings.some(({ code }) => code === "traffic_policy_partly_enforced");
  return isPartly
    ? ["traffic_policy_partly_enforced", about(({ code }) => code === "traffic_policy_partly_enforced")]
    : [];
}

/** A JSON pointer into a policy in words: "rule 1 of on_http_request, expression 2". */
function placeIn(path: string): string {
  const [, phase = "", rule, list = "", item, ...members] = path.split("/");
  if (rule === undefined) return phase;
  const places = [`rule ${Number(rule) + 1} of ${phase}`];
  if (item !== undefined) places.push(`${list.slice(0, -1)} ${Number(item) + 1}`, ...members);
  else if (list !== "") places.push(list);
  return places.join(", ");
}

/** Whether a policy counts requests. */
export const hasLimit = (program: Program | undefined): boolean =>
  actionsIn(program).some((action) => action.do === "rate_limit");
