import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { listen } from "../../support/ports.ts";

/** A request as it arrived. */
export interface Received {
  method: string;
  /** The path with its query, as sent. */
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A response or a fault: no response, or a closed connection. */
export type Answer =
  | { status?: number; headers?: Record<string, string>; body?: string | Uint8Array }
  | "hang"
  | "reset";

export interface Receiver {
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** The requests, in order of arrival. */
  requests: Received[];
  close: () => Promise<void>;
}

/**
 * Listens on a free port of the loopback interface and records what arrives.
 *
 * @param answer returns the response to a request; the first request has index 0, and the default status is 200
 */
export async function startReceiver(
  answer: (request: Received, index: number) => Answer | Promise<Answer>,
): Promise<Receiver> {
  const requests: Received[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", async () => {
      const { method = "", url: path = "", headers } = incoming;
      const request = { method, path, headers, body: Buffer.concat(chunks) };
      requests.push(request);
      const given = await answer(request, requests.length - 1);
      if (given === "hang") return;
      if (given === "reset") {
        incoming.socket.resetAndDestroy();
        return;
      }
      response.writeHead(given.status ?? 200, given.headers);
      response.end(given.body);
    });
  });
  // A receiver does not keep a failed test running.
  server.unref().on("connection", (socket) => socket.unref());
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    requests,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
