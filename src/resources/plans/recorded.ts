import { eventId } from "../../../packages/model/src/ids.ts";
import { pointerTo, valueAt } from "../../../packages/model/src/json.ts";
import type { StoredEvent } from "../../db/event_reads.ts";
import type { Values } from "../../db/statements.ts";
import { secretPaths } from "../../delivery/targets.ts";
import { type ApiError, cannotUndo } from "../../http/errors.ts";
import { needsNoSecret } from "../../modules/webhook_verification.ts";
import { type ConfigKind, nameOf } from "./rows_in_memory.ts";

/*
 * Changes as the log has them.
 */

/** A row in the log. */
export type LogRow = Values & {
  edge_id?: string;
  rules?: Values[];
  routes?: LogRow[];
  rules_replaced?: true;
  secrets_changed?: string[];
  truncated?: true;
};

/** An event, with the object before it if that is known. */
export interface Recorded {
  event: StoredEvent;
  id: string;
  /** Of a route, with the id of its edge. */
  name: string;
  kind: ConfigKind;
  verb: string;
  row: LogRow;
  previous?: LogRow;
}

export const refusal = (event: StoredEvent, why: string): ApiError =>
  cannotUndo(`${eventId(event)} cannot be undone: ${why}`);

/** The name of an object in the log. */
export const nameInLog = ({ object_id }: StoredEvent, { edge_id }: LogRow): string =>
  nameOf({ id: object_id, ...(typeof edge_id === "string" && { edge_id }) });

/** The id of the policy of a rule or of the edge of a route, which goes with it; "" for other objects. */
export const ownerOf = ({ kind, row }: Pick<Recorded, "kind" | "row">): string => {
  const column = kind === "ip_policy_rule" ? "ip_policy_id" : kind === "https_edge_route" ? "edge_id" : "";
  const id = row[column];
  return typeof id === "string" ? id : "";
};

/** Columns and notes in the log that are not fields of requests. */
const OWN = new Set([
  "id",
  "created_at",
  "version",
  "edge_id",
  "routes",
  "routes_bytes",
  "routes_refs",
  "rules",
  "rules_replaced",
  "secrets_changed",
  "since",
]);

/** Columns that are made from the certificate. */
const DERIVED = new Set([
  "subject_common_name",
  "not_before",
  "not_after",
  "key_usages",
  "extended_key_usages",
]);

/** The columns of a row that are fields of requests. */
export const fieldsIn = (row: LogRow): string[] =>
  Object.keys(row).filter((name) => !OWN.has(name) && !DERIVED.has(name));

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** The fields that differ between two states of an object. */
export const differing = (row: LogRow, previous: LogRow): string[] =>
  fieldsIn(row).filter((name) => !isSame(row[name], previous[name]));

/** The secrets of a row, whose values are not in the log, as JSON Pointers. */
export function secretsOf(kind: ConfigKind, row: LogRow): string[] {
  if (kind === "event_destination")
    return secretPaths
      .filter((path) => isSet(valueAt(row["target"], path.slice(0, path.lastIndexOf(".")))))
      .map((path) => pointerTo("target", path));
  const module = kind === "https_edge_route" ? row["webhook_verification"] : undefined;
  return isSet(module) && !needsNoSecret(valueAt(module, "$.provider"))
    ? [pointerTo("webhook_verification", "$.secret")]
    : [];
}

const isSet = (value: unknown): boolean => value !== null && value !== undefined;

/** The secrets that a change set. @throws 409 if that is unknown */
export function secretsChanged({ event, kind, row }: Recorded): string[] {
  const secrets = secretsOf(kind, row);
  if (row.secrets_changed === undefined && secrets.length > 0)
    throw refusal(event, `the log does not have whether it changed the secret ${secrets.join(", ")}.`);
  return row.secrets_changed ?? [];
}

/** True for a change that left every field and every secret of its object as they were. @throws as {@link secretsChanged} */
export function isNothing(recorded: Recorded): boolean {
  const { verb, row, previous } = recorded;
  if (verb !== "updated") return false;
  if (row.rules_replaced) return true;
  if (!previous || previous.truncated) return false;
  return differing(row, previous).length === 0 && secretsChanged(recorded).length === 0;
}
