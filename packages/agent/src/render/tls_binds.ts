import { quote, word } from "../quote.ts";
import { CERTIFICATE_LISTS, type ServerCertificate } from "./contract.ts";
import type { Output } from "./output.ts";
import type { EdgeOnPort, Entrance } from "./parts.ts";

const HTTPS_PROTOCOLS = "alpn h2,http/1.1";

/** Host names on one line of a crt-list. Each line has a TLS context of its own. */
const NAMES_OF_LINE = 500;

/**
 * An internal listener for host names, each with its certificate and minimum TLS version. It rejects other names. Names with the same
 * certificate and version share a line.
 */
export function namedBind(entrance: Entrance, output: Output): string {
  const { name, edges } = entrance;
  const byLine = new Map<string, string[]>();
  for (const [host, line] of linesByName(entrance, output)) {
    const names = byLine.get(line) ?? [];
    names.push(word(host));
    byLine.set(line, names);
  }
  const lines = [...byLine].flatMap(([line, names]) =>
    Array.from(
      { length: Math.ceil(names.length / NAMES_OF_LINE) },
      (_, index) => `${line} ${names.slice(index * NAMES_OF_LINE, (index + 1) * NAMES_OF_LINE).join(" ")}\n`,
    ),
  );
  const list = output.file(`${CERTIFICATE_LISTS}/${name}`, lines.join(""));
  // An edge with mutual TLS has its own listener.
  const [first] = edges;
  return bindLine(
    name,
    `strict-sni crt-list ${quote(list)} ${first ? clientCertificates(first, output) : ""}`,
    output,
  );
}

/**
 * The line of a crt-list for each name that a listener knows. A shared listener knows all names of the certificates that it needs. So
 * another edge with one of these names does not change the list. Whoever names no edge does not get here.
 */
function linesByName({ kind, edges, only }: Entrance, output: Output): Map<string, string> {
  const { certificateFor } = output.settings;
  const protocols = kind === "https" ? HTTPS_PROTOCOLS : "";
  const lines = new Map<string, string>();
  const lineOf = ({ file }: ServerCertificate, version?: string): string => {
    const key = `${version} ${file}`;
    const line =
      lines.get(key) ??
      `${word(output.path(file))} [${[lowestVersion(version), protocols].join(" ").trim()}]`;
    lines.set(key, line);
    return line;
  };
  const certificates = new Map<string, ServerCertificate>();
  const wanted = new Map<string, string>();
  for (const { minVersion, hostports } of edges)
    for (const { certificate, host } of hostports) {
      if (!certificate) throw new Error("unreachable");
      certificates.set(certificate.file, certificate);
      wanted.set(host, lineOf(certificate, minVersion));
    }
  for (const { file, content } of certificates.values()) output.file(file, content);
  if (only !== undefined) return wanted;
  const known = new Map<string, string>();
  for (const certificate of certificates.values())
    for (const name of certificate.names) {
      // A wildcard is for names that have no certificate of their own.
      const example = name.replace(/^\*/, "a-name-of-no-certificate");
      if (certificateFor(example)?.file === certificate.file) known.set(name, lineOf(certificate));
    }
  // HAProxy looks up the name, then the wildcard for it.
  const found = (host: string) => known.get(host) ?? known.get(wildcardFor(host));
  return new Map([...known, ...[...wanted].filter(([host, line]) => found(host) !== line)]);
}

/** The wildcard that covers a name. */
const wildcardFor = (host: string): string =>
  host.includes(".") ? `*${host.slice(host.indexOf("."))}` : "*";

/** An internal listener for an IP address: it serves the same certificate to all clients. */
export function addressBind({ name, edges: [first], literal }: Entrance, output: Output): string {
  const certificate = literal?.certificate;
  if (!first || !certificate) throw new Error("unreachable");
  const protocols = first.kind === "https" ? HTTPS_PROTOCOLS : "";
  return bindLine(
    name,
    `crt ${quote(output.file(certificate.file, certificate.content))} ${lowestVersion(first.minVersion)} ${protocols} ${clientCertificates(first, output)}`,
    output,
  );
}

const bindLine = (name: string, options: string, output: Output) =>
  `bind ${quote(`unix@${output.socket(name)}`)} accept-proxy ssl ${options}`.replaceAll(/ +/g, " ").trimEnd();

/** TLS 1.0 and 1.1 sign with SHA-1, which OpenSSL 3 only accepts at security level 0. */
function lowestVersion(lowest = "1.2"): string {
  const isOld = lowest === "1.0" || lowest === "1.1";
  return `ssl-min-ver ${quote(`TLSv${lowest}`)}${isOld ? " ciphers DEFAULT:@SECLEVEL=0" : ""}`;
}

function clientCertificates({ id, authorities }: EdgeOnPort, output: Output): string {
  if (!authorities) return "";
  const pems = authorities.map((pem) => `${pem.trim()}\n`).join("");
  return `verify required ca-file ${quote(output.file(`authorities/${id}.pem`, pems))}`;
}
