import { signal } from "@preact/signals";
import type { components, paths } from "edge-configuration-client";
import createClient from "openapi-fetch";
import { type Fields, isFields } from "../base/json.ts";
import { RequestFailure } from "./errors.ts";

export { type Fields, isFields };

/*
 * Requests to the service. The session's cookie authenticates them; the page never holds a key.
 */

export type Schemas = components["schemas"];

/** The connection, for the bar at the top. `waitUntil` is the time of the next attempt after 429 or 503. */
export const connection = signal<{ offline: boolean; waitUntil: number | null }>({
  offline: false,
  waitUntil: null,
});

/** Milliseconds that the service's clock is ahead of the browser's. */
export const clockSkew = signal(0);

/** Set while the session has ended in the middle of work: resolves when somebody has signed in again. */
export const interrupted = signal<PromiseWithResolvers<void> | null>(null);

/** True while another tab has signed in somebody else, and this tab has input of the person before: nothing is sent. */
export const isHeld = signal(false);

/** True once somebody has signed in: from then on, a 401 means that the session has ended. */
let isSignedIn = false;

/** Notes that a session has begun or ended. */
export function noteSession(signedIn: boolean): void {
  isSignedIn = signedIn;
  if (!signedIn) return;
  isHeld.value = false;
  interrupted.value?.resolve();
  interrupted.value = null;
}

const ATTEMPTS = 6;

/** How long a response may take. */
const PATIENCE_SECONDS = 30;

/** Requests that only compute something, so they can be repeated although they are not reads. */
const COMPUTED = /\/(?:check|previews|simulations)$/;

/** Sends a request. Repeatable requests are retried; after a 401, the request waits for another sign-in. @throws {@link RequestFailure} */
async function send(request: Request): Promise<Response> {
  const isRead = request.method === "GET";
  const isRepeatable =
    isRead ||
    COMPUTED.test(request.url) ||
    request.headers.has("Idempotency-Key") ||
    request.headers.has("If-Match");
  for (let attempt = 1; ; attempt += 1) {
    if (isHeld.value && !/\/(auth\/|whoami)/.test(request.url))
      throw failure("Nothing was sent: somebody else has signed in. Reload the page.");
    const signal = AbortSignal.timeout(PATIENCE_SECONDS * 1000);
    const response = await fetch(request.clone(), { signal }).catch(() => undefined);
    if (!response && signal.aborted)
      throw failure(
        `The service did not respond within ${PATIENCE_SECONDS} seconds. ${isRepeatable ? "Try again." : "Check whether the request took effect before you repeat it."}`,
      );
    note(response);
    if (response?.status === 401 && isSignedIn && !request.url.endsWith("/auth/key")) {
      interrupted.value ??= Promise.withResolvers<void>();
      await interrupted.value.promise;
      continue;
    }
    const isBusy = response?.status === 429 || response?.status === 503;
    const isLast = attempt === ATTEMPTS || !isRepeatable;
    if (response && (!isBusy || isLast)) return response;
    if (isLast || (!response && isRead)) throw new RequestFailure({}, 0);
    await pause(Number(response?.headers.get("Retry-After")) || 2 ** (attempt - 1));
  }
}

const failure = (msg: string): RequestFailure => new RequestFailure({ msg }, 0);

function note(response: Response | undefined): void {
  const offline = response === undefined;
  if (connection.value.offline !== offline) connection.value = { ...connection.value, offline };
  const date = Date.parse(response?.headers.get("Date") ?? "");
  // Dates have a precision of one second.
  if (!Number.isNaN(date) && Math.abs(date - Date.now() - clockSkew.value) > 2000)
    clockSkew.value = date - Date.now();
}

async function pause(seconds: number): Promise<void> {
  connection.value = { ...connection.value, waitUntil: Date.now() + seconds * 1000 };
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  connection.value = { ...connection.value, waitUntil: null };
}

const headers = { "Service-Version": "2" };

/** The typed client. */
export const api = createClient<paths>({ baseUrl: location.origin, headers, fetch: send });

interface Answer<T> {
  data?: T;
  error?: Partial<Schemas["Error"]> | undefined;
  response: Response;
}

/** The body of a successful response. @throws {@link RequestFailure} */
export async function bodyOf<T>(answer: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await answer;
  if (!response.ok || data === undefined) throw new RequestFailure(error ?? {}, response.status);
  return data;
}

/** Waits for a successful response without a body. @throws {@link RequestFailure} */
export async function done(answer: Promise<Answer<unknown>>): Promise<Response> {
  const { error, response } = await answer;
  if (!response.ok) throw new RequestFailure(error ?? {}, response.status);
  return response;
}

/** An object with its ETag. */
export interface TaggedObject {
  object: Fields;
  etag: string;
}

/** Reads any object by its path. @throws {@link RequestFailure} */
export async function readObject(path: string): Promise<TaggedObject> {
  const response = await send(new Request(path, { headers }));
  const body: unknown = await response.json();
  if (!response.ok || !isFields(body)) throw new RequestFailure(isFields(body) ? body : {}, response.status);
  return { object: body, etag: response.headers.get("ETag") ?? "" };
}
