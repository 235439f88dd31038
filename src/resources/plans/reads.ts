import type { Session } from "../../db/session.ts";
import { sql, type Statement, type Values } from "../../db/statements.ts";
import { parsedAs } from "../../db/unchecked.ts";
import type { Key } from "../../db/uses.ts";
import { outdated } from "../../http/errors.ts";
import { prefixOf } from "../../ids.ts";
import { anyBackend, kinds } from "../../kinds.ts";
import { listeningPoint } from "../../values/hostports.ts";
import type { Effect, Requirement } from "../../writes/write.ts";
import {
  areClaimed,
  authoritiesWithIds,
  claimed,
  type Claims,
  haveUsers,
  haveVersions,
  hostportsOf,
  MOST_ROWS,
  type Points,
  reachedBackends,
  routesOfEdges,
  routesWithKeys,
  rowsWithIds,
  rulesOf,
  type Use,
  usersOf,
} from "./plan_statements.ts";
import { type ConfigKind, isConfigKind, nameOf, policiesIn, World } from "./world.ts";

/*
 * Reads everything that the effect of some writes depends on, in three round trips: who uses what they change, the rows of these
 * users, and what these rows refer to.
 */

/** What the effect of a plan depends on. */
export interface Reads {
  /** Versions of objects by name; null for an object that does not exist. */
  versions: Record<string, number | null>;
  /** For each object whose change the effect follows, the names of the objects that use it. */
  users: Record<string, string[]>;
  claims: Claims;
  /** When the first of the rules expires (RFC 3339, UTC), which changes the effect; null if none does. */
  until: string | null;
}

/** The rows before some writes. */
export interface Before {
  world: World;
  reads: Reads;
  /** True if more rows than {@link MOST_ROWS} would have to be read: the world then has only the rows that the writes change. */
  isPartial: boolean;
}

/** The most ids that an error names. */
const NAMED = 50;

const kindByPrefix = new Map(
  Object.entries(kinds).map(([name, { prefix }]): [string, string] => [prefix, name]),
);

/** The kind of configuration that an id, or the name of a route, belongs to. */
function kindOf(name: string): ConfigKind | undefined {
  if (name.includes("/")) return "https_edge_route";
  const kind = kindByPrefix.get(prefixOf(name));
  return kind !== undefined && isConfigKind(kind) ? kind : undefined;
}

/** Kinds whose changes affect the objects that use them. */
const FOLLOWED: ConfigKind[] = ["ip_policy", "certificate_authority", ...anyBackend];

/** Everything in a value that has the form of an id. */
const idsIn = (value: unknown): string[] => JSON.stringify(value ?? null).match(/[a-z]+_[0-9A-Za-z]+/g) ?? [];

/** What some effects change and refer to. */
interface Touched {
  changed: Map<ConfigKind, Map<string, Key>>;
  /** Ids of objects that do not exist yet. */
  created: Set<string>;
  /** Everything in new values that has the form of an id. */
  named: Set<string>;
}

function touchedBy(effects: Effect[]): Touched {
  const changed = new Map<ConfigKind, Map<string, Key>>();
  const created = new Set<string>();
  const named = new Set<string>();
  const add = (kind: ConfigKind, key: Key) =>
    changed.set(kind, (changed.get(kind) ?? new Map<string, Key>()).set(nameOf(key), key));
  for (const effect of effects) {
    if (effect.verb === "replace") {
      add("ip_policy", { id: effect.policy });
      continue;
    }
    const { kind, key, verb } = effect;
    if (!isConfigKind(kind)) continue;
    add(kind, key);
    if (verb === "insert") created.add(nameOf(key));
    if (key.edge_id !== undefined) add("https_edge", { id: key.edge_id });
    const values = verb === "remove" || typeof effect.values === "function" ? {} : effect.values;
    for (const id of idsIn(values)) named.add(id);
    const { ip_policy_id } = values;
    if (typeof ip_policy_id === "string") add("ip_policy", { id: ip_policy_id });
  }
  return { changed, created, named };
}

/** A statement, and what is done with its rows. */
type Part = [statement: Statement<unknown>, take: (rows: Values[]) => void];

/** Reads step by step what the effect of some writes depends on. */
class Reading {
  readonly world = new World();
  readonly versions: Record<string, number | null> = {};
  readonly uses: Use[] = [];
  pairs: string[] = [];
  #count = 0;
  readonly #session: Session;
  readonly #touched: Touched;

  constructor(session: Session, touched: Touched) {
    this.#session = session;
    this.#touched = touched;
  }

  get isTooMuch(): boolean {
    return this.#count + this.uses.length > MOST_ROWS;
  }

  /** Who uses what is changed, up to edges; and the rules that are changed. */
  async readUsers(): Promise<void> {
    const rules = this.#existing("ip_policy_rule");
    const using = usersOf(this.#followed(), rules);
    await this.#read([
      [rowsWithIds("ip_policy_rule", rules), this.#taking("ip_policy_rule", false)],
      [using, (rows) => void this.uses.push(...rows.map(using.decode))],
    ]);
  }

