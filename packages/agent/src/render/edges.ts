import { grouped } from "../../../model/src/groups.ts";
import type { Edge, Snapshot } from "../../../model/src/traffic/snapshot.ts";
import { isLastOfGroup } from "../base/groups.ts";
import { lacksAuthority } from "./authorities.ts";
import type { ListenObjection, Settings } from "./contract.ts";
import { parseHostport, type Hostport } from "./hostport.ts";
import type { Known, Made } from "./known.ts";
import { type MapEntry, keyOfLine } from "./layout.ts";
import { entryOf } from "./maps.ts";
import { Output } from "./output.ts";
import {
  type EdgeOnPort,
  type Group,
  keyOfPart,
  type KnownEdge,
  type ConfigurationPart,
  type ServedEdge,
  type ServedHostport,
  type Take,
} from "./parts.ts";
import { hostsWithIssuer } from "./plain_http.ts";
import { policyLines } from "./policies.ts";
import { PortOwners } from "./port_owners.ts";
import { OPEN, restrictionOf } from "./restriction.ts";
import { routeLines } from "./routes.ts";
import { targetOf } from "./upstreams.ts";

/*
 * What each edge adds to the configuration. It is rendered again only if the edge has changed, or what it refers to.
 */

/**
 * The edges that are served on this machine: wanted, not rejected, on allowed ports and on addresses that no older edge has, and
 * with a certificate if they terminate TLS. Everything else becomes a problem.
 */
export function groupsOf(snapshot: Snapshot, settings: Settings, known: Known): Group[] {
  const owners = new PortOwners();
  const changed = known.turnTo(snapshot);
  const { edges } = snapshot;
  const groups: Group[] = [];
  for (let begin = 0; begin < edges.length;) {
    const first = edges[begin];
    const last = first && known.groups.get(first);
    const isKept =
      last?.edges.every((edge, index) => edge === edges[begin + index]) === true &&
      isWhole(last.edges, edges.length - begin) &&
      !intersects(changed, last.read) &&
      last.takes.every((take) => owners.take(take) === take.isGiven);
    let group = isKept ? last : undefined;
    if (!group) {
      let end = begin + 1;
      while (end < edges.length && !isLastOfGroup(edges[end - 1]?.id ?? "")) end++;
      group = groupOf(edges.slice(begin, end), changed, owners, snapshot, settings, known);
    }
    groups.push(group);
    begin += group.edges.length;
  }
  return groups;
}

/**
 * Whether some edges are a group: one that was the last group continues with edges that came since.
 *
 * @param left how many edges there are from their first one on
 */
const isWhole = (edges: readonly Edge[], left: number): boolean =>
  edges.length === left || isLastOfGroup(edges.at(-1)?.id ?? "");

const intersects = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean => {
  for (const one of some) if (others.has(one)) return true;
  return false;
};

function groupOf(
  edges: readonly Edge[],
  changed: ReadonlySet<string>,
  owners: PortOwners,
  snapshot: Snapshot,
  settings: Settings,
  known: Known,
): Group {
  const served: ServedEdge[] = [];
  const parts = new Map<string, ConfigurationPart>();
  const add = (part: ConfigurationPart): void => {
    const key = keyOfPart(part);
    if (!parts.has(key)) parts.set(key, part);
  };
  const rules = new Map<string, readonly string[]>();
  const read = new Set<string>();
  const takes: (Take & { isGiven: boolean })[] = [];
  const thumbprints = new Map<string, string>();
  let mostSets = 0;
  for (const edge of edges) {
    if (settings.rejected.has(edge.id)) continue;
    const last = known.edges.get(edge.id);
    const own =
      last?.edge === edge && !hasRead(last, changed)
        ? last
        : judged(edge, last, new Output(snapshot, settings, known));
    known.edges.set(edge.id, own);
    own.parts.forEach(add);
    for (const id of own.read) read.add(id);
    if (!own.policy) continue;
    for (const [host, thumbprint] of own.thumbprints) thumbprints.set(host, thumbprint);
    const hostports = hostportsOf(
      own,
      (take) => {
        const isGiven = owners.take(take);
        takes.push({ ...take, isGiven });
        return isGiven;
      },
      add,
    );
    if (hostports.length === 0) continue;
    if (own.served?.hostports !== hostports)
      own.served = servedEdge(own, hostports, new Output(snapshot, settings, known));
    served.push(own.served);
    own.served.parts.forEach(add);
    for (const [name, ids] of own.served.rules) rules.set(name, ids);
    for (const id of own.served.read) read.add(id);
    mostSets = Math.max(mostSets, own.served.mostSets);
  }
  const first = edges[0]?.id ?? "";
  const onPorts = grouped(
    served.flatMap((each) => each.onPorts),
    ({ port }) => port,
  );
  return {
    edges,
    served,
    parts,
    read,
    rules,
    mostSets,
    tables: new Map(served.map(({ edge, table }) => [edge.id, table])),
    tcp: served.filter(({ edge }) => edge.kind === "tcp"),
    thumbprints,
    onPorts: new Map(
      Array.from(onPorts, ([port, list]) => [port, same(known.onPorts, `${port} ${first}`, list)]),
    ),
    takes: distinct(takes),
  };
}

