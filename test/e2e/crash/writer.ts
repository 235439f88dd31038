import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../support/json.ts";
import { Random } from "../support/random.ts";
import type { RunningWorker } from "../support/workerd.ts";
import { ADDED_SOURCE, asRequested, asShown, type Collection, collections } from "./collections.ts";
import { type Answer, asText, type Kept, type Run, send, Unanswered, type Write } from "./run.ts";

const OBJECTS = 30;

/** Errors that another writer's requests can cause. */
const REJECTIONS =
  /ERR_UNKNOWN_REFERENCE|ERR_IN_USE|ERR_CONFLICT|must not contain itself|This bot user is inactive/;

/** A client that sends one request at a time, and keeps it until its outcome is known. */
export class Writer {
  /** The write with an unknown outcome. */
  pending: Write | undefined;
  readonly #run: Run;
  readonly #random: Random;
  readonly #name: string;
  readonly #own = new Set<string>();
  #nonces = 0;
  #lastKey = "";

  constructor(run: Run, index: number) {
    this.#run = run;
    this.#random = new Random(run.seed * 1_000 + index + 1);
    this.#name = `n${run.seed.toString(36)}x${index.toString(36)}x`;
  }

  /** Writes until a request remains unanswered. */
  async write(worker: RunningWorker): Promise<void> {
    try {
      for (;;) {
        this.pending ??= this.#next();
        await this.#attempt(worker, this.pending);
        if (this.#random.below(20) === 0) await this.#createAgain(worker);
      }
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
    }
  }

  /** Sends the pending write, if there is one, until its outcome is known. */
  async finish(worker: RunningWorker): Promise<void> {
    while (this.pending) await this.#attempt(worker, this.pending);
  }

  /**
   * Drops the pending write or keeps it for repetition. Called when the comparison has found out whether it took effect.
   */
  dropOrRepeat(): void {
    const write = this.pending;
    if (!write) return;
    this.#run.figures[write.isDone ? "done" : "absent"] += 1;
    if (write.key !== undefined || this.#random.below(2) === 0) return;
    if (write.isDone && write.object.id !== undefined) this.#run.carriedOut(write, write.object.id);
    this.pending = undefined;
  }

  async #attempt(worker: RunningWorker, write: Write): Promise<void> {
    const run = this.#run;
    write.unanswered += 1;
    let answer: Answer;
    try {
      answer = await send(worker, write);
    } catch (error) {
      run.figures.unanswered += 1;
      throw error;
    }
    // The request had no effect, or it is unknown whether it had.
    if (answer.status === 503) return sleep(20);
    if (answer.isReplay) run.figures.replayed += 1;
    const mayBeDone = write.isDone || write.unanswered > 1;
    const evidence = [`${write.method} ${write.path}`, write.body ?? {}, answer];
    if (answer.status === 400 || answer.status === 409) {
      run.figures.rejected += 1;
      if (!REJECTIONS.test(answer.text)) run.violated("rejected without a reason", ...evidence);
      if (write.key === undefined && mayBeDone) await this.#look(worker, write);
      if (write.key !== undefined && write.isDone) this.#otherObject(write, answer);
      this.pending = undefined;
      return;
    }
    this.pending = undefined;
    run.figures.acknowledged += 1;
    if (write.method === "DELETE") {
      // A module can be deleted twice, but not an object or a source.
      const isOnce =
        write.object.collection !== undefined &&
        (write.after === undefined || write.path.includes("/sources/"));
      const expected = isOnce && write.isDone ? [404] : isOnce && mayBeDone ? [204, 404] : [204];
      if (!expected.includes(answer.status)) run.violated(`not ${expected.join(" or ")}`, ...evidence);
      run.carriedOut(write, write.object.id ?? "");
      return;
    }
    if (answer.status !== (write.method === "POST" ? 201 : 200))
      return run.violated("not a success", ...evidence);
    this.#acknowledged(write, answer);
  }

  #acknowledged(write: Write, answer: Answer): void {
    const run = this.#run;
    const object: Json = JSON.parse(answer.text);
    // If a module or a source is written, the response contains only that.
    const isWhole = write.path === write.object.path;
    if (isWhole && !isDeepStrictEqual(asRequested(object), write.after))
      run.violated("acknowledged with other members than requested", write, answer);
    if (write.key === undefined)
      return run.carriedOut(write, write.object.id ?? "", isWhole ? asText(object) : undefined);
    const id = String(object["id"]);
    if (write.isDone && write.object.id !== id) this.#otherObject(write, answer);
    Object.assign(run.creates.get(write.key) ?? {}, { id, shown: asText(object) });
    this.#own.add(id);
    this.#lastKey = write.key;
    run.carriedOut(write, id, asText(object));
  }

