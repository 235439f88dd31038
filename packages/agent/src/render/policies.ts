import { createHash } from "node:crypto";
import type { Program } from "../../../traffic/src/policy/program.ts";
import type { Route } from "../../../traffic/src/snapshot.ts";
import { keySetUrls } from "../key_sets.ts";
import type { Key } from "../policy/contract.ts";
import { translate } from "../policy/translate.ts";
import type { PublicKey } from "./contract.ts";
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
  /** The keys that were used, by URL. */
  readonly keys: Record<string, readonly PublicKey[]> = {};

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
    const { keySetOf } = this.#output.settings;
    const sets = keySetUrls(program).map((url) => ({ url, ...keySetOf(url) }));
    for (const { url, keys } of sets) this.keys[url] = keys;
    for (const { url, error } of sets.filter(({ keys }) => keys.length === 0))
      this.#output.problem(
        id,
        "jwt_keys_missing",
        `The agent has no keys from ${url}, which the traffic_policy needs to check tokens. ${error ?? ""}`.trim(),
      );
    const text = JSON.stringify([program, sets.map(({ keys }) => keys)]);
    const known = this.#rendered.get(text) ?? this.#lines(program, digest(text));
    this.#rendered.set(text, known);
    return known;
  }

  /** The keys of a set, each in a file that all policies share. */
  #keysOf(url: string): Key[] {
    return this.#output.settings.keySetOf(url).keys.map(({ pem, ...key }) => {
      const file = `keys/${digest(pem)}.pem`;
      this.#output.file(file, pem);
      return { ...key, file: this.#output.path(file) };
    });
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
    for (const { name: table, spec } of tables) this.#output.table(table, spec);
    return { before: [...options, ...connect, ...request, ...response], after: requestEnd };
  }
}

const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);
