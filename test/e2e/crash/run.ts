import type { Json } from "../../support/json.ts";
import type { RunningWorker } from "../support/workerd.ts";
import type { Collection } from "./collections.ts";

/*
 * The state of one run: acknowledged writes, counts and violations.
 */

export const ROOT_API_KEY = "key-of-the-crash-test";

/** An acknowledged object, or a module of an HTTPS edge's route, with its path as the id. */
export interface Kept {
  id: string;
  path: string;
  collection: Collection | undefined;
  members: Json;
  /** The text of the last response that contained it; undefined if no response contained all of it. */
  shown: string | undefined;
}

/** A write with an unknown outcome. */
export interface Write {
  method: string;
  path: string;
  body?: Json;
  /** For creates only: the Idempotency-Key, which is also the nonce. */
  key?: string;
  /** The object that it writes. The object of a create has no id yet. */
  object: { id: string | undefined; path: string; collection: Collection | undefined };
  /** The object's fields without and with the write; undefined if the object does not exist. */
  before: Json | undefined;
  after: Json | undefined;
  /** Ids of the objects that a deletion also deletes. */
  takes: string[];
  /** The number of attempts without a response since it was last known not to have taken effect. */
  unanswered: number;
  /** True if it has taken effect without an acknowledgement. */
  isDone: boolean;
}

export interface Create {
  write: Write;
  /** Its object and the response text, once acknowledged. */
  id?: string;
  shown?: string;
}

export class Run {
  readonly kept = new Map<string, Kept>();
  /** Ids of objects whose deletion was acknowledged. */
  readonly deleted = new Set<string>();
  readonly creates = new Map<string, Create>();
  readonly violations: string[] = [];
  readonly figures = {
    acknowledged: 0,
    rejected: 0,
    unanswered: 0,
    done: 0,
    absent: 0,
    compared: 0,
    replayed: 0,
  };
  readonly seed: number;

  constructor(seed: number) {
    this.seed = seed;
  }

  violated(rule: string, ...evidence: unknown[]): void {
    const words = evidence.map((one) => (typeof one === "string" ? one : JSON.stringify(one)).slice(0, 700));
    this.violations.push([rule, ...words].join("\n    "));
  }

  /** Records the effect of a write. */
  carriedOut(write: Write, id: string, shown?: string): void {
    const { path, collection } = write.object;
    if (write.after) {
      const own = write.key === undefined ? path : `${path}/${id}`;
      this.kept.set(id, { id, path: own, collection, members: write.after, shown });
      return;
    }
    for (const removed of [id, ...write.takes]) {
      this.kept.delete(removed);
      if (collection) this.deleted.add(removed);
    }
  }
}

const ANSWER_WITHIN_MILLISECONDS = 20_000;

/** No response arrived. */
export class Unanswered extends Error {}

export interface Answer {
  status: number;
  text: string;
  etag: string;
  isReplay: boolean;
}

/** Sends one request; rejects with Unanswered unless the whole response arrives. */
export async function send(
  worker: RunningWorker,
  {
    method,
    path,
    body,
    key,
    ifMatch,
  }: Pick<Write, "method" | "path" | "body" | "key"> & { ifMatch?: string },
): Promise<Answer> {
  try {
    const response = await fetch(worker.origin + path, {
      method,
      headers: {
        Authorization: `Bearer ${ROOT_API_KEY}`,
        "Service-Version": "2",
        "Content-Type": "application/json",
        ...(key !== undefined && { "Idempotency-Key": key }),
        ...(ifMatch !== undefined && { "If-Match": ifMatch }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MILLISECONDS),
    });
    const text = await response.text();
    return {
      status: response.status,
      text,
      etag: response.headers.get("ETag") ?? "",
      isReplay: response.headers.get("Idempotent-Replayed") === "true",
    };
  } catch (error) {
    throw new Unanswered("no answer", { cause: error });
  }
}

/**
 * An object byte for byte as in responses, except the token, which only the response to its creation contains, and the routes
 * of an edge, which are separate objects.
 */
export const asText = ({ routes: _, ...object }: Json): string =>
  JSON.stringify("token" in object ? { ...object, token: null } : object);
