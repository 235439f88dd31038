// @module-tag thorough
import { X509Certificate } from "node:crypto";
import { describe, expect, test } from "vitest";
import { del, get, ORIGIN, patch, post, put } from "../support/api.ts";
import {
  basicConstraints,
  CA,
  certificate,
  commonName,
  COMMON_NAME,
  der,
  extendedKeyUsage,
  extension,
  extensions,
  generalizedTime,
  keyUsage,
  name,
  octets,
  oid,
  pem,
  sequence,
  set,
  text,
  TRUE,
  types,
  utcTime,
  withExtensions,
} from "../support/certificates.ts";
import * as given from "../support/given.ts";
import type { Json } from "../support/json.ts";

const PATH = "/certificate_authorities";

/** Certificates made by OpenSSL: see certificates/make.sh. */
const files = Object.fromEntries(
  Object.entries(
    import.meta.glob<string>("../support/certificates/*.pem", {
      query: "?raw",
      import: "default",
      eager: true,
    }),
  ).map(([path, pem]) => [path.replace(/.*\/|\.pem$/g, ""), pem]),
);
const file = (name: string): string => files[name] ?? "";

const BEGIN = "-----BEGIN CERTIFICATE-----";
const END = "-----END CERTIFICATE-----";

/** The messages of errors at /ca_pem. */
const wrong = {
  length: "Longer than 16384 bytes in UTF-8.",
  noPem: `Contains no PEM: expected a certificate between the lines ${BEGIN} and ${END}.`,
  notPem: `Not PEM: expected the lines ${BEGIN} and ${END}, each on its own, with base64 in between.`,
  privateKey: "Contains a private key, which was not stored: expected only the authority's certificate.",
  otherType: `Contains PEM of another type: expected one certificate, which begins with ${BEGIN}.`,
  headers: `Contains PEM headers: expected only base64 between ${BEGIN} and ${END}.`,
  several: "Contains more than one certificate: expected one. Create a certificate authority for each.",
  malformed:
    "Not a certificate: expected one X.509 certificate in DER (RFC 5280), complete, without trailing data, as base64.",
  noAuthority:
    "Not the certificate of an authority: expected X.509 version 3 with Basic Constraints (2.5.29.19) in which cA is true.",
};

/** The message of the error for a `ca_pem`; the whole body if the response is anything else. */
async function rejection(ca_pem: unknown): Promise<unknown> {
  const { status, body } = await post(PATH, { ca_pem });
  const isRefused = status === 400 && body.error_code === "ERR_INVALID_REQUEST" && body.errors.length === 1;
  return isRefused && body.errors[0].path === "/ca_pem" ? body.errors[0].msg : body;
}

const withBytes = (bytes: number[]): Promise<Json> => given.authority({ ca_pem: pem(bytes) });

test("is shown with the certificate's fields", async () => {
  const authority = await given.authority({
    description: "devices",
    metadata: "m",
    ca_pem: pem(
      certificate({
        subject: name(["2.5.4.10", text(types.printable, "Example")], commonName("Example CA")),
        rest: [extensions(CA, keyUsage(1, 0x06), extendedKeyUsage("1.3.6.1.5.5.7.3.2"))],
      }),
    ),
  });
  expect(Object.entries(authority)).toEqual(
    Object.entries({
      id: expect.stringMatching(/^ca_[0-9A-Za-z]{27}$/),
      uri: `${ORIGIN}${PATH}/${authority.id}`,
      created_at: expect.any(String),
      description: "devices",
      metadata: "m",
      ca_pem: expect.stringMatching(/^-----BEGIN CERTIFICATE-----\n.{64}\n[^]*-----END CERTIFICATE-----\n$/),
      subject_common_name: "Example CA",
      not_before: "2026-01-02T03:04:05Z",
      not_after: "2036-01-02T03:04:05Z",
      key_usages: ["cert_sign", "crl_sign"],
      extended_key_usages: ["client_auth"],
    }),
  );
});

