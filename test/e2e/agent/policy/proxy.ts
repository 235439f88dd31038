// A real HAProxy with a configuration of its own, an upstream with prepared responses, and clients that send odd requests.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bytesOf } from "../../../../packages/model/src/policy/evaluate.ts";
import { listen } from "../../support/ports.ts";
import type { OddRequest } from "./random.ts";

interface Test {
  after: (hook: () => unknown) => void;
}

/** Starts HAProxy with a configuration, until the function that is returned is called. */
export async function start(
  test: Test,
  directory: string,
  lines: string[],
  port: number,
): Promise<() => Promise<void>> {
  const path = join(directory, "haproxy.cfg");
  writeFileSync(path, `${lines.join("\n")}\n`);
  execFileSync("haproxy", ["-c", "-f", path], { stdio: ["ignore", "ignore", "pipe"] });
  const child = spawn("haproxy", ["-db", "-f", path], { stdio: "ignore" });
  const ended = once(child, "exit");
  test.after(() => child.kill("SIGTERM"));
  for (let tries = 0; tries < 100; tries++) {
    const socket = connect({ port, host: "127.0.0.1" });
    const isOpen = await Promise.race([
      once(socket, "connect").then(
        () => true,
        () => false,
      ),
      sleep(200, false),
    ]);
    socket.destroy();
    if (isOpen) break;
    await sleep(50);
  }
  return async () => {
    child.kill("SIGTERM");
    await ended;
  };
}

const linesOf = (headers: [string, string][]): string =>
  headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");

/** What an upstream got. */
export interface Got {
  line: string;
  headers: [string, string][];
}

/** An upstream that responds to the request with the header `x-number: N` with the Nth response. It keeps what it got. */
export async function upstream(
  test: Test,
  responseTo: (number: number) => OddRequest["response"],
): Promise<{ port: number; got: Map<number, Got> }> {
  const got = new Map<number, Got>();
  const server = createServer((socket) => {
    let text = "";
    socket.on("error", () => undefined);
    socket.on("data", (data) => {
      text += data.toString("latin1");
      const end = text.indexOf("\r\n\r\n");
      if (end === -1) return;
      const [line = "", ...lines] = text.slice(0, end).split("\r\n");
      const headers = lines.map((each): [string, string] => [
        each.slice(0, each.indexOf(":")),
        each.slice(each.indexOf(":") + 1).trim(),
      ]);
      const number = Number(headers.find(([name]) => name === "x-number")?.[1] ?? -1);
      got.set(number, { line, headers });
      const { status, headers: own } = responseTo(number);
      socket.end(
        Buffer.from(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\nconnection: close\r\n${linesOf(own)}\r\n`),
      );
    });
  });
  test.after(() => server.close());
  return { port: await listen(server), got };
}

export interface Answer {
  status: number;
  headers: [string, string][];
  body: string;
}

/** Sends a request over HTTP/1.1, byte for byte. Undefined if the connection is closed without a response. */
export async function overHttp1(
  port: number,
  request: OddRequest,
  more: [string, string][],
): Promise<Answer | undefined> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: request.source });
  const chunks: Buffer[] = [];
  socket.on("data", (data) => chunks.push(data));
  socket.on("error", () => undefined);
  socket.setTimeout(5000, () => socket.destroy());
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const { method, target, headers, body } = request;
  const all: [string, string][] = [["Host", "x.example"], ...headers, ...more, ["Connection", "close"]];
  socket.write(Buffer.from(`${method} ${target} HTTP/1.1\r\n${linesOf(all)}\r\n${body}`));
  await closed;
  const text = Buffer.concat(chunks).toString("latin1");
  const end = text.indexOf("\r\n\r\n");
  const [line = "", ...lines] = text.slice(0, end).split("\r\n");
  if (end === -1) return undefined;
  return {
    status: Number(line.split(" ")[1]),
    headers: lines.map((each: string): [string, string] => [
      each.slice(0, each.indexOf(":")).toLowerCase(),
      each.slice(each.indexOf(":") + 1).trim(),
    ]),
    body: text.slice(end + 4),
  };
}

/** Sends a request over HTTP/2. */
export async function overHttp2(
  port: number,
  request: OddRequest,
  more: [string, string][],
): Promise<Answer | undefined> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: request.source });
  const session = connectHttp2("http://x.example", { createConnection: () => socket });
  session.on("error", () => undefined);
  const headers: Record<string, string[] | string> = {
    ":method": request.method,
    ":path": bytesOf(request.target),
    ":authority": "x.example",
  };
  for (const [name, value] of [...request.headers, ...more]) {
    const key = name.toLowerCase();
    const bytes = bytesOf(value).trim();
    const before = headers[key];
    headers[key] = before === undefined ? bytes : [before, bytes].flat();
  }
  try {
    const stream = session.request(headers, { endStream: request.body === "" });
    stream.on("error", () => undefined);
    if (request.body !== "") stream.end(request.body);
    const answer = once(stream, "response");
    const chunks: Buffer[] = [];
    stream.on("data", (data: Buffer) => chunks.push(data));
    const ended = once(stream, "close");
    const found = await Promise.race([answer, ended.then(() => undefined), sleep(5000)]);
    if (!found) return undefined;
    await ended;
    const [got, , raw] = found as [Record<string, unknown>, number, string[]];
    return {
      status: Number(got[":status"]),
      headers: raw.flatMap((name, at): [string, string][] =>
        at % 2 === 0 ? [[name, raw[at + 1] ?? ""]] : [],
      ),
      body: Buffer.concat(chunks).toString("latin1"),
    };
  } catch {
    return undefined;
  } finally {
    session.destroy();
  }
}
