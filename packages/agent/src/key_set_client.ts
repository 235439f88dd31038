import { createPublicKey, type JsonWebKeyInput, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { request } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import * as z from "zod";
import { matching } from "./matching.ts";
import type { Algorithm } from "./policy/contract.ts";
import { codeOf, Refusal } from "./refusal.ts";
import type { PublicKey } from "./render/contract.ts";

/*
 * Fetches one key set (RFC 7517) over HTTPS. Editors choose its URL, so it is only fetched from addresses that can be upstreams,
 * and errors say nothing of what a server that is not meant for them answered.
 */

const TIMEOUT = 10_000;
const LARGEST = 64 * 1024;
const MOST_KEYS = 20;
/** RFC 7518 §3.3 requires the lower limit. */
const [SHORTEST_RSA, LONGEST_RSA] = [2048, 8192];
const LARGEST_EXPONENT = 2n ** 32n;

/** Each curve has its algorithm (RFC 7518 §3.4). */
const CURVES = { "P-256": "ES256", "P-384": "ES384", "P-521": "ES512" } as const;
const RSA: Algorithm[] = ["RS256", "RS384", "RS512"];

/** Where to connect, and which authorities to trust. */
export interface KeySetConnection {
  /** The addresses of a host name that can be used now. */
  addressesOf: (name: string) => readonly string[];
  /** PEM file of the trusted authorities. Defaults to those of Node. */
  roots?: string;
}

/** Fetches the keys of a set that can verify tokens. @throws Refusal */
export async function fetchKeys(url: string, access: KeySetConnection): Promise<PublicKey[]> {
  return keysIn(await bodyOf(url, access));
}

async function bodyOf(url: string, { addressesOf, roots }: KeySetConnection): Promise<string> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  const addresses = addressesOf(host);
  const [first] = addresses;
  if (first === undefined)
    throw new Refusal("Its host has no address that this agent can use. Allow one with --allow-upstream.");
  // Resolving the name again could give other addresses than those that were checked.
  const lookup: LookupFunction = (_, options, done) => {
    if (options.all) {
      const all = addresses.map((address) => ({ address, family: isIP(address) }));
      done(null, all);
    } else done(null, first, isIP(first));
  };
  const options = {
    lookup,
    agent: false,
    signal: AbortSignal.timeout(TIMEOUT),
    headers: { Accept: "application/jwk-set+json, application/json" },
    ...(roots !== undefined && { ca: readFileSync(roots) }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      const pieces: Buffer[] = [];
      let length = 0;
      const end = (reason: string): void => {
        reject(new Refusal(reason));
        response.destroy();
      };
      if (response.statusCode !== 200) return end(`It responds with ${response.statusCode} instead of 200.`);
      response.on("data", (piece: Buffer) => {
        length += piece.length;
        if (length > LARGEST) end(`It is larger than ${LARGEST} bytes.`);
        else pieces.push(piece);
      });
      response.on("end", () => resolve(Buffer.concat(pieces).toString("utf8")));
      response.on("error", (error) => reject(unreachable(error)));
    });
    sent.on("error", (error) => reject(unreachable(error)));
    sent.end();
  });
}

const unreachable = (error: unknown): Refusal =>
  error instanceof Error && error.name === "AbortError"
    ? new Refusal(`It did not respond within ${TIMEOUT / 1000} seconds.`)
    : new Refusal(`It cannot be fetched (${codeOf(error) ?? "the connection failed"}).`, { cause: error });

const keySet = z.object({ keys: z.array(z.unknown()).max(MOST_KEYS) });

const common = {
  kid: z.string().min(1).max(256).optional(),
  use: z.literal("sig").optional(),
  key_ops: z
    .array(z.string())
    .refine((uses) => uses.includes("verify"))
    .optional(),
  alg: z.string().optional(),
};
/** Only public members: a set that contains a private key by mistake does not put it into the configuration. */
const jsonWebKey = z.discriminatedUnion("kty", [
  z.object({ ...common, kty: z.literal("RSA"), n: z.string(), e: z.string() }),
  z.object({
    ...common,
    kty: z.literal("EC"),
    crv: z.enum(["P-256", "P-384", "P-521"]),
    x: z.string(),
    y: z.string(),
  }),
]);

/** The usable keys of a key set. @throws Refusal if there are none */
function keysIn(text: string): PublicKey[] {
  const keys = listed(text).flatMap((item) => keyOf(item) ?? []);
  if (keys.length > 0) return keys;
  throw new Refusal("It has no key for signatures of RS256 to RS512 or ES256 to ES512.");
}

function listed(text: string): unknown[] {
  try {
    return matching(keySet, JSON.parse(text)).keys;
  } catch {
    throw new Refusal(`It is not a JSON Web Key Set of at most ${MOST_KEYS} keys.`);
  }
}

/** Undefined for a key of another kind or for another purpose, and for one that is malformed. */
function keyOf(item: unknown): PublicKey | undefined {
  const parsed = jsonWebKey.safeParse(item);
  if (!parsed.success) return undefined;
  const { kid, alg, use: _, key_ops: __, ...jwk } = parsed.data;
  const possible = jwk.kty === "RSA" ? RSA : [CURVES[jwk.crv]];
  const algorithms = alg === undefined ? possible : possible.filter((one) => one === alg);
  const key = algorithms.length === 0 ? undefined : imported({ key: jwk, format: "jwk" });
  if (!key) return undefined;
  const pem = key.export({ type: "spki", format: "pem" }).toString();
  return { ...(kid !== undefined && { kid }), algorithms, pem };
}

function imported(jwk: JsonWebKeyInput): KeyObject | undefined {
  try {
    const key = createPublicKey(jwk);
    const { modulusLength, publicExponent } = key.asymmetricKeyDetails ?? {};
    if (modulusLength === undefined) return key;
    const isUsable =
      modulusLength >= SHORTEST_RSA &&
      modulusLength <= LONGEST_RSA &&
      (publicExponent ?? 0n) <= LARGEST_EXPONENT;
    return isUsable ? key : undefined;
  } catch {
    return undefined;
  }
}
