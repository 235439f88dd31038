import { anyBackend } from "../../../packages/model/src/kinds.ts";
import { listeningPoint } from "../../../packages/model/src/values/hostports.ts";
import { type Effect } from "../../db/rows.ts";
import type { Session } from "../../db/session.ts";
import { sql, type Statement, type Values } from "../../db/statements.ts";
import { outdated } from "../../http/errors.ts";
import type { Requirement } from "../../writes/write.ts";
import {
  areClaimed,
  authoritiesWithIds,
  claimed,
  type HostportClaims,
  haveUsers,
  haveVersions,
  isLastEvent,
  lastEvent,
  MOST_ROWS,
  reachedBackends,
  routesOfEdges,
  routesWithKeys,
  rowsWithIds,
  rulesOf,
  type Use,
  usersOf,
} from "./plan_statements.ts";
import {
  type ConfigKind,
  EDGES,
  kindOf,
  nameOf,
  ownersIn,
  policiesIn,
  setsHostports,
  type Touched,
  touchedBy,
  World,
} from "./rows_in_memory.ts";

/*
 * Reads everything that the effect of some writes depends on, in at most five round trips: who uses what they change; the rows of
 * these users; who claims the hostports in these rows; the rows of edges that win or lose a hostport by the writes; and what all
 * these rows refer to.
 *
 * For example, an operation deletes the rule `ipr_1` of the policy `ipp_1`, which restricts `edgtcp_1` with ssh.example.com:22:
 *
 *     readUsers       ipr_1, which is in ipp_1; edgtcp_1 uses ipp_1
 *     readRows        ipp_1 and edgtcp_1
 *     readClaims      who has port 22: only edgtcp_1
 *     readContenders  nothing, because no hostport changes
 *     readReached     all rules of ipp_1; bkdsc_1, the backend of edgtcp_1
 *
 * The result is these rows before and after the deletion, and what must not change until the plan is applied: the versions
 * `{ipp_1: 2, edgtcp_1: 1, bkdsc_1: 1}`, the users `{ipp_1: ["edgtcp_1"]}`, the claims at `:22`, and that no rule expires before then. If
 * another rule of ipp_1 is created in the meantime, its version is 3, and {@link unchanged} ends the batch with 412.
 */

/** What the effect of a plan depends on. */
export interface Reads {
  /** Versions of objects by name; null for an object that does not exist. */
  versions: Record<string, number | null>;
  /** For each object whose change the effect follows, the names of the objects that use it. */
  users: Record<string, string[]>;
  claims: HostportClaims;
  /** When the first of the rules expires (RFC 3339, UTC), which changes the effect; null if none does. */
  until: string | null;
}

/** The rows before some writes. */
export interface RowsBefore {
  world: World;
  /** The same rows after the writes. */
  after: World;
  reads: Reads;
  /** The number of the newest event before the reading began. */
  seq: number;
  /** True if more rows than {@link MOST_ROWS} would have to be read: the world then has only the rows that the writes change. */
  isPartial: boolean;
}

/** Kinds whose changes affect the objects that use them. */
const FOLLOWED: ConfigKind[] = ["ip_policy", "certificate_authority", ...anyBackend];

/** A statement, and what is done with its rows. */
type Part = [statement: Statement<unknown>, take: (rows: Values[]) => void];

const NO_CLAIMS: HostportClaims = { points: { ports: [], tcp: [], names: [] }, pairs: [] };

/** Reads step by step what the effect of some writes depends on. */
class Reading {
  readonly world = new World();
  readonly versions: Record<string, number | null> = {};
  readonly uses: Use[] = [];
  claims = NO_CLAIMS;
  seq = 0;
  /** The points at which it is known who claims them. */
  #claimedAt = NO_CLAIMS.points;
  #after: World | undefined;
  #count = 0;
  readonly #session: Session;
  readonly #effects: Effect[];
  readonly #touched: Touched;

  constructor(session: Session, effects: Effect[]) {
    this.#session = session;
    this.#effects = effects;
    this.#touched = touchedBy(effects);
  }

  get isTooMuch(): boolean {
    return this.#count + this.uses.length > MOST_ROWS;
  }

