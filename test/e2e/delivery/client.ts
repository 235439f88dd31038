import { kinds } from "../../../packages/model/src/kinds.ts";
import type { Json } from "../../support/json.ts";
import type { Random } from "../support/random.ts";

/*
 * An API client that changes objects of several kinds, and records the event that each acknowledged change must have.
 */

/** The response to a request; undefined if none arrived. */
export type Call = (
  method: string,
  path: string,
  body?: Json,
  key?: string,
) => Promise<{ status: number; operationId: string; isReplay: boolean; body: Json } | undefined>;

/** An acknowledged change. */
export interface Change {
  type: string;
  uri: string;
  /** Undefined if an earlier request without a response has made the change. */
  operationId: string | undefined;
}

interface Own {
  kind: keyof typeof bodies;
  path: string;
  body: Json;
}

type Bodies = Record<string, (nonce: string, one: (kind: string) => Json | undefined) => Json | undefined>;

/** Bodies for POST, by kind; undefined if the objects it needs do not exist yet. */
const bodies = {
  ip_policy: (description) => ({ description }),
  ip_policy_rule: (description, one) => {
    const policy = one("ip_policy");
    return policy && { description, cidr: "10.0.0.0/8", action: "deny", ip_policy_id: policy["id"] };
  },
  tcp_edge: (description, one) => {
    const backend = one("http_response_backend");
    return {
      description,
      hostports: ["a.example.com:443"],
      ...(backend && { backend: { backend_id: backend["id"] } }),
    };
  },
  https_edge: (description) => ({ description, hostports: ["b.example.com:443"] }),
  https_edge_route: (description, one) =>
    one("https_edge") && { description, match_type: "path_prefix", match: `/${description}` },
  http_response_backend: (body) => ({ body, status_code: 503 }),
  bot_user: (name) => ({ name }),
  api_key: (description, one) => {
    const owner = one("bot_user");
    return owner && { description, owner_id: owner["id"], role: "viewer" };
  },
} as const satisfies Bodies;

const KINDS = Object.keys(bodies) as (keyof typeof bodies)[];

/** The field that PATCH changes. */
const CHANGED: Record<string, string> = { http_response_backend: "body", bot_user: "name" };

/** The maximum number of a client's objects. */
const MOST = 60;

/** Rejections of requests that could succeed at another time. Nothing is changed. */
const REFUSED = new Set([409, 503]);

export class Client {
  readonly changes: Change[] = [];
  /** Requests without a response, which may have changed something. */
  unanswered = 0;
  readonly #own = new Map<string, Own>();
  readonly #call: Call;
  readonly #random: Random;
  readonly #name: string;
  #nonces = 0;

  /** @param name the start of the texts in its objects */
  constructor(name: string, call: Call, random: Random) {
    this.#name = name;
    this.#call = call;
    this.#random = random;
  }

  /** Makes one change, or none if it is rejected or gets no response. */
  async change(): Promise<void> {
    const dice = this.#random.below(100);
    const own = this.#one();
    if (!own || (dice < 35 && this.#own.size < MOST)) return this.#create();
    const { kind, path } = own;
    if (dice < 50) return this.#delete(own);
    if (dice < 70 && kind === "tcp_edge") {
      if (await this.#send("PUT", `${path}/traffic_policy`, { value: this.#nonce() }, own)) return undefined;
    }
    await this.#send("PATCH", path, { [CHANGED[kind] ?? "description"]: this.#nonce() }, own);
  }

  #nonce(): string {
    this.#nonces += 1;
    return `${this.#name}x${this.#nonces}`;
  }

  #one(kind?: string): Own | undefined {
    const some = [...this.#own.values()].filter((own) => kind === undefined || own.kind === kind);
    return some[this.#random.below(Math.max(1, some.length))];
  }

  /** Creates an object, and repeats the request with its key until there is a response. */
  async #create(): Promise<void> {
    const kind = KINDS[this.#random.below(KINDS.length)] ?? "ip_policy";
    const key = this.#nonce();
    let edge: Json | undefined;
    const body = bodies[kind](key, (other) => {
      const found = this.#one(other)?.body;
      if (other === "https_edge") edge = found;
      return found;
    });
    if (!body) return;
    const path = kinds[kind].path.replace("{edge_id}", edge?.["id"]);
    for (;;) {
      const answer = await this.#call("POST", path, body, key);
      if (!answer || answer.status === 503) {
        this.unanswered += 1;
        continue;
      }
      if (answer.status !== 201)
        throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      const { isReplay, operationId, body: created } = answer;
      const own = new URL(created["uri"]).pathname;
      this.#own.set(own, { kind, path: own, body: created });
      this.changes.push({
        type: `${kind}_created.v0`,
        uri: created["uri"],
        operationId: isReplay ? undefined : operationId,
      });
      return;
    }
  }

  async #delete(own: Own): Promise<void> {
    const isDone = await this.#send("DELETE", own.path, undefined, own);
    if (!isDone) return;
    this.#forget(own);
  }

  /** Forgets an object and the objects that are deleted with it. */
  #forget({ path, body: { id } }: Own): void {
    this.#own.delete(path);
    for (const [other, { path: theirs, body }] of this.#own)
      if (theirs.startsWith(`${path}/`) || body["ip_policy"]?.id === id || body["owner_id"] === id)
        this.#own.delete(other);
  }

  /** True if the change was made. An object with an unknown outcome is not used any more. */
  async #send(method: string, path: string, body: Json | undefined, own: Own): Promise<boolean> {
    const answer = await this.#call(method, path, body);
    if (!answer || answer.status === 503) {
      this.unanswered += 1;
      this.#forget(own);
      return false;
    }
    const { status, operationId } = answer;
    if (REFUSED.has(status)) return false;
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer.body)}`);
    this.changes.push({
      type: `${own.kind}_${method === "DELETE" ? "deleted" : "updated"}.v0`,
      uri: own.body["uri"],
      operationId,
    });
    return true;
  }
}
