import { grouped } from "../../../model/src/groups.ts";
import { chunks } from "../base/groups.ts";
import { quote, word } from "../base/quote.ts";
import { CERTIFICATE_LISTS, type ServerCertificate } from "./contract.ts";
import type { Output } from "./output.ts";
import type { EdgeOnPort, TlsEntrance, ServedHostport, WantedNames } from "./parts.ts";

const HTTPS_PROTOCOLS = "alpn h2,http/1.1";

/** Host names on one line of a crt-list. Each line has a TLS context of its own. */
const NAMES_OF_LINE = 500;

/** An internal listener for the names of one edge. It rejects other names. */
export function ownBind(
  entrance: TlsEntrance,
  edge: EdgeOnPort,
  hostports: readonly ServedHostport[],
  output: Output,
): string {
  const lines = new Map<string, string>();
  for (const { host, certificate } of hostports) {
    if (!certificate) throw new Error("unreachable");
    output.file(certificate.file, certificate.content);
    lines.set(host, lineOf(entrance, certificate, edge.minVersion, output));
  }
  return namedBind(entrance, lines, clientCertificates(edge, output), output);
}

/**
 * An internal listener for many edges. It knows all names of the certificates that it needs. So another edge with one of these names
 * does not change the list. Whoever names no edge does not get here.
 */
export function sharedBind(all: readonly WantedNames[], output: Output): string {
  const [first] = all;
  if (!first) throw new Error("unreachable");
  const { entrance } = first;
  const { known, settings } = output;
  const certificates = known.certificates.of(
    entrance.name,
    all.map((wanted) => wanted.certificates),
  );
  const lines = output.once(known.certificateLines, entrance.name, [certificates], (own) => {
    const made = new Map<string, string>();
    for (const certificate of certificates.values()) {
      own.file(certificate.file, certificate.content);
      for (const name of certificate.names) {
        // A wildcard is for names that have no certificate of their own.
        const example = name.replace(/^\*/, "a-name-of-no-certificate");
        if (settings.certificateFor(example)?.file === certificate.file)
          made.set(name, lineOf(entrance, certificate, undefined, output));
      }
    }
    return made;
  });
  const others = all.flatMap((wanted) =>
    output.once(known.otherLines, wanted, [lines], () => otherLines(wanted, lines, output)),
  );
  return output.once(known.lists, entrance.name, [lines, ...others], (own) => {
    const sorted = [...lines, ...others].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return namedBind(entrance, new Map(sorted), "", own);
  });
}

/** The names that need another line than the one that HAProxy finds in `lines`: by the name, then by the wildcard for it. */
function otherLines({ entrance, names }: WantedNames, lines: ReadonlyMap<string, string>, output: Output) {
  const others: [host: string, line: string][] = [];
  for (const [host, { certificate, minVersion }] of names) {
    const line = lineOf(entrance, certificate, minVersion, output);
    if ((lines.get(host) ?? lines.get(wildcardFor(host))) !== line) others.push([host, line]);
  }
  return others;
}

/** What is before the names on a line of a crt-list. */
function lineOf(
  { kind }: TlsEntrance,
  { file }: ServerCertificate,
  minVersion: string | undefined,
  output: Output,
): string {
  const protocols = kind === "https" ? HTTPS_PROTOCOLS : "";
  return `${word(output.path(file))} [${[lowestVersion(minVersion), protocols].join(" ").trim()}]`;
}

/** An internal listener for host names. Names with the same line share it. */
function namedBind(
  { name }: TlsEntrance,
  lines: ReadonlyMap<string, string>,
  options: string,
  output: Output,
): string {
  const byLine = grouped(lines.keys(), (host) => lines.get(host) ?? "");
  const texts = [...byLine].flatMap(([line, hosts]) =>
    chunks(hosts, NAMES_OF_LINE).map((names) => `${line} ${names.map(word).join(" ")}\n`),
  );
  const list = output.file(`${CERTIFICATE_LISTS}/${name}`, texts.join(""));
  return bindLine(name, `strict-sni crt-list ${quote(list)} ${options}`, output);
}

/** The wildcard that covers a name. */
const wildcardFor = (host: string): string =>
  host.includes(".") ? `*${host.slice(host.indexOf("."))}` : "*";

/** An internal listener for an IP address: it serves the same certificate to all clients. */
export function addressBind(
  { name, kind }: TlsEntrance,
  edge: EdgeOnPort,
  { file, content }: ServerCertificate,
  output: Output,
): string {
  const protocols = kind === "https" ? HTTPS_PROTOCOLS : "";
  return bindLine(
    name,
    `crt ${quote(output.file(file, content))} ${lowestVersion(edge.minVersion)} ${protocols} ${clientCertificates(edge, output)}`,
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
