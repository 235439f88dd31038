import { getTableColumns } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { clock } from "../../../packages/model/src/clock.ts";
import { eventId } from "../../../packages/model/src/ids.ts";
import { isObject, pointerTo, valueAt } from "../../../packages/model/src/json.ts";
import { kinds } from "../../../packages/model/src/kinds.ts";
import type { StoredEvent } from "../../db/event_reads.ts";
import type { Values } from "../../db/statements.ts";
import { parsedAs } from "../../db/unchecked.ts";
import { secretPaths } from "../../delivery/targets.ts";
import { type ApiError, cannotUndo } from "../../http/errors.ts";
import { needsNoSecret } from "../../modules/webhook_verification.ts";
import { withIds, withIdsInPath } from "../id_places.ts";
import type { TransactionOperation } from "../operations.ts";
import { type ConfigKind, EDGES, tables } from "./rows_in_memory.ts";

/*
 * The changes in the log, and the operations that restore the previous state.
 *
 * For example, the log has the update of `ipp_1`: its row after the update, and its row in the event before. Only `description`
 * differs: "Porto" instead of "Lisbon". The operation is `PATCH /ip_policies/ipp_1` with `{"description": "Lisbon"}`. For a deletion, it is a POST with a
 * name. Each module that referred to the object gets a PUT in which the name stands for the new id.
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

/** The id of a rule's policy or a route's edge; "" for other objects. */
export const ownerOf = ({ kind, row }: Pick<Recorded, "kind" | "row">): string => {
  const column = kind === "ip_policy_rule" ? "ip_policy_id" : kind === "https_edge_route" ? "edge_id" : "";
  const id = row[column];
  return typeof id === "string" ? id : "";
};

/** Columns in the log that are not fields of requests: notes, the service's own columns, and columns derived from a certificate or an account. */
const NOT_FIELDS = new Set([
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
  "subject_common_name",
  "not_before",
  "not_after",
  "key_usages",
  "extended_key_usages",
  "thumbprint",
  "account_uri",
  "caa_identities",
  "last_error",
]);

/** The columns of a row that are fields of requests. */
const fieldsIn = (row: LogRow): string[] => Object.keys(row).filter((name) => !NOT_FIELDS.has(name));

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** Fields with secrets, which are replaced as a whole. */
const WITH_SECRETS = ["target", "webhook_verification", "external_account"];

/** The fields that differ between two states of an object. */
const differing = (row: LogRow, previous: LogRow): string[] =>
  fieldsIn(row).filter((name) => !isSame(row[name], previous[name]));

/** The secrets of a row, as JSON Pointers. The log does not contain their values. */
function secretsOf(kind: ConfigKind, row: LogRow): string[] {
  if (kind === "event_destination")
    return secretPaths
      .filter((path) => isSet(valueAt(row["target"], path.slice(0, path.lastIndexOf(".")))))
      .map((path) => pointerTo("target", path));
  if (kind === "certificate_issuer")
    return isSet(row["external_account"]) ? [pointerTo("external_account", "$.hmac_key")] : [];
  const module = kind === "https_edge_route" ? row["webhook_verification"] : undefined;
  return isSet(module) && !needsNoSecret(valueAt(module, "$.provider"))
    ? [pointerTo("webhook_verification", "$.secret")]
    : [];
}

const isSet = (value: unknown): boolean => value !== null && value !== undefined;

