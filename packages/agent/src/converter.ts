import { existsSync, rmSync } from "node:fs";
import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { pipeline, type Duplex } from "node:stream";
import { createWebSocketStream, WebSocketServer } from "ws";

/*
 * The process beside the proxy that turns messages of websockets into bytes of TCP, and these into binary messages. It is started by the agent,
 * outlives it, and is told through the unix socket `converters` where to listen: a line of JSON, answered by a line. It ends
 * when it is to listen nowhere, or its socket is gone, and no connection is left.
 */

/** A larger message ends the connection (1009): it is held in memory whole. */
const LARGEST_MESSAGE = 1024 * 1024;
const CONNECT_TIMEOUT = 5000;
const LOOK_EVERY = 5000;
const LARGEST_LINE = 4 * 1024 * 1024;

export interface Conversion {
  /** Unix socket that it listens on for HTTP requests that ask for a websocket. */
  socket: string;
  /** Unix socket that bytes are written to and read from. */
  upstream: string;
}

interface Open {
  server: HttpServer;
  upstream: string;
}

export const controlSocket = (sockets: string): string => join(sockets, "converters");

/** Serves until it has nothing to do. */
export function runConverters(sockets: string): void {
  const open = new Map<string, Open>();
  let connections = 0;
  let wasTold = false;

  const endIfIdle = (): void => {
    if (wasTold && open.size === 0 && connections === 0) process.exit(0);
  };

  const counted = (socket: Duplex): void => {
    connections += 1;
    socket.once("close", () => {
      connections -= 1;
      endIfIdle();
    });
  };

  async function listenOn(conversions: readonly Conversion[]): Promise<void> {
    const wanted = new Map(conversions.map(({ socket, upstream }) => [socket, upstream]));
    for (const [socket, { server }] of open) {
      if (wanted.has(socket)) continue;
      server.close();
      open.delete(socket);
    }
    for (const [socket, upstream] of wanted) {
      const known = open.get(socket);
      if (known) known.upstream = upstream;
      else await listen(socket, upstream);
    }
  }

  async function listen(socket: string, upstream: string): Promise<void> {
    const server = createHttpServer((_request, response) => {
      response.writeHead(426, { Upgrade: "websocket", Connection: "Upgrade", "Content-Type": "text/plain" });
      response.end("Only websockets are served here.\n");
    });
    const entry: Open = { server, upstream };
    server.on("upgrade", (request, client: Duplex, head) => {
      counted(client);
      convert(entry.upstream, client, (then) => sockets13.handleUpgrade(request, client, head, then));
    });
    rmSync(socket, { force: true });
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(socket, resolve);
    });
    open.set(socket, entry);
  }

  async function told(line: string): Promise<string> {
    try {
      await listenOn(conversionsIn(line));
      wasTold = true;
      return "ok";
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  // One after the other, in the order in which they came.
  let turn: Promise<unknown> = Promise.resolve();
  const control = createServer((socket) => {
    let text = "";
    socket.setEncoding("utf8");
    socket.on("error", () => {});
    socket.on("data", (piece: string) => {
      text += piece;
      if (text.length > LARGEST_LINE) socket.destroy();
      const end = text.indexOf("\n");
      if (end < 0) return;
      const line = text.slice(0, end);
      text = "";
      turn = turn.then(async () => {
        const answer = await told(line);
        socket.end(`${answer}\n`, endIfIdle);
      });
    });
  });
  process.umask(0o177);
  rmSync(controlSocket(sockets), { force: true });
  control.listen(controlSocket(sockets));

  // Nobody can tell it anything once its socket is gone, as with the state directory.
  setInterval(() => {
    if (existsSync(controlSocket(sockets))) return;
    for (const { server } of open.values()) server.close();
    open.clear();
    wasTold = true;
    endIfIdle();
  }, LOOK_EVERY);
}

const sockets13 = new WebSocketServer({
  noServer: true,
  maxPayload: LARGEST_MESSAGE,
  perMessageDeflate: false,
});

/** Connects to the upstream first: a client whose upstream cannot be reached gets 502 in place of a websocket. */
function convert(
  path: string,
  client: Duplex,
  accept: (then: (socket: Parameters<typeof createWebSocketStream>[0]) => void) => void,
): void {
  const upstream: Socket = connect(path);
  const timer = setTimeout(() => upstream.destroy(new Error("timeout")), CONNECT_TIMEOUT);
  const refuse = (): void => {
    clearTimeout(timer);
    client.end("HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  };
  const gone = (): void => {
    upstream.destroy();
  };
  client.on("error", gone);
  client.once("close", gone);
  upstream.once("error", refuse);
  upstream.once("connect", () => {
    clearTimeout(timer);
    upstream.off("error", refuse);
    upstream.on("error", () => {});
    accept((websocket) => {
      const bytes = createWebSocketStream(websocket);
      pipeline(bytes, upstream, bytes, () => {
        upstream.destroy();
        websocket.close();
      });
    });
  });
}

function conversionsIn(line: string): Conversion[] {
  const value: unknown = JSON.parse(line);
  if (!Array.isArray(value)) throw new Error("Expected a list.");
  return value.map((item: unknown) => {
    if (typeof item !== "object" || item === null || !("socket" in item) || !("upstream" in item))
      throw new Error("Expected socket and upstream.");
    return { socket: String(item.socket), upstream: String(item.upstream) };
  });
}
