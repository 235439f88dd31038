import { readFileSync } from "node:fs";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { freePort } from "../support/ports.ts";
import type { Certificate } from "./certificates.ts";

/*
 * Upstream servers whose responses contain their name and the request.
 */

/** A request as an upstream server received it; the body of its response. */
export interface Seen {
  upstream: string;
  method: string;
  url: string;
  /** By lower-case name, with all values of a repeated name. */
  headers: Record<string, string | string[] | undefined>;
  body: string;
  /** Of the connection, if it is encrypted. */
  tls?: { servername: string | false | null; protocol: string | null; client: string | undefined };
}

export interface Upstream {
  name: string;
  /** `127.0.0.1:PORT` */
  address: string;
  port: number;
  /** All requests so far. */
  seen: Seen[];
  /** Text at the beginning of its responses. */
  padding: string;
  /** Stops listening, and ends every connection. */
  stop: () => Promise<void>;
  /** Listens again, on the same port. */
  start: () => Promise<void>;
}

const running = new Set<{ stop: () => Promise<void> }>();

/** Stops every upstream server. */
export const stopUpstreams = async (): Promise<void> => {
  await Promise.all([...running].map((upstream) => upstream.stop()));
};

/** Starts and stops a server on a port, with its connections. */
function switchOf(server: Server, port: number) {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
  });
  const own = {
    stop: async (): Promise<void> => {
      running.delete(own);
      if (!server.listening) return;
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    start: (): Promise<void> =>
      new Promise((resolve, reject) => {
        running.add(own);
        server.once("error", reject);
        server.listen(port, "127.0.0.1", () => {
          server.off("error", reject);
          resolve();
        });
      }),
  };
  return own;
}

/** An HTTP server, or an HTTPS server if it has a certificate; it then requests client certificates. */
export async function startUpstream(name: string, certificate?: Certificate): Promise<Upstream> {
  const port = await freePort();
  const seen: Seen[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await textOf(request);
    const one: Seen = {
      upstream: name,
      method: request.method ?? "",
      url: request.url ?? "",
      headers: request.headers,
      body,
      ...tlsOf(request.socket),
    };
    seen.push(one);
    response.writeHead(200, {
      "content-type": "application/json",
      "x-upstream": name,
    });
    response.end(upstream.padding + JSON.stringify(one));
  };
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    answer(request, response).catch(() => response.destroy());
  };
  const server = certificate
    ? createHttpsServer(
        {
          cert: certificate.pem,
          key: readFileSync(certificate.key),
          requestCert: true,
          rejectUnauthorized: false,
        },
        listener,
      )
    : createHttpServer(listener);
  server.keepAliveTimeout = 30_000;
  const upstream: Upstream = {
    name,
    port,
    address: `127.0.0.1:${port}`,
    seen,
    padding: "",
    ...switchOf(server, port),
  };
  await upstream.start();
  return upstream;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const tlsOf = (socket: Socket): Pick<Seen, "tls"> =>
  socket instanceof TLSSocket
    ? {
        tls: {
          servername: socket.servername,
          protocol: socket.getProtocol(),
          client: socket.getPeerCertificate().fingerprint256,
        },
      }
    : {};

/** A TCP server. */
export interface TcpUpstream {
  address: string;
  /** Connections that the client has ended. */
  ended: number;
  stop: () => Promise<void>;
  start: () => Promise<void>;
}

/**
 * A TCP server that sends `greeting`, and returns every byte inverted (`^ 0xff`), which distinguishes it from a mere echo. It
 * ends the connection when it receives the line `bye`.
 */
export async function startTcpUpstream(greeting: string): Promise<TcpUpstream> {
  const port = await freePort();
  const server = createTcpServer((socket) => {
    socket.write(greeting);
    socket.on("data", (chunk) => {
      if (chunk.toString("latin1") === "bye") socket.end();
      else socket.write(chunk.map((byte) => byte ^ 0xff));
    });
    socket.on("end", () => (upstream.ended += 1));
  });
  const upstream: TcpUpstream = {
    address: `127.0.0.1:${port}`,
    ended: 0,
    ...switchOf(server, port),
  };
  await upstream.start();
  return upstream;
}
