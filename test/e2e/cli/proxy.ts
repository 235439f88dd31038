import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { listen } from "../support/ports.ts";

/*
 * A proxy in front of the service: tests use it to count the command's requests and to interfere with them.
 */

/** A JSON object. */
export interface Body {
  [member: string]: any; // oxlint-disable-line typescript/no-explicit-any
}

interface Result {
  status: number;
  etag: string | null;
  body: Body;
}

export interface Proxy {
  origin: string;
  /** The number of requests so far that start with this string: "POST /transactions". */
  count: (start: string) => number;
  /** Runs an action before the next matching request is forwarded. */
  before: (start: string, action: () => Promise<void>) => void;
  /** Breaks the connection instead of returning the response to the next matching request that succeeds. */
  loseResponse: (start: string) => void;
  /** Rejects the next matching request without forwarding it. */
  reject: (start: string, status?: number) => void;
  stop: () => Promise<void>;
}

type Call = (method: string, path: string, body?: Body, headers?: Record<string, string>) => Promise<Result>;

/** Returns a function that calls a service. */
export const callsOf =
  (origin: string, key: string): Call =>
  async (method, path, body, headers = {}) => {
    const response = await fetch(origin + path, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        "Service-Version": "2",
        "Content-Type": "application/json",
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      etag: response.headers.get("ETag"),
      body: text === "" ? {} : (JSON.parse(text) as Body),
    };
  };

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Removes and returns the value for a request. */
function take<T>(due: Map<string, T>, request: string): T | undefined {
  const start = [...due.keys()].find((start) => request.startsWith(start)) ?? "";
  const found = due.get(start);
  due.delete(start);
  return found;
}

/** Starts a proxy for the service at `target`. */
export async function startProxy(target: string): Promise<Proxy> {
  const requests: string[] = [];
  const actions = new Map<string, () => Promise<void>>();
  const lost = new Map<string, true>();
  const rejected = new Map<string, number>();

  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const { method = "GET", url = "/" } = request;
      const name = `${method} ${url}`;
      requests.push(name);
      const text = await textOf(request);
      const status = take(rejected, name);
      if (status !== undefined)
        return void response
          .writeHead(status, { "Retry-After": "1", "Service-Operation-Id": "op_1" })
          .end("{}");
      await take(actions, name)?.();
      const passed = await fetch(target + url, {
        method,
        headers: headersOf(Object.entries(request.headers)),
        ...(text !== "" && { body: text }),
      });
      const body = Buffer.from(await passed.arrayBuffer());
      if (passed.ok && take(lost, name)) return void response.destroy();
      const headers = headersOf([...passed.headers]);
      response.writeHead(passed.status, headers).end(body);
    };
    answer().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  return {
    origin: `http://127.0.0.1:${await listen(server)}`,
    count: (start) => requests.filter((request) => request.startsWith(start)).length,
    before: (start, action) => void actions.set(start, action),
    loseResponse: (start) => void lost.set(start, true),
    reject: (start, status = 503) => void rejected.set(start, status),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** The headers to forward. */
const headersOf = (entries: [string, unknown][]): Record<string, string> =>
  Object.fromEntries(
    entries.flatMap(([name, value]): [string, string][] =>
      typeof value === "string" &&
      !/^(?:connection|content-length|content-encoding|transfer-encoding)$/.test(name)
        ? [[name, value]]
        : [],
    ),
  );
