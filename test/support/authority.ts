import {
  certificate,
  der,
  extension,
  extensions,
  name,
  oid,
  sequence,
  text,
  utcTime,
} from "./certificates.ts";
import type { Json } from "./json.ts";

/*
 * An authority that speaks ACME (RFC 8555) from memory, without checking anything, and lies if it is told to.
 */

type Bytes = number[];

const base64Url = (bytes: Iterable<number>): string => Buffer.from([...bytes]).toString("base64url");
const json = (part: string): Json =>
  JSON.parse(part === "" ? "null" : Buffer.from(part, "base64url").toString());

/** `ecdsa-with-SHA256`. */
const ECDSA_SHA256 = sequence(oid("1.2.840.10045.4.3.2"));

const alternativeNames = (names: string[]): Bytes =>
  extension("2.5.29.17", sequence(...names.map((host) => text(0x82, host))));

/** A key of P-256 as SubjectPublicKeyInfo, and a request for a certificate in base64url. */
export async function newRequest(host: string): Promise<{ csr: string; key: Uint8Array }> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const pair = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  if (!("privateKey" in pair)) throw new Error("no pair");
  const key = new Uint8Array(Buffer.from(Object(await crypto.subtle.exportKey("spki", pair.publicKey))));
  const asked = sequence(oid("1.2.840.113549.1.9.14"), der(0x31, sequence(alternativeNames([host]))));
  const info = sequence(der(0x02, [0]), sequence(), [...key], der(0xa0, asked));
  const plain = await crypto.subtle.sign(
    { name: "ECDSA", hash: "SHA-256" },
    pair.privateKey,
    Uint8Array.from(info),
  );
  const half = (start: number): Bytes => {
    const digits = [...new Uint8Array(plain).subarray(start, start + 32)];
    while (digits.length > 1 && digits[0] === 0) digits.shift();
    return der(0x02, (digits[0] ?? 0) >= 0x80 ? [0, ...digits] : digits);
  };
  const signature = der(0x03, [0], sequence(half(0), half(32)));
  return { csr: base64Url(sequence(info, ECDSA_SHA256, signature)), key };
}

/** The public key in a request, as DER. */
const keyIn = (csr: string): Bytes => {
  const bytes = [...Buffer.from(csr, "base64url")];
  const start = Buffer.from(bytes).indexOf(Buffer.from("3059301306072a8648ce3d0201", "hex"));
  return bytes.slice(start, start + 91);
};

const utc = (at: number): Bytes =>
  utcTime(`${new Date(at).toISOString().slice(2, 19).replaceAll(/[-T:]/g, "")}Z`);

