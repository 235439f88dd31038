import { agents, events, uses } from "../db/internal_schema.ts";
import { decoded, raw, sql, type Sql, type Statement } from "../db/statements.ts";
import type { Verb } from "../event_types.ts";
import { isServedType, newestServed } from "../traffic/stored.ts";
import { isUp } from "./agent_statements.ts";

/*
 * Which edges have changed since the versions that agents serve.
 */

/** If an agent is further behind, every edge counts as changed. */
const MOST_CHANGES = 1_000;

/** The newest changes of an edge, or of anything that it uses, by their numbers. */
export interface EdgeChange {
  id: string;
  newest: number;
  created: number | null;
  deleted: number | null;
}

export interface Changes {
  /** What has changed before is not known. */
  since: number;
  /** The edges that have changed since then. */
  edges: EdgeChange[];
}

/** The oldest version that an agent serves which is up and not too far behind; NULL if there is none. */
const oldestServed = (now: number): Sql =>
  sql`(select min(applied_version) from ${agents} where ${isUp(now)} and applied_version < ${newestServed}
    and applied_version >= ${newestServed} - ${raw(MOST_CHANGES)})`;

const numberOrNull = (value: unknown): number | null => (typeof value === "number" ? value : null);

/** The number of the newest of some events that creates or deletes an edge. */
const newestOf = (verb: Verb): Sql => sql`max(iif(type glob ${raw(`'*_edge_${verb}.*'`)}, seq, null))`;

/** Reads which edges have changed since the oldest version that an agent serves: the edges, their routes, and what these use. */
export const changedEdges = (now: number): Statement<EdgeChange> =>
  decoded(
    sql`with recursive changed as materialized (
        select coalesce(object ->> '$.edge_id', object ->> '$.ip_policy_id', object_id) as id, max(seq) as seq,
          ${newestOf("created")} as created, ${newestOf("deleted")} as deleted
        from ${events} where seq > ${oldestServed(now)} and ${isServedType} group by 1),
      affected (id, seq) as (
        select id, seq from changed
        union select iif(${uses.edge_id} = '', ${uses.user}, ${uses.edge_id}), affected.seq
          from affected cross join ${uses} on ${uses.target} = affected.id)
      select affected.id, max(affected.seq) as newest, changed.created, changed.deleted
        from affected left join changed on changed.id = affected.id
        where affected.id glob 'edg*' and affected.id not glob 'edghtsrt_*' group by 1`,
    ({ id, newest, created, deleted }) => ({
      id: String(id),
      newest: Number(newest),
      created: numberOrNull(created),
      deleted: numberOrNull(deleted),
    }),
  );

/** Reads the version since which {@link changedEdges} reads all changes. Old events are deleted: the one after it must be there. */
export const changesSince = (now: number): Statement<number> =>
  decoded(
    sql`select max(ifnull(${oldestServed(now)}, ${newestServed}), (select ifnull(min(seq), 1) - 1 from ${events})) as since`,
    ({ since }) => Number(since),
  );
