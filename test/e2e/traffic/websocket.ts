import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect } from "node:tls";
import type { Certificate } from "./certificates.ts";

/*
 * A websocket client (RFC 6455) with access to raw frames.
 */

interface Frame {
  opcode: number;
  payload: Buffer;
}

export interface WebsocketClient {
  status: number;
  /** Sends a frame; the payload is masked, as RFC 6455 §5.3 requires of clients. */
  send: (opcode: number, payload: Buffer, isLast?: boolean) => void;
  /** Payloads of text and binary frames so far. */
  bytes: () => Buffer;
  frames: Frame[];
  /** Ends the connection without a close frame. */
  cut: () => void;
  /** Resolves when the connection has ended. */
  ended: Promise<void>;
}

export const OPCODES = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export function openWebsocket(
  { host, port, path }: { host: string; port: number; path: string },
  authority: Certificate,
): Promise<WebsocketClient> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: "127.0.0.1",
      port,
      servername: host,
      ca: readFileSync(authority.certificate),
      ALPNProtocols: ["http/1.1"],
    });
    const frames: Frame[] = [];
    let buffered = Buffer.alloc(0);
    let isOpen = false;
    const ended = new Promise<void>((done) => socket.once("close", () => done()));
    socket.once("error", reject);
    socket.setTimeout(8_000, () => socket.destroy(new Error("no answer in time")));
    socket.once("secureConnect", () =>
      socket.write(
        [
          `GET ${path} HTTP/1.1`,
          `Host: ${host}:${port}`,
          "Connection: Upgrade",
          "Upgrade: websocket",
          "Sec-WebSocket-Version: 13",
          `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}`,
          "\r\n",
        ].join("\r\n"),
      ),
    );
    const client = (status: number): WebsocketClient => ({
      status,
      frames,
      ended,
      bytes: () =>
        Buffer.concat(frames.filter(({ opcode }) => opcode <= OPCODES.binary).map(({ payload }) => payload)),
      send: (opcode, payload, isLast = true) => socket.write(frameOf(opcode, payload, isLast)),
      cut: () => socket.destroy(),
    });
    socket.on("data", (chunk) => {
      buffered = Buffer.concat([buffered, chunk]);
      if (!isOpen) {
        const end = buffered.indexOf("\r\n\r\n");
        if (end < 0) return;
        const status = Number(buffered.toString("latin1", 0, end).split(" ")[1]);
        buffered = buffered.subarray(end + 4);
        isOpen = true;
        resolve(client(status));
        if (status !== 101) {
          socket.end();
          return;
        }
      }
      for (;;) {
        const frame = firstFrame(buffered);
        if (!frame) return;
        buffered = buffered.subarray(frame.length);
        frames.push(frame);
      }
    });
  });
}

function frameOf(opcode: number, payload: Buffer, isLast: boolean): Buffer {
  const { length } = payload;
  const head = [(isLast ? 0x80 : 0) | opcode];
  if (length < 126) head.push(0x80 | length);
  else if (length < 65_536) head.push(0x80 | 126, length >> 8, length & 255);
  else
    head.push(0x80 | 127, 0, 0, 0, 0, length >>> 24, (length >> 16) & 255, (length >> 8) & 255, length & 255);
  const mask = randomBytes(4);
  return Buffer.concat([
    Buffer.from(head),
    mask,
    payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0)),
  ]);
}

/** The first complete frame; servers do not mask frames. */
function firstFrame(bytes: Buffer): (Frame & { length: number }) | undefined {
  if (bytes.length < 2) return undefined;
  const opcode = (bytes[0] ?? 0) & 15;
  const short = bytes[1] ?? 0;
  if (short > 127) throw new Error("a server does not mask its frames");
  const at = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < at) return undefined;
  const size = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (bytes.length < at + size) return undefined;
  return { opcode, payload: bytes.subarray(at, at + size), length: at + size };
}
