import * as z from "zod";
import { byObjectAndCode } from "../../../packages/traffic/src/problems.ts";
import type { Problem } from "../../../packages/traffic/src/snapshot.ts";
import { uriOf } from "../../ids.ts";
import type { Effect, Write } from "../../writes/write.ts";
import { resolved } from "../current.ts";
import { shownRow } from "../events/event_objects.ts";
import type { Operation } from "../operations.ts";
import { checkedPolicy, policyTarget } from "../traffic_policies.ts";
import { accessEffect, type AccessChange, type Later } from "./access_effect.ts";
import type { Before } from "./reads.ts";
import { decodedRow, isConfigKind, nameOf, type World } from "./world.ts";

/*
 * The effect of some operations: what changes in each object, who newly gets in or is shut out, and which problems come and go.
 * The operations' own writes say what they do to rows; what that means is computed by the code that serves.
 */

/** The most rules, and the most routes, that go with a policy or an edge. */
const PARTS = 100;

/** The longest effect, in characters of its JSON: more would not fit into a row with everything else. */
const LONGEST = 500_000;

type Fields = Record<string, unknown>;

/** What an operation changes. */
interface Change {
  method: string;
  path: string;
  status: number;
  /** The object that it changes; null if it changes nothing. */
  object: { id: string; uri: string | null; description?: string } | null;
  /** Null for an object that does not exist before or after; omitted if the effect is too long. */
  before?: Fields | null;
  after?: Fields | null;
  traffic_policy?: Pick<Awaited<ReturnType<typeof checkedPolicy>>, "verdict" | "findings">;
  truncated?: true;
}

/** The effect of operations, without Refs to what they create. */
export interface PlanEffect {
  changes: Change[];
  access: AccessChange[] | null;
  later: Later[];
  problems: { added: Problem[]; removed: Problem[] } | null;
  truncated: boolean;
}

/** An operation with its status and what it does to rows. */
export interface Planned {
  operation: Operation;
  status: number;
  effects: Effect[];
}

/** What the steps of a write do, in order. */
export const effectsOf = (write: Write, cause: Parameters<Write["steps"]>[0]): Effect[] =>
  write.steps(cause).flatMap(({ effect }) => effect ?? []);

/**
 * Computes the effect of operations.
 *
 * @param origin the start of every URI
 * @param now RFC 3339, UTC
 */
export async function effectOf(
  { world, isPartial }: Before,
  planned: Planned[],
  origin: string,
  now: string,
): Promise<PlanEffect> {
  const after = world.copy();
  const changes: Change[] = [];
  const policies = new Set<string>();
  for (const { operation, status, effects } of planned) {
    const change = changeOf(after, operation, effects, origin);
    changes.push({
      method: operation.method,
      path: operation.path,
      status,
      ...change,
      ...(await policyVerdict(effects, change)),
    });
    for (const effect of effects) for (const id of policiesOf(world, effect)) policies.add(id);
  }
  if (isPartial) return fitted({ changes, access: null, later: [], problems: null, truncated: false });
  const problems = {
    before: (await resolved(world.toStored(now))).problems,
    after: (await resolved(after.toStored(now))).problems,
  };
  return fitted({
    changes,
    ...accessEffect(world, after, policies, now),
    problems: {
      added: without(problems.after, problems.before),
      removed: without(problems.before, problems.after),
    },
    truncated: false,
  });
}

/** Whether the traffic policy that an operation changes can be enforced. */
async function policyVerdict(
  [effect]: Effect[],
  { before, after }: Pick<Change, "before" | "after">,
): Promise<Pick<Change, "traffic_policy">> {
  const target = effect?.verb === "replace" ? undefined : policyTarget().safeParse(effect?.kind).data;
  const [old, value] = [before, after].map(
    (fields) => policyText.safeParse(fields).data?.traffic_policy.value,
  );
  if (target === undefined || value === undefined || value === old) return {};
  const { verdict, findings } = await checkedPolicy(value, target);
  return { traffic_policy: { verdict, findings } };
}

const policyText = z.object({ traffic_policy: z.object({ value: z.string() }) });

/** The policies whose rules an effect changes. */
function policiesOf(world: World, effect: Effect): string[] {
  if (effect.verb === "replace") return [effect.policy];
  const { kind, key } = effect;
  if (kind === "ip_policy") return [key.id];
  if (kind !== "ip_policy_rule") return [];
  const row = effect.verb === "insert" ? effect.values : world.get(kind, key.id);
  return typeof row?.["ip_policy_id"] === "string" ? [row["ip_policy_id"]] : [];
}

