import type { Action, HeaderParts, Phase, Program, Rule, To } from "./base/program.ts";
import { asInCgi } from "./client_headers.ts";
import {
  bytesOf,
  composed,
  encodedControls,
  holds,
  keptText,
  type HeaderLine,
  linesOf,
  type Situation,
  textIn,
  textOf,
} from "./evaluate.ts";
import { ownResponse } from "./own_responses.ts";

/*
 * Runs a policy on a request, step by step, as a proxy does.
 */

/** How a policy handles a request or a connection. */
export type End =
  | { kind: "response"; status: number; headers: HeaderLine[]; body: string }
  | { kind: "closed" };

/** What an action did. */
interface ActionStep {
  action: Action;
  ran: boolean;
  /** For people and programs: what it changed. It shows no credentials. */
  effect: Record<string, unknown> | null;
}

export interface RuleStep {
  rule: number;
  name: string | null;
  /** Undefined is an error. */
  expressions: (boolean | undefined)[];
  holds: boolean | undefined;
  actions: ActionStep[];
}

/** What cannot be read off a request, and is assumed instead. */
export interface Assumed {
  /** Requests that a rate limit has let through before, by its name. */
  counts: Record<string, number>;
  /** Whether the signatures of tokens are valid. */
  signatures: boolean;
  sha256: (text: string) => string;
  /** Notes what was assumed. */
  note: (text: string) => void;
}

/** Runs a phase. Returns how it ended, if it did. */
export function runPhase(
  { rules }: Program,
  phase: Phase,
  situation: Situation,
  assumed: Assumed,
): { steps: RuleStep[]; end: End | undefined } {
  const steps: RuleStep[] = [];
  situation.vars.clear();
  situation.kept = {};
  for (const [index, rule] of rules[phase].entries()) {
    const step = begin(rule, index, situation);
    steps.push(step);
    const failed: End = phase === "on_tcp_connect" ? { kind: "closed" } : own(500);
    if (step.holds === undefined) return { steps, end: failed };
    if (!step.holds) continue;
    for (const each of step.actions) {
      each.ran = true;
      const { effect, end, isError } = new Run(situation, assumed, phase).action(each.action);
      each.effect = effect;
      if (isError === true || end) return { steps, end: end ?? failed };
    }
  }
  return { steps, end: undefined };
}

function begin(rule: Rule, index: number, situation: Situation): RuleStep {
  const expressions = rule.expressions.map((expression) => holds(situation, expression));
  return {
    rule: index,
    name: rule.name,
    expressions,
    holds: holds(situation, { op: "and", of: rule.expressions }),
    actions: rule.actions.map((action) => ({ action, ran: false, effect: null })),
  };
}

interface Outcome {
  effect: Record<string, unknown> | null;
  end?: End;
  isError?: true;
}

const response = (status: number, headers: HeaderLine[] = [], body = ""): End => ({
  kind: "response",
  status,
  headers,
  body,
});

/** A response of the edge itself. */
function own(status: number, headers: HeaderLine[] = []): End {
  const { headers: typed, body } = ownResponse(status);
  return response(status, [...typed, ...headers], body);
}

class Run {
  readonly #situation: Situation;
  readonly #assumed: Assumed;
  readonly #phase: Phase;

  constructor(situation: Situation, assumed: Assumed, phase: Phase) {
    this.#situation = situation;
    this.#assumed = assumed;
    this.#phase = phase;
  }

