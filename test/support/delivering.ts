import { createExecutionContext, createScheduledController, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { clock } from "../../packages/model/src/clock.ts";
import { takeNotes } from "../../src/delivery/notes.ts";
import type { Bindings } from "../../src/http/env.ts";
import worker from "../../src/index.ts";
import { create, get, ORIGIN, requiredHeaders } from "./api.ts";
import { checkDelivered } from "./contract.ts";
import type { Json } from "./json.ts";
import { empty } from "./stored.ts";

/*
 * Webhook receivers for the tests of deliveries, and the two ways in which a delivery starts: after a response, and by
 * the cron trigger.
 */

/** A request to a receiver. */
export interface Received {
  host: string;
  /** The event's id. */
  id: string;
  type: string;
  /** The event. */
  body: Json;
  text: string;
  headers: Headers;
  /** Aborted when the service gives up the request. */
  signal: AbortSignal | null;
}

/** The requests to receivers, in order. */
export const received: Received[] = [];

type Answer = (request: Received) => Response | Promise<Response>;
const accept: Answer = () => new Response(null, { status: 204 });
let answer: Answer = accept;

/** Sets how receivers respond from now on: with 204 by default. */
export const answering = (next: Answer = accept): void => {
  answer = next;
};

/** A response with this status. */
export const status = (code: number, headers: Record<string, string> = {}): Response =>
  new Response(null, { status: code, headers });

/** The number of calls in progress: now, and the peak. */
export const open = { now: 0, most: 0 };

const realNow = clock.now;
const realFetch = globalThis.fetch;
let ahead = 0;

/** Advances the clock immediately. */
export const pass = (milliseconds: number): void => {
  ahead += milliseconds;
};

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Stops the clock until the next test: only {@link pass} advances it, however busy the machine is. */
export function stopClock(): void {
  const stopped = realNow();
  clock.now = () => stopped + ahead;
}

/** Sets up an empty database, receivers that accept everything, and a running clock. */
export async function fresh(): Promise<void> {
  await empty();
  // Removes what earlier tests have recorded, and what the isolate has cached of their subscriptions.
  takeNotes();
  pass(HOUR);
  received.length = 0;
  answering();
  Object.assign(open, { now: 0, most: 0 });
  clock.now = () => realNow() + ahead;
  globalThis.fetch = async (input, init) => {
    const text = await new Response(init?.body ?? "").text();
    const headers = new Headers(init?.headers);
    const body: Json = text === "" ? {} : JSON.parse(text);
    const { host } = new URL(input instanceof Request ? input.url : input);
    const signal = init?.signal ?? null;
    const request = {
      host: host.replace(".example.com", ""),
      id: headers.get("webhook-id") ?? "",
      type: body["event_type"],
      body,
      text,
      headers,
      signal,
    };
    received.push(request);
    if (request.id !== "") checkDelivered(body);
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    try {
      return await answer(request);
    } finally {
      open.now -= 1;
    }
  };
}

/** Restores everything for other files. */
export function restoreAll(): void {
  clock.now = realNow;
  globalThis.fetch = realFetch;
}

/** Bindings without rate limits, with the targets' real origins, and with the bindings that a test overrides. */
const bindings = (given: Given): Bindings =>
  Object.assign({ ...env }, {
    KEY_LIMIT: undefined,
    FAILED_AUTHENTICATION_LIMIT: undefined,
    TARGET_ENDPOINTS: "",
    ...given,
  } as object);

type Given = { [name in keyof Bindings]?: Bindings[name] | undefined };

/** A request to the deployed Worker, without the work after the response. */
export async function request(method: string, path: string, body?: unknown, given: Given = {}) {
  const context = createExecutionContext();
  const response = await worker.fetch(
    new Request(ORIGIN + path, {
      method,
      headers: { "Content-Type": "application/json", ...requiredHeaders },
      body: body === undefined ? null : JSON.stringify(body),
    }),
    bindings(given),
    context,
  );
  const text = await response.text();
  const parsed: Json = text === "" ? {} : JSON.parse(text);
  return { status: response.status, body: parsed, text, done: waitOnExecutionContext(context) };
}

/** A request and the work after its response. */
export async function sent(method: string, path: string, body?: unknown, given: Given = {}) {
  const answered = await request(method, path, body, given);
  await answered.done;
  return answered;
}

/** The run of each minute. */
export const minute = (given: Given = {}): Promise<void> =>
  worker.scheduled(createScheduledController(), bindings(given));

let names = 0;
/** A destination with a webhook at `{name}.example.com`: its id and that name. */
export async function givenWebhook(name = `hook${(names += 1)}`): Promise<{ id: string; name: string }> {
  const target = { webhook: { url: `https://${name}.example.com/in` } };
  const { id } = await create("/event_destinations", { target });
  return { id, name };
}

export const CREATED = "ip_policy_created.v0";
export const UPDATED = "ip_policy_updated.v0";

/** A subscription of destinations to event types. */
export const subscribe = (destinations: { id: string }[], ...types: string[]): Promise<Json> =>
  create("/event_subscriptions", {
    sources: types.map((type) => ({ type })),
    destination_ids: destinations.map(({ id }) => id),
  });

/** A change, without a run. Returns the id of the policy, which is the object of the event. */
export const change = async (): Promise<string> => (await create("/ip_policies", {}))["id"];

/** The ids of the objects in the events that a host was sent. */
export const sentTo = ({ name }: { name: string }): string[] =>
  received.filter(({ host }) => host === name).map(({ body }) => body["object"].id);

/** The delivery status. */
export const delivery = async ({ id }: { id: string }): Promise<Json> =>
  (await get(`/event_destinations/${id}/delivery`)).body;

/** The destination's cursor. */
export const cursorOf = ({ id }: { id: string }): Promise<Json | null> =>
  env.DB.prepare("select * from cursors where destination_id = ?").bind(id).first<Json>();

export const setCursor = async ({ id }: { id: string }, set: string): Promise<void> => {
  await env.DB.prepare(`update cursors set ${set} where destination_id = ?`).bind(id).run();
};

/** The newest `seq`. */
export const newest = async (): Promise<number> =>
  (await env.DB.prepare("select coalesce(max(seq), 0) as seq from events").first<number>("seq")) ?? 0;

/** Repeats the newest event with another `type` and length. */
export async function repeated(count: number, type?: string, bytes?: number): Promise<void> {
  const plain = "json_remove(object, '$.metadata')";
  // `,"metadata":""` takes 14 bytes.
  const filler = `substr(hex(zeroblob(${(bytes ?? 0) / 2})), 1, ${bytes} - 14 - octet_length(${plain}))`;
  const object = bytes === undefined ? "object" : `json_set(${plain}, '$.metadata', ${filler})`;
  await env.DB.prepare(
    `insert into events (type, object_id, at, salt, operation_id, principal, origin, object)
     with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
     select coalesce(?, type), object_id, at, randomblob(10), operation_id, principal, origin, ${object}
     from (select * from events order by seq desc limit 1), n`,
  )
    .bind(type ?? null)
    .run();
}

/** The log lines with this `msg`, of those logged while `work` ran. */
export async function logged(work: () => Promise<unknown>): Promise<{ lines: Json[]; text: string }> {
  const texts: string[] = [];
  const spies = (["info", "error"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((text: string) => void texts.push(text)),
  );
  try {
    await work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return { lines: texts.map((text): Json => JSON.parse(text)), text: texts.join("\n") };
}