  /** Who uses what is changed, up to edges; and the rules that are changed. */
  async readUsers(): Promise<void> {
    const rules = this.#existing("ip_policy_rule");
    const using = usersOf(this.#followed(), rules);
    await this.#read([
      [lastEvent, ([row]) => void (this.seq = row ? lastEvent.decode(row) : 0)],
      ...this.#rows("ip_policy_rule", rules, rowsWithIds("ip_policy_rule", rules), false),
      [using, (rows) => void this.uses.push(...rows.map(using.decode))],
    ]);
  }

  /** Whole rows of what is changed, of its users, and of all routes of some edges. */
  async readRows(): Promise<void> {
    const { changed, created } = this.#touched;
    const routes = new Map(changed.get("https_edge_route"));
    const ids = [...changed.values()].flatMap((keys) => Array.from(keys.values(), ({ id }) => id));
    // A change of a rule changes the version of its policy.
    ids.push(...this.followedPolicies());
    for (const { user, edge_id } of this.uses) {
      ids.push(user, edge_id);
      if (edge_id !== "") routes.set(`${edge_id}/${user}`, { id: user, edge_id });
    }
    const wanted = Map.groupBy(new Set(ids.filter((id) => !created.has(id))), kindOf);
    for (const kind of [undefined, "https_edge_route", "ip_policy_rule"] as const) wanted.delete(kind);
    const owners = ownersIn(this.#effects, this.uses);
    await this.#read([
      ...[...wanted].flatMap(([kind, own]) => (kind ? this.#rows(kind, own) : [])),
      ...this.#rows("https_edge_route", [...routes.keys()], routesWithKeys([...routes.values()])),
      ...this.#rows("https_edge_route", owners, routesOfEdges(owners)),
    ]);
    for (const own of wanted.values()) this.#missing(own);
    for (const [name, { id }] of routes) if (!created.has(id)) this.versions[name] ??= null;
  }

  /** Who claims the hostports of edges, before and after the writes. */
  async readClaims(): Promise<void> {
    this.#addPoints();
    if (this.claims.points.ports.length > 0) await this.#read([this.#readingClaims()]);
    else this.#claimedAt = this.claims.points;
  }

  /** Whole rows of edges that win or lose a hostport by the writes, and all routes of those that are HTTPS edges. */
  async readContenders(): Promise<void> {
    if (!this.#effects.some(setsHostports)) return;
    const [before, after] = [this.world.claims(), this.after().claims()];
    const isChanged = (id: string) =>
      JSON.stringify(before.byEdge.get(id)) !== JSON.stringify(after.byEdge.get(id));
    const ids = [...before.byEdge.keys()].filter(isChanged);
    const others = ids.filter((id) => !EDGES.some((kind) => this.world.get(kind, id)));
    const owners = ids.filter((id) => kindOf(id) === "https_edge");
    await this.#read([
      ...EDGES.flatMap((kind) =>
        this.#rows(
          kind,
          others.filter((id) => kindOf(id) === kind),
        ),
      ),
      ...this.#rows("https_edge_route", owners, routesOfEdges(owners)),
    ]);
    // Their other hostports stay as they are, but a problem names all that an edge does not get.
    if (others.length > 0) this.#addPoints();
  }

  /** What the rows refer to, and who claims the hostports. @param now RFC 3339, UTC */
  async readReached(now: string): Promise<void> {
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
    await this.#read([
      ...this.#rows("ip_policy", policies),
      ...this.#rows("ip_policy_rule", policies, rulesOf(policies, now), false),
      ...this.#rows("certificate_authority", authorities, authoritiesWithIds(authorities)),
      ...reachedBackends(targets).flatMap(([kind, reached]) => this.#rows(kind, targets, reached)),
      ...(this.#claimedAt === this.claims.points ? [] : [this.#readingClaims()]),
    ]);
    this.#missing([...policies, ...authorities, ...targets]);
  }

  /** The rows after the writes, for the rows that have been read. */
  after(): World {
    if (this.#after) return this.#after;
    const after = this.world.copy();
    for (const effect of this.#effects) after.apply(effect);
    this.#after = after;
    return after;
  }

  /** Adds where the edges listen, before and after the writes. */
  #addPoints(): void {
    const { points } = this.claims;
    const [ports, tcp, names] = [new Set(points.ports), new Set(points.tcp), new Set(points.names)];
    for (const world of [this.world, this.after()])
      for (const kind of EDGES)
        for (const { hostports } of world.all(kind))
          for (const hostport of hostports ?? []) {
            const { host, port } = listeningPoint(hostport);
            ports.add(`:${port}`);
            if (kind === "tcp_edge") tcp.add(`:${port}`);
            names.add(`${host}:${port}`);
          }
    this.claims = { ...this.claims, points: { ports: [...ports], tcp: [...tcp], names: [...names] } };
  }

  #readingClaims(): Part {
    const { points } = this.claims;
    const claims = claimed(points);
    this.#claimedAt = points;
    return [
      claims,
      ([row]) => {
        const pairs = row ? claims.decode(row) : [];
        this.#count += pairs.length - this.claims.pairs.length;
        this.claims = { points, pairs };
        for (const pair of pairs) {
          const [id = "", hostport = ""] = pair.split(" ");
          this.world.claim(id, hostport);
        }
      },
    ];
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

  /**
   * Reads rows of a kind; nothing without ids.
   *
   * @param read the query that selects the rows by their ids; by default, it selects whole rows
   * @param hasVersion false for rows whose version is not needed, because another row's covers it
   */
  #rows(kind: ConfigKind, ids: string[], read = rowsWithIds(kind, ids), hasVersion = true): Part[] {
    const take = (rows: Values[]) => {
      this.#count += rows.length;
      for (const row of rows) {
        const name = nameOf(row);
        // Whole rows are read first, and parts of rows later.
        if (!this.world.get(kind, name)) this.world.put(kind, row);
        if (hasVersion) this.versions[name] = Number(row["version"]);
      }
    };
    return ids.length === 0 ? [] : [[read, take]];
  }

  /** Notes which objects do not exist. */
  #missing(ids: Iterable<string>): void {
    for (const id of ids) if (!this.#touched.created.has(id) && kindOf(id)) this.versions[id] ??= null;
  }

  async #read(parts: Part[]): Promise<void> {
    if (parts.length === 0) return;
    const found = await this.#session.batch(parts.map(([statement]) => statement));
    this.#after = undefined;
    for (const [i, [, take]] of parts.entries()) take(found[i] ?? []);
  }
}

