import type { HeaderLine, Situation } from "../policy/evaluate.ts";
import { listeningPoint } from "../values/hostports.ts";
import { readTarget } from "./paths.ts";
import type { HttpsEdge } from "./snapshot.ts";

/*
 * What the proxy checks in every HTTP request before it looks for a route. The agent's rules are in `render/https.ts`.
 */

/** The form of a Host header (RFC 9110 §7.2). An upstream could read `x.example:@y.example` as another host. */
const HOST_AND_PORT = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/;

/** Control characters other than tabs, which no value can have (RFC 9110 §5.5). */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000A-\u001F\u007F]/;

/** A response of the proxy itself. */
interface Rejection {
  by: "request" | "host";
  status: 400 | 421;
}

/**
 * How the proxy rejects a request that no route gets; undefined if a route can get it.
 *
 * @param sent the header lines of the client, before the proxy changes them
 * @param hostport where the request arrives, in canonical form
 */
export function rejectionOf(
  { method, target, headers }: Pick<Situation, "method" | "target" | "headers">,
  sent: HeaderLine[],
  edge: HttpsEdge,
  hostport: string,
): Rejection | undefined {
  if (method === "CONNECT" || readTarget(target) === undefined) return { by: "request", status: 400 };
  if (sent.some(([, value]) => CONTROL.test(value))) return { by: "request", status: 400 };
  const hosts = new Set(headers.flatMap(([name, value]) => (name === "host" ? [value] : [])));
  // Equal lines count as one.
  if (hosts.size > 1) return { by: "request", status: 400 };
  for (const host of hosts) if (!isHostOf(edge, hostport, host)) return { by: "host", status: 421 };
  return undefined;
}

/**
 * Whether a Host header belongs to an edge (RFC 9110 §15.5.20): it is a name of the edge on the port where the request arrives, or
 * the address at which it arrives. Its port can be any number, because ports can be forwarded.
 */
function isHostOf(edge: HttpsEdge, hostport: string, header: string): boolean {
  const [, written] = HOST_AND_PORT.exec(header) ?? [];
  const host = written?.toLowerCase().replace(/\.+$/, "");
  const { host: own, port, isAddress } = listeningPoint(hostport);
  if (isAddress) return host === own;
  return edge.hostports
    .map(listeningPoint)
    .some((each) => each.port === port && !each.isAddress && each.host === host);
}
