import * as z from "zod";
import { string } from "../../../packages/model/src/values/request_schemas.ts";
import { type Certificate, readCertificate } from "./x509.ts";

const PEM_BYTES = 16_384;
/** Characters in a line of base64 (RFC 7468 §2). */
const COLUMNS = 64;

const LABEL = "CERTIFICATE";
const BEGIN = `-----BEGIN ${LABEL}-----`;
const END = `-----END ${LABEL}-----`;

const NO_PEM = `Contains no PEM: expected a certificate between the lines ${BEGIN} and ${END}.`;
const NOT_PEM = `Not PEM: expected the lines ${BEGIN} and ${END}, each on its own, with base64 in between.`;
const PRIVATE_KEY =
  "Contains a private key, which was not stored: expected only the authority's certificate.";
const OTHER_TYPE = `Contains PEM of another type: expected one certificate, which begins with ${BEGIN}.`;
const HEADERS = `Contains PEM headers: expected only base64 between ${BEGIN} and ${END}.`;
const SEVERAL = "Contains more than one certificate: expected one. Create a certificate authority for each.";
const MALFORMED =
  "Not a certificate: expected one X.509 certificate in DER (RFC 5280), complete, without trailing data, as base64.";
const NO_AUTHORITY =
  "Not the certificate of an authority: expected X.509 version 3 with Basic Constraints (2.5.29.19) in which cA is true.";

/** The stored form of a certificate. */
export type StoredCertificate = Omit<Certificate, "isAuthority"> & { ca_pem: string };

/**
 * An authority's certificate as PEM (RFC 7468), at most 16 KiB. Text before and after the block is dropped. The output is the
 * certificate, re-encoded in lines of 64 characters, and its fields. The validity period and the signature are not checked.
 */
export const authorityCertificate = () =>
  string(PEM_BYTES)
    .transform((text, context): StoredCertificate => {
      const found = parse(text);
      if (typeof found !== "string") return found;
      context.addIssue({ code: "custom", message: found });
      return z.NEVER;
    })
    .meta({ maxLength: PEM_BYTES });

/** Reads the certificate in a string with one PEM block. Returns an error message for any other string. */
function parse(text: string): StoredCertificate | string {
  if (text.includes("PRIVATE KEY-----")) return PRIVATE_KEY;
  const lines = text.split(/\r\n?|\n/).map((line) => line.trim());
  const starts = lines.filter((line) => /^-----BEGIN [^-]*-----$/.test(line));
  if (starts.length === 0) return text.includes("-----BEGIN") ? NOT_PEM : NO_PEM;
  if (starts.some((line) => line !== BEGIN)) return OTHER_TYPE;
  if (starts.length > 1) return SEVERAL;
  const start = lines.indexOf(BEGIN) + 1;
  const end = lines.indexOf(END, start);
  if (end === -1) return NOT_PEM;
  const base64 = lines.slice(start, end).join("");
  // Base64 has no colons; headers do (RFC 1421 §4.4).
  if (base64.includes(":")) return HEADERS;
  const bytes = decoded(base64);
  if (bytes === undefined) return NOT_PEM;
  const certificate = readCertificate(bytes);
  if (certificate === undefined) return MALFORMED;
  const { isAuthority, ...rest } = certificate;
  return isAuthority ? { ca_pem: pemOf(bytes), ...rest } : NO_AUTHORITY;
}

/** Decodes base64, which can contain white space and lack padding; undefined if it is malformed or empty. */
function decoded(base64: string): Uint8Array | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return bytes.length > 0 ? bytes : undefined;
  } catch {
    return undefined;
  }
}

function pemOf(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes));
  const lines = base64.match(new RegExp(`.{1,${COLUMNS}}`, "g")) ?? [];
  return [BEGIN, ...lines, END, ""].join("\n");
}
