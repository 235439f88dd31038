import type { Phase } from "../policy/base/program.ts";
import { asInCgi } from "../policy/client_headers.ts";
import type { Compiled, PolicyOwner } from "../policy/compile.ts";
import { bytesOf, type HeaderLine, type Situation, textOf } from "../policy/evaluate.ts";
import { ownResponse } from "../policy/own_responses.ts";
import { type Assumed, type End, type RuleStep, runPhase } from "../policy/run.ts";
import { readTarget, RoutesByPlace } from "./paths.ts";
import { type JudgedProblem, problemsOf } from "./problems.ts";
import { rejectionOf } from "./request_checks.ts";
import { childrenOf } from "./resolve.ts";
import type {
  Edge,
  HeaderChanges,
  HttpsEdge,
  IpRestriction,
  Route,
  Snapshot,
  UserAgentFilter,
} from "./snapshot.ts";

/*
 * What becomes of one request, module by module, in the order in which the agent's proxy runs them.
 */

/** A module that ran, or a rule of a policy. */
export type Step = Record<string, unknown>;

export type Outcome =
  | { kind: "response"; by: string; status_code: number; headers: [string, string][]; body: string }
  | {
      kind: "upstream";
      backend_id: string;
      addresses: string[];
      request: { method: string; url: string; headers: [string, string][] } | null;
      response: { status_code: number; headers: [string, string][] } | null;
    }
  | { kind: "closed"; by: string }
  | { kind: "not_served"; problems: JudgedProblem[] };

/** The policy of an edge or a route, compiled. */
export type PolicyOf = (owner: Pick<Route, "traffic_policy">) => Compiled | undefined;

interface Ended {
  outcome: Outcome;
}

/** Runs the modules of edges and routes on a request. */
export class Simulation {
  readonly steps: Step[] = [];
  readonly assumptions: string[] = [];
  readonly #snapshot: Snapshot;
  readonly #situation: Situation;
  readonly #policyOf: PolicyOf;
  readonly #assumed: Assumed;

  constructor(snapshot: Snapshot, situation: Situation, policyOf: PolicyOf, assumed: Omit<Assumed, "note">) {
    this.#snapshot = snapshot;
    this.#situation = situation;
    this.#policyOf = policyOf;
    this.#assumed = { ...assumed, note: (text) => this.#note(text) };
  }