/**
 * Reads what the effect of some writes depends on. At most five round trips.
 *
 * @param effects of their steps, in order
 * @param now RFC 3339, UTC: rules that have expired by then are left out
 */
export async function readBefore(session: Session, effects: Effect[], now: string): Promise<RowsBefore> {
  const reading = new Reading(session, effects);
  await reading.readUsers();
  await reading.readRows();
  if (!reading.isTooMuch) await reading.readClaims();
  if (!reading.isTooMuch) await reading.readContenders();
  if (!reading.isTooMuch) await reading.readReached(now);
  const { world, versions, claims, seq } = reading;
  const after = reading.after();
  if (reading.isTooMuch) return { world, after, seq, isPartial: true, reads: { ...NOTHING_READ, versions } };
  const [until = null] = [world, after].flatMap((rows) => rows.endsOfRules(now)).toSorted();
  return {
    world,
    after,
    seq,
    isPartial: false,
    reads: { versions, users: reading.users(), claims, until },
  };
}

export const NOTHING_READ: Reads = { versions: {}, users: {}, claims: NO_CLAIMS, until: null };

/**
 * 412: nothing that the effect of a plan depends on has changed. One requirement for each table.
 *
 * @param seq the newest event before all of it was read: while no event follows, nobody claims anything new
 */
export function unchanged(
  { versions, users, claims, until }: Reads,
  now: string,
  seq?: number,
): Requirement[] {
  const byKind = Map.groupBy(Object.entries(versions), ([name]) => kindOf(name));
  const areSame = areClaimed(claims);
  return [
    ...(until !== null && until <= now
      ? [{ condition: sql`false`, error: () => outdated([], `a rule expired at ${until}`) }]
      : []),
    ...[...byKind].flatMap(([kind, known]) =>
      kind ? [{ ...haveVersions(kind, Object.fromEntries(known)), error: outdated }] : [],
    ),
    ...(Object.keys(users).length === 0 ? [] : [{ ...haveUsers(users), error: outdated }]),
    ...(claims.points.ports.length === 0
      ? []
      : [
          {
            condition: seq === undefined ? areSame : sql`(${isLastEvent(seq)} or ${areSame})`,
            error: outdated,
          },
        ]),
  ];
}

/** What a plan depends on, as responses show it: the claims by port. */
export function shownReads({ versions, users, claims, until }: Reads) {
  const byPort = Object.fromEntries(
    claims.points.ports.map((port): [string, string[]] => [port.slice(1), []]),
  );
  for (const pair of claims.pairs)
    byPort[pair.slice(pair.lastIndexOf(":") + 1)]?.push(pair.slice(0, pair.indexOf(" ")));
  return { versions, users, claims: byPort, until };
}
