import type { Context } from "hono";
import { clock, timestamp } from "../../../packages/model/src/clock.ts";
import { uriOf } from "../../../packages/model/src/ids.ts";
import { setAt } from "../../../packages/model/src/json.ts";
import { byteLength } from "../../../packages/model/src/values/request_schemas.ts";
import { parsedAs } from "../../db/unchecked.ts";
import { secretPaths } from "../../delivery/targets.ts";
import type { App, Caller } from "../../http/env.ts";
import { tooLarge, unavailable } from "../../http/errors.ts";
import { sealFor } from "../../http/sealing_keys.ts";
import { causeOf, commitAll } from "../../writes/commit.ts";
import {
  collect,
  type CollectedWrites,
  createdBy,
  type Handle,
  inOperation,
  type TransactionOperation,
} from "../operations.ts";
import { keptOf, NOTHING, statusesOf } from "../transactions.ts";
import { effectOf } from "./effect.ts";
import type { Place, PlanEffect, ShownEffect } from "./effect_schemas.ts";
import { readBefore, type Reads, unchanged } from "./plan_dependencies.ts";

/*
 * Tries operations without changing anything, and computes their effect.
 */

/** The most bytes of a plan's row: D1 rejects rows of more than 2 MB. */
const ROW_BYTES = 1_900_000;

/** How often the state is read if it changes in the meantime. */
const ATTEMPTS = 3;

/** What a plan keeps of its operations. */
export interface Proposal {
  operations: TransactionOperation[];
  effect: ShownEffect;
  reads: Reads;
  collected: CollectedWrites;
}

/** A planner's operations are checked like those of an editor, because somebody else applies them. */
const asEditor = (caller: Caller | undefined): Caller | undefined =>
  caller?.role === "planner" ? { ...caller, role: "editor" } : caller;

/**
 * Tries operations and computes their effect.
 *
 * @throws the error that applying them would return; 503 if what they depend on keeps changing
 */
export async function propose(
  c: Context<App>,
  handle: Handle,
  given: TransactionOperation[],
): Promise<Proposal> {
  const { session, origin, caller } = c.get("request");
  const collected = await collect(c, handle, given, asEditor(caller));
  const { writes, operations, rejected } = collected;
  const cause = causeOf(c);
  const effects = writes.map((write) => write.change(cause).effect);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const now = timestamp(clock.now());
    const before = await readBefore(
      session,
      effects.filter((effect) => effect !== undefined),
      now,
    );
    const depends = {
      requires: unchanged(before.reads, now, before.seq),
      change: () => ({ statements: [] }),
    };
    const tried = await commitAll(c, [depends, ...writes], { dryRun: NOTHING, isProposal: true });
    if ("rejected" in tried) {
      const { operation, error } = tried.rejected;
      if (operation === 0) continue;
      throw inOperation(operation && operation - 1, error);
    }
    if (rejected) throw rejected;
    const statuses = statusesOf(collected);
    const planned = operations.map((operation, i) => ({
      operation: withoutSecrets(operation),
      status: statuses[i] ?? 200,
      effect: effects[i],
      creates: createdBy(writes[i]),
    }));
    const effect = await effectOf(before, planned, origin, now);
    return { operations, effect: shown(effect, labelsOf(collected), origin), reads: before.reads, collected };
  }
  throw unavailable("What the operations depend on is changing. Try again.");
}

/** What stands for the ids of new objects, which are only given when the plan is applied: `$name`, or `$N` for operation N. */
const labelsOf = ({ writes, operations }: CollectedWrites): Map<string, string> =>
  new Map(
    writes.flatMap((write, i) => {
      const id = createdBy(write);
      return id === undefined ? [] : [[id, `$${operations[i]?.name ?? i}`]];
    }),
  );

/** An effect with URIs, in which labels stand for the ids of new objects. */
function shown(
  { access, later, ...rest }: PlanEffect,
  labels: Map<string, string>,
  origin: string,
): ShownEffect {
  const target = (name: string) => {
    const [id = "", edge_id = ""] = name.split("/").toReversed();
    return { id, uri: labels.has(id) || labels.has(edge_id) ? null : uriOf(origin, id, edge_id) };
  };
  const withObjects = <Item extends { places: Place[] }>({ places, ...item }: Item) => ({
    places: places.map(({ object, instead_of, ...place }) => ({
      ...place,
      object: target(object),
      instead_of: instead_of === null ? null : target(instead_of),
    })),
    ...item,
  });
  const changes = rest.changes.map((change) => {
    const { object } = change;
    return object && labels.has(object.id) ? { ...change, object: { ...object, uri: null } } : change;
  });
  const effect: ShownEffect = {
    ...rest,
    changes,
    access: access && access.map(withObjects),
    later: later && later.map(withObjects),
  };
  if (labels.size === 0) return effect;
  const json = JSON.stringify(effect).replace(/[a-z]+_[0-9A-Za-z]{27}/g, (id) => labels.get(id) ?? id);
  return parsedAs<ShownEffect>(json);
}

/** The columns of a plan's row that follow from its operations. @throws 413 if they are too long for a row */
export async function columnsOf(
  c: Context<App>,
  id: string,
  { operations, effect, reads, collected }: Proposal,
) {
  const shownOperations = JSON.stringify(operations.map(withoutSecrets));
  const whole = JSON.stringify(operations);
  const sealed = shownOperations === whole ? null : await sealFor(c, id, "plan")(whole, "operations");
  const columns = {
    operations: shownOperations,
    sealed,
    effect: JSON.stringify(effect),
    reads: JSON.stringify(reads),
  };
  const bytes = byteLength(JSON.stringify([columns, keptOf(collected)]), ROW_BYTES);
  if (bytes > ROW_BYTES)
    throw tooLarge(
      "The plan with its effect would have more than 1.9 MB. Divide its operations between several plans.",
    );
  return columns;
}

/** An operation without its secrets: those of webhook verification, of the targets of event destinations, and of external accounts. */
function withoutSecrets(operation: TransactionOperation): TransactionOperation {
  const { body } = operation;
  if (body === undefined) return operation;
  // Only a webhook verification has a secret of its own.
  const { secret: _, target, webhook_verification, external_account, ...rest } = body;
  const copies = structuredClone({ target, webhook_verification, external_account });
  for (const path of secretPaths) setAt(copies, path.replace("$", "$.target"), undefined);
  setAt(copies, "$.webhook_verification.secret", undefined);
  setAt(copies, "$.external_account.hmac_key", undefined);
  return { ...operation, body: { ...rest, ...copies } };
}
