import { clock } from "../../../packages/model/src/clock.ts";
import { isObject } from "../../../packages/model/src/json.ts";
import { kinds } from "../../../packages/model/src/kinds.ts";
import type { StoredEvent } from "../../db/event_reads.ts";
import type { Values } from "../../db/statements.ts";
import { parsedAs } from "../../db/unchecked.ts";
import { withIds, withIdsInPath } from "../id_places.ts";
import type { TransactionOperation } from "../operations.ts";
import {
  differing,
  fieldsIn,
  type Recorded,
  refusal,
  type LogRow,
  secretsChanged,
  secretsOf,
} from "./recorded.ts";
import type { ConfigKind } from "./rows_in_memory.ts";

/*
 * Operations that restore rows as the log has them.
 */

/** Columns of modules, which PATCH cannot unset. */
const MODULES = new Set([
  "backend",
  "ip_restriction",
  "traffic_policy",
  "mutual_tls",
  "tls_termination",
  "circuit_breaker",
  "compression",
  "request_headers",
  "response_headers",
  "user_agent_filter",
  "webhook_verification",
  "websocket_tcp_converter",
]);

/** Modules with ids of objects that can be deleted while they are in use. */
const REFERRING = ["ip_restriction", "mutual_tls"];

/** Fields of a rule, as it is replaced. */
const fieldsOfRule = (row: Values): Record<string, unknown> =>
  Object.fromEntries(
    ["cidr", "action", "description", "metadata", "expires_at"].flatMap((name) =>
      row[name] === null || row[name] === undefined ? [] : [[name, row[name]]],
    ),
  );

/** True for a rule that has expired: it has no effect, and is or will be deleted. */
export const hasExpired = ({ expires_at }: Values): boolean =>
  typeof expires_at === "string" && Date.parse(expires_at) <= clock.now();

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

const pathOf = (kind: ConfigKind, row: LogRow): string => `${collectionOf(kind, row)}/${String(row["id"])}`;
const collectionOf = (kind: ConfigKind, { edge_id = "" }: LogRow): string =>
  kinds[kind].path.replace("{edge_id}", edge_id);

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
  refer(path: string, row: Values): void {
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
    if (names.includes("target") || names.includes("webhook_verification"))
      requireNoSecrets(event, "it", secretsOf(kind, previous));
    if (kind === "ip_policy_rule" && names.includes("expires_at") && hasExpired(previous))
      throw refusal(event, "the rule as it was before has expired.");
    const path = pathOf(kind, row);
    const isModule = (name: string) => MODULES.has(name);
    const isUnset = (name: string) => (previous[name] ?? null) === null;
    for (const name of names.filter(isModule)) {
      this.#done.add(`${path}/${name}`);
      if (isUnset(name)) this.#push({ method: "DELETE", path: `${path}/${name}` });
    }
    const fields = Object.fromEntries(
      names.flatMap((name): [string, unknown][] => {
        if (!isUnset(name)) return [[name, requested(name, previous[name])]];
        return isModule(name) ? [] : [[name, cleared(row[name])]];
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
