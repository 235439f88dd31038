import { clock } from "../../clock.ts";
import type { StoredEvent } from "../../db/event_log.ts";
import type { Values } from "../../db/statements.ts";
import { parsedAs } from "../../db/unchecked.ts";
import { type ApiError, cannotUndo } from "../../http/errors.ts";
import { eventId } from "../../ids.ts";
import { kinds } from "../../kinds.ts";
import type { Operation } from "../operations.ts";
import type { ConfigKind } from "./world.ts";

/*
 * Operations that restore rows as the log has them.
 */

/** A row in the log. */
export type Row = Values & { edge_id?: string; rules?: Values[]; routes?: Row[]; truncated?: true };

/** An event, with the object before it if an earlier event of the object is kept. */
export interface Recorded {
  event: StoredEvent;
  id: string;
  kind: ConfigKind;
  verb: string;
  row: Row;
  previous?: Row;
}

export const refusal = (event: StoredEvent, why: string): ApiError =>
  cannotUndo(`${eventId(event)} cannot be undone: ${why}`);

/** Columns that are not fields of requests. */
const OWN = new Set([
  "id",
  "created_at",
  "version",
  "edge_id",
  "routes",
  "routes_bytes",
  "routes_refs",
  "rules",
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

/** Fields of a rule, as it is replaced. */
export const fieldsOfRule = (row: Values): Record<string, unknown> =>
  Object.fromEntries(
    ["cidr", "action", "description", "metadata", "expires_at"].flatMap((name) =>
      row[name] === null || row[name] === undefined ? [] : [[name, row[name]]],
    ),
  );

/** A column's value as a request has it. */
function requested(name: string, value: unknown): unknown {
  if (name === "sources" && Array.isArray(value)) return value.map((type: unknown) => ({ type }));
  return withoutUnset(value);
}

/** A value without the fields that are null. */
function withoutUnset(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => (field === null ? [] : [[name, withoutUnset(field)]])),
  );
}

/** What clears a field that is not a module. */
const cleared = (value: unknown): unknown =>
  Array.isArray(value) ? [] : typeof value === "object" && value !== null ? {} : "";

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** Collects operations that undo events. */
export class Restoring {
  readonly operations: Operation[] = [];
  /** Names of new objects, by the ids of those that they replace. */
  readonly #names = new Map<string, string>();

