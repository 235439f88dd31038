import { type ChildProcess, spawn } from "node:child_process";
import type { Certificate } from "./certificates.ts";
import type { Seen } from "./upstreams.ts";

/*
 * Clients of served edges: curl, openssl and plain sockets.
 */

/** The result of a request. */
export interface Answer {
  /** 0 if there was no response. */
  status: number;
  /** By lower-case name; the values of a repeated name are joined with a comma. */
  headers: Record<string, string>;
  body: Buffer;
  text: string;
  /** The name of the upstream server that responded. */
  upstream: string | undefined;
  /**
   * The exit code of curl: 0 for a response, 7 for a failed connection, 35 for a TLS error, 52 and 56 for a connection that was
   * cut off.
   */
  exit: number;
  /** The error message of curl. */
  said: string;
}

export interface CurlOptions {
  /** Source address. */
  from?: string;
  /** Header lines. */
  headers?: string[];
  /** The authority that the server's certificate must be signed by. */
  authority?: Certificate;
  client?: Certificate;
  more?: string[];
}

const CURL_SECONDS = "8";

/** Sends a request with curl. Host names resolve to 127.0.0.1. */
export async function curl(url: string, options: CurlOptions = {}): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const { exit, stdout, stderr } = await run("curl", [
    "--silent",
    "--show-error",
    "--include",
    "--path-as-is",
    "--max-time",
    CURL_SECONDS,
    "--noproxy",
    "*",
    "--suppress-connect-headers",
    "--connect-to",
    `${hostname}:${port}:${destinationOf(hostname)}:${port}`,
    ...(options.from === undefined ? [] : ["--interface", options.from]),
    ...(options.authority ? ["--cacert", options.authority.certificate] : []),
    ...(options.client ? ["--cert", options.client.certificate, "--key", options.client.key] : []),
    ...(options.headers ?? []).flatMap((line) => ["--header", line]),
    ...(options.more ?? []),
    url,
  ]);
  if (stdout.length === 0) return { ...nothing, exit, said: stderr };
  const end = stdout.indexOf("\r\n\r\n");
  const [first = "", ...lines] = stdout.subarray(0, end).toString("latin1").split("\r\n");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  const body = stdout.subarray(end + 4);
  return {
    status: Number(first.split(" ")[1]),
    headers,
    body,
    text: body.toString(),
    upstream: headers["x-upstream"],
    exit,
    said: stderr,
  };
}

const nothing: Omit<Answer, "exit" | "said"> = {
  status: 0,
  headers: {},
  body: Buffer.alloc(0),
  text: "",
  upstream: undefined,
};

const destinationOf = (hostname: string): string => (/^[\d.]+$|^\[/.test(hostname) ? hostname : "127.0.0.1");

/** The request that the upstream server received. @throws if no upstream server responded */
export function seenIn({ text, status, said }: Answer): Seen {
  const start = text.indexOf('{"upstream"');
  if (start < 0) throw new Error(`no upstream server has answered: ${status} ${text.slice(0, 200)} ${said}`);
  const seen: Seen = JSON.parse(text.slice(start));
  return seen;
}

export type TlsVersion = "1.0" | "1.1" | "1.2" | "1.3";

const VERSION_FLAGS = { "1.0": "-tls1", "1.1": "-tls1_1", "1.2": "-tls1_2", "1.3": "-tls1_3" } as const;

/** The output of `openssl s_client`, and the TLS version of the handshake; undefined if it failed. */
export async function handshake(
  port: number,
  servername: string,
  version: TlsVersion,
): Promise<{ version: string | undefined; output: string }> {
  const { exit, stdout, stderr } = await run("openssl", [
    "s_client",
    "-connect",
    `127.0.0.1:${port}`,
    "-cipher",
    "ALL:@SECLEVEL=0",
    "-servername",
    servername,
    VERSION_FLAGS[version],
  ]);
  const output = stdout.toString() + stderr;
  const [, agreed] = /^(?:New|Reused), TLSv([\d.]+), Cipher is (?!\(NONE\))/m.exec(output) ?? [];
  const [, session] = /^ {4}Protocol {2}: TLSv([\d.]+)$/m.exec(output) ?? [];
  // The first version is the one that introduced the cipher. The session names the negotiated version, TLS 1.0 as "TLSv1".
  const spoken = session === "1" ? "1.0" : (session ?? agreed);
  return { version: exit === 0 && agreed !== undefined ? spoken : undefined, output };
}

function run(
  command: string,
  arguments_: string[],
): Promise<{ exit: number; stdout: Buffer; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child: ChildProcess = spawn(command, arguments_, { stdio: ["ignore", "pipe", "pipe"] });
    const chunks: Buffer[] = [];
    let stderr = "";
    child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.once("error", reject);
    child.once("close", (exit) => resolve({ exit: exit ?? -1, stdout: Buffer.concat(chunks), stderr }));
  });
}