  action(action: Action): Outcome {
    switch (action.do) {
      case "deny":
        return this.#phase === "on_tcp_connect"
          ? { effect: { closed: true }, end: { kind: "closed" } }
          : { effect: { status_code: action.status }, end: own(action.status) };
      case "close":
        return { effect: { closed: true }, end: { kind: "closed" } };
      case "respond": {
        const body = composed(this.#situation, action.body);
        const headers = this.#headers(action.headers);
        const typed: HeaderLine[] =
          body === "" && action.body.length === 0 ? [] : [["content-type", action.type]];
        return {
          effect: { status_code: action.status },
          end: response(action.status, [...typed, ...headers], body),
        };
      }
      case "redirect":
        return this.#redirect(action);
      case "rewrite":
        return this.#rewrite(action.to);
      case "add_headers":
        return this.#add(action.headers);
      case "remove_headers": {
        const lines = this.#lines();
        const spelled = this.#phase === "on_http_response" ? (name: string) => name : asInCgi;
        const gone = new Set(action.names.map(spelled));
        const kept = lines.filter(([name]) => !gone.has(spelled(name)));
        this.#setLines(kept);
        return { effect: { removed: lines.length - kept.length } };
      }
      case "set_vars": {
        for (const { name, value } of action.vars) {
          const { vars } = this.#situation;
          if ("text" in value) vars.set(name, keptText(this.#situation, value.text));
          else vars.set(name, "int" in value ? value.int : value.bool);
        }
        return { effect: { set: action.vars.map(({ name }) => name) } };
      }
      case "restrict_ips":
      case "rate_limit":
      case "basic_auth":
      case "jwt":
        return admit(action, this.#situation, this.#assumed, this.#phase);
      case "compress":
        return { effect: { algorithms: action.algorithms } };
      case "log":
        return { effect: null };
    }
  }

  /** The lines that the actions of this phase change. */
  #lines(): HeaderLine[] {
    const { headers, response } = this.#situation;
    return this.#phase === "on_http_response" ? (response?.headers ?? []) : headers;
  }

  #setLines(lines: HeaderLine[]): void {
    const { response } = this.#situation;
    if (this.#phase !== "on_http_response") this.#situation.headers = lines;
    else if (response) response.headers = lines;
  }

  /** Headers of a response. One whose value comes out empty is left out. */
  #headers(headers: HeaderParts): HeaderLine[] {
    return headers
      .map(([name, parts]): HeaderLine => [name, composed(this.#situation, parts)])
      .filter(([, value]) => value !== "");
  }

  #add(headers: HeaderParts): Outcome {
    const shown: Record<string, string> = {};
    for (const [name, parts] of headers) {
      // The value of one header can refer to another that was added before.
      const value = composed(this.#situation, parts);
      shown[name] = textOf(value);
      const others = name === "host" ? this.#lines().filter(([each]) => each !== "host") : this.#lines();
      this.#setLines([...others, [name, value]]);
    }
    return { effect: { headers: shown } };
  }

  /** The old URL and the new one. */
  #urls(to: To): { before: string; after: string } {
    const host = textIn(this.#situation, { from: "host" }) ?? "";
    const before = `https://${host}${this.#situation.target}`;
    if ("to" in to) return { before, after: keptText(this.#situation, to.to) };
    const replacement = to.replacement.map((part) => (typeof part === "string" ? bytesOf(part) : part));
    return { before, after: this.#situation.matching.replaced(to.pattern, replacement, before) };
  }

  #redirect({ status, to, headers }: Extract<Action, { do: "redirect" }>): Outcome {
    const { before, after } = this.#urls(to);
    if (before === after) return { effect: { location: null } };
    return {
      effect: { status_code: status, location: textOf(after) },
      end: response(status, [["location", encodedControls(after)], ...this.#headers(headers)]),
    };
  }

  #rewrite(to: To): Outcome {
    const target = this.#urls(to).after.replace(/^[a-z]+:\/\/[^/?#]*/, "");
    // No path, or something that would end the request line.
    if (!/^\/[^\p{Cc} #]*$/u.test(target.replaceAll(/[\u0080-\u00FF]/g, "x")))
      return { effect: null, isError: true };
    this.#situation.target = target;
    return { effect: { url: textOf(target) } };
  }
}

type Admission = Extract<Action, { do: "restrict_ips" | "rate_limit" | "basic_auth" | "jwt" }>;

/** Runs an action that decides who is let in. */
function admit(action: Admission, situation: Situation, assumed: Assumed, phase: Phase): Outcome {
  switch (action.do) {
    case "restrict_ips": {
      const isIn = (ranges: readonly string[]): boolean =>
        ranges.some((range) => situation.client.networks.includes(range));
      const isDenied = isIn(action.deny);
      const isAllowed = isIn(action.allow) && !isDenied;
      situation.kept.restrictIpsAction = isAllowed ? "allow" : "deny";
      const effect = { action: situation.kept.restrictIpsAction };
      if (isAllowed || !action.enforce) return { effect };
      return { effect, end: phase === "on_tcp_connect" ? { kind: "closed" } : own(403) };
    }
    case "rate_limit": {
      const count = assumed.counts[action.name] ?? 0;
      assumed.note(`Rate limit ${action.name}: ${count} requests were let through before.`);
      const limited = count >= action.capacity;
      situation.kept.limited = limited;
      const end = own(429, [["retry-after", String(action.seconds)]]);
      return { effect: { limited }, ...(limited && action.enforce && { end }) };
    }
    case "basic_auth": {
      const authorized = isAuthorized(action, situation, assumed);
      situation.kept.authorized = authorized;
      const realm = action.realm.replaceAll(/["\\]/g, String.raw`\$&`);
      const end = own(401, [["www-authenticate", `Basic realm="${realm}"`]]);
      return { effect: { authorized }, ...(!authorized && action.enforce && { end }) };
    }
    case "jwt": {
      const reason = rejectionOf(action, situation, assumed);
      return reason === undefined
        ? { effect: { valid: true } }
        : { effect: { valid: false, reason }, end: own(401) };
    }
  }
}

function isAuthorized(
  { credentials }: Extract<Action, { do: "basic_auth" }>,
  situation: Situation,
  { sha256 }: Assumed,
): boolean {
  const [line, ...more] = linesOf(situation, { from: "header", name: "authorization" });
  const encoded = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(line ?? "")?.[1];
  if (encoded === undefined || more.length > 0 || encoded.length % 4 !== 0) return false;
  const decoded = atobOrNothing(encoded);
  const at = decoded.indexOf(":");
  if (at === -1) return false;
  const digest = sha256(decoded.slice(at + 1));
  return credentials.some((each) => each.user === decoded.slice(0, at) && each.sha256 === digest);
}

function atobOrNothing(text: string): string {
  try {
    return atob(text);
  } catch {
    return "";
  }
}

/** A part of a token, as an object. */
function decodedPart(part: string): Record<string, unknown> | undefined {
  try {
    const text = textOf(atob(part.replaceAll("-", "+").replaceAll("_", "/")));
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value))
      : undefined;
  } catch {
    return undefined;
  }
}

const isTime = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 1e12;

/** Why a token is rejected; undefined if it is accepted. */
function rejectionOf(
  action: Extract<Action, { do: "jwt" }>,
  situation: Situation,
  assumed: Assumed,
): string | undefined {
  const [line, ...more] = linesOf(situation, { from: "header", name: action.header });
  if (line === undefined || more.length > 0) return "There is not exactly one line of the header.";
  if (!line.toLowerCase().startsWith(action.prefix.toLowerCase())) return "The prefix is missing.";
  const [header = "", payload = "", signature = ""] = line.slice(action.prefix.length).split(".");
  const [head, claims] = [decodedPart(header), decodedPart(payload)];
  if (!head || !claims || signature === "") return "It is not a token.";
  const algorithm = head["alg"];
  if (typeof algorithm !== "string" || !action.algorithms.includes(algorithm))
    return "The algorithm is not allowed.";
  assumed.note(`The signature of the token is ${assumed.signatures ? "valid" : "invalid"}.`);
  if (!assumed.signatures) return "The signature is invalid.";
  const issuer = claims["iss"];
  if (typeof issuer !== "string" || !action.issuers.includes(issuer)) return "The issuer is not allowed.";
  const audience = claims["aud"];
  const audiences: unknown[] = Array.isArray(audience) ? audience.slice(0, 10) : [audience];
  if (!audiences.some((each) => typeof each === "string" && action.audiences.includes(each)))
    return "The audience is not allowed.";
  const [expires, begins] = [claims["exp"], claims["nbf"]];
  if (!isTime(expires) || expires <= situation.now) return "It has expired, or has no usable exp.";
  return begins !== undefined && (!isTime(begins) || begins > situation.now)
    ? "It is not valid yet, or has no usable nbf."
    : undefined;
}
