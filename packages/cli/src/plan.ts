import { randomUUID } from "node:crypto";
import type { Call } from "./args.ts";
import { type Batches, batchesOf } from "./batches.ts";
import { type Compared, compareFile, isFollowing } from "./comparison.ts";
import { requireConsent } from "./consent.ts";
import { isEmpty } from "./differences.ts";
import { type Effect, effectLines, operationLines, type Plan } from "./effect.ts";
import { ANSWER_IS_NO, UserError } from "./errors.ts";
import { Ids } from "./ids.ts";
import { getField, textOf } from "./json.ts";
import { differencesJson } from "./json_output.ts";
import { titles, type TitleOf } from "./names.ts";
import { type MissingSecret, operationsOf } from "./operations.ts";
import { clearProgress, type Line, paint, print } from "./output.ts";
import { explainTransactionError } from "./rejections.ts";
import { differenceLines } from "./report.ts";
import {
  type ETags,
  etagsOf,
  inOrder,
  requireETag,
  ruleIn,
  toRequestOperations,
  type TransactionOperation,
} from "./send.ts";
import { bodyOf, type Service, ServiceError } from "./service.ts";
import { rejectFile, type SourceFile } from "./source.ts";

/*
 * Plans: somebody proposes what a file changes, and somebody else approves it.
 */

/** Makes a plan of what would make the service match a file. */
export async function plan(service: Service, call: Call): Promise<number> {
  const { file, ids, differences } = await compareFile(service, call);
  const missing: MissingSecret[] = [];
  const units = operationsOf(differences, process.env, missing);
  rejectFile(
    file,
    missing.map(({ path, variable }) => ({ path, msg: `The environment variable ${variable} is not set.` })),
  );
  const isJson = call.has("json");
  if (!isJson) for (const line of differenceLines(differences, call.has("verbose"))) print(line);
  if (isEmpty(differences)) {
    if (isJson) print(JSON.stringify({ differences: differencesJson(differences), plan: null }));
    return 0;
  }
  const names = new Map(ids.of(service.url));
  const batches = batchesOf(units);
  const { transactions } = batches;
  if (transactions.length > 1)
    throw new UserError(
      `A plan is one transaction, and these differences need ${transactions.length}. Plan a part of the file first, or use \`edge apply\`.`,
    );
  const titleIn = titles(names);
  const etags = await etagsOf(service, units, titleIn);
  const { plan: made } = await propose(service, { file, names, etags, batches }, call.text("description"));
  if (isJson) {
    print(JSON.stringify({ differences: differencesJson(differences), plan: made }));
    return ANSWER_IS_NO;
  }
  for (const line of effectLines(made, titlesOf(names))) print(line);
  print("");
  print(`Plan ${made.id} can be applied until ${made.expires_at}. Nothing has changed yet.`);
  print(`To apply it: edge approve ${made.id} ${file.name}`);
  print(`In the console: ${service.url}/console#/plans/${made.id}`);
  return ANSWER_IS_NO;
}

/** What a plan is made of. There must be at most one transaction. */
export interface Proposal {
  file: SourceFile;
  /** Ids by name. */
  names: Map<string, string>;
  etags: ETags;
  batches: Batches;
}

/** A plan and its ETag. */
interface Proposed {
  plan: Plan;
  etag: string;
}

/** Makes a plan. @throws UserError that names the rejected operation and its place in the file */
export async function propose(service: Service, proposal: Proposal, description?: string): Promise<Proposed> {
  const { names, etags, batches } = proposal;
  const operations = operationsIn(batches, names, etags);
  const answer = await service.api.POST("/plans", {
    body: { operations, ...(description !== undefined && { description }) },
    params: { header: { "Idempotency-Key": randomUUID() } },
  });
  clearProgress();
  try {
    return { plan: bodyOf(answer), etag: answer.response.headers.get("ETag") ?? "" };
  } catch (error) {
    throw await explainedIn(proposal, error);
  }
}

/** An error about operations, in terms of the file. */
async function explainedIn({ file, names, batches }: Proposal, error: unknown): Promise<unknown> {
  if (!(error instanceof ServiceError)) return error;
  const batch = inOrder(batches.transactions.flat());
  return explainTransactionError({ file, names, drift: async () => [] }, batch, error);
}

/** The effect that making the service match a file would have, why it is not known, or why the service would reject it. */
type Previewed = { effect: Effect } | { unknown: string } | { rejected: readonly string[] };

/** What making the service match a file would do. */
export async function previewOf(
  service: Service,
  { file, ids, differences }: Pick<Compared, "file" | "ids" | "differences">,
): Promise<Previewed> {
  const missing: MissingSecret[] = [];
  const units = operationsOf(differences, process.env, missing);
  const [secret] = missing;
  if (secret) return { unknown: `the environment variable ${secret.variable} is not set.` };
  const batches = batchesOf(units);
  if (batches.transactions.length > 1) return { unknown: "the differences need more than one transaction." };
  const names = new Map(ids.of(service.url));
  const titleIn = titles(names);
  const proposal = { file, names, etags: await etagsOf(service, units, titleIn), batches };
  const operations = operationsIn(batches, names, proposal.etags);
  try {
    return { effect: bodyOf(await service.api.POST("/previews", { body: { operations } })) };
  } catch (error) {
    const isDenied = error instanceof ServiceError && error.body.error_code === "ERR_FORBIDDEN";
    if (isDenied) return { unknown: "the key needs the role planner." };
    const explained = await explainedIn(proposal, error);
    if (!(explained instanceof UserError)) throw explained;
    return { rejected: explained.lines };
  }
}

