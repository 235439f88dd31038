import { isIdOf } from "../../../src/ids.ts";
import type { Problem } from "./snapshot.ts";

/*
 * Configuration that is not served as written, or not at all, with the reason. At most one problem per object and code.
 */

/** What each code means, for the documentation. */
export const problemCodes = {
  hostport_taken: "An edge that was created earlier has the same hostport and gets its traffic.",
  port_taken:
    "An edge that was created earlier listens on the same port, and nothing in a connection would tell which of the two is meant: a TCP edge shares its port with no other edge.",
  backend_not_set: "The edge is not served, or the route answers 503: it has no enabled backend.",
  backend_unusable:
    "The edge is not served, or the route answers 503: its backend does not exist, or has nothing in it that can be served.",
  backend_missing: "One of the backends in this backend does not exist: it is left out.",
  response_impossible:
    "The response has a status from 100 to 199, which is never a final response: it is left out.",
  policy_missing: "The IP restriction has a policy that does not exist: it counts as one without rules.",
  authority_missing:
    "The edge is not served: mutual TLS has no certificate authority, or one that is not here, so that it cannot be enforced.",
  mutual_tls_not_terminated:
    "The edge is not served: mutual TLS is enabled, but TLS is passed through, so that it cannot be enforced.",
  response_not_terminated:
    "The edge is not served: TLS is passed through, and a fixed response can only be given where it is terminated.",
  traffic_policy_not_enforced:
    "The traffic policy is enabled and nothing interprets it: the edge is not served, or the route answers 503, unless whatever serves it was told to leave traffic policies aside.",
  webhook_not_verified: "The route answers 503: webhook verification is enabled and nothing enforces it.",
} as const;

export type ProblemCode = keyof typeof problemCodes;

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

/** What a code means for an object: an edge or a route. */
const meaningFor = (object: string, code: ProblemCode): string =>
  problemCodes[code].replace(EITHER, (_, start: string) =>
    isIdOf("https_edge_route", object) ? `${start}he route answers 503` : `${start}he edge is not served`,
  );
const EITHER = /([Tt])he edge is not served, or the route answers 503/;

function inWords(details: string[]): string {
  if (details.length === 0) return "";
  const others = details.length > NAMED ? ` and ${details.length - NAMED} more` : "";
  return ` ${details.slice(0, NAMED).join("; ")}${others}.`;
}

/** The order of problems. */
export const byObjectAndCode = (a: Omit<Problem, "msg">, b: Omit<Problem, "msg">): number =>
  a.object === b.object ? compare(a.code, b.code) : compare(a.object, b.object);

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
