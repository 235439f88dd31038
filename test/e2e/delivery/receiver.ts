import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as it arrived, with header names in lower case. */
export interface Request {
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** A response or a fault: no response, or a closed connection. */
export type Answer = { status: number; headers?: Record<string, string>; body?: string } | "hang" | "reset";

/** A server on a port of the loopback interface. */
export interface Receiver {
  /** `http://127.0.0.1:PORT` */
  origin: string;
  /** Listens again. A new receiver listens from the start. */
  open: () => Promise<void>;
  /** Closes all connections and rejects new ones, until it listens again on the same port. */
  close: () => Promise<void>;
}

/** Starts a receiver. @param answer returns the response to a request, and is called in the order of complete requests */
export async function startReceiver(answer: (request: Request) => Answer): Promise<Receiver> {
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const headers = Object.fromEntries(
        Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
      );
      const given = answer({ path: incoming.url ?? "", headers, body: Buffer.concat(chunks) });
      if (given === "hang") return;
      if (given === "reset") incoming.socket.resetAndDestroy();
      else response.writeHead(given.status, given.headers).end(given.body);
    });
  });
  // A connection that closes during a request would be an unintended fault.
  server.keepAliveTimeout = 0;
  let port = 0;
  const open = async (): Promise<void> => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    ({ port } = server.address() as AddressInfo);
  };
  await open();
  return {
    origin: `http://127.0.0.1:${port}`,
    open,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