/** {@link previewOf} as lines of text. @param names ids by name */
export function previewLines(previewed: Previewed, names: ReadonlyMap<string, string>): Line[] {
  if ("effect" in previewed) return effectLines(previewed.effect, titlesOf(names));
  if ("unknown" in previewed) return ["", [paint("dim", `Who gets in is not shown: ${previewed.unknown}`)]];
  return ["", [paint("red", "Applying this would be rejected:")], ...previewed.rejected];
}

/** All operations of a plan. */
function operationsIn(
  { transactions, replacements }: Batches,
  names: Map<string, string>,
  etags: ETags,
): TransactionOperation[] {
  const batch = inOrder(transactions.flat());
  const operations = toRequestOperations({ names, etags }, batch, labelOf);
  const touched = new Set(batch.flatMap(({ owner }) => owner?.id ?? []));
  const created = new Map(
    batch.flatMap(({ creates }, index) =>
      creates === undefined ? [] : [[creates, `$${labelOf(creates, index)}`]],
    ),
  );
  const replacing = replacements.map(({ entry, existing }): TransactionOperation => {
    const id = existing?.id ?? created.get(entry.name) ?? names.get(entry.name) ?? "";
    const isGuarded = existing !== undefined && !touched.has(existing.id);
    return {
      method: "PUT",
      path: `/ip_policies/${id}/rules`,
      body: { rules: entry.children.map(ruleIn) },
      ...(isGuarded && { if_match: requireETag(etags, existing) }),
    };
  });
  return [...operations, ...replacing];
}

/** The longest name of an operation. */
const LONGEST = 64;

/**
 * The name of an operation that creates an object, from which {@link nameIn} finds the name in the file again: whoever approves a
 * plan may have another copy of the file. Such names have no hyphen.
 */
function labelOf(name: string, index: number): string {
  const label = `n_${name.replaceAll("_", "_0").replaceAll("-", "_1")}`;
  return label.length <= LONGEST ? label : `o${index}`;
}

const nameIn = (label: string): string | undefined =>
  label.startsWith("n_") ? label.slice(2).replace(/_[01]/g, (one) => (one === "_0" ? "_" : "-")) : undefined;

/** Titles of a plan's objects: those that it creates have the names of its operations. */
export const titlesOf = (names: ReadonlyMap<string, string>): TitleOf => {
  const titleIn = titles(names);
  return (id) => titleIn(id) ?? (id.startsWith("$") ? nameIn(id.slice(1)) : undefined);
};

/** Applies a plan as it is shown. */
export async function approve(service: Service, call: Call): Promise<number> {
  const [id = "", name] = call.operands;
  const ids = name === undefined ? undefined : new Ids(name, isFollowing(call));
  const names = new Map(ids?.of(service.url));
  const titleIn = titles(names);
  const path = { id };
  if (call.has("refresh"))
    await service.api
      .POST("/plans/{id}/refresh", { params: { path } })
      .then(bodyOf)
      .catch((error: unknown) => {
        throw explained(error, "An object that the plan changes was changed. Make the plan again: edge plan");
      });
  const read = await service.api.GET("/plans/{id}", { params: { path } });
  const given = bodyOf(read);
  if (given.state !== "open") throw new UserError(`The plan is ${given.state}, so it cannot be applied.`);
  if (given.description !== "") print(given.description);
  for (const line of [...operationLines(given, titleIn), ...effectLines(given, titleIn)]) print(line);
  print("");
  ids?.requireWritable(given.operations.length);
  await requireConsent(call, `Apply this to ${service.url}?`);
  const etag = read.response.headers.get("ETag") ?? "";
  const created = await applyPlan(service, { plan: given, etag });
  print("Applied.");
  if (ids) ids.save(service.url, new Map([...names, ...created]));
  else for (const [label, createdId] of created) print(`  ${label}: ${createdId}`);
  return 0;
}

/** Applies a plan. @returns the ids of new objects, by their names in the file */
export async function applyPlan(
  service: Service,
  { plan: { id, operations }, etag }: Proposed,
): Promise<Map<string, string>> {
  const params = { path: { id }, header: { "If-Match": etag } };
  const { results } = await service.api
    .POST("/plans/{id}/apply", { params })
    .then(bodyOf)
    .catch((error: unknown) => {
      throw explained(error, `Look at the new effect: edge approve ${id} --refresh`);
    });
  return new Map(createdIn(operations, results));
}

/** The ids of new objects, by their names in the file. */
const createdIn = (
  operations: Plan["operations"],
  results: { body: unknown }[],
): [name: string, id: string][] =>
  operations.flatMap(({ name = "" }, index): [string, string][] => {
    const known = nameIn(name);
    const id = textOf(getField(results[index]?.body, "id"));
    return known === undefined || id === "" ? [] : [[known, id]];
  });

/** Adds to a 412 what to do next. */
function explained(error: unknown, next: string): unknown {
  if (!(error instanceof ServiceError) || error.body.status_code !== 412) return error;
  return new UserError([...error.lines, `Nothing was changed. ${next}`]);
}
