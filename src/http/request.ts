import { createMiddleware } from "hono/factory";
import { clock } from "../../packages/model/src/clock.ts";
import { newOperationId } from "../../packages/model/src/ids.ts";
import { newCost, Session } from "../db/session.ts";
import { isForged } from "./cookies.ts";
import type { App, RequestState } from "./env.ts";
import { answer } from "./error_response.ts";
import { crossSite, httpsRequired } from "./errors.ts";
import { routeOf } from "./route.ts";

/** Requests that the service sends to itself, for the operations of a transaction and for tools, with the initial state of each. */
const operationsOfTransactions = new WeakMap<Request, RequestState>();

/** Makes `request` a part of another one: it has the caller and the session of that one, and is not logged. */
export function adopt(request: Request, state: RequestState): void {
  operationsOfTransactions.set(request, state);
}

/**
 * Gives every request its operation id and the state that handlers need, and logs it. Rejects with 403 plain HTTP, except on
 * loopback hosts, and requests that a browser sends for a page of another site.
 */
export const everyRequest = createMiddleware<App>(async (c, next) => {
  const adopted = operationsOfTransactions.get(c.req.raw);
  if (adopted) {
    adopted.route = routeOf(c);
    c.set("request", adopted);
    return next();
  }
  const started = clock.now();
  const operationId = newOperationId(started);
  const cost = newCost();
  const session = new Session(c.env.DB, c.req.header("Service-Bookmark"), cost);
  const route = routeOf(c);
  const { url } = c.req;
  const state: RequestState = {
    operationId,
    url,
    origin: c.env.BASE_URL?.replace(/\/+$/, "") || originOf(url),
    address: c.req.header("CF-Connecting-IP") ?? "",
    session,
    caller: undefined,
    route,
  };
  c.set("request", state);
  const refusal =
    url.startsWith("http:") && !isLoopback(url)
      ? httpsRequired()
      : isForged(c, state)
        ? crossSite()
        : undefined;
  if (refusal) c.res = answer(c, refusal);
  else await next();
  logRequest({
    operation_id: operationId,
    key_id: (state.caller ?? state.rejected)?.keyId,
    method: c.req.method,
    route: state.route?.path,
    tool: state.tool,
    status: c.res.status,
    duration_ms: clock.now() - started,
    d1_round_trips: cost.roundTrips,
    d1_rows_read: cost.rowsRead,
    d1_rows_written: cost.rowsWritten,
  });
});

/** The log entry of a request. It contains no text from the caller: no body, path, token or statement parameter. */
interface RequestLine {
  operation_id: string;
  /** The key's id or `root`, even if its address was rejected; absent if the request was not authenticated. */
  key_id: string | undefined;
  method: string;
  /** Pattern of the route, `/edges/tcp/:id`; absent if no route matched. */
  route: string | undefined;
  /** The tool that a request to `/mcp` called; absent for all other requests. */
  tool: string | undefined;
  status: number;
  duration_ms: number;
  d1_round_trips: number;
  d1_rows_read: number;
  d1_rows_written: number;
}

/**
 * Logs one line of JSON. The code writes the JSON itself, because `JSON.stringify` would take a twentieth of the time of a GET. Ids,
 * patterns of routes, names of tools, and methods (RFC 9110 §5.6.2) contain no characters that JSON escapes.
 */
function logRequest(line: RequestLine): void {
  const { operation_id, key_id, method, route, tool, status, duration_ms } = line;
  const key = key_id === undefined ? "" : `"key_id":"${key_id}",`;
  const matched = route === undefined ? "" : `"route":"${route}",`;
  const called = tool === undefined ? "" : `"tool":"${tool}",`;
  console.info(
    `{"level":"info","msg":"request","operation_id":"${operation_id}",${key}"method":"${method}",${matched}${called}"status":${status},"duration_ms":${duration_ms},"d1_round_trips":${line.d1_round_trips},"d1_rows_read":${line.d1_rows_read},"d1_rows_written":${line.d1_rows_written}}`,
  );
}

/** `scheme://host[:port]` of an absolute URL. */
const originOf = (url: string): string => url.slice(0, url.indexOf("/", url.indexOf("://") + 3));

/** `localhost` and every name under it (RFC 6761 §6.3), 127.0.0.0/8 and ::1, as URLs write hosts; with any port. */
const LOOPBACK = /^https?:\/\/(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?\//;

/** True for an absolute URL whose host is the caller's own machine: a request to it does not go over a network. */
export const isLoopback = (url: string): boolean => LOOPBACK.test(url);
