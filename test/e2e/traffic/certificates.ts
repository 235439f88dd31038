import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/*
 * Certificates created with openssl: authorities, and certificates that they sign.
 */

/** A certificate and its key, each in a file. */
export interface Certificate {
  certificate: string;
  key: string;
  /** The file with both, which servers load. */
  both: string;
  pem: string;
  /** The SHA-256 fingerprint, as Node formats it. */
  fingerprint: string;
}

const DAYS = "30";

function openssl(...arguments_: string[]): string {
  return execFileSync("openssl", arguments_, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

/** Creates certificates in `folder`. */
export function certificatesIn(folder: string) {
  const made = (name: string, request: string[]): Certificate => {
    const [certificate, key, both] = ["crt", "key", "pem"].map((end) => join(folder, `${name}.${end}`));
    if (!certificate || !key || !both) throw new Error("unreachable");
    openssl(
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:P-256",
      "-nodes",
      "-config",
      "/dev/null",
      "-days",
      DAYS,
      "-keyout",
      key,
      "-out",
      certificate,
      ...request,
    );
    const pem = readFileSync(certificate, "utf8");
    writeFileSync(both, pem + readFileSync(key, "utf8"), { mode: 0o600 });
    const [, fingerprint = ""] =
      /Fingerprint=(\S+)/.exec(openssl("x509", "-in", certificate, "-noout", "-fingerprint", "-sha256")) ??
      [];
    return { certificate, key, both, pem, fingerprint };
  };
  return {
    authority: (name: string): Certificate =>
      made(name, [
        "-subj",
        `/CN=${name}`,
        "-addext",
        "basicConstraints=critical,CA:true",
        "-addext",
        "keyUsage=critical,keyCertSign,cRLSign",
      ]),
    /** A server certificate for host names and IP addresses; the file is named after the first one. */
    server: (authority: Certificate, hosts: string[]): Certificate =>
      made(hosts[0] ?? "", [
        "-CA",
        authority.certificate,
        "-CAkey",
        authority.key,
        "-subj",
        `/CN=${hosts[0]}`,
        "-addext",
        "basicConstraints=CA:false",
        "-addext",
        "extendedKeyUsage=serverAuth",
        "-addext",
        `subjectAltName=${hosts.map(altName).join(",")}`,
      ]),
    client: (authority: Certificate, name: string): Certificate =>
      made(name, [
        "-CA",
        authority.certificate,
        "-CAkey",
        authority.key,
        "-subj",
        `/CN=${name}`,
        "-addext",
        "basicConstraints=CA:false",
        "-addext",
        "extendedKeyUsage=clientAuth",
      ]),
  };
}

const altName = (host: string): string => (/^[\d.]+$|:/.test(host) ? `IP:${host}` : `DNS:${host}`);
