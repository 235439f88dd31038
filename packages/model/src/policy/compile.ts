import type { Json } from "../json.ts";
import { admitting } from "./actions/admit.ts";
import type { ActionType } from "./actions/context.ts";
import { others } from "./actions/other.ts";
import { responding } from "./actions/respond.ts";
import { documentOf } from "./base/document.ts";
import { patternOf } from "./base/patterns.ts";
import {
  type Action,
  actionsIn,
  type Bool,
  type Need,
  type Phase,
  phases,
  type Program,
  type Rule,
} from "./base/program.ts";
import { aList, aString, PolicyFields, type Finding, Findings, itemsOf, pointer } from "./base/reader.ts";
import { type Steps, withoutPauses } from "./base/steps.ts";
import { invalid, notEnforced, suggestion } from "./base/wrong.ts";
import { compileCondition } from "./expressions/check.ts";
import type { RangeOf } from "./expressions/compare.ts";
import { canFail } from "./expressions/failures.ts";
import { parseAll } from "./expressions/parse_all.ts";
import type { Kept, ExpressionScope, VarType } from "./expressions/values.ts";
import { linesOf } from "./size.ts";

/*
 * Checks the text of a policy, and compiles it. This module and all that it imports are loaded when a policy is first judged.
 */

/** What a policy belongs to. */
export type PolicyOwner = "tcp_edge" | "tls_edge" | "https_edge_route";

const limits = {
  bytes: 65_536,
  rules: 100,
  expressions: 20,
  actions: 20,
  patterns: 100,
  lines: 3_000,
  rateLimits: 3,
};

const TOO_LARGE = "The policy is too large to be enforced: simplify its expressions.";

/** What `check` shows of a rule. */
interface RuleOutline {
  phase: Phase;
  index: number;
  name: string | null;
  expressions: { text: string; can_fail: boolean }[];
  actions: { type: string; terminates: boolean }[];
}

export interface Compiled {
  verdict: "enforced" | "invalid" | "not_enforced";
  findings: Finding[];
  rules: RuleOutline[];
  /** Null unless the verdict is `enforced`. */
  program: Program | null;
  /** The patterns of the program. */
  patterns: string[];
}

const actionTypes: Record<string, ActionType> = { ...responding, ...admitting, ...others };

const UNSUPPORTED =
  /^(?:circuit-breaker|forward-internal|verify-webhook|webhook-validation|webhook-verification|oauth|oidc|openid-connect|saml|saml-sso|http-request|terminate-tls|owasp-crs-\w+|[\w-]+-find-replace|ai-gateway)$/;

const REPEATS_GROUPS =
  "A pattern repeats a group without a limit. After about 1,000 repetitions in one string, HAProxy gives up, and the expression fails. Use a class, such as [ab]*, or a limit, such as (ab|c){0,1000}.";

/** Stands for an action that is wrong: a program with such an action is not used. */
const NOTHING: Action = { do: "log" };

/** Compiles the text of a policy. Never throws. */
export const compile = (value: string, target: PolicyOwner, rangeOf: RangeOf): Compiled =>
  withoutPauses(compiling(value, target, rangeOf));

/** Compiles the text of a policy in steps. */
export function* compiling(value: string, target: PolicyOwner, rangeOf: RangeOf): Steps<Compiled> {
  const findings = new Findings();
  const reader = new PolicyReader(value, target, rangeOf, findings);
  const program = yield* findings.trySteps("", reader.read());
  const { verdict } = findings;
  return {
    verdict,
    findings: findings.list,
    rules: reader.outlines,
    program: verdict === "enforced" ? (program ?? null) : null,
    patterns: reader.patterns,
  };
}

class PolicyReader {
  readonly outlines: RuleOutline[] = [];
  readonly #value: string;
  readonly #target: PolicyOwner;
  readonly #rangeOf: RangeOf;
  readonly #findings: Findings;
  readonly #needs = new Set<Need>();
  readonly #patterns = new Set<string>();
  #lines = 0;
  /** Whether a pattern of the expression that is read repeats a group without a limit. */
  #repeatsGroups = false;

  constructor(value: string, target: PolicyOwner, rangeOf: RangeOf, findings: Findings) {
    this.#value = value;
    this.#target = target;
    this.#rangeOf = rangeOf;
    this.#findings = findings;
  }

