import { type Change, floor } from "./floor.ts";
import { KEY_ID, newId } from "./shared.ts";

/*
 * The floor, which also records each change as an event: the same row of the same table as the service, in the same
 * batch.
 */

const COLUMNS = {
  ip_policies:
    "'id', id, 'created_at', created_at, 'description', description, 'metadata', metadata, 'version', version",
  tcp_edges:
    "'id', id, 'created_at', created_at, 'description', description, 'metadata', metadata, 'hostports', json(hostports), 'backend', json(backend), 'ip_restriction', json(ip_restriction), 'traffic_policy', json(traffic_policy), 'version', version",
};

const PRINCIPAL = JSON.stringify({ id: KEY_ID, subject: KEY_ID, source: "API", credential: KEY_ID });

const recordOf = (db: D1Database, { type, table, id, origin }: Change): D1PreparedStatement =>
  db
    .prepare(
      `insert into events (type, object_id, at, salt, operation_id, principal, origin, object) select ?, id, max(?, coalesce((select at from events order by seq desc limit 1), 0)), randomblob(10), ?, ?, ?, json_object(${COLUMNS[table]}) from ${table} where id = ? and changes() > 0`,
    )
    .bind(type, Date.now(), newId("op_"), PRINCIPAL, origin, id);

export default floor((db, change) => [recordOf(db, change)]);
