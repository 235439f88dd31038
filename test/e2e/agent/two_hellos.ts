// A TLS 1.3 client (RFC 8446) that can name another server in its second ClientHello, after a HelloRetryRequest. OpenSSL's cannot.
import {
  createCipheriv,
  createDecipheriv,
  createECDH,
  createHash,
  createHmac,
  randomBytes,
} from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Record types, and the handshake messages that are told apart. */
const [ALERT, HANDSHAKE, DATA] = [21, 22, 23];
const [SERVER_HELLO, FINISHED, MESSAGE_HASH] = [2, 20, 254];
/** The random of a ServerHello that is a HelloRetryRequest (section 4.1.3). */
const RETRY = createHash("sha256").update("HelloRetryRequest").digest();
const P256 = Buffer.from([0, 0x17]);

const vector = (lengthBytes: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const length = Buffer.alloc(lengthBytes);
  length.writeUIntBE(body.length, 0, lengthBytes);
  return Buffer.concat([length, body]);
};
const extension = (type: number, body: Buffer) => Buffer.concat([Buffer.from([0, type]), vector(2, body)]);
const message = (type: number, body: Buffer) => Buffer.concat([Buffer.from([type]), vector(3, body)]);
const record = (type: number, body: Buffer) => Buffer.concat([Buffer.from([type, 3, 3]), vector(2, body)]);
const sha256 = (...parts: Buffer[]) => createHash("sha256").update(Buffer.concat(parts)).digest();
const hmac = (key: Buffer, data: Buffer) => createHmac("sha256", key).update(data).digest();

/** HKDF-Expand-Label, for at most 32 bytes (section 7.1). */
const expand = (secret: Buffer, label: string, context: Buffer, length: number): Buffer => {
  const info = Buffer.concat([
    Buffer.from([0, length]),
    vector(1, Buffer.from(`tls13 ${label}`)),
    vector(1, context),
  ]);
  return hmac(secret, Buffer.concat([info, Buffer.from([1])])).subarray(0, length);
};
const derived = (secret: Buffer, label: string, transcript: Buffer) =>
  expand(secret, label, sha256(transcript), 32);

/** @param share the public key; without one, the server asks for a second ClientHello */
function clientHello(random: Buffer, name: string | undefined, share?: Buffer): Buffer {
  const sni = vector(2, Buffer.from([0]), vector(2, Buffer.from(name ?? "")));
  const extensions = [
    ...(name === undefined ? [] : [extension(0, sni)]),
    extension(10, vector(2, P256)),
    extension(13, vector(2, Buffer.from("040305030603080408050806040105010601", "hex"))),
    extension(43, vector(1, Buffer.from([3, 4]))),
    extension(51, vector(2, ...(share ? [P256, vector(2, share)] : []))),
  ];
  const suites = vector(2, Buffer.from([0x13, 0x01]));
  const body = [Buffer.from([3, 3]), random, vector(1), suites, vector(1, Buffer.from([0]))];
  return message(1, Buffer.concat([...body, vector(2, ...extensions)]));
}

/** The keys of one direction (TLS_AES_128_GCM_SHA256). */
class Keys {
  readonly #key: Buffer;
  readonly #iv: Buffer;
  #count = 0;

  constructor(secret: Buffer) {
    this.#key = expand(secret, "key", Buffer.alloc(0), 16);
    this.#iv = expand(secret, "iv", Buffer.alloc(0), 12);
  }

  #nonce(): Buffer {
    const nonce = Buffer.from(this.#iv);
    nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ this.#count++) >>> 0, 8);
    return nonce;
  }