/** The secrets that a change set. @throws 409 if that is unknown */
function secretsChanged({ event, kind, row }: Recorded): string[] {
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

/** True for an expired rule: it has no effect, and it has been or will be deleted. */
const hasExpired = ({ expires_at }: Values): boolean =>
  typeof expires_at === "string" && Date.parse(expires_at) <= clock.now();

/** The fields of a rule in a replacement of all rules. They identify the rule. */
const fieldsOfRule = (row: Values): Record<string, unknown> =>
  Object.fromEntries(
    ["cidr", "action", "description", "metadata", "expires_at"].flatMap((name) =>
      row[name] === null || row[name] === undefined ? [] : [[name, row[name]]],
    ),
  );

/**
 * The rules of a policy before changes, without those that have expired since.
 *
 * @param now the rules after the changes, which need not have ids
 * @param changes oldest first
 * @throws 409 if events that are needed are no longer in the log
 */
export function rulesBefore(now: Values[], changes: Recorded[]): Values[] {
  const isNameless = now.some(({ id }) => id === undefined);
  const keyFor = (row: Values) => (isNameless ? JSON.stringify(fieldsOfRule(row)) : String(row["id"]));
  const rules = Map.groupBy(now, keyFor);
  const add = (rule: Values) => void rules.set(keyFor(rule), [...(rules.get(keyFor(rule)) ?? []), rule]);
  const remove = ({ event, row }: Recorded) => {
    const key = keyFor(row);
    const [found, ...others] = rules.get(key) ?? [];
    if (!found) throw refusal(event, `${String(row["id"])} has changed since.`);
    rules.set(key, others);
  };
  for (const change of changes.toReversed()) {
    const { event, verb, row, previous } = change;
    if (verb === "deleted") add(row);
    else if (verb === "created") remove(change);
    else {
      if (!previous) throw refusal(event, "no earlier event of the rule is kept.");
      if (hasExpired(previous) && !hasExpired(row))
        throw refusal(event, "the rule as it was before has expired.");
      remove(change);
      add(previous);
    }
  }
  return [...rules.values()].flat().filter((rule) => !hasExpired(rule));
}

/** Modules with ids of objects that can be deleted while they are in use. */
const REFERRING = ["ip_restriction", "mutual_tls"];

/** True for a column of a module, which PATCH cannot unset. */
function isModule(kind: ConfigKind, name: string): boolean {
  if (kind !== "https_edge_route" && !EDGES.some((edge) => edge === kind)) return false;
  const columns: Record<string, SQLiteColumn> = getTableColumns(tables[kind]);
  return name !== "hostports" && columns[name]?.dataType === "json";
}

/** A column's value as a request has it. */
function requested(name: string, value: unknown): unknown {
  if (name === "sources" && Array.isArray(value)) return value.map((type: unknown) => ({ type }));
  return withoutUnset(value);
}

/** A value without the fields that are null. */
function withoutUnset(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => (field === null ? [] : [[name, withoutUnset(field)]])),
  );
}

/** What clears a field that is not a module. */
const cleared = (value: unknown): unknown => (Array.isArray(value) ? [] : isObject(value) ? {} : "");

const pathOf = (kind: ConfigKind, row: Values): string => `${collectionOf(kind, row)}/${String(row["id"])}`;
const collectionOf = (kind: ConfigKind, { edge_id }: Values): string =>
  kinds[kind].path.replace("{edge_id}", String(edge_id));

/** Collects operations that undo events. */
export class Restoring {
  readonly operations: TransactionOperation[] = [];
  /** Names of new objects, by the ids of those that they replace. */
  readonly #names = new Map<string, string>();
  /** Paths of modules that have their previous value again, and of objects that are deleted. */
  readonly #done = new Set<string>();

  /** Undoes an event. @param rules those of a deleted policy @throws 409 if that is impossible */
  add(recorded: Recorded, rules?: Values[]): void {
    const { verb, kind, row } = recorded;
    if (verb === "deleted") this.#create(recorded, rules);
    else if (verb === "updated") this.#change(recorded);
    else {
      const path = pathOf(kind, row);
      this.#done.add(path);
      this.#push({ method: "DELETE", path });
    }
  }

