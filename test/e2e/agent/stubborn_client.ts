// A client over HTTP/2 (RFC 9113) that ignores GOAWAY, as some proxies and libraries do.
import { once } from "node:events";
import { connect, type TLSSocket } from "node:tls";

const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const FRAME = { data: 0, headers: 1, reset: 3, settings: 4, goAway: 7 } as const;
const FLAG = { end: 1, acknowledged: 1, endOfHeaders: 4 } as const;

function frame(type: number, flags: number, stream: number, payload = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A header field, literally (RFC 7541 §6.2.2). */
const field = (name: string, value: string): Buffer =>
  Buffer.from(`\0${String.fromCharCode(name.length)}${name}${String.fromCharCode(value.length)}${value}`);

/** Statuses in the static table (RFC 7541, appendix A), from index 8. */
const STATUSES = [200, 204, 206, 304, 400, 404, 500];

/** The status of a response, which is its first field. HAProxy writes others than those of the static table literally. */
function statusIn(block: Buffer): number {
  const [first = 0] = block;
  return first >= 0x80 ? (STATUSES[(first & 0x7f) - 8] ?? 0) : Number(block.toString("latin1", 2, 5));
}

interface Response {
  status: number;
  text: string;
}

export class StubbornClient {
  isToldToGo = false;
  readonly #socket: TLSSocket;
  readonly #host: string;
  #received = Buffer.alloc(0);
  #stream = -1;
  /** Responses under way. */
  readonly #open = new Map<
    number,
    Response & { resolve: (response: Response) => void; reject: (error: Error) => void }
  >();

  private constructor(socket: TLSSocket, host: string) {
    this.#socket = socket;
    this.#host = host;
    socket.on("data", (data: Buffer) => this.#read(data));
    socket.on("error", () => {});
    socket.on("close", () => {
      for (const { reject } of this.#open.values()) reject(new Error("The connection was closed."));
    });
    socket.write(Buffer.concat([Buffer.from(PREFACE), frame(FRAME.settings, 0, 0)]));
  }

  static async connect(port: number, host: string): Promise<StubbornClient> {
    const options = { host: "127.0.0.1", port, servername: host, rejectUnauthorized: false };
    const socket = connect({ ...options, ALPNProtocols: ["h2"] });
    await once(socket, "secureConnect");
    return new StubbornClient(socket, host);
  }

  /** Sends a request. Resolves to the response, which grows until then. */
  get(path = "/"): { response: Response; done: Promise<Response> } {
    this.#stream += 2;
    const fields = { ":method": "GET", ":scheme": "https", ":authority": this.#host, ":path": path };
    const block = Buffer.concat(Object.entries(fields).map(([name, value]) => field(name, value)));
    const { promise: done, resolve, reject } = Promise.withResolvers<Response>();
    const response = { status: 0, text: "", resolve, reject };
    if (this.#socket.destroyed) reject(new Error("The connection is closed."));
    this.#open.set(this.#stream, response);
    this.#socket.write(frame(FRAME.headers, FLAG.end | FLAG.endOfHeaders, this.#stream, block));
    return { response, done };
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(data: Buffer): void {
    this.#received = Buffer.concat([this.#received, data]);
    while (this.#received.length >= 9) {
      const end = 9 + this.#received.readUIntBE(0, 3);
      if (this.#received.length < end) return;
      const [type = 0, flags = 0] = this.#received.subarray(3, 5);
      this.#handle(type, flags, this.#received.readUInt32BE(5), this.#received.subarray(9, end));
      this.#received = this.#received.subarray(end);
    }
  }

  #handle(type: number, flags: number, stream: number, payload: Buffer): void {
    if (type === FRAME.goAway) this.isToldToGo = true;
    if (type === FRAME.settings && flags !== FLAG.acknowledged)
      this.#socket.write(frame(FRAME.settings, FLAG.acknowledged, 0));
    const response = this.#open.get(stream);
    if (!response) return;
    if (type === FRAME.reset) response.reject(new Error("The stream was reset."));
    if (type === FRAME.headers && response.status === 0) response.status = statusIn(payload);
    if (type === FRAME.data) response.text += payload.toString("latin1");
    if ((type === FRAME.headers || type === FRAME.data) && (flags & FLAG.end) !== 0) {
      this.#open.delete(stream);
      response.resolve(response);
    }
  }
}
