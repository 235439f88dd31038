import { argument, quote } from "../quote.ts";
import type { Maps } from "./maps.ts";
import type { EdgeOnPort, ServedHostport } from "./scope.ts";

/** An internal listener that terminates TLS, with the edges and hostports that use it. */
export interface Entrance {
  /** The name of its socket, and of its section in HAProxy's configuration. */
  name: string;
  kind: "https" | "tls";
  edges: EdgeOnPort[];
  /** The edge, if the listener is for one edge only. */
  only?: string;
  /** The IP address, if the listener is for one. */
  literal?: ServedHostport;
}

/** The rules of an internal listener that set the variable `edge`. A name of another listener's edge does not count. */
export function edgeOfListener(
  rule: "http-request" | "tcp-request content",
  scope: "sess" | "txn",
  { name, only }: Entrance,
  port: number,
  maps: Maps,
): string[] {
  if (only !== undefined) return [`${rule} set-var(${scope}.edge) ${quote(`str(${argument(only)})`)}`];
  const names = argument(maps.path(`names/${port}`));
  return [
    `${rule} set-var(${scope}.place) ${quote(`ssl_fc_sni,lower,map_str(${names})`)}`,
    `${rule} set-var(${scope}.edge) ${quote(`var(${scope}.place),field(1,~)`)} if { ${quote(`var(${scope}.place),field(2,~)`)} -m str ${quote(name)} }`,
  ];
}