  #note(text: string): void {
    if (!this.assumptions.includes(text)) this.assumptions.push(text);
  }

  /** Runs an edge without routes. */
  connection(edge: Exclude<Edge, HttpsEdge>): Outcome {
    if (!isEnforced(edge)) return this.#unserved([edge.id]);
    const ended =
      this.#handshake(edge) ??
      this.#restriction(edge.ip_restriction, "closed") ??
      this.#policy(edge, "on_tcp_connect");
    return ended?.outcome ?? this.#upstream(edge.backend.backend_id, null);
  }

  /**
   * Runs the route of an edge that gets the request.
   *
   * @param hostport where the request arrives, in canonical form
   * @param sent the header lines of the client
   */
  request(edge: HttpsEdge, hostport: string, sent: HeaderLine[]): { outcome: Outcome; route?: Route } {
    const handshake = this.#handshake(edge);
    if (handshake) return handshake;
    const rejection = rejectionOf(this.#situation, sent, edge, hostport);
    if (rejection) return this.#own(rejection.by, rejection.status);
    const path = readTarget(this.#situation.target) ?? "";
    const route = new RoutesByPlace(edge.routes).at({ match_type: "exact_path", path });
    return route ? { outcome: this.#route(route), route } : this.#own("routes", 404);
  }

  #route(route: Route): Outcome {
    if (!route.backend || !isEnforced(route)) return this.#unserved([route.id]);
    const ended =
      this.#restriction(route.ip_restriction, "response") ??
      this.#userAgents(route.user_agent_filter) ??
      this.#policy(route, "on_http_request");
    if (ended) return ended.outcome;
    if (route.circuit_breaker) {
      this.steps.push({ module: "circuit_breaker", verdict: "pass" });
      this.#note("The circuit breaker is closed.");
    }
    this.#change(this.#situation.headers, route.request_headers, "request_headers");
    return this.#upstream(route.backend.backend_id, route);
  }

  #unserved(objects: string[]): Outcome {
    return {
      kind: "not_served",
      problems: problemsOf(this.#snapshot).filter(({ object }) => objects.includes(object)),
    };
  }

  #response(by: string, status: number, headers: HeaderLine[] = [], body = ""): Ended {
    return {
      outcome: {
        kind: "response",
        by,
        status_code: status,
        headers: readable(headers),
        body: textOf(body),
      },
    };
  }

  /** A response of the edge itself. */
  #own(by: string, status: number): Ended {
    const { headers, body } = ownResponse(status);
    return this.#response(by, status, headers, body);
  }

  #handshake(edge: Edge): Ended | undefined {
    if (edge.kind === "tcp" || !edge.mutual_tls) return undefined;
    const isPresent = this.#situation.tls?.clientCommonName !== undefined;
    this.steps.push({ module: "mutual_tls", verdict: isPresent ? "pass" : "reject" });
    if (!isPresent) return { outcome: { kind: "closed", by: "mutual_tls" } };
    this.#note("The client's certificate is one of the edge's certificate authorities.");
    return undefined;
  }

  #restriction(module: IpRestriction | undefined, end: "closed" | "response"): Ended | undefined {
    if (!module) return undefined;
    const policies = module.ip_policy_ids.flatMap((id) => this.#snapshot.ip_policies[id] ?? []);
    const networks = new Set(this.#situation.client.networks);
    const isIn = (ranges: string[]): boolean => ranges.some((range) => networks.has(range));
    const isDenied = policies.some(({ deny }) => isIn(deny));
    const isAllowed = !isDenied && policies.some(({ allow }) => isIn(allow));
    const reason = isDenied ? "deny_rule" : isAllowed ? "allow_rule" : "no_matching_rule";
    this.steps.push({ module: "ip_restriction", verdict: isAllowed ? "pass" : "reject", reason });
    if (isAllowed) return undefined;
    return end === "closed"
      ? { outcome: { kind: "closed", by: "ip_restriction" } }
      : this.#own("ip_restriction", 403);
  }

  #userAgents(module: UserAgentFilter | undefined): Ended | undefined {
    if (!module) return undefined;
    const { headers, matching } = this.#situation;
    const lines = headers.flatMap(([name, value]) => (name === "user-agent" ? [value] : []));
    const agent = lines.at(-1) ?? "";
    const matches = (patterns: string[] | null): boolean =>
      (patterns ?? []).some((pattern) => {
        try {
          return matching.matches(bytesOf(pattern), agent);
        } catch (error) {
          if (error instanceof Error && error.message.includes("steps")) throw error;
          this.#note(`The user agent does not match ${pattern}, which only the proxy can evaluate.`);
          return false;
        }
      });
    const isAllowed = matches(module.allow);
    const isRejected = !isAllowed && (lines.length === 0 || agent.length > 1024 || matches(module.deny));
    this.steps.push({ module: "user_agent_filter", verdict: isRejected ? "reject" : "pass" });
    return isRejected ? this.#own("user_agent_filter", 403) : undefined;
  }

  #policy(owner: Edge | Route, phase: Phase): Ended | undefined {
    const compiled = this.#policyOf("traffic_policy" in owner ? owner : {});
    if (!compiled?.program) return undefined;
    const { steps, end } = runPhase(compiled.program, phase, this.#situation, this.#assumed);
    for (const step of steps) this.steps.push(stepOf(step, phase, compiled));
    return end && this.#ended(end);
  }

  #ended(end: End): Ended {
    return end.kind === "closed"
      ? { outcome: { kind: "closed", by: "traffic_policy" } }
      : this.#response("traffic_policy", end.status, end.headers, end.body);
  }

  /** Removes headers, then sets others in place of existing ones. */
  #change(headers: HeaderLine[], module: HeaderChanges | undefined, name: string): void {
    if (!module) return;
    const added = linesOf(module.add ?? {});
    // Of a request, headers go in every spelling that a server with CGI names reads as the same.
    const spelled = name === "request_headers" ? asInCgi : (each: string) => each.toLowerCase();
    const gone = new Set([...(module.remove ?? []), ...added.map(([each]) => each)].map(spelled));
    const kept = headers.filter(([each]) => !gone.has(spelled(each)));
    headers.splice(0, headers.length, ...kept, ...added);
    this.steps.push({ module: name, verdict: "pass" });
  }

  /** The addresses that a backend can send the request to. */
  #addresses(id: string, seen = new Set<string>()): string[] {
    const backend = this.#snapshot.backends[id];
    if (!backend || seen.has(id)) return [];
    seen.add(id);
    if (backend.kind === "static") return [backend.address];
    return childrenOf(backend).flatMap((each) => this.#addresses(each, seen));
  }

  /** @param route undefined for an edge without routes */
  #upstream(id: string, route: Route | null): Outcome {
    const backend = this.#snapshot.backends[id];
    if (backend?.kind === "http_response") {
      const headers = linesOf(backend.headers);
      this.#situation.response = { status: backend.status_code, headers };
      const ended = route && this.#policy(route, "on_http_response");
      if (ended) return ended.outcome;
      if (route) this.#change(headers, route.response_headers, "response_headers");
      return this.#response("backend", backend.status_code, headers, bytesOf(backend.body)).outcome;
    }
    const common = { kind: "upstream" as const, backend_id: id, addresses: this.#addresses(id) };
    const { method, target, headers, response } = this.#situation;
    if (!route) return { ...common, request: null, response: null };
    const request = { method, url: textOf(target), headers: readable(headers) };
    const ended = this.#policy(route, "on_http_response");
    if (ended) return ended.outcome;
    const lines = response?.headers ?? [];
    this.#change(lines, route.response_headers, "response_headers");
    return {
      ...common,
      request,
      response: { status_code: response?.status ?? 200, headers: readable(response?.headers ?? []) },
    };
  }
}

