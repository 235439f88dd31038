import * as z from "zod";
import { uriOf } from "../../../packages/model/src/ids.ts";
import { kinds } from "../../../packages/model/src/kinds.ts";
import { NOT_ENFORCED } from "../../../packages/model/src/traffic/objections.ts";
import {
  byObjectAndCode,
  type JudgedProblem,
  type Problem,
  problemsOf,
} from "../../../packages/model/src/traffic/problems.ts";
import type { Effect } from "../../db/rows.ts";
import { shownRow } from "../events/event_objects.ts";
import type { TransactionOperation } from "../operations.ts";
import { resolved } from "../traffic/snapshot_forms.ts";
import { checkedPolicy, policyTarget } from "../traffic/traffic_policies.ts";
import { accessEffect } from "./access_effect.ts";
import type { PlanEffect, PlannedChange } from "./effect_schemas.ts";
import type { RowsBefore } from "./plan_dependencies.ts";
import { MOST_ROWS } from "./plan_statements.ts";
import { decodedRow, isConfigKind, nameOf, type World } from "./rows_in_memory.ts";
import { summaryOf, type Told, warningsOf } from "./words.ts";

/*
 * The effect of some operations: what changes in each object, who newly gets in or is shut out, and which problems come and go.
 * The operations' own writes say what they do to rows; what that means is computed by the code that serves.
 */

/** The most rules, and the most routes, that go with a policy or an edge. */
const PARTS = 100;

/** The longest effect, in characters of its JSON: more would not fit into a row with everything else. */
const LONGEST = 500_000;

/** How the id of the API restriction begins. */
const API_RESTRICTION = kinds.api_restriction.prefix;

type Fields = Record<string, unknown>;

/** The lists of an effect; null for what was not computed. */
type Lists = Pick<PlanEffect, "changes" | "access" | "later" | "problems">;

/** An operation with its status, its effect on a row, and the id of the object that it creates. */
export interface Planned {
  operation: TransactionOperation;
  status: number;
  effect: Effect | undefined;
  creates: string | undefined;
}

const DIVIDE = "Divide the operations between several plans.";
/** Why something is not computed. */
const omissions = {
  rows: `More than ${MOST_ROWS} rows would have to be read. ${DIVIDE}`,
  steps: `Too many networks would have to be compared. ${DIVIDE}`,
  ends: `Too many rules expire to compute what changes then. ${DIVIDE}`,
};

/**
 * Computes the effect of operations.
 *
 * @param origin the start of every URI
 * @param now RFC 3339, UTC
 */
export async function effectOf(
  { world, after, isPartial, reads }: RowsBefore,
  planned: Planned[],
  origin: string,
  now: string,
): Promise<PlanEffect> {
  const rows = world.copy();
  const changes: PlannedChange[] = [];
  const policies = new Set<string>();
  for (const { operation, status, effect } of planned) {
    const change = changeOf(rows, operation, effect, origin);
    changes.push({
      method: operation.method,
      path: operation.path,
      status,
      ...change,
      ...(await policyVerdict(effect, change)),
    });
    for (const id of policiesOf(world, effect)) policies.add(id);
  }
  const creators = new Map(
    planned.flatMap(({ creates }, i) => (creates === undefined ? [] : [[creates, i]])),
  );
  const isOfApi = (id: string): boolean =>
    reads.users[id]?.some((user) => user.startsWith(API_RESTRICTION)) === true;
  const whose = { creators, ofApi: new Set([...policies].filter(isOfApi)) };
  if (isPartial) return told(changes, whose, undefined, omissions.rows);
  const state = async (of: World) => ({
    world: of,
    snapshot: await resolved(of.toStored(), of.claims()),
  });
  const [was, is] = [await state(world), await state(after)];
  const found = await accessEffect(was, is, policies, now);
  if (!found) return told(changes, whose, undefined, omissions.steps);
  const [old, current] = [problemsOf(was.snapshot), problemsOf(is.snapshot)];
  const problems = { added: without(current, old), removed: without(old, current) };
  const totals = { ...found.sums, problems_added: problems.added.length, operations: changes.length };
  const judged = changes.map((change) => judgedIn(is.snapshot.problems, change));
  return told(judged, whose, { ...found, problems, totals });
}

/** A change whose policy, if it changes, is judged with everything around it: its edge or route may lack what it needs. */
function judgedIn(problems: Problem[], change: PlannedChange): PlannedChange {
  const { object, traffic_policy: policy } = change;
  const problem = problems.find(({ object: id, code }) => id === object?.id && code === NOT_ENFORCED);
  if (policy?.verdict !== "enforced" || !problem) return change;
  const whole = { path: "", offset: null, line: null, column: null };
  const finding = { severity: "error" as const, code: NOT_ENFORCED, ...whole, msg: problem.msg };
  return {
    ...change,
    traffic_policy: { verdict: "not_enforced", findings: [finding, ...policy.findings] },
  };
}

