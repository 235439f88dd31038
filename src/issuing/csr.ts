import {
  contentOf,
  DER,
  dottedOid,
  elementsOf,
  extensionsOf,
  MalformedDer,
  membersOf,
  onlyIn,
} from "../../packages/model/src/values/der.ts";
import { fromBase64Url } from "./base64url.ts";
import { ALTERNATIVE_NAMES, hex, isOnlyFor, isP256, plainSignature } from "./names.ts";

/*
 * Requests for certificates (PKCS #10, RFC 2986), which agents send and the service passes on.
 */

const EXTENSION_REQUEST = "1.2.840.113549.1.9.14";
const ATTRIBUTES = 0xa0;

/** `ecdsa-with-SHA256` (RFC 5758 §3.2). */
const ECDSA_SHA256 = "300a06082a8648ce3d040302";

const ES256 = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

/** A request's key as SubjectPublicKeyInfo, or what is wrong with the request. */
type ReadRequest = { key: Uint8Array; problem?: never } | { key?: never; problem: string };

const NOT_A_REQUEST = { problem: "Expected a PKCS #10 request in DER, in base64url without padding." };

const ONLY_NAMES = {
  problem: "The request must have subject alternative names, and no other extension or attribute.",
};

/**
 * Reads a request for a certificate, and verifies its signature.
 *
 * @param text in base64url
 * @param host the only name that it may have
 */
export async function readRequest(text: string, host: string): Promise<ReadRequest> {
  const bytes = fromBase64Url(text);
  if (!bytes) return NOT_A_REQUEST;
  try {
    return await read(bytes, host);
  } catch (error) {
    if (error instanceof MalformedDer) return NOT_A_REQUEST;
    throw error;
  }
}

/** @throws MalformedDer */
async function read(bytes: Uint8Array, host: string): Promise<ReadRequest> {
  // RFC 2986 §4.2: what is signed, the algorithm, the signature.
  const [info, algorithm, signature, ...others] = elementsOf(onlyIn(bytes, DER.SEQUENCE));
  // §4.1: version, subject, public key, attributes.
  const [version, subject, key, attributes, ...rest] = membersOf(info);
  if (others.length > 0 || rest.length > 0 || !info || !key) throw new MalformedDer();
  if (hex(contentOf(version, DER.INTEGER)) !== "00") throw new MalformedDer();
  const [unused, ...signed] = contentOf(signature, DER.BIT_STRING);
  if (unused !== 0) throw new MalformedDer();
  if (!isP256(key.whole)) return { problem: "The request's key must be of the curve P-256." };
  if (!algorithm || hex(algorithm.whole) !== ECDSA_SHA256)
    return { problem: "The request must be signed with ECDSA and SHA-256." };
  // Nothing else is passed on: an extension could ask for a certificate that the agent cannot serve.
  const [attribute, ...more] = membersOf(attributes, ATTRIBUTES);
  const [type, values] = membersOf(attribute);
  if (more.length > 0 || dottedOid(type) !== EXTENSION_REQUEST) return ONLY_NAMES;
  const extensions = extensionsOf(elementsOf(onlyIn(contentOf(values, DER.SET), DER.SEQUENCE)));
  const names = extensions.get(ALTERNATIVE_NAMES);
  if (extensions.size > 1 || !names) return ONLY_NAMES;
  if (!isOnlyFor(host, subject, names))
    return { problem: "The request must be for exactly the host in the path, and for no other name." };
  return (await isSigned(key.whole, plainSignature(Uint8Array.from(signed)), info.whole))
    ? { key: key.whole }
    : { problem: "The request's signature is wrong." };
}

async function isSigned(key: Uint8Array, signature: Uint8Array, signed: Uint8Array): Promise<boolean> {
  // A point that is not on the curve is not a key.
  const imported = await crypto.subtle
    .importKey("spki", key, ES256, false, ["verify"])
    .catch(() => undefined);
  return imported !== undefined && crypto.subtle.verify(ES256, imported, signature, signed);
}
