import type { Context } from "hono";
import type { StoredEvent } from "../../db/event_log.ts";
import { type Statement, type Values } from "../../db/statements.ts";
import { parsedAs } from "../../db/unchecked.ts";
import type { App } from "../../env.ts";
import { cannotUndo, notFound } from "../../http/errors.ts";
import { eventId, seqOf } from "../../ids.ts";
import type { Operation } from "../operations.ts";
import { routesWithKeys, rowsWithIds } from "./plan_statements.ts";
import { type Recorded, refusal, Restoring, type Row, fieldsOfRule } from "./restoring.ts";
import {
  eventsBefore,
  eventsOfRequest,
  eventsWithNumbers,
  laterChanges,
  rulesOfPolicy,
  usersOfObject,
} from "./undo_statements.ts";
import { isConfigKind } from "./world.ts";

/*
 * The opposite of changes that the log has, as operations in reverse order.
 */

/** The most events that are undone one by one. */
const MOST_EVENTS = 50;

/** What is undone. */
export interface Undo {
  events?: string[];
  operation_id?: string;
}

/**
 * The operations that undo changes.
 *
 * @throws 404 for an event that does not exist; 409 for a change that cannot be undone, which says why
 */
export async function operationsToUndo(c: Context<App>, undo: Undo): Promise<Operation[]> {
  const recorded = await withPrevious(c, await wantedEvents(c, undo));
  await requireUnchanged(c, recorded);
  const replaced = replacedPolicy(recorded);
  if (replaced !== undefined) return [await replacement(c, replaced, recorded)];
  if (recorded.length > MOST_EVENTS)
    throw cannotUndo(
      `The request made ${recorded.length} changes: at most ${MOST_EVENTS} can be undone at once.`,
    );
  const restoring = new Restoring();
  const reversed = recorded.toReversed();
  // What others refer to even after its deletion comes first, so that the new ids are known.
  const isFirst = ({ kind, verb }: Recorded) =>
    verb === "deleted" && (kind === "ip_policy" || kind === "certificate_authority");
  for (const one of [...reversed.filter(isFirst), ...reversed.filter((other) => !isFirst(other))])
    restoring.add(one);
  await referAgain(c, recorded.filter(isFirst), restoring);
  return restoring.operations;
}

/** The events that are undone, oldest first. */
async function wantedEvents(c: Context<App>, { events = [], operation_id }: Undo): Promise<StoredEvent[]> {
  const { session } = c.get("request");
  if (operation_id !== undefined) {
    const found = await session.all(eventsOfRequest(operation_id));
    if (found.length > 0) return found;
    throw cannotUndo(`The log has no changes of ${operation_id}: it made none, or they are no longer kept.`);
  }
  const found = await session.all(eventsWithNumbers([...new Set(events.map((id) => seqOf(id) ?? 0))]));
  const known = new Set(found.map((event) => eventId(event)));
  if (events.some((id) => !known.has(id))) throw notFound("event");
  return found;
}

/** Events with the state of their objects before. @throws 409 for an event of something that operations cannot change */
async function withPrevious(c: Context<App>, events: StoredEvent[]): Promise<Recorded[]> {
  const previous = await c.get("request").session.all(eventsBefore(events.map(({ seq }) => seq)));
  const before = new Map(previous.map(({ of, object }) => [of, object]));
  return events.map((event): Recorded => {
    const split = event.type.lastIndexOf("_");
    const kind = event.type.slice(0, split);
    const verb = event.type.slice(split + 1, event.type.lastIndexOf("."));
    if (!isConfigKind(kind)) throw refusal(event, "operations of plans cannot change such objects.");
    const row = parsedAs<Row>(event.object);
    if (row.truncated) throw refusal(event, "its object was too long for the log.");
    const old = before.get(event.seq) ?? "";
    const earlier = old === "" ? undefined : parsedAs<Row>(old);
    return { event, id: event.object_id, kind, verb, row, ...(earlier && { previous: earlier }) };
  });
}

/** @throws 409 if an object has changed after the last of its events that are undone */
async function requireUnchanged(c: Context<App>, recorded: Recorded[]): Promise<void> {
  const last = new Map(recorded.map(({ id, event }) => [id, event]));
  const wanted = Array.from(last.values(), ({ object_id, seq }) => ({ object_id, seq }));
  const [changed] = await c.get("request").session.all(laterChanges(wanted));
  const event = changed === undefined ? undefined : last.get(changed);
  if (event) throw refusal(event, `${event.object_id} has changed since.`);
}

/**
 * The policy whose rules were replaced as one: its event follows those of its rules. Undefined if the events are others.
 */
function replacedPolicy(recorded: Recorded[]): string | undefined {
  const last = recorded.at(-1);
  const isReplacement =
    last?.kind === "ip_policy" &&
    last.verb === "updated" &&
    recorded.length > 1 &&
    recorded.every(
      (one) => one === last || (one.kind === "ip_policy_rule" && one.row["ip_policy_id"] === last.id),
    );
  return isReplacement ? last.id : undefined;
}

/** The replacement of a policy's rules by those before another replacement. */
async function replacement(c: Context<App>, policy: string, recorded: Recorded[]): Promise<Operation> {
  const rules = new Map<unknown, Values>(
    (await c.get("request").session.rows(rulesOfPolicy(policy))).map((row) => [row["id"], row]),
  );
  for (const { event, id, kind, verb, row, previous } of recorded.toReversed()) {
    if (kind !== "ip_policy_rule") continue;
    if (verb === "created") rules.delete(id);
    if (verb === "deleted") rules.set(id, row);
    if (verb !== "updated") continue;
    if (!previous) throw refusal(event, "no earlier event of the rule is kept.");
    rules.set(id, previous);
  }
  const body = { rules: Array.from(rules.values(), fieldsOfRule) };
  return { method: "PUT", path: `/ip_policies/${policy}/rules`, body };
}

/** Makes edges and routes that still refer to deleted objects refer to the new ones. */
async function referAgain(c: Context<App>, gone: Recorded[], restoring: Restoring): Promise<void> {
  const { session } = c.get("request");
  for (const { id } of gone) {
    const users = await session.all(usersOfObject(id));
    if (users.length === 0) continue;
    const ids = users.filter(({ edge_id }) => edge_id === "").map((user) => user.id);
    const keys = users.filter(({ edge_id }) => edge_id !== "");
    const statements: Statement<unknown>[] = [
      rowsWithIds("tcp_edge", ids),
      rowsWithIds("tls_edge", ids),
      rowsWithIds("https_edge", ids),
      routesWithKeys(keys),
    ];
    const [tcp = [], tls = [], https = [], routes = []] = await session.batch(statements);
    const paths: [string, Values[]][] = [
      ["/edges/tcp", tcp],
      ["/edges/tls", tls],
      ["/edges/https", https],
    ];
    for (const [path, rows] of paths)
      for (const row of rows) restoring.refer(`${path}/${String(row["id"])}`, row, id);
    for (const row of routes)
      restoring.refer(`/edges/https/${String(row["edge_id"])}/routes/${String(row["id"])}`, row, id);
  }
}
