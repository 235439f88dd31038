import { existsSync, rmSync } from "node:fs";
import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { pipeline, type Duplex } from "node:stream";
import { createWebSocketStream, WebSocketServer } from "ws";
import * as z from "zod";
import { ownResponse } from "../../model/src/policy/own_responses.ts";
import { matching } from "./matching.ts";
import { Sequence } from "./sequence.ts";

/*
 * The converter: a separate process that turns WebSocket messages into TCP bytes, and TCP bytes into binary messages. The
 * agent starts it, and it outlives the agent. Through the unix socket `converters`, the agent sends it the sockets to listen on,
 * as a line of JSON; the response is a line too. It ends when it listens nowhere, or that socket is gone, and all connections
 * have ended.
 */

/** A larger message ends the connection (1009), because a message is held in memory as a whole. */
const LARGEST_MESSAGE = 1024 * 1024;
const CONNECT_TIMEOUT = 5000;
const CHECK_EVERY = 5000;
const LARGEST_LINE = 4 * 1024 * 1024;

const conversion = z.object({
  /** Unix socket on which the converter accepts WebSocket requests. */
  socket: z.string(),
  /** Unix socket to which it connects for the bytes. */
  upstream: z.string(),
});
export type Conversion = z.output<typeof conversion>;

interface Open {
  server: HttpServer;
  upstream: string;
}

export const controlSocket = (sockets: string): string => join(sockets, "converters");

/** Runs the converter until it has nothing to do. @param sockets directory of the unix sockets */
export function runConverter(sockets: string): void {
  new Converter(controlSocket(sockets)).start();
}

class Converter {
  readonly #control: string;
  readonly #open = new Map<string, Open>();
  #connections = 0;
  #isConfigured = false;
  readonly #commands = new Sequence();

  constructor(control: string) {
    this.#control = control;
  }

  start(): void {
    process.umask(0o177);
    rmSync(this.#control, { force: true });
    createServer((socket) => this.#acceptCommand(socket)).listen(this.#control);
    setInterval(() => this.#stopIfUnreachable(), CHECK_EVERY);
  }

  /** Stops listening once the control socket is gone, for example with the state directory: no command can come any more. */
  #stopIfUnreachable(): void {
    if (existsSync(this.#control)) return;
    for (const { server } of this.#open.values()) server.close();
    this.#open.clear();
    this.#isConfigured = true;
    this.#endIfIdle();
  }

  #endIfIdle(): void {
    if (this.#isConfigured && this.#open.size === 0 && this.#connections === 0) process.exit(0);
  }

  #acceptCommand(socket: Socket): void {
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
      void this.#commands.run(async () => {
        const response = await this.#run(line);
        socket.end(`${response}\n`, () => this.#endIfIdle());
      });
    });
  }

  /** Resolves to the response to a command. */
  async #run(line: string): Promise<string> {
    try {
      await this.#listenOn(matching(z.array(conversion), JSON.parse(line)));
      this.#isConfigured = true;
      return "ok";
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  async #listenOn(conversions: readonly Conversion[]): Promise<void> {
    const wanted = new Map(conversions.map(({ socket, upstream }) => [socket, upstream]));
    for (const [socket, { server }] of this.#open) {
      if (wanted.has(socket)) continue;
      server.close();
      this.#open.delete(socket);
    }
    for (const [socket, upstream] of wanted) {
      const known = this.#open.get(socket);
      if (known) known.upstream = upstream;
      else await this.#listen(socket, upstream);
    }
  }

  async #listen(socket: string, upstream: string): Promise<void> {
    const server = createHttpServer((_request, response) => {
      response.writeHead(426, { Upgrade: "websocket", Connection: "Upgrade", "Content-Type": "text/plain" });
      response.end("Only websockets are served here.\n");
    });
    const entry: Open = { server, upstream };
    server.on("upgrade", (request, client: Duplex, head) => {
      this.#count(client);
      convert(entry.upstream, client, (then) => webSockets.handleUpgrade(request, client, head, then));
    });
    rmSync(socket, { force: true });
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(socket, resolve);
    });
    this.#open.set(socket, entry);
  }

  #count(client: Duplex): void {
    this.#connections += 1;
    client.once("close", () => {
      this.#connections -= 1;
      this.#endIfIdle();
    });
  }
}

const webSockets = new WebSocketServer({
  noServer: true,
  maxPayload: LARGEST_MESSAGE,
  perMessageDeflate: false,
});

/** Connects to the upstream first. If that fails, the client gets a 502. */
function convert(
  path: string,
  client: Duplex,
  accept: (then: (socket: Parameters<typeof createWebSocketStream>[0]) => void) => void,
): void {
  const upstream: Socket = connect(path);
  const timer = setTimeout(() => upstream.destroy(new Error("timeout")), CONNECT_TIMEOUT);
  const respondUnreachable = (): void => {
    clearTimeout(timer);
    const { body } = ownResponse(502);
    const head = `Content-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}`;
    client.end(`HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n${head}\r\n\r\n${body}`);
  };
  const end = (): void => {
    upstream.destroy();
  };
  client.on("error", end);
  client.once("close", end);
  upstream.once("error", respondUnreachable);
  upstream.once("connect", () => {
    clearTimeout(timer);
    upstream.off("error", respondUnreachable);
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
