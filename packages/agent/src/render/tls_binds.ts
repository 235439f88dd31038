import { quote } from "../quote.ts";
import { type Output, word } from "./output.ts";
import type { EdgeOnPort, ServedHostport, TlsOrHttpsEdge } from "./scope.ts";

const HTTPS_PROTOCOLS = "alpn h2,http/1.1";

/** An internal listener for host names, each with its certificate and minimum TLS version. It rejects other names. */
export function namedBind(name: string, edges: readonly EdgeOnPort[], output: Output): string {
  const lines = edges.flatMap(({ edge, hostports }) =>
    hostports.map(
      ({ certificate, host }) =>
        `${word(certificate ?? "")} [${[versions(edge), edge.kind === "https" ? HTTPS_PROTOCOLS : ""].join(" ").trim()}] ${word(host)}\n`,
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
export function addressBind(
  name: string,
  edge: TlsOrHttpsEdge,
  hostport: ServedHostport,
  output: Output,
): string {
  const protocols = edge.kind === "https" ? HTTPS_PROTOCOLS : "";
  return bindLine(
    name,
    `crt ${quote(hostport.certificate ?? "")} ${versions(edge)} ${protocols} ${clientCertificates(edge, output)}`,
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
