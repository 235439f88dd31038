import { byObjectAndCode, type Problem } from "../../../model/src/traffic/problems.ts";
import type { Listener, PublicKey, RouteConversion } from "./contract.ts";
import { PEERS, sectionText } from "./output.ts";
import type { Group, ConfigurationPart, SectionSet, Several, Websocket } from "./parts.ts";

/*
 * All parts of a configuration together.
 */

export function severalIn(groups: readonly Group[]): Several {
  const servers = new Map<string, SectionSet>();
  const websockets: Websocket[] = [];
  for (const part of groups.flatMap((group) => [...group.parts.values()]))
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
  /** Messages by object and code. */
  readonly #problems = new Map<string, { object: string; code: string; messages: Set<string> }>();

  constructor(parts: readonly ConfigurationPart[]) {
    for (const part of parts) this.#add(part);
  }

  #add(part: ConfigurationPart): void {
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

  #problem(part: Extract<ConfigurationPart, { is: "problem" }>): void {
    const { object, code, msg } = part;
    const key = `${object} ${code}`;
    const problem = this.#problems.get(key) ?? { object, code, messages: new Set() };
    problem.messages.add(msg);
    this.#problems.set(key, problem);
  }

  /** The sections, by kind and name. */
  get sections(): string[] {
    return [...this.#sections].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  }

  /** By object and code, each with its first message in alphabetical order and the number of its other messages. */
  get problems(): Problem[] {
    return Array.from(this.#problems.values(), ({ object, code, messages }) => {
      const [first = "", ...others] = [...messages].toSorted();
      const more = others.length === 0 ? "" : ` (And ${others.length} more like this.)`;
      return { object, code, msg: first + more };
    }).toSorted(byObjectAndCode);
  }
}