  /** A create took effect, but its repetition was not replayed. */
  #otherObject(write: Write, answer: Answer): void {
    const { id = "" } = write.object;
    this.#run.violated(`several objects with one key: ${id} already existed`, write, answer);
    this.#run.carriedOut(write, id);
  }

  /** Finds out the outcome of a write by reading. */
  async #look(worker: RunningWorker, write: Write): Promise<void> {
    const { id = "", path } = write.object;
    const { status, text } = await send(worker, { method: "GET", path });
    const members = status === 404 ? undefined : asRequested(JSON.parse(text));
    if (isDeepStrictEqual(members, write.before)) return;
    if (isDeepStrictEqual(members, write.after)) return this.#run.carriedOut(write, id);
    this.#run.violated("neither as before nor as requested", write, text);
  }

  /** Repeats an acknowledged create with its key: it must return the same response and must not create another object. */
  async #createAgain(worker: RunningWorker): Promise<void> {
    const create = this.#run.creates.get(this.#lastKey);
    if (!create) return;
    const answer = await send(worker, create.write);
    if (answer.status === 503) return;
    this.#run.figures.replayed += 1;
    if (answer.status !== 201 || !answer.isReplay || asText(JSON.parse(answer.text)) !== create.shown)
      this.#run.violated("a repeated create is not replayed", create, answer);
  }

  #next(): Write {
    const own = [...this.#own].flatMap((id) => this.#run.kept.get(id) ?? []);
    const object = this.#oneOf(own);
    const dice = this.#random.below(100);
    if (dice < 8) {
      // Policies, bots and HTTPS edges, whose rules, keys and routes are deleted with them, are rare among all objects.
      const owner = this.#oneOf(own.filter(({ id }) => /^(ipp|bot|edghts)_/.test(id)));
      if (owner) return this.#delete(owner);
    }
    if (object && (dice < 15 || own.length > OBJECTS)) return this.#delete(object);
    if (dice < 20) return this.#routeModule();
    if (dice < 45 && object) return this.#patch(object);
    const edge = this.#oneOf(own.filter(({ id }) => /^(edgtcp|edgtls|edghtsrt)_/.test(id)));
    if (dice < 60 && edge) return this.#edgeModule(edge);
    const subscription = this.#oneOf(own.filter(({ id }) => id.startsWith("esb_")));
    if (dice < 68 && subscription) return this.#source(subscription);
    return this.#create();
  }

  #oneOf<T>(list: T[]): T | undefined {
    return list[this.#random.below(Math.max(1, list.length))];
  }

  #nonce(): string {
    this.#nonces += 1;
    return `${this.#name}${this.#nonces.toString(36)}x`;
  }

  #body(collection: Collection, nonce: string): Json | undefined {
    const { kept } = this.#run;
    const own = [...this.#own].filter((id) => kept.has(id));
    return collection.body(nonce, {
      policies: own.filter((id) => id.startsWith("ipp_")),
      bots: own.filter((id) => id.startsWith("bot_")),
      backends: [...kept.keys()].filter((id) => id.startsWith("bkd")),
      destinations: [...kept.keys()].filter((id) => id.startsWith("ed_")),
      below: (n) => this.#random.below(n),
    });
  }

  /** The owner of a new object; undefined if there is none, or if none is needed. */
  #ownerFor(collection: Collection | undefined): string | undefined {
    const { within } = collection ?? {};
    if (within === undefined) return undefined;
    return this.#oneOf([...this.#own].filter((id) => id.startsWith(within) && this.#run.kept.has(id)));
  }

  #create(): Write {
    const key = this.#nonce();
    for (;;) {
      const collection = this.#oneOf(collections);
      const owner = this.#ownerFor(collection);
      const body = collection && this.#body(collection, key);
      if (!body || (collection.within !== undefined && owner === undefined)) continue;
      const path = collection.path.replace(/\{\w+\}/, owner ?? "");
      const object = { id: undefined, path, collection };
      const write = {
        ...begun(object, undefined),
        method: "POST",
        path: object.path,
        body,
        key,
        after: { ...asShown(body), ...(owner !== undefined && { edge_id: owner }) },
      };
      this.#run.creates.set(key, { write });
      return write;
    }
  }

  #patch(object: Kept): Write {
    const { collection, members } = object;
    const all = Object.entries((collection && this.#body(collection, this.#nonce())) ?? {});
    const body = Object.fromEntries(
      all.filter(([name]) => !collection?.fixed.includes(name) && this.#random.below(4) > 0),
    );
    return { ...begun(object, members), method: "PATCH", body, after: { ...members, ...asShown(body) } };
  }

  #delete(object: Kept): Write {
    const isTaken = ({ collection, members }: Kept): boolean =>
      collection?.deletedWith !== undefined && members[collection.deletedWith] === object.id;
    const takes = [...this.#run.kept.values()].filter(isTaken).map(({ id }) => id);
    return { ...begun(object, object.members), takes };
  }

  #edgeModule(object: Kept): Write {
    const { members, path } = object;
    const write = begun(object, members);
    if (this.#random.below(2) === 0) {
      const { ip_restriction: _, ...after } = members;
      return { ...write, path: `${path}/ip_restriction`, after };
    }
    const traffic_policy = { value: this.#nonce() };
    const after = { ...members, traffic_policy };
    return { ...write, method: "PUT", path: `${path}/traffic_policy`, body: traffic_policy, after };
  }

  /** Adds a source to an event subscription, or removes it. */
  #source(object: Kept): Write {
    const { members, path } = object;
    const write = begun(object, members);
    const body = { type: ADDED_SOURCE };
    const sources: Json[] = members["sources"];
    const others = sources.filter(({ type }) => type !== ADDED_SOURCE);
    if (others.length < sources.length)
      return { ...write, path: `${path}/sources/${ADDED_SOURCE}`, after: { ...members, sources: others } };
    const after = { ...members, sources: [...sources, body] };
    return { ...write, method: "POST", path: `${path}/sources`, body, after };
  }

  /** Writes a module of a route that is managed elsewhere. The first PUT creates the row. */
  #routeModule(): Write {
    const route = `edghtsrt_${this.#name}${this.#random.below(3)}`;
    const path = `/edges/https/edghts_${this.#name}/routes/${route}/request_headers`;
    const write = begun({ id: path, path, collection: undefined }, this.#run.kept.get(path)?.members);
    if (this.#random.below(3) === 0) return write;
    const nonce = this.#nonce();
    const body = { add: { "X-Nonce": nonce }, remove: [nonce] };
    return { ...write, method: "PUT", body, after: body };
  }
}

/** The default fields of a write: a deletion. */
const begun = (object: Write["object"], before: Json | undefined): Write => ({
  method: "DELETE",
  path: object.path,
  object,
  before,
  after: undefined,
  takes: [],
  unanswered: 0,
  isDone: false,
});
