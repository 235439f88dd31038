import fc from "fast-check";
import {
  CA,
  certificate,
  COMMON_NAME,
  extendedKeyUsage,
  extensions,
  generalizedTime,
  keyUsage,
  name,
  pem,
  text,
  types,
  utcTime,
} from "../support/certificates.ts";
import type { Json } from "../support/json.ts";
import { codePoint } from "./text.ts";

/*
 * Certificates of authorities as fast-check arbitraries, and the fields that responses must show for each.
 */

const KEY_USAGES = [
  "digital_signature",
  "content_commitment",
  "key_encipherment",
  "data_encipherment",
  "key_agreement",
  "cert_sign",
  "crl_sign",
  "encipher_only",
  "decipher_only",
];

const EXTENDED_KEY_USAGES: Record<string, string> = {
  "2.5.29.37.0": "any",
  "1.3.6.1.5.5.7.3.1": "server_auth",
  "1.3.6.1.5.5.7.3.2": "client_auth",
  "1.3.6.1.5.5.7.3.3": "code_signing",
  "1.3.6.1.5.5.7.3.4": "email_protection",
  "1.3.6.1.5.5.7.3.5": "ipsec_end_system",
  "1.3.6.1.5.5.7.3.6": "ipsec_tunnel",
  "1.3.6.1.5.5.7.3.7": "ipsec_user",
  "1.3.6.1.5.5.7.3.8": "time_stamping",
  "1.3.6.1.5.5.7.3.9": "ocsp_signing",
  "0.9.2342.19200300.100.1.1": "0.9.2342.19200300.100.1.1",
  "1.3.6.1.4.1.311.20.2.2": "1.3.6.1.4.1.311.20.2.2",
  "2.25.329800735698586629295641978511506172918": "2.25.329800735698586629295641978511506172918",
  "2.999.1": "2.999.1",
};

/** The parser accepts no noncharacters (Unicode §23.7). */
const character = codePoint.filter((text) => !/\p{Noncharacter_Code_Point}/u.test(text));

const commonName = fc.oneof(
  fc.string({ unit: character, maxLength: 20 }).map((value) => ({ tag: types.utf8, value })),
  fc.stringMatching(/^[A-Za-z0-9 .-]{0,20}$/).map((value) => ({ tag: types.printable, value })),
);

/** A UTCTime up to 2049, and a GeneralizedTime from then on, as RFC 5280 requires. */
const time = fc
  .date({ min: new Date("1950-01-01"), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true })
  .map((date) => {
    const shown = `${date.toISOString().slice(0, 19)}Z`;
    const digits = shown.replace(/[-:T]/g, "");
    return { shown, bytes: shown < "2050" ? utcTime(digits.slice(2)) : generalizedTime(digits) };
  });

/** The fields that responses show for the certificates drawn so far, by their PEM. */
const known = new Map<string, Json>();

/** The fields that responses show for a certificate that was drawn. */
export function shownFor(caPem: string): Json {
  const said = known.get(caPem);
  if (!said) throw new Error("not a certificate drawn here");
  return said;
}

/** The certificate of an authority as PEM, in many layouts. */
export const caPem: fc.Arbitrary<string> = fc
  .record({
    names: fc.array(commonName, { maxLength: 3 }),
    from: time,
    to: time,
    usages: fc.option(fc.uniqueArray(fc.nat({ max: KEY_USAGES.length - 1 }), { minLength: 1 })),
    extended: fc.option(fc.array(fc.constantFrom(...Object.keys(EXTENDED_KEY_USAGES)), { minLength: 1 })),
    layout: fc.record({
      width: fc.constantFrom(64, 76, 1, 16_384),
      newline: fc.constantFrom("\n", "\r\n", "\r", " \n\t"),
    }),
    around: fc.constantFrom(
      ["", ""],
      ["Subject: CN=é\n\n", "\n"],
      ["\ufeff", "trailing: text"],
      ["-----\n", "-----"],
    ),
  })
  .map(({ names, from, to, usages, extended, layout, around: [before, after] }) => {
    const bits = (usages ?? []).reduce((sum, bit) => sum | (1 << (15 - bit)), 0);
    const bytes = certificate({
      notBefore: from.bytes,
      notAfter: to.bytes,
      subject: name(...names.map(({ tag, value }) => [COMMON_NAME, text(tag, value)] as [string, number[]])),
      rest: [
        extensions(
          ...(usages ? [keyUsage(7, bits >> 8, bits & 0xff)] : []),
          CA,
          ...(extended ? [extendedKeyUsage(...extended)] : []),
        ),
      ],
    });
    const whole = `${before}${pem(bytes, layout)}${after}`;
    const last = names.at(-1)?.value;
    known.set(whole, {
      ca_pem: pem(bytes),
      ...(last && { subject_common_name: last }),
      not_before: from.shown,
      not_after: to.shown,
      key_usages: KEY_USAGES.filter((_, bit) => usages?.includes(bit)),
      extended_key_usages: (extended ?? []).map((id) => EXTENDED_KEY_USAGES[id]),
    });
    return whole;
  });