describe("certificates made by OpenSSL", () => {
  const accepted: [file: string, shown: Json][] = [
    [
      "rsa",
      {
        subject_common_name: "Example RSA Root",
        key_usages: ["cert_sign", "crl_sign"],
        extended_key_usages: ["client_auth", "server_auth", "1.3.6.1.4.1.311.20.2.2"],
      },
    ],
    ["ec_with_text", { subject_common_name: "Exämple EC", key_usages: [], extended_key_usages: [] }],
    ["ed25519", { subject_common_name: undefined, key_usages: [], extended_key_usages: [] }],
  ];
  const rejected: [file: string, msg: string][] = [
    ["leaf", wrong.noAuthority],
    ["no_constraints", wrong.noAuthority],
    ["version_1", wrong.noAuthority],
    ["request", wrong.otherType],
  ];

  test.each(accepted)("%s is accepted", async (name, shown) => {
    const { validFrom, validTo } = new X509Certificate(file(name));
    const { body } = await post(PATH, { ca_pem: file(name) });
    const { subject_common_name, ca_pem, key_usages, extended_key_usages } = body;
    expect({ subject_common_name, key_usages, extended_key_usages }).toEqual(shown);
    expect(ca_pem).toBe(file(name).slice(file(name).indexOf(BEGIN)));
    expect([Date.parse(body.not_before), Date.parse(body.not_after)]).toEqual([
      Date.parse(validFrom),
      Date.parse(validTo),
    ]);
  });

  test.each(rejected)("%s is rejected", async (name, msg) => {
    expect(await rejection(file(name))).toBe(msg);
  });

  test("are all listed above", () => {
    expect(Object.keys(files).toSorted()).toEqual(
      [...accepted, ...rejected].map(([name]) => name).toSorted(),
    );
  });
});

describe("PEM", () => {
  const plain = pem(certificate());

  test.each([
    ["CRLF", pem(certificate(), { newline: "\r\n" })],
    ["CR alone", pem(certificate(), { newline: "\r" })],
    ["no line break at the end", plain.trimEnd()],
    ["lines of 76 characters", pem(certificate(), { width: 76 })],
    ["one character in a line", pem(certificate(), { width: 1 })],
    ["all base64 in one line", pem(certificate(), { width: 16_384 })],
    ["blank lines and indentation", plain.replaceAll("\n", " \n\n \t")],
    ["text before and after the block", `Subject: CN=Root, Key: "é"\n${plain}\nThat was it.`],
    ["a byte order mark", `\ufeff${plain}`],
    ["no padding", plain.replaceAll("=", "")],
  ])("is accepted with %s, and shown in lines of 64 characters", async (_, ca_pem) => {
    expect((await given.authority({ ca_pem })).ca_pem).toBe(plain);
  });

  test("can have up to 16 KiB, including the text around it, counted in bytes", async () => {
    const longest = `\n${plain}`.padStart(16_384, "x");
    expect((await given.authority({ ca_pem: longest })).ca_pem).toBe(plain);
    expect(await rejection(` ${longest}`)).toBe(wrong.length);
    expect(await rejection(longest.replace("x", "é"))).toBe(wrong.length);
    const large = withExtensions(
      extension(
        "1.2.3",
        Array.from({ length: 11_800 }, () => 0),
      ),
    );
    const block = pem(large).trimEnd();
    expect(block.length).toBeGreaterThan(16_000);
    expect((await given.authority({ ca_pem: block.padStart(16_384, "\n") })).ca_pem).toBe(`${block}\n`);
  });

  test.each([
    ["no PEM data", "", wrong.noPem],
    ["text", "a certificate", wrong.noPem],
    ["base64 alone", plain.split("\n").slice(1, -2).join("\n"), wrong.noPem],
    ["no end", plain.slice(0, plain.indexOf(END)), wrong.notPem],
    ["the end of another type", plain.replace(END, "-----END PKCS7-----"), wrong.notPem],
    ["no line breaks", plain.replaceAll("\n", ""), wrong.notPem],
    ["line breaks written out", plain.replaceAll("\n", "\\n"), wrong.notPem],
    ["characters that are not base64", plain.replace("\nM", "\n*"), wrong.notPem],
    ["base64url", plain.replace("\nM", "\n_"), wrong.notPem],
    ["nothing between the lines", `${BEGIN}\n${END}\n`, wrong.notPem],
    ["a private key", pem(certificate(), { label: "PRIVATE KEY" }), wrong.privateKey],
    ["an encrypted private key", pem([1], { label: "ENCRYPTED PRIVATE KEY" }), wrong.privateKey],
    ["an additional private key", plain + pem([1], { label: "EC PRIVATE KEY" }), wrong.privateKey],
    ["a private key in one line", pem([1], { label: "RSA PRIVATE KEY", newline: "" }), wrong.privateKey],
    ["a public key", pem([1], { label: "PUBLIC KEY" }), wrong.otherType],
    ["OpenSSL's trusted certificate", pem(certificate(), { label: "TRUSTED CERTIFICATE" }), wrong.otherType],
    ["an additional revocation list", plain + pem([1], { label: "X509 CRL" }), wrong.otherType],
    ["headers", plain.replace("\n", "\nProc-Type: 4,ENCRYPTED\n\n"), wrong.headers],
    ["two certificates", plain + pem(certificate()), wrong.several],
    ["a second one without an end", `${plain}${BEGIN}\nAAAA`, wrong.several],
    ["a lone surrogate", `${plain}\ud800`, "Not well-formed Unicode: it contains a lone surrogate."],
  ])("is rejected: %s", async (_, ca_pem, msg) => {
    expect(await rejection(ca_pem)).toBe(msg);
  });

  test("of a private key is never repeated, neither in the response nor in stored data", async () => {
    const secret = "c2VjcmV0IGtleQ".repeat(4);
    for (const ca_pem of [
      `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----\n`,
      `${BEGIN}\n${secret}\n${END}\n`,
    ])
      expect((await post(PATH, { ca_pem })).text).not.toContain("c2VjcmV0");
  });
});

