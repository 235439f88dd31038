import type { Verb } from "../../../packages/model/src/event_types.ts";
import { agents, events, uses } from "../../db/internal_schema.ts";
import { decoded, raw, sql, type Sql, type Statement } from "../../db/statements.ts";
import { portOf } from "../../db/uses.ts";
import { numberOrNull } from "../../delivery/cursors.ts";
import { isServedType, newestServed } from "../../traffic/snapshot_reads.ts";
import { isUp } from "./agent_statements.ts";

/*
 * Which edges have changed since the versions that agents serve.
 */

/** If an agent is further behind, it is not known which edges have changed since. */
const MOST_CHANGES = 1_000;

/** The newest changes of an edge, or of anything that it uses, by their numbers. */
export interface EdgeChange {
  id: string;
  newest: number;
  created: number | null;
  deleted: number | null;
}

export interface EdgeChanges {
  /** What has changed before is not known. */
  since: number;
  /** The edges that have changed since then. */
  edges: EdgeChange[];
}

/** The oldest version that an agent serves which is up and not too far behind; NULL if there is none. */
const oldestServed = (now: number): Sql =>
  sql`(select min(applied_version) from ${agents} where ${isUp(now)} and applied_version < ${newestServed}
    and applied_version >= ${newestServed} - ${raw(MOST_CHANGES)})`;

const isEdgeEvent = (verb: Verb): Sql => sql`type glob ${raw(`'*_edge_${verb}.*'`)}`;

/** The number of the newest of some events that creates or deletes an edge. */
const newestOf = (verb: Verb): Sql => sql`max(iif(${isEdgeEvent(verb)}, seq, null))`;

/**
 * Changes and deletions of edges since then: `seq`, and the hostports afterwards and before. An older edge takes hostports and ports from
 * others, and gives them back.
 */
const moves = (now: number): Sql =>
  sql`select seq, iif(${isEdgeEvent("deleted")}, null, object ->> '$.hostports') as hostports,
      iif(${isEdgeEvent("deleted")}, object ->> '$.hostports', (select earlier.object ->> '$.hostports' from ${events} as earlier
        where earlier.object_id = ${events.object_id} and earlier.seq < ${events.seq} order by earlier.seq desc limit 1)) as before,
      iif(${isEdgeEvent("deleted")}, 1, exists (select 1 from ${events} as earlier
        where earlier.object_id = ${events.object_id} and earlier.seq < ${events.seq})) as is_known
    from ${events} where seq > ${oldestServed(now)} and (${isEdgeEvent("updated")} or ${isEdgeEvent("deleted")})`;

/**
 * Reads which edges have changed since the oldest version that an agent serves: the edges, their routes, what these use, and edges with
 * hostports or ports that another edge has taken or given back.
 */
export const changedEdges = (now: number): Statement<EdgeChange> =>
  decoded(
    sql`with recursive changed as materialized (
        select coalesce(object ->> '$.edge_id', object ->> '$.ip_policy_id', object_id) as id, max(seq) as seq,
          ${newestOf("created")} as created, ${newestOf("deleted")} as deleted
        from ${events} where seq > ${oldestServed(now)} and ${isServedType} group by 1),
      moved as materialized (select * from (${moves(now)}) where hostports is not before),
      place (seq, hostport) as materialized (
        select moved.seq, lower(item.value) from moved cross join json_each(moved.hostports) as item
        union select moved.seq, lower(item.value) from moved cross join json_each(moved.before) as item),
      affected (id, seq) as (
        select id, seq from changed
        union select ${uses.user}, place.seq from place cross join ${uses} on ${uses.target} in (place.hostport, ${portOf(sql`place.hostport`)})
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

/**
 * Reads the version since which {@link changedEdges} reads all changes. Old events are deleted: the one after it must be there, and so must
 * those that say which hostports an edge had.
 */
export const changesSince = (now: number): Statement<number> =>
  decoded(
    sql`select max(
        ifnull(${oldestServed(now)}, ${newestServed}),
        (select ifnull(min(seq), 1) - 1 from ${events}),
        ifnull((select max(seq) from (${moves(now)}) where not is_known), 0)) as since`,
    ({ since }) => Number(since),
  );