  /** Undoes an event. @throws 409 if that is impossible */
  add(recorded: Recorded): void {
    const { verb, kind, row } = recorded;
    if (verb === "created") this.operations.push({ method: "DELETE", path: this.#pathOf(kind, row) });
    else if (verb === "deleted") this.#create(recorded);
    else this.#change(recorded);
  }

  /** Replaces the id of a deleted object in the modules of an edge or a route. @param row as the database returns it */
  refer(path: string, row: Values, id: string): void {
    const name = this.#names.get(id);
    for (const module of ["ip_restriction", "mutual_tls"]) {
      const text = row[module];
      if (name === undefined || typeof text !== "string" || !text.includes(`"${id}"`)) continue;
      const body = parsedAs<Record<string, unknown>>(text.replaceAll(`"${id}"`, `"$${name}"`));
      this.operations.push({ method: "PUT", path: `${path}/${module}`, body });
    }
  }

  #create(recorded: Recorded): void {
    const { event, id, kind, row } = recorded;
    if (row["created_at"] === null) throw refusal(event, "the object is managed elsewhere.");
    this.#requireNoSecret(event, kind, row, undefined);
    const { expires_at } = row;
    if (kind === "ip_policy_rule" && typeof expires_at === "string" && Date.parse(expires_at) <= clock.now())
      throw refusal(event, "the rule has expired.");
    const name = this.#nameFor(id);
    const body = this.#named(this.#fields(row));
    this.operations.push({ method: "POST", path: this.#collectionOf(kind, row), body, name });
    if (kind === "ip_policy") {
      if (!row.rules) throw refusal(event, "its rules were too many for the log, or were not yet recorded.");
      const rules = row.rules.filter(
        ({ expires_at: end }) => typeof end !== "string" || Date.parse(end) > clock.now(),
      );
      if (rules.length > 0)
        this.operations.push({
          method: "PUT",
          path: `/ip_policies/$${name}/rules`,
          body: { rules: rules.map(fieldsOfRule) },
        });
    }
    for (const route of row.routes ?? []) {
      this.#requireNoSecret(event, "https_edge_route", route, undefined);
      this.operations.push({
        method: "POST",
        path: `/edges/https/$${name}/routes`,
        body: this.#named(this.#fields(route)),
      });
    }
  }

  #change({ event, kind, row, previous }: Recorded): void {
    if (!previous) throw refusal(event, "no earlier event of the object is kept.");
    if (previous.truncated) throw refusal(event, "its earlier state was too long for the log.");
    this.#requireNoSecret(event, kind, row, previous);
    const path = this.#pathOf(kind, row);
    const count = this.operations.length;
    const body: Record<string, unknown> = {};
    for (const name of Object.keys(row)) {
      if (OWN.has(name) || DERIVED.has(name) || isSame(row[name], previous[name])) continue;
      const before = previous[name] ?? null;
      if (!MODULES.has(name)) body[name] = before === null ? cleared(row[name]) : requested(name, before);
      else if (before === null) this.operations.push({ method: "DELETE", path: `${path}/${name}` });
      else
        this.operations.push({
          method: "PUT",
          path: `${path}/${name}`,
          body: this.#named(parsedAs<Record<string, unknown>>(JSON.stringify(withoutUnset(before)))),
        });
    }
    if (Object.keys(body).length > 0)
      this.operations.push({ method: "PATCH", path, body: this.#named(body) });
    if (this.operations.length === count)
      throw refusal(event, "the log does not show what it changed, because secrets are not recorded.");
  }

  /** @throws 409 if a secret would have to be restored, which the log does not have */
  #requireNoSecret(event: StoredEvent, kind: ConfigKind, row: Row, previous: Row | undefined): void {
    const restored = previous ?? row;
    const isChanged = (name: string) => previous === undefined || !isSame(row[name], previous[name]);
    if (kind === "event_destination" && isChanged("target")) throw refusal(event, "its target has secrets.");
    const module = restored["webhook_verification"];
    if (module !== null && module !== undefined && isChanged("webhook_verification"))
      throw refusal(event, "its webhook verification has a secret.");
  }

  #fields(row: Row): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(row).flatMap(([name, value]) =>
        OWN.has(name) || DERIVED.has(name) || value === null ? [] : [[name, requested(name, value)]],
      ),
    );
  }

  #nameFor(id: string): string {
    const name = `restored_${this.#names.size + 1}`;
    this.#names.set(id, name);
    return name;
  }

  /** A body in which names stand for the ids of objects that are restored. */
  #named(body: Record<string, unknown>): Record<string, unknown> {
    if (this.#names.size === 0) return body;
    const json = JSON.stringify(body).replace(/"([a-z]+_[0-9A-Za-z]{1,64})"/g, (whole, id: string) => {
      const name = this.#names.get(id);
      return name === undefined ? whole : `"$${name}"`;
    });
    return parsedAs<Record<string, unknown>>(json);
  }

  #collectionOf(kind: ConfigKind, row: Row): string {
    const edge = row.edge_id ?? "";
    const known = this.#names.get(edge);
    return kinds[kind].path.replace("{edge_id}", known === undefined ? edge : `$${known}`);
  }

  #pathOf(kind: ConfigKind, row: Row): string {
    const id = String(row["id"]);
    const known = this.#names.get(id);
    return `${this.#collectionOf(kind, row)}/${known === undefined ? id : `$${known}`}`;
  }
}
