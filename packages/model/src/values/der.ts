/*
 * DER (X.690), in which X.509 certificates and requests for them are written. Only for bytes that this service reads: nothing is
 * encoded here.
 */

/** Tags of DER elements. */
export const DER = {
  BOOLEAN: 0x01,
  INTEGER: 0x02,
  BIT_STRING: 0x03,
  OCTET_STRING: 0x04,
  OID: 0x06,
  UTF8_STRING: 0x0c,
  UTC_TIME: 0x17,
  UNIVERSAL_STRING: 0x1c,
  BMP_STRING: 0x1e,
  SEQUENCE: 0x30,
  SET: 0x31,
} as const;

/** An element of DER. */
export interface DerElement {
  tag: number;
  content: Uint8Array;
  /** With its tag and its length. */
  whole: Uint8Array;
}

/** The bytes are not what was expected. */
export class MalformedDer extends Error {}

/** The sequence of elements in `bytes`. @throws MalformedDer */
export function elementsOf(bytes: Uint8Array): DerElement[] {
  const elements: DerElement[] = [];
  let at = 0;
  while (at < bytes.length) {
    const [tag = 0, first = 0] = bytes.subarray(at, at + 2);
    const lengthBytes = bytes.subarray(at + 2, at + 2 + (first < 0x80 ? 0 : first & 0x7f));
    const length = first < 0x80 ? first : lengthBytes.reduce((sum, byte) => sum * 256 + byte, 0);
    const start = at + 2 + lengthBytes.length;
    const content = bytes.subarray(start, start + length);
    // A length must have as few bytes as possible (X.690 §10.1).
    const isShortest = first < 0x80 || (length >= 0x80 && lengthBytes[0] !== 0);
    if (!isShortest || at + 2 > bytes.length || content.length !== length) throw new MalformedDer();
    elements.push({ tag, content, whole: bytes.subarray(at, start + length) });
    at = start + length;
  }
  return elements;
}

/** The content of an element. @throws MalformedDer if it has another tag */
export function contentOf(element: DerElement | undefined, tag: number): Uint8Array {
  if (element?.tag !== tag) throw new MalformedDer();
  return element.content;
}

/** The elements in an element. @throws MalformedDer if it has another tag */
export const membersOf = (element: DerElement | undefined, tag: number = DER.SEQUENCE): DerElement[] =>
  elementsOf(contentOf(element, tag));

/** The content of the only element in `bytes`. @throws MalformedDer */
export function onlyIn(bytes: Uint8Array, tag: number): Uint8Array {
  const [element, ...others] = elementsOf(bytes);
  if (others.length > 0) throw new MalformedDer();
  return contentOf(element, tag);
}

/** An object identifier as dotted numbers, which can have any size. @throws MalformedDer */
export function dottedOid(element: DerElement | undefined): string {
  const bytes = contentOf(element, DER.OID);
  const groups: string[][] = [[]];
  for (const byte of bytes) {
    groups.at(-1)?.push((byte & 0x7f).toString(2).padStart(7, "0"));
    if (byte < 0x80) groups.push([]);
  }
  if (bytes.length === 0 || groups.pop()?.length !== 0) throw new MalformedDer();
  const [first = 0n, ...others] = groups.map((bits) => BigInt(`0b${bits.join("")}`));
  const root = first < 80n ? first / 40n : 2n;
  return [root, first - root * 40n, ...others].join(".");
}

/** Bytes as characters of the same numbers. */
export const latin1 = (bytes: Uint8Array): string => {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
};

/** An instant in RFC 3339. @throws MalformedDer unless it is `YYMMDDHHMMSSZ` or `YYYYMMDDHHMMSSZ` (RFC 5280 §4.1.2.5) */
export function instantOfDer(element: DerElement | undefined): string {
  if (element === undefined) throw new MalformedDer();
  const text = latin1(element.content);
  const century = text < "50" ? "20" : "19";
  const whole = element.tag === DER.UTC_TIME ? century + text : text;
  if (!/^\d{14}Z$/.test(whole)) throw new MalformedDer();
  return whole.replace(/(....)(..)(..)(..)(..)(..)/, "$1-$2-$3T$4:$5:$6");
}

/** The values of X.509 extensions, by their OIDs. @throws MalformedDer if one of them occurs twice (RFC 5280 §4.2) */
export function extensionsOf(list: DerElement[]): Map<string, Uint8Array> {
  const extensions = new Map<string, Uint8Array>();
  for (const extension of list) {
    const members = membersOf(extension);
    const id = dottedOid(members[0]);
    if (extensions.has(id)) throw new MalformedDer();
    extensions.set(id, contentOf(members.at(-1), DER.OCTET_STRING));
  }
  return extensions;
}