/** The problems in `some` that are not among `others`. */
function without(some: Problem[], others: Problem[]): Problem[] {
  const known = new Set(others.map(({ object, code, msg }) => JSON.stringify([object, code, msg])));
  return some
    .filter(({ object, code, msg }) => !known.has(JSON.stringify([object, code, msg])))
    .toSorted(byObjectAndCode);
}

/** Applies the effects of an operation to a world, and returns what they change in the object. */
function changeOf(
  world: World,
  operation: Operation,
  effects: Effect[],
  origin: string,
): Pick<Change, "object" | "before" | "after" | "truncated"> {
  const [effect] = effects;
  const before = effect && shown(world, effect, origin);
  for (const each of effects) world.apply(each);
  const after = effect && shown(world, effect, origin);
  if (!effect) return { object: null, before: null, after: null };
  const object = after?.object ?? before?.object ?? null;
  const isTruncated = before?.isTruncated === true || after?.isTruncated === true;
  const fields = fieldsThatChange(operation, before?.fields, after?.fields);
  return { object, ...fields, ...(isTruncated && { truncated: true }) };
}

/** The object of an effect as responses show it, with what belongs to it if it is created or deleted. */
function shown(world: World, effect: Effect, origin: string) {
  if (effect.verb === "replace") {
    const rules = world.rulesOf(effect.policy);
    return {
      object: { id: effect.policy, uri: uriOf(origin, effect.policy) },
      fields: { rules: shownRules(rules) },
      isTruncated: rules.length > PARTS,
    };
  }
  const { kind, key, verb } = effect;
  const row = isConfigKind(kind) ? world.get(kind, nameOf(key)) : undefined;
  if (!row || !isConfigKind(kind)) return undefined;
  const { id, uri, ...fields }: Fields & { id: string; uri: string } = {
    ...shownRow(kind, decodedRow(kind, row), origin),
  };
  const description = fields["description"];
  const object = { id, uri, ...(typeof description === "string" && { description }) };
  const rules = kind === "ip_policy" && verb === "remove" ? world.rulesOf(key.id) : [];
  const routes = kind === "https_edge" && verb === "remove" ? world.routesOf(key.id) : [];
  delete fields["routes"];
  return {
    object,
    fields: {
      ...fields,
      ...(rules.length > 0 && { rules: shownRules(rules) }),
      ...(routes.length > 0 && {
        routes: routes
          .slice(0, PARTS)
          .map((route) => shownRow("https_edge_route", decodedRow("https_edge_route", route), origin)),
      }),
    },
    isTruncated: rules.length > PARTS || routes.length > PARTS,
  };
}

/** The first rules of a policy, by network. */
const shownRules = (rules: Fields[]): Fields[] =>
  rules.slice(0, PARTS).map(({ cidr, action, expires_at }) => ({
    cidr,
    action,
    ...(typeof expires_at === "string" && { expires_at }),
  }));

/** The fields that an operation names, or that differ; all fields of an object that is created or deleted. */
function fieldsThatChange(
  { path, body }: Operation,
  before: Fields | undefined,
  after: Fields | undefined,
): { before: Fields | null; after: Fields | null } {
  if (!before || !after) {
    // A new object gets its id and its time only when the plan is applied.
    const { created_at: _, ...fields } = after ?? {};
    return { before: before ?? null, after: after ? fields : null };
  }
  const named = new Set([...Object.keys(body ?? {}), path.split("/").at(-1)]);
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => named.has(name) || JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const pick = (fields: Fields) => Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
  return { before: pick(before), after: pick(after) };
}

/** Cuts an effect that is too long: first what objects were and become, then who gets in. */
function fitted(effect: PlanEffect): PlanEffect {
  let left = LONGEST;
  let isCut = false;
  const fits = (value: unknown): boolean => {
    const { length } = JSON.stringify(value);
    isCut ||= length > left;
    if (!isCut) left -= length;
    return !isCut;
  };
  const access = effect.access?.filter(fits) ?? null;
  const later = effect.later.filter(fits);
  const problems = effect.problems && {
    added: effect.problems.added.filter(fits),
    removed: effect.problems.removed.filter(fits),
  };
  const changes = effect.changes.map((change): Change => {
    if (fits(change)) return change;
    const { before: _, after: __, traffic_policy: ___, ...rest } = change;
    return { ...rest, truncated: true };
  });
  return { changes, access, later, problems, truncated: isCut };
}
