import { createHash } from "node:crypto";
import type { Program } from "../../../traffic/src/policy/program.ts";
import type { Route } from "../../../traffic/src/snapshot.ts";
import type { Key } from "../policy/contract.ts";
import { translate } from "../policy/translate.ts";
import type { Output } from "./output.ts";

/** The lines of a policy in the section of its edge or route. */
export interface PolicyLines {
  /** Before the modules that follow the policy. */
  before: readonly string[];
  /** After all other rules for requests: what the rules for responses need to know of the request. */
  after: readonly string[];
}

const NONE: PolicyLines = { before: [], after: [] };

/** Traffic policies of edges and routes. Those with the same program share lines, files and counters' tables. */
export class Policies {
  readonly #output: Output;
  readonly #rendered = new Map<string, PolicyLines>();

  constructor(output: Output) {
    this.#output = output;
  }

  /**
   * The lines of an edge's or a route's policy; none without a policy. Undefined, and a problem, if it cannot be enforced: then the
   * edge or route must not be served.
   */
  of({ id, traffic_policy: policy }: Pick<Route, "id" | "traffic_policy">): PolicyLines | undefined {
    if (!policy || this.#output.settings.ignoreTrafficPolicies) return NONE;
    const { program } = policy;
    if (!program) {
      this.#output.problem(
        id,
        "traffic_policy",
        "Not served: its traffic_policy cannot be enforced. GET /problems of the service says why. Change or disable the module, or start the agent with --ignore-traffic-policies.",
      );
      return undefined;
    }
    for (const url of keySetsOf(program))
      if (this.#keysOf(url).length === 0)
        this.#output.problem(
          id,
          "jwt_keys_missing",
          `Requests get 503 where the traffic_policy checks their tokens: the agent has no keys from ${url}.`,
        );
    const text = JSON.stringify([program, keySetsOf(program).map((url) => this.#keysOf(url))]);
    const known = this.#rendered.get(text) ?? this.#lines(program, digest(text));
    this.#rendered.set(text, known);
    return known;
  }

  #keysOf(url: string): readonly Key[] {
    return this.#output.settings.keysOf?.(url) ?? [];
  }

  #lines(program: Program, name: string): PolicyLines {
    const { connect, request, requestEnd, response, options, tables, files } = translate(program, {
      prefix: `p${name}_`,
      connections: "tcp-request content",
      owner: "var(txn.route)",
      pathOf: (file) => this.#output.path(`policies/${name}/${file}`),
      keysOf: (url) => this.#keysOf(url),
    });
    for (const [file, content] of files) {
      this.#output.file(`policies/${name}/${file}`, content);
      this.#output.largestBody = Math.max(this.#output.largestBody, Buffer.byteLength(content));
    }
    for (const [table, lines] of tables) this.#output.section("backend", table, lines);
    return { before: [...options, ...connect, ...request, ...response], after: requestEnd };
  }
}

const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** The URLs of the key sets that a program needs. */
function keySetsOf(program: Program): string[] {
  const actions = Object.values(program.rules)
    .flat()
    .flatMap((rule) => rule.actions);
  return actions.flatMap((action) => (action.do === "jwt" ? action.key_urls : []));
}
