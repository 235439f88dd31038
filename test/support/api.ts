import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { snapshotSchema } from "../../packages/model/src/traffic/snapshot.ts";
import { app, operations } from "../../src/app.ts";
import { type Cost, newCost } from "../../src/db/session.ts";
import type { Bindings } from "../../src/http/env.ts";
import { ErrorResponse } from "../../src/http/error_response.ts";
import type { OperationRoute } from "../../src/http/route.ts";
import { checkContract, checkRequest } from "./contract.ts";
import { counted } from "./counted.ts";
import type { Json } from "./json.ts";

/** The origin of every request in the tests. */
export const ORIGIN = "https://api.test";

export type { Json };

export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed body; {} if there is none. */
  body: Json;
  text: string;
  cost: Cost;
}

/** Every operation of the app. */
export const routes: OperationRoute[] = operations();

const matchers = routes.map((route) => ({
  ...route,
  pattern: new RegExp(`^${route.path.replace(/:\w+/g, "[^/]+")}/?$`),
}));

export const requiredHeaders = {
  Authorization: `Bearer ${env.ROOT_API_KEY}`,
  "Service-Version": "2",
};

/** Without the rate limit bindings, because the tests are a single client that sends more than any limit allows. */
const UNLIMITED = { KEY_LIMIT: undefined, FAILED_AUTHENTICATION_LIMIT: undefined, LOGIN_LIMIT: undefined };

interface Options {
  /** Added to the headers that every request needs. undefined removes a header. */
  headers?: Record<string, string | undefined>;
  /** Added to the Worker's bindings. undefined removes a binding. */
  env?: { [name in keyof Bindings]?: Bindings[name] | undefined };
  /** Sent instead of the root key. */
  token?: string;
  /** Sent unchanged instead of the JSON body. */
  raw?: BodyInit;
}

/**
 * Sends one request through the whole app in workerd and checks what holds for every response: it matches the schema
 * that its operation declares (or the error schema) and the OpenAPI document, it has the headers of every response, and
 * a success takes exactly one round trip to the database.
 */
export async function call(
  method: string,
  path: string,
  body?: unknown,
  options: Options = {},
): Promise<Answer> {
  const cost = newCost();
  const headers = new Headers();
  const given = {
    "Content-Type": "application/json",
    ...requiredHeaders,
    ...(options.token !== undefined && { Authorization: `Bearer ${options.token}` }),
    ...options.headers,
  };
  for (const [name, value] of Object.entries(given)) if (value !== undefined) headers.set(name, value);
  const payload = options.raw ?? (body === undefined ? null : JSON.stringify(body));
  const context = createExecutionContext();
  const response = await app.request(
    path.startsWith("http") ? path : ORIGIN + path,
    { method, headers, body: payload },
    { ...env, ...UNLIMITED, DB: counted(env.DB, cost), ...options.env },
    context,
  );
  const text = await response.text();
  await waitOnExecutionContext(context);
  const answer = {
    status: response.status,
    headers: response.headers,
    body: parse(text, response.headers),
    text,
    cost,
  };
  const hsts = path.startsWith("http:") ? null : options.env?.HSTS || "max-age=31536000";
  same(answer.headers.get("Strict-Transport-Security"), hsts);
  const isDryRun = /[?&]dry_run=true/.test(path) || answer.body["dry_run"] === true;
  // A request that waits reads until something changes.
  const isWaiting = /[?&]wait=/.test(path);
  check(method, new URL(path, ORIGIN).pathname, answer, options, { isDryRun, isWaiting });
  if (answer.status < 300 && body !== undefined) checkAccepted(method, new URL(path, ORIGIN).pathname, body);
  return answer;
}

export const get = (path: string, options?: Options) => call("GET", path, undefined, options);
export const post = (path: string, body: unknown = {}, options?: Options) =>
  call("POST", path, body, options);
export const put = (path: string, body: unknown = {}, options?: Options) => call("PUT", path, body, options);
export const patch = (path: string, body: unknown = {}, options?: Options) =>
  call("PATCH", path, body, options);
export const del = (path: string, options?: Options) => call("DELETE", path, undefined, options);

/** A short form of a response: its status, and for an error its code and the paths of its fields: `400 ERR_INVALID_REQUEST /a,/b`. */
export const outcome = ({ status, body }: Answer): string =>
  `${status} ${body["error_code"] ?? ""} ${body["errors"]?.map(({ path }: Json) => path) ?? ""}`.trim();

