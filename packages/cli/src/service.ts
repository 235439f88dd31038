import { setTimeout as sleep } from "node:timers/promises";
import type { components, paths } from "edge-configuration-client";
import createClient, { type Client } from "openapi-fetch";
import { causeOf, whyUnreachable } from "../../model/src/connections.ts";
import { UserError } from "./errors.ts";
import { proxyVariableFor, useProxies } from "./http_proxy.ts";

/*
 * Requests to the service: the typed client, retries, and the service's errors.
 */

/** A result of the client: a body, or an error. */
export interface Result<T> {
  data?: T;
  error?: components["schemas"]["Error"];
  response: Response;
}

export interface ServiceAccess {
  /** The URL without a trailing slash. */
  url: string;
  api: Client<paths>;
}

/** What an error means to somebody at a terminal, where the API's own words are about headers. */
const wordsFor: Record<string, string> = {
  ERR_UNAUTHENTICATED:
    "The service does not accept the API key: it is unknown, has expired or was deleted. Check --key, $API_KEY or the profile.",
};

export class RequestError extends UserError {
  readonly body: components["schemas"]["Error"];

  constructor(body: components["schemas"]["Error"]) {
    const id = body.details["operation_id"];
    super(
      `${wordsFor[body.error_code] ?? body.msg} (${body.status_code} ${body.error_code}${id === undefined ? "" : `, ${id}`})`,
    );
    this.body = body;
  }
}

/** Gets a sentence and a number of seconds. */
type OnRetry = (why: string, seconds: number) => void;

const MAX_ATTEMPTS = 6;
const MAX_WAIT_SECONDS = 60;

/** Seconds to wait before the next attempt: the value of `Retry-After`, otherwise 1, 2, 4 … */
function backoffAfter(attempt: number, response: Response | undefined): number {
  const retryAfter = Number(response?.headers.get("Retry-After") ?? "");
  return Math.min(retryAfter > 0 ? retryAfter : 2 ** attempt, MAX_WAIT_SECONDS);
}

/**
 * A `fetch` that retries after broken connections and after 429 and 503. A POST without an Idempotency-Key is never retried, except
 * the application of a plan: applying it again returns the first response.
 *
 * @param onRetry called before each wait
 */
const retryingFetch =
  (onRetry: OnRetry) =>
  async (request: Request): Promise<Response> => {
    const isRepeatable =
      request.method !== "POST" ||
      request.headers.has("Idempotency-Key") ||
      /\/plans\/[^/]+\/apply$/.test(new URL(request.url).pathname);
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt === MAX_ATTEMPTS - 1 || !isRepeatable;
      let response: Response | undefined;
      let why = "The service is not available.";
      try {
        await useProxies();
        // A redirect is not followed: the next server would get the key, or secrets in the body.
        response = await fetch(request.clone(), { redirect: "manual" });
      } catch (error) {
        const failure = unreachable(request.url, error);
        if (isLast || !transient.has(causeOf(error))) throw failure;
        why = failure.message;
      }
      if (response && (isLast || (response.status !== 429 && response.status !== 503)))
        return checked(request.url, response);
      const seconds = backoffAfter(attempt, response);
      onRetry(why, seconds);
      await sleep(seconds * 1000);
    }
  };

/** Every response of the service has this header. */
const OF_THE_SERVICE = "Service-Operation-Id";

/** @throws UserError if a response is not the service's */
function checked(url: string, response: Response): Response {
  if (response.headers.has(OF_THE_SERVICE)) return response;
  const { origin } = new URL(url);
  const target = response.headers.get("Location");
  if (response.status >= 300 && response.status < 400 && target !== null)
    throw new UserError(
      `${origin} redirects to ${new URL(target, url).origin}, which is not followed. If that is the service, use its address: check --url.`,
    );
  if (response.status >= 500)
    throw new UserError(
      `${origin} returned ${response.status}, and the response is not the service's: a proxy in between may not reach it. Try again later.`,
    );
  throw new UserError(`${origin} is not this service: it returned ${response.status}. Check --url.`);
}

/** Connection errors that are worth a retry. */
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

function unreachable(url: string, error: unknown): UserError {
  const proxy = proxyVariableFor(url);
  const through = proxy === undefined ? "" : ` ($${proxy} is set)`;
  return new UserError(`Cannot reach ${new URL(url).origin}${through}: ${whyUnreachable(error)}.`, {
    cause: error,
  });
}

/** Quotes a URL in an error. Text that may be a key, and URLs that may contain a password, are not quoted. */
const quoted = (url: string): string =>
  /[.:]/.test(url) && !url.includes("@") ? JSON.stringify(url) : "The given text";

/**
 * @param url the URL of the service
 * @param onRetry called before each wait for the next attempt
 */
export function serviceAt(url: string, key: string, onRetry: OnRetry): ServiceAccess {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UserError(`${quoted(url)} is not a valid service URL: it must start with http:// or https://.`);
  // For such keys, fetch throws an error that quotes the key.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new UserError("The API key contains characters that cannot be part of a key. Is it complete?");
  const { origin, pathname } = new URL(url);
  const address = `${origin}${pathname}`.replace(/\/+$/, "");
  const headers = { Authorization: `Bearer ${key}`, "Service-Version": "2" };
  return {
    url: address,
    api: createClient<paths>({ baseUrl: address, headers, fetch: retryingFetch(onRetry) }),
  };
}

/** The body of a successful response. @throws RequestError for an error response */
export function bodyOf<T>({ data, error, response }: Result<T>): T {
  if (error !== undefined && typeof error === "object" && "error_code" in error)
    throw new RequestError(error);
  if (data === undefined || !response.ok)
    throw new UserError(
      `${new URL(response.url).origin} returned ${response.status} without an error message. Check --url.`,
    );
  return data;
}

/** The query parameters that select a page of a list. */
export interface Cursor {
  before_id?: string;
  after?: string;
  after_id?: string;
}

/** The query of the next page, from its URI; undefined after the last page. */
export const nextOf = (uri: string | null): Cursor | undefined =>
  uri === null ? undefined : Object.fromEntries(new URL(uri).searchParams);

/** The items of a page, which has one list. */
type ItemOf<Page> = Page extends unknown ? Extract<Page[keyof Page], readonly unknown[]>[number] : never;

const isList = <Page>(value: unknown): value is ItemOf<Page>[] => Array.isArray(value);

/**
 * All items of a list, in the order of the service.
 *
 * @param read reads a page
 * @param counted is called with the number of items read so far
 */
export async function all<Page extends { next_page_uri: string | null }>(
  read: (cursor: Cursor) => Promise<Result<Page>>,
  counted: (count: number) => void = () => {},
): Promise<ItemOf<Page>[]> {
  const items: ItemOf<Page>[] = [];
  for (let cursor: Cursor | undefined = {}; cursor;) {
    const page: Page = bodyOf(await read(cursor));
    const fields: unknown[] = Object.values(page);
    for (const field of fields) if (isList<Page>(field)) items.push(...field);
    counted(items.length);
    cursor = nextOf(page.next_page_uri);
  }
  return items;
}

/** True for the error that an object does not exist. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof RequestError && error.body.status_code === 404;

/** Runs `task` for each item, a few at a time; returns the results in the order of the items. */
export async function eachOf<T, R>(items: readonly T[], task: (item: T) => Promise<R>): Promise<R[]> {
  const CONCURRENCY = 6;
  const results: R[] = [];
  // The workers share the iterator, so each takes the next item.
  const entries = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of entries) results[index] = await task(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return results;
}
