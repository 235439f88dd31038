/*
 * Secrets at rest: AES-256-GCM with a ring of keys from the Worker secret `SEALING_KEYS`: comma-separated `id:base64`
 * pairs, 32 bytes each. The first key seals, and all of them open. A sealed secret is bound to its object and field, so it
 * cannot be opened anywhere else.
 */

/** Changes one secret, for instance seals it. */
export type ChangeSecret = (secret: string, member: string) => Promise<string>;

/** Keys by id; the first one seals. */
export type KeyRing = Map<string, CryptoKey>;

/** `sealed.<key id>.<12 bytes of IV and the ciphertext, base64>` */
const SEALED = /^sealed\.([\w-]+)\.([A-Za-z0-9+/=]+)$/;
const IV_BYTES = 12;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Rings by the string that they were parsed from: an isolate parses each once. */
const rings = new Map<string, Promise<KeyRing | undefined>>();

/** Parses the secret; undefined if it is missing, malformed or names a key twice. */
export function keyRingOf(text: string | undefined): Promise<KeyRing | undefined> {
  const key = text ?? "";
  const known = rings.get(key) ?? read(key);
  rings.set(key, known);
  return known;
}

async function read(text: string): Promise<KeyRing | undefined> {
  const pairs = text.split(",").map((pair) => /^\s*([\w-]+):([A-Za-z0-9+/]{43}=)\s*$/.exec(pair));
  const ring: KeyRing = new Map();
  for (const pair of pairs) {
    const [, id, base64] = pair ?? [];
    if (id === undefined || base64 === undefined || ring.has(id)) return undefined;
    ring.set(
      id,
      await crypto.subtle.importKey("raw", bytesOf(base64), "AES-GCM", false, ["encrypt", "decrypt"]),
    );
  }
  return ring;
}

/** The key that seals, with its id. */
const sealer = (ring: KeyRing): [string, CryptoKey] => {
  const [first] = ring;
  if (!first) throw new Error("the key ring is empty");
  return first;
};

/** The context that a secret is bound to: the object's id and the path of the field. */
export const placeOf = (id: string, path: string): string => `${id}/${path}`;

/** Seals a secret, bound to `place`: the object's id and the field's path. */
export async function seal(ring: KeyRing, secret: string, place: string): Promise<string> {
  const [id, key] = sealer(ring);
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const algorithm = { name: "AES-GCM", iv, additionalData: encoder.encode(place) };
  const ciphertext = await crypto.subtle.encrypt(algorithm, key, encoder.encode(secret));
  const bytes = new Uint8Array(IV_BYTES + ciphertext.byteLength);
  bytes.set(iv);
  bytes.set(new Uint8Array(ciphertext), IV_BYTES);
  return `sealed.${id}.${base64Of(bytes)}`;
}

/**
 * Opens what {@link seal} made. @throws if it was sealed for another place or with a key that is no longer in the ring,
 * or if it was altered
 */
export async function unseal(ring: KeyRing, sealed: string, place: string): Promise<string> {
  const [, id = "", base64 = ""] = SEALED.exec(sealed) ?? [];
  const key = ring.get(id);
  if (!key) throw new Error("no key of the ring opens this secret");
  const bytes = bytesOf(base64);
  const algorithm = {
    name: "AES-GCM",
    iv: bytes.subarray(0, IV_BYTES),
    additionalData: encoder.encode(place),
  };
  return decoder.decode(await crypto.subtle.decrypt(algorithm, key, bytes.subarray(IV_BYTES)));
}

/** True for a secret that is sealed with the key that the ring now seals with. */
export const isCurrent = (ring: KeyRing, sealed: string): boolean =>
  SEALED.exec(sealed)?.[1] === sealer(ring)[0];

/** True for a secret that is sealed at all. */
export const isSealed = (secret: string): boolean => SEALED.test(secret);

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));

/** Bytes as base64, byte by byte: a secret may have more bytes than a call can have arguments. */
function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
