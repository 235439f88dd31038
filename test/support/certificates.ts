/*
 * Certificates for tests, byte by byte (RFC 5280 in DER, X.690), so that any part can be unusual or wrong. Keys and
 * signatures are made up: nothing here checks them.
 */

const encoder = new TextEncoder();

type Bytes = number[];

/** A DER element: its tag and its contents. */
export function der(tag: number, ...contents: Bytes[]): Bytes {
  const bytes = contents.flat();
  const { length } = bytes;
  if (length < 0x80) return [tag, length, ...bytes];
  if (length < 0x1_00) return [tag, 0x81, length, ...bytes];
  return [tag, 0x82, length >> 8, length & 0xff, ...bytes];
}

export const sequence = (...items: Bytes[]): Bytes => der(0x30, ...items);
export const set = (...items: Bytes[]): Bytes => der(0x31, ...items);
export const octets = (...contents: Bytes[]): Bytes => der(0x04, ...contents);
export const text = (tag: number, value: string): Bytes => der(tag, [...encoder.encode(value)]);
export const TRUE: Bytes = der(0x01, [0xff]);

/** An object identifier, "2.5.29.19". */
export function oid(dotted: string): Bytes {
  const [first = 0n, second = 0n, ...rest] = dotted.split(".").map(BigInt);
  const arcs = [first * 40n + second, ...rest].map((arc) => {
    const groups = [Number(arc & 0x7fn)];
    for (let left = arc >> 7n; left > 0n; left >>= 7n) groups.unshift(Number(left & 0x7fn) | 0x80);
    return groups;
  });
  return der(0x06, arcs.flat());
}

/** The tags of string types. */
export const types = {
  utf8: 0x0c,
  numeric: 0x12,
  printable: 0x13,
  teletex: 0x14,
  ia5: 0x16,
  visible: 0x1a,
  universal: 0x1c,
  bmp: 0x1e,
} as const;

/** A distinguished name: a list of relative ones, each with its attributes as types and values. */
export const name = (...parts: [type: string, value: Bytes][]): Bytes =>
  sequence(...parts.map(([type, value]) => set(sequence(oid(type), value))));

export const COMMON_NAME = "2.5.4.3";
export const commonName = (value: string): [string, Bytes] => [COMMON_NAME, text(types.utf8, value)];

export const utcTime = (value: string): Bytes => text(0x17, value);
export const generalizedTime = (value: string): Bytes => text(0x18, value);

export const extension = (id: string, value: Bytes, isCritical = false): Bytes =>
  sequence(oid(id), ...(isCritical ? [TRUE] : []), octets(value));
export const basicConstraints = (...members: Bytes[]): Bytes =>
  extension("2.5.29.19", sequence(...members), true);
/** @param bits the bytes of the bit string, the number of unused bits first */
export const keyUsage = (...bits: number[]): Bytes => extension("2.5.29.15", der(0x03, bits), true);
export const extendedKeyUsage = (...ids: string[]): Bytes =>
  extension("2.5.29.37", sequence(...ids.map(oid)));

export const CA: Bytes = basicConstraints(TRUE);

interface Parts {
  version: Bytes[];
  serial: Bytes;
  algorithm: Bytes;
  issuer: Bytes;
  notBefore: Bytes;
  notAfter: Bytes;
  subject: Bytes;
  publicKey: Bytes;
  /** The elements after the public key: unique identifiers, extensions. */
  rest: Bytes[];
  signature: Bytes;
}

const ED25519 = sequence(oid("1.3.101.112"));

/** The extensions of a certificate, as the element after its public key. */
export const extensions = (...items: Bytes[]): Bytes => der(0xa3, sequence(...items));

/** The certificate of an authority, except for the given parts. */
export function certificate(given: Partial<Parts> = {}): Bytes {
  const parts: Parts = {
    version: [der(0xa0, der(0x02, [2]))],
    serial: der(0x02, [1]),
    algorithm: ED25519,
    issuer: name(commonName("Root")),
    notBefore: utcTime("260102030405Z"),
    notAfter: utcTime("360102030405Z"),
    subject: name(commonName("Root")),
    publicKey: sequence(
      ED25519,
      der(
        0x03,
        [0],
        Array.from({ length: 32 }, () => 7),
      ),
    ),
    rest: [extensions(CA)],
    signature: der(
      0x03,
      [0],
      Array.from({ length: 64 }, () => 9),
    ),
    ...given,
  };
  return sequence(
    sequence(
      ...parts.version,
      parts.serial,
      parts.algorithm,
      parts.issuer,
      sequence(parts.notBefore, parts.notAfter),
      parts.subject,
      parts.publicKey,
      ...parts.rest,
    ),
    parts.algorithm,
    parts.signature,
  );
}

/** The certificate of an authority with additional extensions. */
export const withExtensions = (...items: Bytes[]): Bytes => certificate({ rest: [extensions(CA, ...items)] });

interface Layout {
  label: string;
  /** Characters in a line. */
  width: number;
  newline: string;
}

/** Bytes as PEM (RFC 7468). */
export function pem(bytes: Bytes, given: Partial<Layout> = {}): string {
  const { label, width, newline } = { label: "CERTIFICATE", width: 64, newline: "\n", ...given };
  const base64 = btoa(String.fromCharCode(...bytes));
  const lines = base64.match(new RegExp(`.{1,${width}}`, "g")) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join(newline);
}
