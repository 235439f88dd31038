import type { Edge } from "../../../traffic/src/snapshot.ts";
import { lacksAuthority } from "./authorities.ts";
import type { ServerCertificate } from "./contract.ts";
import { parseHostport, type Hostport } from "./hostport.ts";
import type { Output } from "./output.ts";
import type { Policies } from "./policies.ts";

/** An edge with the hostports that are served on this machine. */
export interface ServedEdge {
  edge: Edge;
  /** Lines of a TCP or TLS edge's traffic policy. */
  policy: readonly string[];
  hostports: ServedHostport[];
}

export interface ServedHostport extends Hostport {
  /** The addresses to listen on: two for a name. */
  bind: string[];
  /** Undefined if TLS is not terminated. */
  certificate: ServerCertificate | undefined;
}

export type TlsOrHttpsEdge = Exclude<Edge, { kind: "tcp" }>;

/** A TLS or HTTPS edge with its hostports on one port. */
export interface EdgeOnPort {
  edge: TlsOrHttpsEdge;
  hostports: ServedHostport[];
}

/**
 * The edges that are served on this machine: wanted, not rejected, on allowed ports and on addresses that no older edge has, and
 * with a certificate if they terminate TLS. Everything else becomes a problem.
 */
export function servedEdges(output: Output, policies: Policies): ServedEdge[] {
  const owners = new PortOwners();
  return output.snapshot.edges.flatMap((edge) => {
    if (output.settings.rejected.has(edge.id)) return [];
    const policy = edge.kind === "https" ? { before: [] } : policies.of(edge);
    if (!policy || lacksAuthority(edge, output)) return [];
    const hostports = edge.hostports.flatMap((text) => served(edge, text, owners, output) ?? []);
    return hostports.length === 0 ? [] : [{ edge, policy: policy.before, hostports }];
  });
}

function served(edge: Edge, text: string, owners: PortOwners, output: Output): ServedHostport | undefined {
  const { settings } = output;
  if (!settings.isWanted(text)) return undefined;
  const hostport = parseHostport(text);
  const objection = settings.objectionTo(hostport);
  if (objection) {
    output.problem(edge.id, objection.code, objection.msg);
    return undefined;
  }
  const certificate = terminates(edge)
    ? settings.certificateFor(hostport.address ?? hostport.host)
    : undefined;
  if (terminates(edge) && certificate === undefined) {
    const ignored = settings.certificateIgnoredFor?.(hostport.host);
    const why = ignored
      ? ` ${ignored} names it only as its common name, which clients ignore: it needs a subject alternative name.`
      : "";
    output.problem(
      edge.id,
      "certificate_missing",
      `${text} is not served: there is no certificate for ${hostport.host}.${why} Put a PEM file with the chain and the private key in the agent's certificate directory.`,
    );
    return undefined;
  }
  const bind = addresses(hostport, settings.ipv6 ?? true);
  if (!owners.take(edge.kind === "tcp" ? edge.id : "tls", hostport.port, bind)) {
    output.problem(
      edge.id,
      "port_conflict",
      `${text} is not served: an older edge listens on that port. Use another port or another address.`,
    );
    return undefined;
  }
  return { ...hostport, bind, certificate };
}

export const terminates = (edge: Edge) => edge.kind !== "tcp" && edge.tls_termination !== undefined;

function addresses({ address }: Hostport, ipv6: boolean): string[] {
  if (address !== undefined) return [address];
  return ipv6 ? ["0.0.0.0", "::"] : ["0.0.0.0"];
}

/** Which edges listen on which address. All TLS and HTTPS edges share a listener; a TCP edge has its own. */
class PortOwners {
  readonly #owners = new Map<number, Map<string, string>>();

  take(owner: string, port: number, addresses: readonly string[]): boolean {
    const taken = this.#owners.get(port) ?? new Map<string, string>();
    if (
      [...taken].some(([other, by]) => by !== owner && addresses.some((address) => overlap(address, other)))
    )
      return false;
    for (const address of addresses) taken.set(address, owner);
    this.#owners.set(port, taken);
    return true;
  }
}

function overlap(a: string, b: string): boolean {
  if (a.includes(":") !== b.includes(":")) return false;
  return a === b || isAny(a) || isAny(b);
}

/** Whether this is the wildcard address of its family. */
export const isAny = (address: string) => address === "0.0.0.0" || address === "::";
