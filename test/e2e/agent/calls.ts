// Clients and upstreams on loopback, as bytes go over the wire.
import { once } from "node:events";
import { request } from "node:https";
import { connect, type NetConnectOpts, type Server } from "node:net";
import { connect as connectTls, type ConnectionOptions } from "node:tls";
import { listen } from "../support/ports.ts";

type Test = { after: (hook: () => void) => void };

/** Port of a server that listens on loopback until the test ends. */
export async function listening(test: Test, server: Server): Promise<number> {
  test.after(() => server.close());
  return listen(server);
}

/** Sends a text and returns all that comes before the other side closes or resets; empty if it cannot connect. */
export async function exchange(options: NetConnectOpts, sent = ""): Promise<string> {
  const socket = connect(options);
  const pieces: Buffer[] = [];
  socket.on("data", (data) => pieces.push(data));
  socket.on("error", () => {});
  socket.setTimeout(10_000, () => socket.destroy());
  if (sent !== "") socket.write(sent);
  await new Promise((resolve) => socket.on("close", resolve));
  return Buffer.concat(pieces).toString();
}

export const read = (port: number) => exchange({ port, host: "127.0.0.1" });

/** What a server says over TLS before it closes; rejects if the handshake fails. */
export async function readOverTls(options: ConnectionOptions): Promise<{ text: string; isResumed: boolean }> {
  const socket = connectTls({ host: "127.0.0.1", rejectUnauthorized: false, ...options });
  let text = "";
  let isResumed = false;
  socket.on("secureConnect", () => (isResumed = socket.isSessionReused()));
  socket.on("data", (data: Buffer) => (text += data.toString()));
  await new Promise<void>((resolve, reject) => {
    socket.on("error", reject);
    socket.on("close", () => resolve());
    socket.setTimeout(10_000, () => socket.destroy());
  });
  return { text, isResumed };
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** A request over TLS 1.2 or later and HTTP/1.1. */
export function call(
  port: number,
  servername: string,
  path: string,
  options: {
    host?: string;
    method?: string;
    headers?: Record<string, string>;
    cert?: Buffer;
    key?: Buffer;
    session?: Buffer;
    sent?: string;
  } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const all = {
      host: "127.0.0.1",
      port,
      servername,
      path,
      rejectUnauthorized: false,
      agent: false,
      ...options,
      headers: { host: servername, ...options.headers },
    } as const;
    request(all, async (response) => {
      const pieces: Buffer[] = await response.toArray();
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: Buffer.concat(pieces),
      });
    })
      .on("error", reject)
      .end(options.sent);
  });
}

/** Statuses of requests on an internal socket of the proxy, which the PROXY protocol says are from this source. */
export async function statusesFrom(
  source: string,
  path: string,
  servername: string,
  urls: readonly string[],
): Promise<number[]> {
  const socket = connect({ path });
  await once(socket, "connect");
  const [family, destination] = source.includes(":") ? ["TCP6", "2001:db8::ffff"] : ["TCP4", "192.0.2.255"];
  socket.write(`PROXY ${family} ${source} ${destination} 1000 443\r\n`);
  const tls = connectTls({ socket, servername, rejectUnauthorized: false, ALPNProtocols: ["http/1.1"] });
  const requests = urls.map((url) => `GET ${url} HTTP/1.1\r\nhost: ${servername}\r\n`);
  tls.write(`${requests.join("\r\n")}connection: close\r\n\r\n`);
  let text = "";
  for await (const piece of tls) text += String(piece);
  return [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));
}