describe("DER", () => {
  const good = certificate();
  const [, , , ...rest] = good;
  const size = rest.length;
  const nested = (levels: number): number[] =>
    Array.from({ length: levels }).reduce<number[]>((inner) => der(0x30, inner), []);
  const constrained = (...members: number[][]) =>
    certificate({ rest: [extensions(basicConstraints(...members))] });

  test.each([
    ["bytes after the certificate", [...good, 0]],
    ["a second certificate after it", [...good, ...good]],
    ["bytes after what is signed", certificate({ rest: [extensions(CA), der(0x05)] })],
    ["truncated by a byte", good.slice(0, -1)],
    ["only its first byte", [0x30]],
    ["a length of more bytes than it takes", [0x30, 0x82, 0, size, ...rest]],
    ["a length of four gigabytes", [0x30, 0x84, 0xff, 0xff, 0xff, 0xff, ...rest]],
    ["no definite length (BER)", [0x30, 0x80, ...rest, 0, 0]],
    ["deeply nested", nested(2_900)],
    ["a deeply nested subject", certificate({ subject: nested(2_800) })],
    ["no sequence", octets(good)],
    ["a private key", sequence(der(0x02, [0]), sequence(oid("1.3.101.112")), octets(octets([1])))],
    ["version 4", certificate({ version: [der(0xa0, der(0x02, [3]))] })],
    ["extensions in version 1", certificate({ version: [] })],
    ["a month 13", certificate({ notAfter: utcTime("261302030405Z") })],
    ["30 February", certificate({ notAfter: generalizedTime("20500230030405Z") })],
    ["a leap second", certificate({ notAfter: generalizedTime("20161231235960Z") })],
    ["a time without seconds", certificate({ notAfter: utcTime("2601020304Z") })],
    ["a time with fractions of a second", certificate({ notAfter: generalizedTime("20500102030405.5Z") })],
    ["a time in another zone", certificate({ notAfter: utcTime("260102030405+0100") })],
    ["a date as text", certificate({ notAfter: text(types.utf8, "260102030405Z") })],
    ["invalid UTF-8", certificate({ subject: name([COMMON_NAME, der(types.utf8, [0xff])]) })],
    [
      "half a character of BMPString",
      certificate({ subject: name([COMMON_NAME, der(types.bmp, [0, 65, 0])]) }),
    ],
    ["a noncharacter of Unicode", certificate({ subject: name(commonName("\u{10fffe}")) })],
    ["half a surrogate pair", certificate({ subject: name([COMMON_NAME, der(types.bmp, [0xd8, 0])]) })],
    [
      "a character beyond Unicode",
      certificate({ subject: name([COMMON_NAME, der(types.universal, [0, 17, 0, 0])]) }),
    ],
    ["Basic Constraints twice", certificate({ rest: [extensions(CA, CA)] })],
    ["another extension twice", withExtensions(extension("1.2.3", [0]), extension("1.2.3", [0]))],
    [
      "Basic Constraints that are not a sequence",
      certificate({ rest: [extensions(extension("2.5.29.19", TRUE))] }),
    ],
    ["Basic Constraints with a tail", constrained(TRUE, der(0x02, [0]), der(0x05))],
    ["Basic Constraints with a boolean of two bytes", constrained(der(0x01, [0xff, 0xff]))],
    ["a negative path length", constrained(TRUE, der(0x02, [0xff]))],
    // With such a key usage, the parser alone would not notice.
    [
      "Basic Constraints with a boolean of two bytes, of a key that may not sign",
      certificate({
        rest: [extensions(keyUsage(7, 0x80), basicConstraints(der(0x01, [0xff, 0xff])))],
      }),
    ],
    [
      "Extended Key Usage with a length of more bytes than it takes, of a key that may not sign",
      withExtensions(keyUsage(7, 0x80), extension("2.5.29.37", [0x30, 0x81, 4, ...oid("1.2.3")])),
    ],
    ["Key Usage that is not a bit string", withExtensions(extension("2.5.29.15", octets([6])))],
    ["Key Usage with more unused bits than there are", withExtensions(keyUsage(8, 0xff))],
    ["Extended Key Usage with nothing in it", withExtensions(extendedKeyUsage())],
    ["Extended Key Usage that is not a sequence", withExtensions(extension("2.5.29.37", oid("1.2.3")))],
    [
      "Extended Key Usage with an OID without an end",
      withExtensions(extension("2.5.29.37", sequence(der(0x06, [0x2a, 0x83])))),
    ],
    ["a malformed subject alternative name", withExtensions(extension("2.5.29.17", [1, 2, 3]))],
  ])("is rejected: %s", async (_, bytes) => {
    expect(await rejection(pem(bytes))).toBe(wrong.malformed);
  });

  test.each([
    ["version 1, which has no extensions", certificate({ version: [], rest: [] })],
    ["version 2", certificate({ version: [der(0xa0, der(0x02, [1]))], rest: [] })],
    ["no extensions", certificate({ rest: [] })],
    ["no Basic Constraints", certificate({ rest: [extensions(keyUsage(1, 0x06))] })],
    ["Basic Constraints without cA", constrained()],
    ["Basic Constraints with cA false", constrained(der(0x01, [0]))],
    ["Basic Constraints with only a path length", constrained(der(0x02, [0]))],
  ])("is rejected: %s", async (_, bytes) => {
    expect(await rejection(pem(bytes))).toBe(wrong.noAuthority);
  });

  test.each([
    ["an intermediate certificate", certificate({ issuer: name(commonName("another")) })],
    ["expired", certificate({ notAfter: utcTime("000101000000Z") })],
    ["not valid yet", certificate({ notBefore: generalizedTime("20990101000000Z") })],
    ["an end before its start", certificate({ notAfter: utcTime("500101000000Z") })],
    ["a path length", constrained(TRUE, der(0x02, [0]))],
    ["an unknown algorithm", certificate({ algorithm: sequence(oid("1.2.3.4")) })],
    [
      "a key of an unknown kind",
      certificate({ publicKey: sequence(sequence(oid("1.2.3.4")), der(0x03, [0])) }),
    ],
    ["unique identifiers", certificate({ rest: [der(0x81, [0, 1]), der(0x82, [0, 1]), extensions(CA)] })],
    ["an unknown critical extension", withExtensions(extension("1.2.3", [1, 2, 3], true))],
    ["a subject of binary attributes", certificate({ subject: name(["2.5.4.45", der(0x03, [0, 1])]) })],
    ["no subject", certificate({ subject: name() })],
    ["a key that may not sign certificates", withExtensions(keyUsage(7, 0x80))],
  ])("is accepted: %s", async (_, bytes) => {
    expect((await withBytes(bytes)).ca_pem).toBe(pem(bytes));
  });

  test("is accepted twice", async () => {
    const [one, other] = [await withBytes(good), await withBytes(good)];
    expect(one.id).not.toBe(other.id);
  });

  test("is rejected wherever it is cut off", async () => {
    for (let length = 1; length < good.length; length += 1)
      expect(await rejection(pem(good.slice(0, length)))).toBe(wrong.malformed);
  });

  test("with any byte changed is either rejected or shown as the parser understands it", async () => {
    for (let at = 0; at < good.length; at += 1)
      for (const mask of [0x01, 0x20, 0x80, 0xff]) {
        const changed = good.with(at, (good[at] ?? 0) ^ mask);
        const { status, body } = await post(PATH, { ca_pem: pem(changed) });
        expect([201, 400], `byte ${at}`).toContain(status);
        if (status !== 201) continue;
        expect(body.ca_pem).toBe(pem(changed));
        const parsed = new X509Certificate(Uint8Array.from(changed));
        const { subject }: Json = parsed.toLegacyObject();
        // The parser shows no subject at all if one of its attributes is not a string.
        if (subject) expect(body.subject_common_name, `byte ${at}`).toBe(subject["CN"] || undefined);
        const instants = [body.not_before, body.not_after].map((shown) => Date.parse(shown));
        // The parser's years below 100 are ambiguous.
        if (instants.every((instant) => instant > Date.UTC(100, 0)))
          expect(instants).toEqual([Date.parse(parsed.validFrom), Date.parse(parsed.validTo)]);
      }
  });
});

