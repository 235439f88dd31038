import type { Problem } from "../../../traffic/src/snapshot.ts";
import type { Listener, PublicKey, RouteConversion } from "./contract.ts";
import { PEERS, sectionText } from "./output.ts";
import type { Part, SectionSet, Several, Websocket } from "./parts.ts";

/*
 * All parts of a configuration together.
 */

export function severalIn(parts: readonly Part[]): Several {
  const servers = new Map<string, SectionSet>();
  const websockets: Websocket[] = [];
  for (const part of parts)
    if (part.is === "servers") servers.set(part.set.name, part.set);
    else if (part.is === "websocket") websockets.push(part.websocket);
  return { servers: [...servers.values()], websockets };
}

export class Collected {
  readonly files = new Map<string, string>();
  readonly listeners: Listener[] = [];
  readonly conversions: RouteConversion[] = [];
  readonly keys: Record<string, readonly PublicKey[]> = {};
  /** Bytes of the largest body that HAProxy must hold in one buffer. */
  largestBody = 0;
  hasTables = false;
  readonly #sections = new Map<string, string>();
  readonly #problems = new Map<string, Problem & { more: number }>();
  readonly #told = new Set<Part>();

  constructor(parts: readonly Part[]) {
    for (const part of parts) this.#add(part);
  }

  #add(part: Part): void {
    switch (part.is) {
      case "section":
        return void this.#sections.set(part.name, part.text);
      case "table":
        this.hasTables = true;
        return this.#table(part.name, part.spec);
      case "file":
        return void this.files.set(part.path, part.content);
      case "problem":
        return this.#problem(part);
      case "listener":
        return void this.listeners.push(part.listener);
      case "conversion":
        return void this.conversions.push(part.conversion);
      case "websocket":
      case "servers":
        // See `severalIn`.
        return undefined;
      case "body":
        this.largestBody = Math.max(this.largestBody, part.bytes);
        return undefined;
      case "keys":
        this.keys[part.url] = part.keys;
        return undefined;
    }
  }

  #table(name: string, spec: string): void {
    const key = `backend ${name}`;
    if (this.#sections.has(key)) return;
    this.#sections.set(key, sectionText("backend", name, [`stick-table ${spec} peers ${PEERS}`]));
  }

  #problem(part: Extract<Part, { is: "problem" }>): void {
    if (this.#told.has(part)) return;
    this.#told.add(part);
    const { object, code, msg } = part;
    const key = `${object} ${code}`;
    const known = this.#problems.get(key);
    if (!known) this.#problems.set(key, { object, code, msg, more: 0 });
    else if (known.msg !== msg) known.more++;
  }

  /** The sections, by kind and name. */
  get sections(): string[] {
    return [...this.#sections].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  }

  /** By object and code. */
  get problems(): Problem[] {
    return [...this.#problems.values()].toSorted(byObjectAndCode).map(withCount);
  }
}

const withCount = ({ object, code, msg, more }: Problem & { more: number }): Problem => ({
  object,
  code,
  msg: more === 0 ? msg : `${msg} (And ${more} more like this.)`,
});

function byObjectAndCode(a: Problem, b: Problem): number {
  if (a.object !== b.object) return a.object < b.object ? -1 : 1;
  return a.code < b.code ? -1 : 1;
}
