import { createPrivateKey, hash, type KeyObject, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { join } from "node:path";
import { instantIn, wallClock } from "./base/clock.ts";
import { readTrusted } from "./ownership.ts";
import { Refusal } from "./refusal.ts";
import { CERTIFICATE_FILES, type ServerCertificate } from "./render/contract.ts";

/*
 * A PEM file with a chain and its key.
 */

const LARGEST_FILE = 1024 * 1024;
const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g;
const HOST_NAME = /^(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

/** In DER: the algorithm `id-ecPublicKey`, then a sequence of parameters in place of the name of a curve. */
const EXPLICIT_CURVE = Buffer.from("06072a8648ce3d020130", "hex");

/** Where a certificate is from: a file of the operator's, or an issuer that the agent has asked. */
export type CertificateSource = "file" | "issued";

/** What a file contains. */
export interface CertificateFile {
  /** Its file in the directory. */
  name: string;
  source: CertificateSource;
  leaf: X509Certificate;
  /** Its DNS names, in lower case. */
  names: string[];
  addresses: string[];
  /** Whether a key of the chain describes its curve instead of naming it. */
  hasExplicitCurve: boolean;
  served: ServerCertificate;
}

/** Reads a file in a directory. @throws Refusal, or an error of the system or of OpenSSL, if it cannot be used */
export const readCertificate = (
  directory: string,
  name: string,
  source: CertificateSource,
): CertificateFile =>
  certificateIn(name, readTrusted(join(directory, name), LARGEST_FILE).toString("latin1"), source);

/** Parses a file's text. @throws Refusal, or an error of OpenSSL */
export function certificateIn(
  name: string,
  pem: string,
  source: CertificateSource = "file",
): CertificateFile {
  const blocks = [...pem.matchAll(BLOCK)].map(([text, label = ""]) => ({ text, label }));
  const chain = blocks
    .filter(({ label }) => label === "CERTIFICATE")
    .map(({ text }) => new X509Certificate(text));
  const keys = blocks.filter(({ label }) => label.endsWith("PRIVATE KEY"));
  if (keys.some(isEncrypted)) throw new Refusal("the key is encrypted");
  const [leaf] = chain;
  const [key] = keys.map(({ text }) => createPrivateKey(text));
  if (!leaf) throw new Refusal("it contains no certificate");
  if (key === undefined || keys.length > 1)
    throw new Refusal(`it contains ${keys.length} private keys instead of one`);
  if (!leaf.checkPrivateKey(key))
    throw new Refusal("its private key does not belong to its first certificate");
  const names = alternatives(leaf, "dns:");
  return {
    name,
    source,
    leaf,
    names,
    addresses: alternatives(leaf, "ip address:"),
    hasExplicitCurve: chain.some(({ raw }) => raw.includes(EXPLICIT_CURVE)),
    served: {
      file: fileOf(leaf),
      content: pemOf(chain, key),
      names: names.filter((each) => HOST_NAME.test(each)),
    },
  };
}

const isEncrypted = ({ text, label }: { text: string; label: string }): boolean =>
  label.startsWith("ENCRYPTED") || /^Proc-Type:.*ENCRYPTED/m.test(text);

/** The path of a certificate in a release. It depends only on the names in the certificate, so a renewed one has the same path. */
function fileOf({ subjectAltName = "" }: X509Certificate): string {
  const names = subjectAltName.toLowerCase().split(", ").toSorted().join(", ");
  return `${CERTIFICATE_FILES}/${hash("sha256", names).slice(0, 32)}.pem`;
}

/**
 * A chain and its key as PEM. The text is generated from what was parsed, so it contains no empty line, which would end a command of the
 * runtime API.
 */
const pemOf = (chain: readonly X509Certificate[], key: KeyObject): string =>
  [...chain.map(String), String(key.export({ type: "pkcs8", format: "pem" }))]
    .map((block) => `${block.trim()}\n`)
    .join("");

/** Its alternative names of a kind, in lower case. */
const alternatives = ({ subjectAltName = "" }: X509Certificate, kind: "dns:" | "ip address:"): string[] =>
  subjectAltName
    .toLowerCase()
    .split(", ")
    .filter((name) => name.startsWith(kind))
    .map((name) => name.slice(kind.length));

/** As in RFC 9525: the subject's names are ignored, and a wildcard matches one label. */
export const isFor = ({ leaf }: CertificateFile, name: string): boolean =>
  isIP(name) === 0
    ? leaf.checkHost(name, { subject: "never", partialWildcards: false }) !== undefined
    : leaf.checkIP(name) !== undefined;

/** The common name, if the certificate has no other names: clients ignore it. */
export const onlyCommonName = ({ leaf: { subject, subjectAltName } }: CertificateFile): string | undefined =>
  subjectAltName === undefined ? /^CN=(.+)$/m.exec(subject)?.[1]?.toLowerCase() : undefined;

/** Hosts that stand for all hosts that the certificate is for. */
export const hostsOf = ({ served, addresses }: CertificateFile): string[] => [
  ...served.names.map((name) => name.replace(/^\*/, "a-name-of-no-certificate")),
  ...addresses,
];

/** Whether a certificate is for everything that another one is for. */
export const covers = (one: CertificateFile, other: CertificateFile): boolean =>
  other.names.every((name) => one.names.includes(name)) &&
  other.addresses.every((address) => one.addresses.includes(address));

/** When a certificate ends, in milliseconds since 1970. */
export const endOf = ({ leaf }: CertificateFile): number => instantIn(leaf.validTo);

export const isValidNow = (certificate: CertificateFile): boolean =>
  instantIn(certificate.leaf.validFrom) <= wallClock() && endOf(certificate) > wallClock();

/** The size of an RSA key that is shorter than HAProxy usually accepts, for people; "" for all others. */
export function keySizeOf({ leaf }: CertificateFile): string {
  const { asymmetricKeyDetails: { modulusLength } = {} } = leaf.publicKey;
  return modulusLength !== undefined && modulusLength < 2048 ? ` (an RSA key of ${modulusLength} bits)` : "";
}

/** Currently valid certificates first, then files, then those with the exact name, then those that expire last. */
export const byPreference =
  (name: string) =>
  (a: CertificateFile, b: CertificateFile): number =>
    Number(isValidNow(b)) - Number(isValidNow(a)) ||
    Number(a.source === "issued") - Number(b.source === "issued") ||
    Number(b.names.includes(name)) - Number(a.names.includes(name)) ||
    endOf(b) - endOf(a) ||
    (a.served.content < b.served.content ? -1 : 1);
