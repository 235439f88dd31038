import { setTimeout as sleep } from "node:timers/promises";
import type { components, paths } from "edge-configuration-client";
import createClient, { type Client } from "openapi-fetch";
import { Refusal } from "./refusal.ts";

/*
 * Requests to the service: the typed client, retries, and the service's errors.
 */

export type Api = Client<paths>;

/** The result of a call of the client: the body of a success, or that of an error. */
export interface Result<T> {
  data?: T;
  error?: components["schemas"]["Error"];
  response: Response;
}

export interface Service {
  /** Address without a final slash. */
  url: string;
  api: Api;
}

/** An error response of the service. */
export class ServiceError extends Refusal {
  readonly body: components["schemas"]["Error"];

  constructor(body: components["schemas"]["Error"]) {
    const id = body.details["operation_id"];
    super(`${body.msg} (${body.status_code} ${body.error_code}${id === undefined ? "" : `, ${id}`})`);
    this.body = body;
  }
}

const ATTEMPTS = 6;
const LONGEST_WAIT_SECONDS = 60;

/** Seconds to wait before the next attempt: as many as the service asks for, otherwise 1, 2, 4 … */
function pauseAfter(attempt: number, response: Response | undefined): number {
  const asked = Number(response?.headers.get("Retry-After") ?? "");
  return Math.min(asked > 0 ? asked : 2 ** attempt, LONGEST_WAIT_SECONDS);
}

/**
 * `fetch` that retries after a broken connection, and when the service asks for it (429 and 503), if the request can be
 * repeated: every request except a POST without an Idempotency-Key.
 *
 * @param told is called before each wait, with its length in seconds
 */
const patientFetch =
  (told: (seconds: number) => void) =>
  async (request: Request): Promise<Response> => {
    const isRepeatable = request.method !== "POST" || request.headers.has("Idempotency-Key");
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt === ATTEMPTS - 1 || !isRepeatable;
      let response: Response | undefined;
      try {
        response = await fetch(request.clone());
      } catch (error) {
        if (isLast || !transient.has(causeOf(error))) throw unreachable(request.url, error);
      }
      if (response && (isLast || (response.status !== 429 && response.status !== 503))) return response;
      const seconds = pauseAfter(attempt, response);
      told(seconds);
      await sleep(seconds * 1000);
    }
  };

/** Reasons for a connection to fail that may be gone at the next attempt. */
const transient = new Set([
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EAI_AGAIN",
  "UND_ERR_SOCKET",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);

/** Why `fetch` failed: a code such as ECONNREFUSED, or words. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return "code" in cause ? String(cause.code) : cause.message;
}

const unreachable = (url: string, error: unknown): Refusal =>
  new Refusal(`Cannot reach ${new URL(url).origin}: ${causeOf(error)}.`, { cause: error });

/** A URL as an error quotes it: a key in its place, or a password in it, is not shown. */
const quoted = (url: string): string =>
  /[.:]/.test(url) && !url.includes("@") ? JSON.stringify(url) : "The given text";

/**
 * @param url of the service
 * @param told is called before each wait for the next attempt, with its length in seconds
 */
export function serviceAt(url: string, key: string, told: (seconds: number) => void): Service {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Refusal(`${quoted(url)} is not a valid service URL: it must start with http:// or https://.`);
  // The error that fetch throws for these would quote the key.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new Refusal("The API key contains characters that cannot be part of a key. Is it complete?");
  const { origin, pathname } = new URL(url);
  const address = `${origin}${pathname}`.replace(/\/+$/, "");
  const headers = { Authorization: `Bearer ${key}`, "Service-Version": "2" };
  return {
    url: address,
    api: createClient<paths>({ baseUrl: address, headers, fetch: patientFetch(told) }),
  };
}

/** The body of a success. @throws ServiceError for an error response */
export function bodyOf<T>({ data, error, response }: Result<T>): T {
  if (error !== undefined && typeof error === "object" && "error_code" in error)
    throw new ServiceError(error);
  if (data === undefined || !response.ok)
    throw new Refusal(
      `${new URL(response.url).origin} returned ${response.status} without an error message. Is it the service?`,
    );
  return data;
}

/** Runs `task` for each item, a few at a time; returns the results in the order of the items. */
export async function eachOf<T, R>(items: readonly T[], task: (item: T) => Promise<R>): Promise<R[]> {
  const AT_ONCE = 6;
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      const [item] = items.slice(index, index + 1);
      if (item !== undefined) results[index] = await task(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, worker));
  return results;
}