  /** Whole rows of what is changed, of its users, and of all routes of some edges. */
  async readRows(owners: string[]): Promise<void> {
    const wanted = new Map<ConfigKind, Set<string>>();
    const want = (id: string) => {
      const kind = kindOf(id);
      if (kind && kind !== "https_edge_route" && kind !== "ip_policy_rule" && !this.#touched.created.has(id))
        wanted.set(kind, (wanted.get(kind) ?? new Set<string>()).add(id));
    };
    const routes = new Map(this.#touched.changed.get("https_edge_route"));
    for (const keys of this.#touched.changed.values()) for (const { id } of keys.values()) want(id);
    // A change of a rule changes the version of its policy.
    for (const id of this.followedPolicies()) want(id);
    for (const { user, edge_id } of this.uses) {
      want(user);
      want(edge_id);
      if (edge_id !== "") routes.set(`${edge_id}/${user}`, { id: user, edge_id });
    }
    await this.#read([
      ...Array.from(wanted, ([kind, ids]): Part => [rowsWithIds(kind, [...ids]), this.#taking(kind)]),
      [routesWithKeys([...routes.values()]), this.#taking("https_edge_route")],
      [routesOfEdges(owners), this.#taking("https_edge_route")],
    ]);
    for (const ids of wanted.values()) this.#missing(ids);
  }

  /** What the rows refer to, and who claims hostports at some points. */
  async readReached(now: string, points: Points): Promise<void> {
    const entries = [
      ...this.world.all("tcp_edge"),
      ...this.world.all("tls_edge"),
      ...this.world.all("https_edge_route"),
    ];
    const hosts = [...this.world.all("tls_edge"), ...this.world.all("https_edge")];
    const policies = [
      ...this.followedPolicies(),
      ...this.#named("ip_policy"),
      ...entries.flatMap(({ ip_restriction }) => policiesIn(ip_restriction)),
    ];
    const authorities = [
      ...this.#named("certificate_authority"),
      ...hosts.flatMap(({ mutual_tls }) => mutual_tls?.certificate_authority_ids ?? []),
    ];
    const targets = [
      ...anyBackend.flatMap((kind) => [...this.#existing(kind), ...this.#named(kind)]),
      ...entries.flatMap(({ backend }) => (backend ? [backend.backend_id] : [])),
    ];
    const claims = claimed(points);
    await this.#read([
      [rowsWithIds("ip_policy", policies), this.#taking("ip_policy")],
      [rulesOf(policies, now), this.#taking("ip_policy_rule", false)],
      [authoritiesWithIds(authorities), this.#taking("certificate_authority")],
      ...reachedBackends(targets).map(([kind, statement]): Part => [statement, this.#taking(kind)]),
      ...(points.ports.length === 0
        ? []
        : [
            [claims, ([row]: Values[]) => void (this.pairs = row ? claims.decode(row) : [])] satisfies Part,
            ...hostportsOf.map(([isTcp, statement]): Part => [statement, this.#claiming(isTcp)]),
          ]),
    ]);
    this.#missing([...policies, ...authorities, ...targets]);
  }

  /** The policies whose rules change: those of rules that are changed among them. */
  followedPolicies(): string[] {
    const rules = this.world
      .all("ip_policy_rule")
      .filter(({ id }) => this.#touched.changed.get("ip_policy_rule")?.has(id));
    return [...new Set([...this.#existing("ip_policy"), ...rules.map(({ ip_policy_id }) => ip_policy_id)])];
  }

  /** For each object whose change the effect follows, the names of its users. */
  users(): Record<string, string[]> {
    const users: Record<string, string[]> = {};
    for (const id of [...this.#followed(), ...this.followedPolicies()]) users[id] = [];
    for (const { target, user, edge_id } of this.uses)
      (users[target] ??= []).push(nameOf({ id: user, edge_id }));
    return users;
  }

  /** Objects that exist and whose changes affect their users. */
  #followed(): string[] {
    return FOLLOWED.flatMap((kind) => this.#existing(kind));
  }

  #existing(kind: ConfigKind): string[] {
    const ids = Array.from(this.#touched.changed.get(kind)?.values() ?? [], ({ id }) => id);
    return ids.filter((id) => !this.#touched.created.has(id));
  }

  #named(kind: ConfigKind): string[] {
    return [...this.#touched.named].filter((id) => kindOf(id) === kind && !this.#touched.created.has(id));
  }

  /** @param hasVersion false for rows whose version is not needed, because another row's covers it */
  #taking(kind: ConfigKind, hasVersion = true): (rows: Values[]) => void {
    return (rows) => {
      this.#count += rows.length;
      for (const row of rows) {
        const { id, edge_id, version } = row;
        const name = nameOf({ id: String(id), ...(typeof edge_id === "string" && { edge_id }) });
        // Whole rows are read first, and parts of rows later.
        if (!this.world.get(kind, name)) this.world.put(kind, row);
        if (hasVersion) this.versions[name] = Number(version);
      }
    };
  }

  #claiming(isTcp: boolean): (rows: Values[]) => void {
    return (rows) => {
      this.#count += rows.length;
      for (const { id, hostports } of rows)
        this.world.claim({ id: String(id), isTcp, hostports: parsedAs<string[]>(String(hostports)) });
    };
  }

  /** Notes which objects do not exist. */
  #missing(ids: Iterable<string>): void {
    for (const id of ids) if (!this.#touched.created.has(id) && kindOf(id)) this.versions[id] ??= null;
  }

  async #read(parts: Part[]): Promise<void> {
    const found = await this.#session.batch(parts.map(([statement]) => statement));
    for (const [i, [, take]] of parts.entries()) take(found[i] ?? []);
  }
}

/**
 * Reads what the effect of some writes depends on. Three round trips.
 *
 * @param effects of their steps, in order
 * @param now RFC 3339, UTC: rules that have expired by then are left out
 */
export async function readBefore(session: Session, effects: Effect[], now: string): Promise<Before> {
  const reading = new Reading(session, touchedBy(effects));
  await reading.readUsers();
  await reading.readRows(ownersIn(effects));
  const { world, versions } = reading;
  const points = pointsOf(world, effects);
  if (!reading.isTooMuch) await reading.readReached(now, points);
  if (reading.isTooMuch) return { world, isPartial: true, reads: { ...NOTHING_READ, versions } };
  const claims = { points, pairs: reading.pairs };
  return {
    world,
    isPartial: false,
    reads: { versions, users: reading.users(), claims, until: firstEnd(world, now) },
  };
}

const NO_CLAIMS: Claims = { points: { ports: [], tcp: [], names: [] }, pairs: [] };
const NOTHING_READ: Reads = { versions: {}, users: {}, claims: NO_CLAIMS, until: null };

/**
 * HTTPS edges whose routes come and go, or get other problems: those that are removed, and those whose hostports or mutual TLS
 * change. The routes of an edge without hostports have no problems, because they are not served. The traffic policies of routes
 * can need mutual TLS. A new route changes the version of its edge.
 */
function ownersIn(effects: Effect[]): string[] {
  const owners = effects.flatMap((effect) => {
    const edge = edgeWith(effect, ["hostports", "mutual_tls"]);
    return edge?.kind === "https_edge" && effect.verb !== "insert" ? [edge.id] : [];
  });
  return [...new Set(owners)];
}

/** When the first of the rules expires. */
function firstEnd(world: World, now: string): string | null {
  const ends = world
    .all("ip_policy_rule")
    .flatMap(({ expires_at }) => expires_at ?? [])
    .filter((end) => end > now);
  return ends.reduce<string | null>((first, end) => (first === null || end < first ? end : first), null);
}

/** Where edges listen whose hostports change, before and after. */
function pointsOf(world: World, effects: Effect[]): Points {
  const tcp = new Set<string>();
  const ports = new Set<string>();
  const names = new Set<string>();
  const after = world.copy();
  for (const effect of effects) {
    const before = hostportsIn(after, effect);
    after.apply(effect);
    if (before === undefined) continue;
    for (const hostport of [...before, ...(hostportsIn(after, effect) ?? [])]) {
      const { host, port } = listeningPoint(hostport);
      ports.add(String(port));
      if ("kind" in effect && effect.kind === "tcp_edge") tcp.add(String(port));
      names.add(`${host}:${port}`);
    }
  }
  return { ports: [...ports], tcp: [...tcp], names: [...names] };
}

/** The hostports of the edge that an effect changes; undefined if the effect cannot change them. */
function hostportsIn(world: World, effect: Effect): string[] | undefined {
  const edge = edgeWith(effect, ["hostports"]);
  if (!edge) return undefined;
  const row = world.get(edge.kind, edge.id);
  return typeof row?.["hostports"] === "string" ? parsedAs<string[]>(row["hostports"]) : [];
}

/** The edge that an effect creates or deletes, or of which it sets one of some columns; undefined for any other effect. */
function edgeWith(effect: Effect, columns: string[]): { kind: ConfigKind; id: string } | undefined {
  if (effect.verb === "replace") return undefined;
  const { kind, key, verb } = effect;
  if (kind !== "tcp_edge" && kind !== "tls_edge" && kind !== "https_edge") return undefined;
  if (verb === "change") {
    const { values } = effect;
    if (typeof values === "function" || !columns.some((name) => name in values)) return undefined;
  }
  return { kind, id: key.id };
}

/** 412: nothing that the effect of a plan depends on has changed. One requirement for each table. */
export function unchanged({ versions, users, claims, until }: Reads, now: string): Requirement[] {
  const byKind = Map.groupBy(Object.entries(versions), ([name]) => kindOf(name));
  const error = (ids: string[]) => outdated(ids);
  const isOver = until !== null && until <= now;
  return [
    ...(isOver ? [{ condition: sql`false`, error: () => outdated([], until) }] : []),
    ...[...byKind].flatMap(([kind, known]) =>
      kind ? [{ ...haveVersions(kind, Object.fromEntries(known), NAMED), error }] : [],
    ),
    ...(Object.keys(users).length === 0 ? [] : [{ ...haveUsers(users, NAMED), error }]),
    ...(claims.points.ports.length === 0
      ? []
      : [{ condition: areClaimed(claims), error: () => outdated([]) }]),
  ];
}
