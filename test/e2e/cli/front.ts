import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/*
 * A front of the service, through which the tests see what the command sends, and come between its requests.
 */

/** What JSON holds, as far as tests look into it. */
export interface Body {
  [member: string]: any; // oxlint-disable-line typescript/no-explicit-any
}

interface Answer {
  status: number;
  etag: string | null;
  body: Body;
}

export interface Front {
  origin: string;
  /** Requests so far that begin with this: "POST /transactions". */
  count: (start: string) => number;
  /** Does this before it passes the next request on that begins so. */
  before: (start: string, action: () => Promise<void>) => void;
  /** Breaks the connection in place of the answer to the next request that begins so and succeeds. */
  loseAnswer: (start: string) => void;
  /** Answers the next request that begins so by itself, with 503 or another status. */
  refuse: (start: string, status?: number) => void;
  stop: () => Promise<void>;
}

type Call = (method: string, path: string, body?: Body, headers?: Record<string, string>) => Promise<Answer>;

/** Calls of a service. */
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

/** What is due for a request that begins so; it is due once. */
function take<T>(due: Map<string, T>, request: string): T | undefined {
  const start = [...due.keys()].find((start) => request.startsWith(start)) ?? "";
  const found = due.get(start);
  due.delete(start);
  return found;
}

/** Starts a front of the service at `target`. */
export async function frontOf(target: string): Promise<Front> {
  const requests: string[] = [];
  const actions = new Map<string, () => Promise<void>>();
  const lost = new Map<string, true>();
  const refused = new Map<string, number>();

  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const { method = "GET", url = "/" } = request;
      const name = `${method} ${url}`;
      requests.push(name);
      const text = await textOf(request);
      const status = take(refused, name);
      if (status !== undefined) return void response.writeHead(status, { "Retry-After": "1" }).end("{}");
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
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: (start) => requests.filter((request) => request.startsWith(start)).length,
    before: (start, action) => void actions.set(start, action),
    loseAnswer: (start) => void lost.set(start, true),
    refuse: (start, status = 503) => void refused.set(start, status),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Headers that are passed on. */
const headersOf = (entries: [string, unknown][]): Record<string, string> =>
  Object.fromEntries(
    entries.flatMap(([name, value]): [string, string][] =>
      typeof value === "string" &&
      !/^(?:connection|content-length|content-encoding|transfer-encoding)$/.test(name)
        ? [[name, value]]
        : [],
    ),
  );
