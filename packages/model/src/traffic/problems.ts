import * as z from "zod";
import { exampleId, isIdOf } from "../ids.ts";
import { object } from "../schemas.ts";

/*
 * Configuration that is not served as written, or not at all, with the reason. At most one problem per object and code.
 */

/** The meaning of each code, for the documentation. */
export const problemCodes = {
  hostport_taken: "An older edge has the same hostport and gets its traffic.",
  port_taken:
    "An older edge listens on the same port. A TCP edge cannot share a port with another edge, because nothing in a connection shows which of them is meant.",
  backend_not_set: "The edge is not served, or the route returns 503: it has no enabled backend.",
  backend_unusable:
    "The edge is not served, or the route returns 503: its backend does not exist, or contains nothing that can be served.",
  backend_missing: "This backend contains a backend that does not exist, which is left out.",
  response_impossible:
    "The response is left out: its status is from 100 to 199, which is never the status of a final response.",
  policy_missing:
    "The IP restriction refers to a policy that does not exist, which counts as a policy without rules.",
  authority_missing:
    "The edge is not served: its mutual TLS has no certificate authority, or one that does not exist here, so it cannot be enforced.",
  mutual_tls_not_terminated:
    "The edge is not served: mutual TLS is enabled, but cannot be enforced, because TLS is passed through.",
  response_not_terminated:
    "The edge is not served: TLS is passed through, but its backend contains a fixed response, which requires TLS termination.",
  traffic_policy_invalid:
    "The edge is not served, or the route returns 503: its traffic policy breaks a rule of the language.",
  traffic_policy_not_enforced:
    "The edge is not served, or the route returns 503: its traffic policy contains something that cannot be enforced.",
  traffic_policy_partly_enforced: "Actions of the traffic policy that change nobody's access are left out.",
  match_taken:
    "The route returns 503: another route of its edge has a match that is read as the same path, so it is unclear which of them is meant.",
  match_unreadable:
    "The route returns 503: its match cannot be read as a path, for example because of an invalid escape or a segment . or ..",
  webhook_not_verified: "The route returns 503: webhook verification is enabled, but nothing enforces it.",
} as const;

export type ProblemCode = keyof typeof problemCodes;

/** What a problem does to its object: the edge is not served, the route returns 503, the rest of the object is served, or all of it. */
const EFFECTS = ["not_served", "answers_503", "partly", "warning"] as const;

const members = () => ({
  object: z.string().describe("Id of the object."),
  code: z.string().describe("A code for programs to act on."),
  msg: z.string().describe("The problem, and what is served instead, for people."),
});
const example = {
  object: exampleId("tcp_edge"),
  code: "backend_not_set",
  msg: "The edge is not served: it has no enabled backend.",
};

/** A problem as snapshots and agents have it. Without its effect, because earlier agents reject fields that they do not know. */
export const plainProblemSchema = z.lazy(() =>
  object(members()).meta({
    id: "PlainProblem",
    description: "Configuration that is not served as written, or not at all.",
    examples: [example],
  }),
);

/** A problem as people read it. */
export const problemSchema = z.lazy(() =>
  object({
    ...members(),
    effect: z
      .enum(EFFECTS)
      .describe(
        "What it does to the object. `not_served`: the edge is not served. `answers_503`: the route returns 503. `partly`: something is left out, and the rest is served. `warning`: the object is served as written.",
      ),
  }).meta({
    id: "Problem",
    description: "Configuration that is not served as written, or not at all, and what that means.",
    examples: [{ ...example, effect: "not_served" }],
  }),
);

export type Problem = z.output<typeof plainProblemSchema>;
export type JudgedProblem = z.output<typeof problemSchema>;
type Effect = JudgedProblem["effect"];

/** The codes of problems that have something left out of an object that is served otherwise. */
const IN_PART: ReadonlySet<string> = new Set<ProblemCode>([
  "backend_missing",
  "policy_missing",
  "response_impossible",
  "traffic_policy_partly_enforced",
]);
/** The codes of problems of some hostports of an edge, which is served on the others. */
const OF_HOSTPORTS: ReadonlySet<string> = new Set([
  "hostport_taken",
  "port_taken",
  "not_in_traefik_ip_address_host",
]);

/**
 * Problems with their effects.
 *
 * @param isServed whether an edge is served on at least one of its hostports
 */
export const judged = (problems: Problem[], isServed: (edge: string) => boolean): JudgedProblem[] =>
  problems.map((problem) => ({ ...problem, effect: effectOf(problem, isServed) }));

/** The problems of a snapshot with their effects. */
export function problemsOf({
  edges,
  problems,
}: {
  edges: { id: string }[];
  problems: Problem[];
}): JudgedProblem[] {
  const served = new Set(edges.map(({ id }) => id));
  return judged(problems, (edge) => served.has(edge));
}

function effectOf({ object, code }: Problem, isServed: (edge: string) => boolean): Effect {
  if (IN_PART.has(code)) return "partly";
  if (isIdOf("https_edge_route", object)) return "answers_503";
  return OF_HOSTPORTS.has(code) && isServed(object) ? "partly" : "not_served";
}

/** The most details that a problem names. */
const NAMED = 5;

/** Collects problems. */
export class Problems {
  readonly #found = new Map<string, { object: string; code: ProblemCode; details: string[] }>();

  /** @param detail part of a sentence, such as the hostport; added to the code's meaning */
  add(object: string, code: ProblemCode, detail = ""): void {
    const key = `${object} ${code}`;
    const found = this.#found.get(key) ?? { object, code, details: [] };
    if (detail !== "") found.details.push(detail);
    this.#found.set(key, found);
  }

  /** The problems, by object and code. */
  list(): Problem[] {
    return [...this.#found.values()].toSorted(byObjectAndCode).map(({ object, code, details }) => ({
      object,
      code,
      msg: meaningFor(object, code) + inWords(details),
    }));
  }
}

/** The meaning of a code for an object: an edge or a route. */
const meaningFor = (object: string, code: ProblemCode): string =>
  problemCodes[code].replace(
    EITHER,
    isIdOf("https_edge_route", object) ? "The route returns 503" : "The edge is not served",
  );
const EITHER = "The edge is not served, or the route returns 503";

function inWords(details: string[]): string {
  if (details.length === 0) return "";
  const others = details.length > NAMED ? ` and ${details.length - NAMED} more` : "";
  return ` Details: ${details.slice(0, NAMED).join("; ")}${others}.`;
}

/** The order of problems. */
export const byObjectAndCode = (a: Omit<Problem, "msg">, b: Omit<Problem, "msg">): number =>
  a.object === b.object ? compare(a.code, b.code) : compare(a.object, b.object);

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