test("the costliest certificates of 16 KiB are read in a few milliseconds", async () => {
  const list = (count: number, item: (i: number) => number[]): number[] =>
    Array.from({ length: count }, (_, i) => item(i)).flat();
  const long = der(0x06, [...list(11_000, () => [0xff]), 0x7f]);
  const costly = {
    ...Object.fromEntries(
      Object.entries({
        "many names": der(
          0x30,
          list(750, () => set(sequence(oid(COMMON_NAME), text(types.utf8, "x")))),
        ),
        "many empty sets": der(
          0x30,
          list(5_500, () => set()),
        ),
        "a long OID": sequence(set(sequence(long, text(types.utf8, "x")))),
        "a long name": name([
          COMMON_NAME,
          der(
            types.universal,
            list(2_700, () => [0, 1, 0xf6, 0]),
          ),
        ]),
      }).map(([what, subject]) => [what, certificate({ subject })]),
    ),
    "many extensions": withExtensions(list(900, (i) => sequence(oid(`1.2.${i}`), octets()))),
    "a long usage": withExtensions(extension("2.5.29.37", sequence(long))),
    "many usages": withExtensions(extendedKeyUsage(...Array.from({ length: 2_900 }, () => "1.2.3"))),
    "many elements": certificate({ publicKey: sequence(list(5_800, () => der(0x05))) }),
  };
  for (const [what, bytes] of Object.entries(costly)) {
    const ca_pem = pem(bytes);
    expect(ca_pem.length, what).toBeLessThan(16_384);
    const times: number[] = [];
    for (let i = 0; i < 5; i++) {
      const start = performance.now();
      await post(PATH, { ca_pem });
      times.push(performance.now() - start);
    }
    // Everything except the rest of the request takes less than 10 ms on an idle machine.
    expect(Math.min(...times), what).toBeLessThan(100);
  }
});