  /** Gives a policy these rules and no others. */
  replaceRules(policy: string, rules: Values[]): void {
    const bodies = rules.map(fieldsOfRule);
    // A replacement has each pair of a CIDR and an action once.
    const firsts = new Map(
      bodies.toReversed().map((body) => [JSON.stringify([body["cidr"], body["action"]]), body]),
    );
    const unique = new Set(firsts.values());
    this.#push({
      method: "PUT",
      path: `/ip_policies/${policy}/rules`,
      body: { rules: bodies.filter((body) => unique.has(body)) },
    });
    for (const body of bodies)
      if (!unique.has(body))
        this.#push({ method: "POST", path: "/ip_policy_rules", body: { ip_policy_id: policy, ...body } });
  }

  /** Makes an edge or a route refer to new objects in place of deleted ones. @param row as the database returns it */
  refer(kind: ConfigKind, row: Values): void {
    const path = pathOf(kind, row);
    if (this.#done.has(path)) return;
    for (const module of REFERRING) {
      const at = `${path}/${module}`;
      const text = row[module];
      const body = typeof text === "string" ? withoutUnset(parsedAs<unknown>(text)) : undefined;
      if (!isObject(body) || this.#done.has(at) || !this.#refersToReplaced(body)) continue;
      this.#done.add(at);
      this.#push({ method: "PUT", path: at, body });
    }
  }

  #refersToReplaced(body: object): boolean {
    let found = false;
    withIds(body, (id) => {
      found ||= this.#names.has(id);
      return id;
    });
    return found;
  }

  #create({ event, id, kind, row }: Recorded, rules: Values[] | undefined): void {
    if (row["created_at"] === null) throw refusal(event, "the object is managed elsewhere.");
    requireNoSecrets(event, "it", secretsOf(kind, row));
    if (kind === "ip_policy_rule" && hasExpired(row)) throw refusal(event, "the rule has expired.");
    if (kind === "ip_policy" && !rules)
      throw refusal(event, "its rules were too many for the log, or were not yet recorded.");
    if (kind === "https_edge" && !row.routes) throw refusal(event, "its routes were not yet recorded.");
    this.#createAs(id, collectionOf(kind, row), row);
    if (rules && rules.length > 0) this.replaceRules(id, rules);
    for (const route of row.routes ?? []) {
      const routeId = String(route["id"]);
      requireNoSecrets(event, `its route ${routeId}`, secretsOf("https_edge_route", route));
      this.#createAs(routeId, `/edges/https/${id}/routes`, route);
    }
  }

  /** Creates an object in place of the one with an id. */
  #createAs(id: string, path: string, row: LogRow): void {
    const name = `restored_${this.#names.size + 1}`;
    const body = Object.fromEntries(
      fieldsIn(row).flatMap((field) => (row[field] === null ? [] : [[field, requested(field, row[field])]])),
    );
    this.#push({ method: "POST", path, body, name });
    this.#names.set(id, name);
  }

  #change(recorded: Recorded): void {
    const { event, kind, row, previous } = recorded;
    const changed = secretsChanged(recorded);
    if (changed.length > 0)
      throw refusal(
        event,
        `it changed the secret ${changed.join(", ")}, whose earlier value is not in the log.`,
      );
    if (!previous) throw refusal(event, "no earlier event of the object is kept.");
    if (previous.truncated) throw refusal(event, "its earlier state was too long for the log.");
    const names = differing(row, previous);
    if (WITH_SECRETS.some((name) => names.includes(name)))
      requireNoSecrets(event, "it", secretsOf(kind, previous));
    if (kind === "ip_policy_rule" && names.includes("expires_at") && hasExpired(previous))
      throw refusal(event, "the rule as it was before has expired.");
    const path = pathOf(kind, row);
    const isUnset = (name: string) => (previous[name] ?? null) === null;
    for (const name of names) {
      if (!isModule(kind, name)) continue;
      this.#done.add(`${path}/${name}`);
      if (isUnset(name)) this.#push({ method: "DELETE", path: `${path}/${name}` });
    }
    const fields = Object.fromEntries(
      names.flatMap((name): [string, unknown][] => {
        if (!isUnset(name)) return [[name, requested(name, previous[name])]];
        return isModule(kind, name) ? [] : [[name, cleared(row[name])]];
      }),
    );
    if (Object.keys(fields).length === 0) return;
    // Together, because one module may be valid only with the previous value of another.
    if (row["created_at"] !== null) return this.#push({ method: "PATCH", path, body: fields });
    for (const [name, body] of Object.entries(fields))
      if (isObject(body)) this.#push({ method: "PUT", path: `${path}/${name}`, body });
  }

  /** Adds an operation in which names stand for the ids of objects that are created again. */
  #push({ path, body, ...rest }: TransactionOperation): void {
    const nameFor = (id: string) => {
      const name = this.#names.get(id);
      return name === undefined ? id : `$${name}`;
    };
    const named = withIds(body, nameFor);
    this.operations.push({
      ...rest,
      path: withIdsInPath(path, nameFor),
      ...(isObject(named) && { body: named }),
    });
  }
}

/** @throws 409 if secrets would have to be restored, whose values are not in the log */
function requireNoSecrets(event: StoredEvent, what: string, secrets: string[]): void {
  if (secrets.length > 0)
    throw refusal(event, `${what} needs the secret ${secrets.join(", ")}, whose value is not in the log.`);
}