  seal(type: number, body: Buffer): Buffer {
    const plain = Buffer.concat([body, Buffer.from([type])]);
    const header = Buffer.from([DATA, 3, 3, 0, 0]);
    header.writeUInt16BE(plain.length + 16, 3);
    const cipher = createCipheriv("aes-128-gcm", this.#key, this.#nonce()).setAAD(header);
    return Buffer.concat([header, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  }

  open(header: Buffer, body: Buffer): { type: number; body: Buffer } {
    const cipher = createDecipheriv("aes-128-gcm", this.#key, this.#nonce()).setAAD(header);
    cipher.setAuthTag(body.subarray(-16));
    const plain = Buffer.concat([cipher.update(body.subarray(0, -16)), cipher.final()]);
    return { type: plain.at(-1) ?? 0, body: plain.subarray(0, -1) };
  }
}

/** Reads records, decrypted once there are keys. */
class Reader {
  keys: Keys | undefined;
  readonly #pieces: AsyncIterator<Buffer>;
  #bytes = Buffer.alloc(0);
  #messages = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.#pieces = socket[Symbol.asyncIterator]();
  }

  async #take(length: number): Promise<Buffer> {
    while (this.#bytes.length < length) {
      const { value, done } = await this.#pieces.next();
      if (done === true) throw new Ended();
      this.#bytes = Buffer.concat([this.#bytes, value]);
    }
    const taken = this.#bytes.subarray(0, length);
    this.#bytes = this.#bytes.subarray(length);
    return taken;
  }

  async record(): Promise<{ type: number; body: Buffer }> {
    const header = await this.#take(5);
    const body = await this.#take(header.readUInt16BE(3));
    const read =
      header[0] === DATA && this.keys ? this.keys.open(header, body) : { type: header[0] ?? 0, body };
    if (read.type === ALERT) throw new Ended();
    return read;
  }

  /** The next handshake message. */
  async message(): Promise<Buffer> {
    for (;;) {
      const length = this.#messages.length < 4 ? Infinity : 4 + this.#messages.readUIntBE(1, 3);
      if (this.#messages.length >= length) {
        const found = this.#messages.subarray(0, length);
        this.#messages = this.#messages.subarray(length);
        return found;
      }
      const { type, body } = await this.record();
      if (type === HANDSHAKE) this.#messages = Buffer.concat([this.#messages, body]);
    }
  }
}

/** The server has closed the connection, or sent an alert. */
class Ended extends Error {}

interface Said {
  /** Whether the server sent a HelloRetryRequest. */
  isRetried: boolean;
  /** Whether the handshake was completed. */
  isComplete: boolean;
  text: string;
}

interface Names {
  port: number;
  /** The names in the two ClientHellos. Undefined sends none. */
  first: string | undefined;
  second: string | undefined;
  localAddress?: string;
  /** Sent after the handshake. */
  sent?: string;
  /** The most bytes of the first ClientHello in one record. */
  recordSize?: number;
}

/** What a server says to a client that names one server in its first ClientHello, and another in the second. */
export async function saidToBoth(names: Names): Promise<Said> {
  const { port, localAddress } = names;
  const socket = connect({ host: "127.0.0.1", port, ...(localAddress !== undefined && { localAddress }) });
  const said = { isRetried: false, isComplete: false, text: "" };
  try {
    await once(socket, "connect");
    socket.setTimeout(8000, () => socket.destroy());
    await converse(socket, names, said);
  } catch (error) {
    const isReset =
      error instanceof Error && "code" in error && /^(?:ECONNRESET|EPIPE)$/.test(String(error.code));
    if (!(error instanceof Ended) && !isReset) throw error;
  } finally {
    socket.destroy();
  }
  return said;
}

async function converse(
  socket: Socket,
  { first, second, sent, recordSize }: Names,
  said: Said,
): Promise<void> {
  const reader = new Reader(socket);
  const random = randomBytes(32);
  const ecdh = createECDH("prime256v1");
  const share = ecdh.generateKeys();
  const one = clientHello(random, first);
  const size = recordSize ?? one.length;
  for (let start = 0; start < one.length; start += size)
    socket.write(record(HANDSHAKE, one.subarray(start, start + size)));
  const retry = await reader.message();
  said.isRetried = retry[0] === SERVER_HELLO && retry.subarray(6, 38).equals(RETRY);
  if (!said.isRetried) throw new Error("The server did not ask for a second ClientHello.");
  const two = clientHello(random, second, share);
  socket.write(record(HANDSHAKE, two));
  const hello = await reader.message();
  let transcript = Buffer.concat([message(MESSAGE_HASH, sha256(one)), retry, two, hello]);

  // The last extension of OpenSSL's ServerHello is the key share.
  const secret = ecdh.computeSecret(hello.subarray(-65));
  const [zeros, nothing] = [Buffer.alloc(32), Buffer.alloc(0)];
  const handshake = hmac(derived(hmac(zeros, zeros), "derived", nothing), secret);
  const own = derived(handshake, "c hs traffic", transcript);
  reader.keys = new Keys(derived(handshake, "s hs traffic", transcript));
  for (let next = nothing; next[0] !== FINISHED;) {
    next = await reader.message();
    transcript = Buffer.concat([transcript, next]);
  }
  const main = hmac(derived(handshake, "derived", nothing), zeros);
  const finished = hmac(expand(own, "finished", nothing, 32), sha256(transcript));
  socket.write(new Keys(own).seal(HANDSHAKE, message(FINISHED, finished)));
  reader.keys = new Keys(derived(main, "s ap traffic", transcript));
  said.isComplete = true;
  if (sent !== undefined)
    socket.write(new Keys(derived(main, "c ap traffic", transcript)).seal(DATA, Buffer.from(sent)));
  for (;;) {
    const { type, body } = await reader.record();
    if (type === DATA) said.text += body.toString();
  }
}
