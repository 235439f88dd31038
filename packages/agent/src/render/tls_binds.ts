import { quote } from "../quote.ts";
import type { Entrance } from "./entrance.ts";
import { type Output, word } from "./output.ts";
import type { TlsOrHttpsEdge } from "./scope.ts";

const HTTPS_PROTOCOLS = "alpn h2,http/1.1";

/** Host names on one line of a crt-list. Each line has a TLS context of its own. */
const NAMES_OF_LINE = 500;

/**
 * An internal listener for host names, each with its certificate and minimum TLS version. It rejects other names. Names with the same
 * certificate and version share a line.
 */
export function namedBind({ name, edges }: Entrance, output: Output): string {
  const hosts = new Map<string, string[]>();
  for (const { edge, hostports } of edges) {
    const options = [versions(edge), edge.kind === "https" ? HTTPS_PROTOCOLS : ""].join(" ").trim();
    for (const { certificate, host } of hostports) {
      const line = `${word(certificate ?? "")} [${options}]`;
      const names = hosts.get(line) ?? [];
      names.push(word(host));
      hosts.set(line, names);
    }
  }
  const lines = [...hosts].flatMap(([line, names]) =>
    Array.from(
      { length: Math.ceil(names.length / NAMES_OF_LINE) },
      (_, index) => `${line} ${names.slice(index * NAMES_OF_LINE, (index + 1) * NAMES_OF_LINE).join(" ")}\n`,
    ),
  );
  const list = output.file(`certificates/${name}`, lines.join(""));
  // An edge with mutual TLS has its own listener.
  const [first] = edges;
  return bindLine(
    name,
    `strict-sni crt-list ${quote(list)} ${first ? clientCertificates(first.edge, output) : ""}`,
    output,
  );
}

/** An internal listener for an IP address: it serves the same certificate to all clients. */
export function addressBind({ name, edges: [first], literal }: Entrance, output: Output): string {
  if (!first) throw new Error("unreachable");
  const { edge } = first;
  const protocols = edge.kind === "https" ? HTTPS_PROTOCOLS : "";
  return bindLine(
    name,
    `crt ${quote(literal?.certificate ?? "")} ${versions(edge)} ${protocols} ${clientCertificates(edge, output)}`,
    output,
  );
}

const bindLine = (name: string, options: string, output: Output) =>
  `bind ${quote(`unix@${output.socket(name)}`)} accept-proxy ssl ${options}`.replaceAll(/ +/g, " ").trimEnd();

/** TLS 1.0 and 1.1 sign with SHA-1, which OpenSSL 3 only accepts at security level 0. */
function versions(edge: TlsOrHttpsEdge): string {
  const lowest = edge.tls_termination?.min_version ?? "1.2";
  const isOld = lowest === "1.0" || lowest === "1.1";
  return `ssl-min-ver ${quote(`TLSv${lowest}`)}${isOld ? " ciphers DEFAULT:@SECLEVEL=0" : ""}`;
}

function clientCertificates(edge: TlsOrHttpsEdge, output: Output): string {
  if (!edge.mutual_tls) return "";
  const pems = edge.mutual_tls.certificate_authority_ids.map(
    (id) => output.snapshot.certificate_authorities[id] ?? "",
  );
  return `verify required ca-file ${quote(output.file(`authorities/${edge.id}.pem`, pems.map((pem) => `${pem.trim()}\n`).join("")))}`;
}