/** PEM of a certificate. Its signature is made up. */
export function issued(
  hosts: string[],
  { key, from, until, serial }: { key: Bytes; from: number; until: number; serial: number },
): string {
  const bytes = certificate({
    serial: der(0x02, [0x12, serial >> 8, serial & 0xff]),
    issuer: name(["2.5.4.3", text(0x0c, "Fake authority")]),
    subject: name(),
    notBefore: utc(from),
    notAfter: utc(until),
    publicKey: key,
    rest: [extensions(alternativeNames(hosts), extension("2.5.29.35", sequence(der(0x80, [1, 2, 3, 4]))))],
  });
  const lines =
    Buffer.from(bytes)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

/** A request that the authority got. */
interface Got {
  path: string;
  protected: Json;
  payload: Json;
}

const error = (
  status: number,
  type: string,
  detail = "as told",
  headers: Record<string, string> = {},
): Response => Response.json({ type: `urn:ietf:params:acme:error:${type}`, detail }, { status, headers });

const DAY = 86_400_000;

/** An authority at `origin`, with the directory at `/dir`. */
export class FakeAuthority {
  readonly got: Got[] = [];
  /** Answers in place of the authority; undefined for its own answer. */
  instead: (got: Got) => Response | undefined | Promise<Response | undefined> = () => undefined;
  /** Changes what it issues. */
  lie: { hosts?: string[]; key?: Bytes; from?: number; until?: number; chain?: string } = {};
  /** Why challenges fail; undefined if they succeed. */
  refusal: Json | undefined;
  now: () => number = Date.now;
  /** The window of renewals (RFC 9773), as its response. */
  window: { body: Json; headers?: Record<string, string> } | undefined;
  /** Ids of certificates that were replaced. */
  readonly replaced = new Set<string>();
  readonly origin: string;
  /** Accounts by their keys. */
  readonly accounts = new Map<string, number>();
  readonly orders: Json[] = [];
  #serial = 0;
  #nonce = 0;

  constructor(origin: string) {
    this.origin = origin;
  }

  /** How many requests it got at a path. */
  count(path: RegExp): number {
    return this.got.filter((one) => path.test(one.path)).length;
  }

  /** Answers a request. */
  async answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    const body: Json = request.method === "POST" ? await request.json() : {};
    const got = { path, protected: json(body.protected ?? ""), payload: json(body.payload ?? "") };
    this.got.push(got);
    const response = (await this.instead(got)) ?? this.#own(got);
    const headers = new Headers(response.headers);
    headers.set("Replay-Nonce", `nonce${++this.#nonce}`);
    return new Response(response.body, { status: response.status, headers });
  }

  error = error;

  #own({ path, protected: header, payload }: Got): Response {
    const url = (rest: string): string => `${this.origin}${rest}`;
    if (path === "/dir")
      return Response.json({
        newNonce: url("/nonce"),
        newAccount: url("/new-account"),
        newOrder: url("/new-order"),
        ...(this.window && { renewalInfo: url("/renewal") }),
        meta: { caaIdentities: ["fake.example"] },
      });
    if (path === "/nonce") return new Response(null);
    if (path.startsWith("/renewal/"))
      return Response.json(this.window?.body, { headers: this.window?.headers ?? {} });
    if (path === "/new-account") {
      const key = JSON.stringify(header.jwk);
      const isNew = !this.accounts.has(key);
      if (isNew) this.accounts.set(key, this.accounts.size + 1);
      return Response.json(
        { status: "valid" },
        { status: isNew ? 201 : 200, headers: { Location: url(`/account/${this.accounts.get(key)}`) } },
      );
    }
    const isKnown = [...this.accounts.values()].some((number) => header.kid === url(`/account/${number}`));
    if (!isKnown) return error(400, "accountDoesNotExist");
    if (path === "/new-order") {
      if (payload.replaces !== undefined && this.replaced.has(payload.replaces))
        return error(409, "alreadyReplaced");
      if (payload.replaces !== undefined) this.replaced.add(payload.replaces);
      this.orders.push({ status: "pending", host: payload.identifiers[0].value, authorization: "pending" });
      const number = this.orders.length - 1;
      return Response.json(this.#order(number), {
        status: 201,
        headers: { Location: url(`/order/${number}`) },
      });
    }
    const [, kind = "", text = ""] = /^\/(\w+)\/(\d+)$/.exec(path) ?? [];
    const number = Number(text);
    const order = this.orders[number];
    if (!order) return error(404, "malformed");
    return this.#ofOrder(kind, number, order, payload);
  }

  #ofOrder(kind: string, number: number, order: Json, payload: Json): Response {
    switch (kind) {
      case "order":
        return Response.json(this.#order(number));
      case "authorization":
        return Response.json({
          status: order.authorization,
          identifier: { type: "dns", value: order.host },
          challenges: [this.#challenge(number)],
        });
      case "challenge":
        order.authorization = this.refusal === undefined ? "valid" : "invalid";
        order.status = this.refusal === undefined ? "ready" : "invalid";
        return Response.json(this.#challenge(number));
      case "finalize":
        if (order.status !== "ready") return error(403, "orderNotReady");
        order.status = "valid";
        order.csr = payload.csr;
        return Response.json(this.#order(number));
      default:
        return new Response(this.#chain(order));
    }
  }

  #challenge(number: number): Json {
    const order = this.orders[number];
    return {
      type: "http-01",
      url: `${this.origin}/challenge/${number}`,
      token: "token",
      status: order?.authorization,
      ...(order?.authorization === "invalid" && {
        error: this.refusal,
        validationRecord: [{ url: `http://${order.host}/`, addressUsed: "192.0.2.80" }],
      }),
    };
  }

  #order(number: number): Json {
    const url = (kind: string): string => `${this.origin}/${kind}/${number}`;
    const { status } = this.orders[number] ?? {};
    return {
      status,
      authorizations: [url("authorization")],
      finalize: url("finalize"),
      ...(status === "valid" && { certificate: url("certificate") }),
    };
  }

  #chain(order: Json): string {
    const now = this.now();
    const {
      chain,
      hosts = [order.host],
      key = keyIn(order.csr),
      from = now - DAY / 24,
      until = now + 90 * DAY,
    } = this.lie;
    return chain ?? issued(hosts, { key, from, until, serial: ++this.#serial });
  }
}
