import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/*
 * Keys, requests and certificates made with openssl.
 */

/** The folder of the files; the caller deletes it. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), "edge-issuing-"));

/** Calls openssl. @returns what it prints */
export const openssl = (...options: string[]): Buffer =>
  execFileSync("openssl", options, { stdio: ["ignore", "pipe", "pipe"] });

let files = 0;

/** The path of a new file. */
export const newFile = (folder: string, content = ""): string => {
  const path = join(folder, `${++files}`);
  writeFileSync(path, content);
  return path;
};

/** A private key. @param options of `openssl genpkey` */
export function newKey(
  folder: string,
  options = ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
): string {
  const path = newFile(folder);
  openssl("genpkey", ...options, "-out", path);
  return path;
}

/** A request for a certificate in DER. @param lines of the section `req_extensions`, such as `subjectAltName=DNS:a.example`. openssl leaves out attributes if it is given a subject. */
export function requestFor(
  folder: string,
  key: string,
  lines: string[],
  { subject = "/", digest = "sha256", attributes = [] as string[], commonName = "" } = {},
): Buffer {
  const config = newFile(
    folder,
    [
      "[req]",
      "distinguished_name=dn",
      "prompt=no",
      ...(attributes.length > 0 ? ["attributes=attr"] : []),
      ...(lines.length > 0 ? ["req_extensions=ext"] : []),
      "[dn]",
      ...(attributes.length > 0 ? [`CN=${commonName}`] : []),
      "[attr]",
      ...attributes,
      "[ext]",
      ...lines,
    ].join("\n"),
  );
  return openssl(
    "req",
    "-new",
    "-key",
    key,
    "-config",
    config,
    ...(attributes.length > 0 ? [] : ["-subj", subject]),
    `-${digest}`,
    "-outform",
    "DER",
  );
}

/** An authority: a certificate that signs others. */
export interface SigningAuthority {
  certificate: string;
  key: string;
  pem: string;
}

/** Makes an authority. */
export function newAuthority(folder: string): SigningAuthority {
  const key = newKey(folder);
  const certificate = newFile(folder);
  const config = [
    "-config",
    "/dev/null",
    "-subj",
    "/CN=authority of the tests",
    "-addext",
    "basicConstraints=critical,CA:true",
  ];
  openssl(
    "req",
    "-x509",
    "-new",
    "-key",
    key,
    "-days",
    "30",
    ...config,
    "-addext",
    "keyUsage=critical,keyCertSign",
    "-out",
    certificate,
  );
  return { certificate, key, pem: readFileSync(certificate, "utf8") };
}

/** Signs a certificate for the key of a request in DER. @returns PEM */
export function signed(
  folder: string,
  { certificate, key }: SigningAuthority,
  request: Buffer,
  { names, from, until }: { names: string[]; from?: string; until?: string },
): string {
  const csr = newFile(folder);
  writeFileSync(csr, request);
  const extensions = newFile(
    folder,
    `subjectAltName=${names.map((name) => `DNS:${name}`).join(",")}\nauthorityKeyIdentifier=keyid:always\nsubjectKeyIdentifier=hash\n`,
  );
  const path = newFile(folder);
  const paths = ["-in", csr, "-out", path];
  if (from === undefined || until === undefined)
    openssl(
      "x509",
      "-req",
      "-inform",
      "DER",
      ...paths,
      "-CA",
      certificate,
      "-CAkey",
      key,
      "-extfile",
      extensions,
      "-days",
      "90",
    );
  else {
    const [database, serial] = [newFile(folder), newFile(folder, "1001")];
    const lines = [
      "[ca]",
      "default_ca=own",
      "[own]",
      `database=${database}`,
      `serial=${serial}`,
      `new_certs_dir=${folder}`,
      "policy=any",
      "default_md=sha256",
      "[any]",
    ];
    const config = newFile(folder, lines.join("\n"));
    const dates = ["-startdate", from, "-enddate", until];
    openssl(
      "ca",
      "-batch",
      "-notext",
      "-config",
      config,
      "-inform",
      "DER",
      ...paths,
      "-cert",
      certificate,
      "-keyfile",
      key,
      "-extfile",
      extensions,
      ...dates,
    );
  }
  return readFileSync(path, "utf8");
}