/** The list that had this name before if it has the same elements. */
const same = <Element>(known: Made<readonly Element[]>, name: string, list: readonly Element[]) =>
  known.get(name, list, () => ({ thing: list, parts: [] })).thing;

/** What is taken several times, once. */
function distinct<Taken extends Take>(takes: readonly Taken[]): Taken[] {
  const seen = new Set<string>();
  return takes.filter(({ owner, port, addresses }) => {
    const key = `${owner} ${port} ${addresses.join(" ")}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

const hasRead = ({ read, served }: KnownEdge, ids: ReadonlySet<string>): boolean =>
  ids.size > 0 && [...read, ...(served?.read ?? [])].some((id) => ids.has(id));

/** What decides whether an edge is served. @param last what was known of it before it changed */
function judged(edge: Edge, last: KnownEdge | undefined, output: Output): KnownEdge {
  const policy = edge.kind === "https" ? { before: [] } : policyLines(edge, output);
  const isServable = policy !== undefined && !lacksAuthority(edge, output);
  return {
    edge,
    read: [...output.read],
    parts: output.parts,
    policy: isServable ? policy.before : undefined,
    offers: isServable ? edge.hostports.flatMap((text) => offerOf(edge, text, output.settings) ?? []) : [],
    thumbprints: hostsWithIssuer(edge, output.settings),
    served: undefined,
    earlier: last?.served?.onPorts ?? last?.earlier ?? [],
  };
}

function servedEdge(own: KnownEdge, hostports: readonly ServedHostport[], output: Output): ServedEdge {
  const { edge } = own;
  const lines = new Map<string, MapEntry | undefined>([[keyOfLine("entries", ""), entryOfEdge(own, output)]]);
  const onPorts = edge.kind === "tcp" ? [] : edgeOnPorts(edge, hostports, output);
  if (edge.kind === "https") {
    for (const [key, entry] of routeLines(edge, output)) lines.set(key, entry);
    for (const { port, address, host } of hostports)
      if (address === undefined) lines.set(keyOfLine("hosts", `/${port}/${host}`), undefined);
  }
  const last = own.served?.onPorts ?? own.earlier;
  return {
    edge,
    read: [...output.read],
    hostports,
    onPorts: onPorts.map((one) => last.find((other) => isSameOnPort(one, other)) ?? one),
    table: { isNamed: edge.kind !== "tcp", lines },
    parts: output.parts,
    rules: output.rules,
    mostSets: output.mostSets,
  };
}

/** Routes of HTTPS edges have restrictions and upstreams of their own. */
function entryOfEdge({ edge, policy }: KnownEdge, output: Output): MapEntry {
  if (edge.kind === "https") return entryOf(edge.id, OPEN, { section: "" });
  const target = targetOf("tcp", edge.backend.backend_id, output, policy);
  return entryOf(edge.id, restrictionOf(edge.ip_restriction, output), target);
}

function edgeOnPorts(
  edge: Exclude<Edge, { kind: "tcp" }>,
  hostports: readonly ServedHostport[],
  output: Output,
): EdgeOnPort[] {
  const { id, kind } = edge;
  const minVersion = edge.tls_termination?.min_version;
  const authorities = edge.mutual_tls?.certificate_authority_ids.map(
    (authority) => output.authority(authority) ?? "",
  );
  return Array.from(
    grouped(hostports, ({ port }) => port),
    ([port, own]) => ({ id, kind, port, hostports: own, minVersion, authorities }),
  );
}

const areSame = <Of>(
  a: readonly Of[] = [],
  b: readonly Of[] = [],
  isSame: (a: Of, b: Of) => boolean = (one, other) => one === other,
): boolean =>
  a.length === b.length &&
  a.every((one, index) => {
    const other = b[index];
    return other !== undefined && isSame(one, other);
  });

const isSameOnPort = (a: EdgeOnPort, b: EdgeOnPort): boolean =>
  a.kind === b.kind &&
  a.port === b.port &&
  a.minVersion === b.minVersion &&
  (a.authorities === undefined) === (b.authorities === undefined) &&
  areSame(a.authorities, b.authorities) &&
  areSame(
    a.hostports,
    b.hostports,
    (one, other) => one.text === other.text && one.certificate === other.certificate,
  );

/** A hostport as it can be served, or why it cannot. Undefined if it is not wanted here. */
function offerOf(edge: Edge, text: string, settings: Settings): ServedHostport | ListenObjection | undefined {
  if (!settings.isWanted(text)) return undefined;
  const hostport = parseHostport(text);
  const objection = settings.objectionTo(hostport);
  if (objection) return objection;
  const terminates = edge.kind !== "tcp" && edge.tls_termination !== undefined;
  const certificate = terminates ? settings.certificateFor(hostport.address ?? hostport.host) : undefined;
  if (terminates && certificate === undefined) {
    return { code: "certificate_missing", msg: withoutCertificate(hostport, settings) };
  }
  return { ...hostport, bind: addresses(hostport, settings.ipv6 ?? true), certificate };
}

function withoutCertificate({ text, host }: Hostport, settings: Settings): string {
  const message = `${text} is not served: there is no certificate for ${host}.`;
  if (settings.http?.thumbprintFor?.(host) !== undefined)
    return `${message} The agent requests one from the issuer for this host, unless it also reports challenge_port. GET /certificates says how far that is.`;
  const ignored = settings.certificateIgnoredFor?.(host);
  const why = ignored
    ? ` ${ignored} names it only as its common name, which clients ignore: it needs a subject alternative name.`
    : "";
  return `${message}${why} Put a PEM file with the chain and the private key in the agent's certificate directory.`;
}

/** The hostports that no older edge has. The same list as last time if it has the same elements. */
function hostportsOf(
  { edge, offers, served }: KnownEdge,
  take: (take: Take) => boolean,
  add: (part: ConfigurationPart) => void,
): readonly ServedHostport[] {
  const owner = edge.kind === "tcp" ? edge.id : "tls";
  const hostports: ServedHostport[] = [];
  for (const offer of offers) {
    if ("code" in offer) add({ is: "problem", object: edge.id, ...offer });
    else if (take({ owner, port: offer.port, addresses: offer.bind })) hostports.push(offer);
    else {
      const msg = `${offer.text} is not served: an older edge listens on that port. Use another port or another address.`;
      add({ is: "problem", object: edge.id, code: "port_conflict", msg });
    }
  }
  return served && areSame(hostports, served.hostports) ? served.hostports : hostports;
}

const EVERYWHERE = ["0.0.0.0", "::"];
const EVERYWHERE_IPV4 = ["0.0.0.0"];

function addresses({ address }: Hostport, ipv6: boolean): readonly string[] {
  if (address !== undefined) return [address];
  return ipv6 ? EVERYWHERE : EVERYWHERE_IPV4;
}