  get patterns(): string[] {
    return [...this.#patterns];
  }

  *read(): Steps<Program> {
    if (new TextEncoder().encode(this.#value).length > limits.bytes)
      invalid(`The policy has more than ${limits.bytes} bytes.`);
    const policy = new PolicyFields(yield* documentOf(this.#value), "", this.#findings).only([...phases]);
    const rules: Program["rules"] = { on_tcp_connect: [], on_http_request: [], on_http_response: [] };
    for (const phase of phases) rules[phase] = yield* this.#phase(policy, phase);
    const program: Program = { needs: [...this.#needs], rules };
    if (actionsIn(program).filter((action) => action.do === "rate_limit").length > limits.rateLimits)
      notEnforced(`More than ${limits.rateLimits} rate limits are not enforced.`);
    if (linesOf(program) > limits.lines) notEnforced(TOO_LARGE);
    return program;
  }

  *#phase(policy: PolicyFields, phase: Phase): Steps<Rule[]> {
    if (!policy.has(phase)) return [];
    const list = policy.read(phase, (value) => this.#listOf(value, phase)) ?? [];
    const scope: ExpressionScope = {
      phase,
      vars: new Map<string, VarType>(),
      kept: new Set<Kept>(),
      needs: this.#needs,
      addPattern: (source, at) => this.#addPattern(source, at),
      addLines: (lines, at) => this.#addLines(lines, at),
      parse: yield* parseAll(list),
    };
    const rules: Rule[] = [];
    for (const [index, each] of list.entries()) {
      const at = pointer(pointer("", phase), index);
      const rule = this.#findings.try(at, () => this.#rule(each, at, scope, index));
      if (rule) rules.push(rule);
      yield JSON.stringify(each).length;
    }
    return rules;
  }

  /** The rules of a phase, as they are written. */
  #listOf(value: Json, phase: Phase): Json[] {
    const isHere = (phase === "on_tcp_connect") === (this.#target !== "https_edge_route");
    if (!isHere && Array.isArray(value) && value.length > 0)
      return invalid(
        this.#target === "https_edge_route"
          ? "Routes have the phases on_http_request and on_http_response."
          : "TCP and TLS edges have the phase on_tcp_connect.",
      );
    return itemsOf(value, 0, limits.rules);
  }

  #rule(rule: Json, path: string, scope: ExpressionScope, index: number): Rule {
    const findings = this.#findings;
    const fields = new PolicyFields(rule, path, findings).only(["name", "expressions", "actions"]);
    const name = fields.has("name") ? (fields.read("name", aString(1024)) ?? null) : null;
    const outline: RuleOutline = { phase: scope.phase, index, name, expressions: [], actions: [] };
    this.outlines.push(outline);
    const condition = (value: Json, at: string): Bool => {
      const text = aString()(value);
      const shown = { text, can_fail: false };
      outline.expressions.push(shown);
      this.#repeatsGroups = false;
      const bool = compileCondition(text, scope, this.#rangeOf);
      if (this.#repeatsGroups) findings.warn("pattern_can_fail", at, REPEATS_GROUPS);
      shown.can_fail = canFail(bool);
      if (shown.can_fail)
        findings.warn(
          "expression_can_fail",
          at,
          "This expression can end in an error, which refuses the request with the status 500 or closes the connection.",
        );
      return bool;
    };
    const expressions =
      fields.read("expressions", aList(findings, condition, 0, limits.expressions), []) ?? [];
    let hasEnded = false;
    const action = (value: Json, at: string): Action => {
      if (hasEnded) invalid("The action before this one always ends the phase.");
      const { compiled, terminates, type } = this.#action(value, at, scope, expressions.length > 0);
      outline.actions.push({ type, terminates: terminates !== "never" });
      hasEnded ||= terminates === "always";
      return compiled;
    };
    const actions = fields.read("actions", aList(findings, action, 1, limits.actions)) ?? [];
    return { name, expressions, actions };
  }

  #action(value: Json, path: string, scope: ExpressionScope, isConditional: boolean) {
    const findings = this.#findings;
    const fields = new PolicyFields(value, path, findings).only(["type", "config"]);
    const name = fields.read("type", aString());
    if (name === undefined) return invalid("The action has no type.");
    const type = Object.hasOwn(actionTypes, name) ? actionTypes[name] : undefined;
    if (!type && UNSUPPORTED.test(name)) return notEnforced(`The action "${name}" is not enforced.`);
    if (!type) return invalid(() => `Unknown action "${name}"${suggestion(name, Object.keys(actionTypes))}`);
    if (!type.phases.includes(scope.phase)) return invalid(`"${name}" is not available in ${scope.phase}.`);
    const run = (config: Json, at: string): Action =>
      type.compile({
        config: new PolicyFields(config, at, findings),
        scope,
        rangeOf: this.#rangeOf,
        findings,
        isConditional,
      }) ?? NOTHING;
    const at = pointer(path, "config");
    const compiled = fields.has("config") ? fields.read("config", run) : findings.try(at, () => run({}, at));
    return { type: name, terminates: type.terminates, compiled: compiled ?? NOTHING };
  }

  #addLines(lines: number, at: number): void {
    this.#lines += lines;
    if (this.#lines > limits.lines) notEnforced(TOO_LARGE, at);
  }

  #addPattern(source: string, at: number): string {
    const { text, repeatsGroups } = patternOf(source);
    this.#repeatsGroups ||= repeatsGroups;
    this.#patterns.add(text);
    return this.#patterns.size > limits.patterns
      ? notEnforced(`More than ${limits.patterns} patterns are not enforced.`, at)
      : text;
  }
}