/** An effect in words. @param omitted why a part was not computed */
function told(
  changes: PlannedChange[],
  whose: Pick<Told, "creators" | "ofApi">,
  found: Told["found"],
  omitted?: string,
): PlanEffect {
  const { access = null, later = null, problems = null, totals = null } = found ?? {};
  const ends = found && !later ? omissions.ends : undefined;
  const { lists, cut } = fitted({ changes, access, later, problems });
  const all = { found, omitted: omitted ?? ends, cut, ...whose };
  return {
    summary: summaryOf(all),
    warnings: warningsOf(all),
    totals,
    ...lists,
    ...(omitted !== undefined && { access_omitted: omitted }),
    ...(ends !== undefined && { later_omitted: ends }),
    truncated: cut !== undefined,
    ...(cut && { shown: cut.shown }),
  };
}

/** Whether the traffic policy that an operation changes can be enforced. */
async function policyVerdict(
  effect: Effect | undefined,
  { before, after }: Pick<PlannedChange, "before" | "after">,
): Promise<Pick<PlannedChange, "traffic_policy">> {
  const target = effect?.verb === "replace" ? undefined : policyTarget().safeParse(effect?.kind).data;
  const text = z.object({ traffic_policy: z.object({ value: z.string() }) });
  const [old, value] = [before, after].map((fields) => text.safeParse(fields).data?.traffic_policy.value);
  if (target === undefined || value === undefined || value === old) return {};
  const { verdict, findings } = await checkedPolicy(value, target);
  return { traffic_policy: { verdict, findings } };
}

/** The policies whose rules an effect changes. */
function policiesOf(world: World, effect: Effect | undefined): string[] {
  if (!effect) return [];
  if (effect.verb === "replace") return [effect.policy];
  const { kind, key } = effect;
  if (kind === "ip_policy") return [key.id];
  if (kind !== "ip_policy_rule") return [];
  const row = effect.verb === "insert" ? effect.values : world.get(kind, key.id);
  return typeof row?.["ip_policy_id"] === "string" ? [row["ip_policy_id"]] : [];
}

/** The problems in `some` that are not among `others`. */
function without(some: JudgedProblem[], others: JudgedProblem[]): JudgedProblem[] {
  const textOf = ({ object, code, msg }: JudgedProblem) => JSON.stringify([object, code, msg]);
  const known = new Set(others.map(textOf));
  return some.filter((problem) => !known.has(textOf(problem))).toSorted(byObjectAndCode);
}

/** Applies the effect of an operation to a world, and returns what they change in the object. */
function changeOf(
  world: World,
  operation: TransactionOperation,
  effect: Effect | undefined,
  origin: string,
): Pick<PlannedChange, "object" | "before" | "after" | "truncated"> {
  if (!effect) return { object: null, before: null, after: null };
  const before = shown(world, effect, origin);
  world.apply(effect);
  const after = shown(world, effect, origin);
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
  // The key of an account is made when the plan is applied.
  if (kind === "certificate_issuer" && verb === "insert") delete fields["thumbprint"];
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
  { path, body }: TransactionOperation,
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

/** An effect of which only the changes are known. @param why a sentence */
export const unknownEffect = (changes: PlannedChange[], why: string): PlanEffect =>
  told(changes, { creators: new Map(), ofApi: new Set() }, undefined, why);

/** What the URIs of a place add when its names are shown as Refs. */
const URIS = 300;

/** Characters of an item of a list as it is shown, at most. */
const lengthOf = (item: object & { places?: unknown[] }): number =>
  JSON.stringify(item).length + 1 + URIS * (item.places?.length ?? 0);

/**
 * Cuts the lists of an effect that is too long, each from its end: first what objects were and become, then operations, problems,
 * what changes later, and who gets in.
 */
function fitted({ changes, access, later, problems }: Lists): { lists: Lists; cut: Told["cut"] } {
  let left = LONGEST;
  const fitting = <Item>(items: Item[], length: (item: Item) => number): Item[] => {
    const at = items.findIndex((item) => (left -= length(item)) < 0);
    if (at === -1) return items;
    left = 0;
    return items.slice(0, at);
  };
  const bareLength = (change: PlannedChange) => lengthOf(withoutFields(change));
  const [added, removed] = [problems?.added ?? [], problems?.removed ?? []];
  const all = { access: access ?? [], later: later ?? [], changes, problems: [...added, ...removed] };
  const some: typeof all = {
    access: fitting(all.access, lengthOf),
    later: fitting(all.later, lengthOf),
    problems: fitting(all.problems, lengthOf),
    changes: fitting(changes, bareLength),
  };
  // The changes of the operations get the remaining space.
  const whole = fitting(changes, (change) => lengthOf(change) - bareLength(change)).length;
  const counts = (lists: typeof all) => ({
    access: lists.access.length,
    later: lists.later.length,
    changes: lists.changes.length,
    problems: lists.problems.length,
  });
  const cut = { shown: counts(some), all: counts(all) };
  return {
    lists: {
      changes: some.changes.map((change, i) =>
        i < whole ? change : { ...withoutFields(change), truncated: true },
      ),
      access: access && some.access,
      later: later && some.later.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
      problems: problems && {
        added: some.problems.slice(0, added.length),
        removed: some.problems.slice(added.length),
      },
    },
    cut: whole < changes.length || JSON.stringify(cut.shown) !== JSON.stringify(cut.all) ? cut : undefined,
  };
}

const withoutFields = ({
  before: _,
  after: __,
  traffic_policy: ___,
  ...change
}: PlannedChange): PlannedChange => change;
