import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as it arrived. */
export interface Received {
  method: string;
  /** With its query, as it was sent. */
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A response, or a fault: no response at all, or the end of the connection. */
export type Answer =
  | { status?: number; headers?: Record<string, string>; body?: string | Uint8Array }
  | "hang"
  | "reset";

export interface Receiver {
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** In the order of arrival. */
  requests: Received[];
  close: () => Promise<void>;
}

/**
 * Listens on a free port of the loopback interface and records what arrives.
 *
 * @param answer what to say to a request, the first of which has index 0; 200 if a response names no status
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
  // A test that fails before it closes its receiver ends all the same.
  server.unref().on("connection", (socket) => socket.unref());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