/** The created object. Fails unless the response is 201. */
export async function create(path: string, body: unknown = {}): Promise<Json> {
  const answer = await post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

/** `expect(actual, message).toBe(wanted)`, which is only called for a failure: it takes longer than all else in a test. */
function same(actual: unknown, wanted: unknown, message?: string): void {
  if (!Object.is(actual, wanted)) expect(actual, message).toBe(wanted);
}

function parse(text: string, headers: Headers): Json {
  return text !== "" && headers.get("Content-Type") === "application/json" ? JSON.parse(text) : {};
}

function check(
  method: string,
  path: string,
  answer: Answer,
  options: Options,
  { isDryRun, isWaiting }: { isDryRun: boolean; isWaiting: boolean },
): void {
  const { status, headers, body, text, cost } = answer;
  const operationId = headers.get("Service-Operation-Id");
  if (!/^op_[0-9A-Za-z]{27}$/.test(operationId ?? "")) expect(operationId).toMatch(/^op_[0-9A-Za-z]{27}$/);
  const isDocument = /^\/openapi\.json\/?$/.test(path);
  same(headers.get("Cache-Control"), isDocument && status < 400 ? "no-cache" : "no-store");
  same(headers.get("X-Content-Type-Options"), "nosniff");
  same(headers.get("Content-Security-Policy"), "default-src 'none'; frame-ancestors 'none'");
  if (method === "HEAD") return same(text, "");
  const route = matchers.find((candidate) => candidate.method === method && candidate.pattern.test(path));
  // Agents reject a snapshot that does not match their own, stricter schema.
  if (route?.operation.id === "SnapshotGet" && status === 200 && "edges" in body)
    expect(
      snapshotSchema.safeParse(body).error,
      "agents would reject this snapshot: see packages/model/src/traffic/snapshot.ts",
    ).toBeUndefined();
  const isJson = headers.get("Content-Type") === "application/json" || text === "";
  if (route) checkContract(method, route.path, status, headers, isJson ? body : text, isDryRun);
  if (status >= 400) return checkError(answer, options.env !== undefined);
  if (!route || status === 304) return;
  same(status, route.operation.status, text);
  // A key that is not cached takes a query, and recording its use takes another query after the response.
  // Resealing reads a chunk and writes it back.
  const isResealing = route.operation.id === "SealedSecretsReseal";
  // The result of a health check is cached for a few seconds.
  const isHealth = route.operation.id === "HealthGet";
  // After a test event was accepted, its destination is retried.
  const isTest = route.operation.id === "EventDestinationsTestDelivery";
  // A replay's batch ends when it finds the record, which is read afterwards.
  const isReplay = headers.get("Idempotent-Replayed") === "true";
  // Before a new snapshot is made, the service checks whether the one that the isolate or the caller has is still the
  // newest. Problems are found from the changed objects, which are listed and then read.
  const isSnapshot = [
    "SnapshotGet",
    "SnapshotChangesGet",
    "ProblemsList",
    "ServingList",
    "CertificatesList",
  ].includes(route.operation.id);
  // Operations that were rejected as a group are checked again one by one.
  const isTransaction = route.operation.id === "TransactionsCreate";
  // The key is looked up, or the session, and then the session is written.
  const isSignIn = ["AuthKeySignIn", "AuthSessionDelete"].includes(route.operation.id);
  // A page with a long string is read again, by the statement that ends it at 4 MB.
  const isPage = "next_page_uri" in body;
  // After the response, the account of an issuer is registered.
  const isRegistering = /^CertificateIssuers(?:Create|Update)$/.test(route.operation.id);
  // What a request depends on is read; a step claims its row, and writes the result.
  const isStep = route.operation.id === "CertificateRequestsPut";
  // The traffic of what a plan changes.
  const isPlan = route.operation.id === "PlansGet";
  const isTwofold =
    isPlan || isRegistering || isPage || isSignIn || isResealing || isTest || isReplay || isTransaction;
  // A plan reads what its operations depend on, tries them, and is written, unless it is a preview; if something changes in between, once
  // more.
  const isPlanning = !isReplay && ["PlansCreate", "PlansRefresh"].includes(route.operation.id);
  const isPreview = route.operation.id === "PreviewsCreate";
  const isApplying = route.operation.id === "PlansApply";
  // After waiting for another request's snapshot, the service checks again whether it is the newest.
  const own =
    isSnapshot || isStep
      ? [1, 2, 3]
      : isPlanning || isPreview
        ? Array.from({ length: 11 }, (_, n) => n + 2)
        : isApplying
          ? [1, 2, 3]
          : isTwofold
            ? [1, 2]
            : isHealth
              ? [0, 1]
              : route.operation.isConstant
                ? [0]
                : [1];
  const trips =
    options.token !== undefined || options.headers?.["Cookie"] !== undefined
      ? [...own, ...own.flatMap((n) => [n + 1, n + 2])]
      : own;
  const isMetered = !isDocument && !isWaiting && options.env?.DB === undefined;
  if (isMetered && !trips.includes(cost.roundTrips))
    expect(trips, `round trips of ${method} ${path}`).toContain(cost.roundTrips);
  same(headers.get("Location"), status === 201 ? body["uri"] : null);
  if (!route.operation.response) return same(text, "");
  const { mediaType = "application/json" } = route.operation;
  same(headers.get("Content-Type"), mediaType);
  route.operation.response.parse(mediaType === "application/json" ? body : text);
}

function checkAccepted(method: string, path: string, body: unknown): void {
  const route = matchers.find((candidate) => candidate.method === method && candidate.pattern.test(path));
  if (route) checkRequest(method, route.path, body);
}

function checkError({ status, headers, body, text }: Answer, isBroken: boolean): void {
  const error = ErrorResponse.parse(body);
  if (!isBroken) expect(status, text).toBeLessThan(500);
  same(headers.get("Content-Type"), "application/json");
  same(error.status_code, status);
  same(error.details["operation_id"], headers.get("Service-Operation-Id"));
  // Many clients show only `msg`.
  const [first] = error.errors ?? [];
  if (first) expect(error.msg).toContain(first.path === "" ? first.msg : `${first.path}: ${first.msg}`);
}