describe("subject_common_name", () => {
  const attribute = (tag: number, bytes: number[]): [string, number[]] => [COMMON_NAME, der(tag, bytes)];
  const shown = async (...parts: [string, number[]][]) =>
    (await withBytes(certificate({ subject: name(...parts) }))).subject_common_name;

  test.each([
    ["UTF8String", attribute(types.utf8, [0x4d, 0xc3, 0xbc]), "Mü"],
    [
      "UTF8String that starts with a byte order mark",
      attribute(types.utf8, [0xef, 0xbb, 0xbf, 65]),
      "\ufeffA",
    ],
    ["PrintableString", [COMMON_NAME, text(types.printable, "a@b")], "a@b"],
    ["IA5String", [COMMON_NAME, text(types.ia5, "a_b")], "a_b"],
    ["NumericString", [COMMON_NAME, text(types.numeric, "12 3")], "12 3"],
    ["VisibleString", [COMMON_NAME, text(types.visible, "visible")], "visible"],
    ["T61String, read as Latin-1", attribute(types.teletex, [0x4d, 0xfc, 0x80]), "Mü\u0080"],
    ["BMPString", attribute(types.bmp, [0, 0x4d, 0x20, 0xac]), "M€"],
    ["UniversalString", attribute(types.universal, [0, 1, 0xf6, 0, 0, 0, 0, 65]), "😀A"],
    ["NUL, line breaks and separators", commonName("a\0b\nCN=c/CN=d"), "a\0b\nCN=c/CN=d"],
  ] as [string, [string, number[]], string][])("of the type %s", async (_, part, expected) => {
    expect(await shown(part)).toBe(expected);
    const [shownByParser] = [new X509Certificate(Uint8Array.from(certificate({ subject: name(part) })))];
    expect(shownByParser.toLegacyObject().subject).toEqual({ CN: expected });
  });

  test("is the last one, wherever it is", async () => {
    expect(await shown(commonName("first"), commonName("last"), ["2.5.4.10", text(types.utf8, "O")])).toBe(
      "last",
    );
    const both = set(...["b", "aa"].map((value) => sequence(oid(COMMON_NAME), text(types.utf8, value))));
    expect((await withBytes(certificate({ subject: sequence(both) }))).subject_common_name).toBe("aa");
  });

  test("is the last one that is a string, even next to attributes that are not", async () => {
    expect(await shown(commonName("name"), [COMMON_NAME, octets([1])], ["2.5.4.45", der(0x03, [0])])).toBe(
      "name",
    );
  });

  test("is omitted if there is none, or only an empty one", async () => {
    expect(await shown(["2.5.4.10", text(types.utf8, "O")])).toBeUndefined();
    expect(await shown(commonName(""))).toBeUndefined();
    expect(await shown([COMMON_NAME, octets([65])])).toBeUndefined();
    expect(await shown()).toBeUndefined();
  });
});

