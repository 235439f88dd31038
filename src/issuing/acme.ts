import { clock } from "../../packages/model/src/clock.ts";
import { isObject, parsedJson } from "../../packages/model/src/json.ts";
import { byteLength } from "../../packages/model/src/values/request_schemas.ts";
import { isFailure, type Reply, type Transport } from "../delivery/sender.ts";
import { AuthorityFailure, errorType, failureOfReply, rejected } from "./failures.ts";
import { type PublicJwk, signedRequest, signingKey } from "./jws.ts";

/*
 * A client of ACME (RFC 8555): the directory, nonces, and signed requests. `order.ts` knows what they mean.
 */

/** What a directory names (RFC 8555 §7.1.1, RFC 9773 §4). */
interface Directory {
  newNonce: string;
  newAccount: string;
  newOrder: string;
  renewalInfo: string | undefined;
  meta: Record<string, unknown>;
}

/** A response, and its JSON. */
export interface ObjectReply extends Reply {
  object: Record<string, unknown>;
}

/** What a URL can have (RFC 3986 §2): one with quotation marks or spaces would break the CAA record that shows it. */
const URL_CHARACTERS = /^[!#-~]{1,2048}$/;

/** The longest response, in bytes. */
const RESPONSE_BYTES = 100_000;

/** How often a request is signed again because its nonce was rejected. */
const NONCES = 5;

/** How long a directory is cached, in milliseconds. */
const REMEMBERED_MILLISECONDS = 600_000;

/** The most directories that are cached. */
const MOST_REMEMBERED = 100;

/** What this isolate knows of a directory, and a nonce that was not used yet. */
interface Remembered {
  directory: Directory;
  until: number;
  nonce?: string;
}

const remembered = new Map<string, Remembered>();

/** An account at an authority. */
export interface AcmeAccount {
  directoryUrl: string;
  /** The private key. */
  key: JsonWebKey;
  /** Its URL; null until it is registered. */
  uri: string | null;
}

/** Speaks with one authority, for one account. Everything that fails throws an {@link AuthorityFailure}. */
export class AcmeClient {
  readonly account: AcmeAccount;
  readonly #call: Transport;
  #key: CryptoKey | undefined;

  constructor(account: AcmeAccount, call: Transport) {
    this.account = account;
    this.#call = call;
  }

  /** The public part of the account's key. */
  get jwk(): PublicJwk {
    const { crv = "", kty, x = "", y = "" } = this.account.key;
    return { crv, kty, x, y };
  }

  async directory(): Promise<Directory> {
    return (await this.#remembered()).directory;
  }

  async #remembered(): Promise<Remembered> {
    const { directoryUrl } = this.account;
    const known = remembered.get(directoryUrl);
    if (known && known.until > clock.now()) return known;
    const { object } = await this.get(directoryUrl);
    const { meta, renewalInfo } = object;
    const read: Remembered = {
      directory: {
        newNonce: this.urlIn(object, "newNonce"),
        newAccount: this.urlIn(object, "newAccount"),
        newOrder: this.urlIn(object, "newOrder"),
        renewalInfo: renewalInfo === undefined ? undefined : this.urlIn(object, "renewalInfo"),
        meta: isObject(meta) ? meta : {},
      },
      until: clock.now() + REMEMBERED_MILLISECONDS,
    };
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(directoryUrl, read);
    return read;
  }

  /** A URL that the authority names. It must have the directory's origin, because the service calls it. */
  urlIn(object: Record<string, unknown>, name: string): string {
    return this.ownUrl(object[name], name);
  }

  /** The same for a value. @param name for the message */
  ownUrl(value: unknown, name: string): string {
    const { origin } = new URL(this.account.directoryUrl);
    if (typeof value !== "string" || !URL_CHARACTERS.test(value) || !URL.canParse(value))
      throw rejected(`The authority names no ${name} URL.`);
    if (new URL(value).origin !== origin)
      throw rejected(`The authority's ${name} URL has another origin than its directory.`);
    return value;
  }

  /** A request without a signature. */
  async get(url: string): Promise<ObjectReply> {
    return objectIn(successful(await this.#send(url, {})));
  }

  /** A request with a JSON object in its response. @param payload undefined for a POST-as-GET (RFC 8555 §6.3) */
  async post(url: string, payload?: object): Promise<ObjectReply> {
    return objectIn(await this.postAny(url, payload));
  }

  /** Sends a signed request (RFC 8555 §6.2), and repeats it if its nonce is rejected (§6.5). */
  async postAny(url: string, payload?: object): Promise<Reply> {
    this.#key ??= await signingKey(this.account.key);
    const { uri } = this.account;
    const who = uri === null ? { jwk: this.jwk } : { kid: uri };
    const known = await this.#remembered();
    for (let attempt = 0; ; attempt++) {
      const nonce = await this.#nonce(known);
      const body = JSON.stringify(await signedRequest(this.#key, { ...who, nonce, url }, payload));
      const headers = { "Content-Type": "application/jose+json" };
      const reply = await this.#send(url, { method: "POST", headers, body });
      keepNonce(known, reply);
      if (errorType(reply) !== "badNonce" || attempt >= NONCES) return successful(reply);
    }
  }

  /** A nonce that was not used yet (RFC 8555 §7.2). */
  async #nonce(known: Remembered): Promise<string> {
    if (known.nonce === undefined)
      keepNonce(known, successful(await this.#send(known.directory.newNonce, { method: "HEAD" })));
    const { nonce } = known;
    delete known.nonce;
    if (nonce === undefined) throw rejected("The authority sends no nonce.");
    return nonce;
  }

  async #send(url: string, init: { method?: string; headers?: object; body?: string }): Promise<Reply> {
    const headers = { "User-Agent": "edge-configuration", ...init.headers };
    const reply = await this.#call(url, { ...init, headers }, RESPONSE_BYTES + 1);
    if (isFailure(reply))
      throw new AuthorityFailure(
        reply.class === "configuration" ? "rejected" : "unavailable",
        reply.error.msg.replace("The target", "The authority"),
        reply.retryAfter,
      );
    if (byteLength(reply.text, RESPONSE_BYTES) > RESPONSE_BYTES)
      throw rejected(`The authority's response is longer than ${RESPONSE_BYTES} bytes.`);
    return reply;
  }
}

function successful(reply: Reply): Reply {
  if (reply.status >= 200 && reply.status < 300) return reply;
  throw failureOfReply(reply);
}

function objectIn(reply: Reply): ObjectReply {
  const object = parsedJson(reply.text);
  if (!isObject(object)) throw rejected("The authority's response is not a JSON object.");
  return { ...reply, object };
}

/** RFC 8555 §6.5.1: other nonces are ignored. */
function keepNonce(known: Remembered, { headers }: Reply): void {
  const nonce = headers.get("Replay-Nonce");
  if (nonce !== null && /^[\w-]{1,1000}$/.test(nonce)) known.nonce = nonce;
}