/** Headers as lines in bytes. */
const linesOf = (headers: Record<string, string>): HeaderLine[] =>
  Object.entries(headers).map(([name, value]) => [name.toLowerCase(), bytesOf(value)]);

const readable = (lines: HeaderLine[]): [string, string][] =>
  lines.map(([name, value]) => [name, textOf(value)]);

/** Whether the policy of an edge or a route, if there is one, can be enforced there. */
const isEnforced = ({ traffic_policy: policy }: Pick<Route, "traffic_policy">): boolean =>
  policy === undefined || policy.program !== undefined;

const FAILED = { error: { offset: 0, msg: "The expression ends in an error on this request." } };

const verdict = (value: boolean | undefined) => value ?? FAILED;

/** A rule's step, with its texts. */
function stepOf(
  { rule, name, expressions, holds, actions }: RuleStep,
  phase: Phase,
  { rules }: Compiled,
): Step {
  const outline = rules.find((each) => each.phase === phase && each.index === rule);
  return {
    module: "traffic_policy",
    phase,
    rule,
    name,
    holds: verdict(holds),
    expressions: expressions.map((value, index) => ({
      text: outline?.expressions[index]?.text ?? "",
      value: verdict(value),
    })),
    actions: actions.map(({ ran, effect }, index) => ({
      type: outline?.actions[index]?.type ?? "",
      ran,
      effect,
    })),
  };
}

/** What the policy of an edge or a route is compiled for. */
export const targetOf = (edge: Edge): PolicyOwner =>
  edge.kind === "https" ? "https_edge_route" : edge.kind === "tls" ? "tls_edge" : "tcp_edge";