test.each([
  ["UTCTime 1950", utcTime("500101000000Z"), "1950-01-01T00:00:00Z"],
  ["UTCTime 1999", utcTime("991231235959Z"), "1999-12-31T23:59:59Z"],
  ["UTCTime 2000", utcTime("000229000000Z"), "2000-02-29T00:00:00Z"],
  ["UTCTime 2049", utcTime("491231235959Z"), "2049-12-31T23:59:59Z"],
  ["GeneralizedTime 1949", generalizedTime("19490101000000Z"), "1949-01-01T00:00:00Z"],
  ["GeneralizedTime 2050", generalizedTime("20500101000000Z"), "2050-01-01T00:00:00Z"],
  ["GeneralizedTime 9999", generalizedTime("99991231235959Z"), "9999-12-31T23:59:59Z"],
  ["GeneralizedTime 0001", generalizedTime("00010203040506Z"), "0001-02-03T04:05:06Z"],
  ["GeneralizedTime 0000", generalizedTime("00000101000000Z"), "0000-01-01T00:00:00Z"],
])("a time as %s", async (_, time, shown) => {
  const { not_before, not_after } = await withBytes(certificate({ notBefore: time, notAfter: time }));
  expect([not_before, not_after]).toEqual([shown, shown]);
});

describe("key_usages", () => {
  const all = [
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

  test.each<[what: string, bits: number[], usages: string[]]>([
    ["every bit", [7, 0xff, 0x80], all],
    ["bits that have no meaning", [0, 0xff, 0xff, 0xff], all],
    ["only the ninth", [7, 0x00, 0x80], ["decipher_only"]],
    ["cert_sign and crl_sign", [1, 0x06], ["cert_sign", "crl_sign"]],
    ["zeros at the end", [0, 0x06, 0x00], ["cert_sign", "crl_sign"]],
    ["no bit", [0], []],
    ...all.map((usage, bit): [string, number[], string[]] => [
      `only ${usage}`,
      bit < 8 ? [7 - bit, 0x80 >> bit] : [7, 0, 0x80],
      [usage],
    ]),
  ])("of %s", async (_, bits, usages) => {
    expect((await withBytes(withExtensions(keyUsage(...bits)))).key_usages).toEqual(usages);
  });
});

test("extended_key_usages are shown by name, or by OID if they have no name, in the order given", async () => {
  const names = [
    ["2.5.29.37.0", "any"],
    ...[
      "server_auth",
      "client_auth",
      "code_signing",
      "email_protection",
      "ipsec_end_system",
      "ipsec_tunnel",
      "ipsec_user",
      "time_stamping",
      "ocsp_signing",
    ].map((usage, i) => [`1.3.6.1.5.5.7.3.${i + 1}`, usage]),
    ...[
      "0.0",
      "1.39.1",
      "2.0",
      "2.999.3",
      "1.3.6.1.4.1.311.10.3.4",
      "2.25.329800735698586629295641978511506172918",
      `1.2.${2n ** 2_000n}`,
    ].map((id) => [id, id]),
  ];
  const { extended_key_usages } = await withBytes(
    withExtensions(extendedKeyUsage(...names.toReversed().map(([id = ""]) => id))),
  );
  expect(extended_key_usages).toEqual(names.toReversed().map(([, usage]) => usage));
});

test("all errors are reported together", async () => {
  const { body } = await post(PATH, { ca_pem: "x", description: "x".repeat(256), name: "y" });
  expect(body.errors.map(({ path }: Json) => path).toSorted()).toEqual(["/ca_pem", "/description", "/name"]);
  expect((await post(PATH, {})).body.errors).toEqual([{ path: "/ca_pem", msg: "Required." }]);
});

test("PATCH only changes its description and metadata", async () => {
  const authority = await given.authority({ description: "a", metadata: "b" });
  const { status, body } = await patch(authority.uri, { description: "c", metadata: "" });
  const { metadata: _, ...kept } = authority;
  expect([status, body]).toEqual([200, { ...kept, description: "c" }]);
  const members = Object.keys(authority).filter((name) => !/^(?:description|metadata)$/.test(name));
  for (const name of members) {
    const rejected = await patch(authority.uri, { [name]: authority[name] });
    expect(rejected.body.errors, name).toEqual([
      { path: `/${name}`, msg: "Unknown; accepted: description, metadata." },
    ]);
  }
  expect((await get(authority.uri)).body).toEqual(body);
});

test("a large certificate is shown whole in lists", async () => {
  const large = withExtensions(
    extension(
      "1.2.3",
      Array.from({ length: 11_800 }, () => 0),
    ),
  );
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.unshift((await withBytes(large)).id);
  const { body } = await get(`${PATH}?limit=3`);
  expect(body.certificate_authorities.map(({ id }: Json) => id)).toEqual(ids);
  for (const { ca_pem } of body.certificate_authorities) expect(ca_pem).toBe(pem(large));
});

describe("DELETE", () => {
  const naming = (id: string) => ({ certificate_authority_ids: ["ca_1", id] });

  test("is rejected while the mutual TLS of an edge names it, even if that is disabled", async () => {
    const { id, uri } = await given.authority();
    const edge = await given.tlsEdge({ mutual_tls: { enabled: false, ...naming(id) } });
    const { status, body } = await del(uri);
    expect([status, body.error_code, body.details.used_by]).toEqual([409, "ERR_IN_USE", edge.id]);
    expect((await get(uri)).status).toBe(200);
    await patch(edge.uri, { mutual_tls: {} });
    expect((await del(uri)).status).toBe(204);
    expect((await get(uri)).status).toBe(404);
  });

  test("is rejected while the mutual TLS of an HTTPS edge managed elsewhere names it", async () => {
    const { id, uri } = await given.authority();
    await put(`/edges/https/${given.HTTPS_EDGE}/mutual_tls`, naming(id));
    expect((await del(uri)).body.details.used_by).toBe(given.HTTPS_EDGE);
    await del(`/edges/https/${given.HTTPS_EDGE}/mutual_tls`);
    expect((await del(uri)).status).toBe(204);
  });

  test("succeeds once the edge is deleted, and the edge can name it again: its existence is not checked", async () => {
    const { id, uri } = await given.authority();
    const edge = await given.tlsEdge({ mutual_tls: naming(id) });
    await del(edge.uri);
    expect((await del(uri)).status).toBe(204);
    expect((await given.tlsEdge({ mutual_tls: naming(id) })).mutual_tls.certificate_authorities).toHaveLength(
      2,
    );
  });
});
