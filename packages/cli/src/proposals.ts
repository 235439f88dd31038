import { randomUUID } from "node:crypto";
import type { components } from "edge-configuration-client";
import { batchesOf } from "./batches.ts";
import type { Plan } from "./effect.ts";
import { UserError } from "./errors.ts";
import type { Ids } from "./ids.ts";
import { getField, textOf } from "./json.ts";
import { kindOfId } from "./kinds.ts";
import { labelOf, nameInLabel, titles, type TitleOf, withNames } from "./names.ts";
import type { Unit } from "./operations.ts";
import { clearProgress } from "./output.ts";
import { type Explainer, explainTransactionError } from "./rejections.ts";
import { type ETags, etagsOf, inOrder, toRequestOperations, type TransactionOperation } from "./send.ts";
import { bodyOf, type ServiceAccess, RequestError } from "./service.ts";
import type { ServiceObject } from "./service_objects.ts";
import type { SourceFile } from "./source.ts";

/*
 * Makes plans of what a file changes, and applies plans.
 */

/** What a plan is made of. */
export interface FileProposal extends Explainer {
  names: Map<string, string>;
  etags: ETags;
  transactions: Unit[][];
}

/** A plan and its ETag. */
export interface Proposed {
  plan: Plan;
  etag: string;
}

/** The operations that remove the differences between a file and the service. @throws UserError if an object has changed since it was read */
export async function proposalOf(
  service: ServiceAccess,
  { file, ids }: { file: SourceFile; ids: Ids },
  units: readonly Unit[],
): Promise<FileProposal> {
  const names = new Map(ids.of(service.url));
  const etags = await etagsOf(service, units, titles(names));
  return { service, file, names, etags, transactions: batchesOf(units) };
}

/** Why differences cannot be one plan, as the end of a sentence; undefined if they can. */
export const whyNoPlan = ({ transactions }: FileProposal): string | undefined =>
  transactions.length > 1
    ? `the differences need ${transactions.length} transactions, and a plan is one.`
    : undefined;

/** How a plan that was made can be applied. @param file the name of the file that gets the ids of new objects */
export const offerLines = ({ url }: ServiceAccess, { id, expires_at }: Plan, file?: string): string[] => [
  "",
  `Plan ${id} can be applied until ${expires_at}. Nothing has changed yet.`,
  `To apply it: edge approve ${id}${file === undefined ? "" : ` ${file}`}`,
  `In the console: ${url}/console#/plans/${id}`,
];

/** Makes a plan. @throws UserError that names the rejected operation and its place in the file */
export async function propose(proposal: FileProposal, description?: string): Promise<Proposed> {
  const answer = await proposal.service.api.POST("/plans", {
    body: { operations: requestOf(proposal), ...(description !== undefined && { description }) },
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
export const explainedIn = async (proposal: FileProposal, error: unknown): Promise<unknown> =>
  error instanceof RequestError
    ? explainTransactionError(proposal, inOrder(proposal.transactions.flat()), error)
    : error;

/** All operations of a plan. */
export const requestOf = (proposal: FileProposal): TransactionOperation[] =>
  toRequestOperations(proposal, inOrder(proposal.transactions.flat()), labelOf);

/** Titles of a plan's objects: those that it creates have the names of its operations, and those without a name their descriptions. */
export const titlesOf = (
  names: ReadonlyMap<string, string>,
  objects: readonly ServiceObject[] = [],
): TitleOf => {
  const titleIn = titles(names, objects);
  const described = new Map(
    objects.flatMap(({ id, kind, body }) => {
      const description = textOf(getField(body, "description"));
      return description === "" ? [] : [[id, `${kind.noun} ${JSON.stringify(description)}`] as const];
    }),
  );
  return (id) => titleIn(id) ?? (id.startsWith("$") ? nameInLabel(id.slice(1)) : described.get(id));
};

/** {@link titlesOf} for a plan whose file is not known: with the routes of the edges that it changes. */
export async function titlesFor(
  { api }: ServiceAccess,
  { changes }: Pick<Plan, "changes">,
  names: ReadonlyMap<string, string>,
): Promise<TitleOf> {
  const edges = new Set(changes.flatMap(({ path }) => /^\/edges\/https\/(edghts_\w+)/.exec(path)?.[1] ?? []));
  const objects: ServiceObject[] = [];
  for (const id of [...edges].slice(0, MOST_EDGES_READ)) {
    const { data } = await api.GET("/edges/https/{id}", { params: { path: { id } } });
    const kind = kindOfId(id);
    if (data && kind)
      objects.push({
        id,
        kind,
        body: data,
        children: data.routes.map((route) => ({ id: route.id, body: route })),
      });
  }
  return titlesOf(names, objects);
}

/** The most edges whose routes are read to show a plan. */
const MOST_EDGES_READ = 20;

type Results = components["schemas"]["Transaction"]["results"];

/** Applies a plan. @returns the results of its operations */
export async function applyPlan(service: ServiceAccess, { plan: { id }, etag }: Proposed): Promise<Results> {
  const params = { path: { id }, header: { "If-Match": etag } };
  return bodyOf(await service.api.POST("/plans/{id}/apply", { params })).results;
}

/** Whether a plan was not applied because something has changed since its effect was computed. */
export const isOutdated = (error: unknown): error is RequestError =>
  error instanceof RequestError && error.body.status_code === 412;

/** What has changed since the effect of a plan was computed. @param next what to do */
export function outdated({ body }: RequestError, titleIn: TitleOf, next: string): UserError {
  const changed = withNames(body.details["changed"] ?? "", titleIn);
  return new UserError(
    `Nothing was changed, because ${changed === "" ? "something that the effect depends on" : changed} has changed since the effect was computed. ${next} (412 ${body.error_code})`,
  );
}

/** Withdraws a plan that was made only to be applied now. Failing to do so is harmless: plans expire. */
export const withdraw = async (service: ServiceAccess, { plan: { id } }: Proposed): Promise<void> => {
  await service.api.DELETE("/plans/{id}", { params: { path: { id } } }).catch(() => undefined);
};

/** The ids of new objects, by their names in the file, which are in the names of a plan's operations. */
export const createdByPlan = ({ operations }: Plan, results: Results): Map<string, string> =>
  createdIn(
    operations.map(({ name = "" }) => nameInLabel(name)),
    results,
  );

/** The ids of new objects, by their names in the file from which a plan was made. */
export const createdFrom = ({ transactions }: FileProposal, results: Results): Map<string, string> =>
  createdIn(
    inOrder(transactions.flat()).map(({ creates }) => creates),
    results,
  );

const createdIn = (names: (string | undefined)[], results: Results): Map<string, string> =>
  new Map(
    names.flatMap((name, index): [string, string][] => {
      const id = textOf(getField(results[index]?.body, "id"));
      return name === undefined || id === "" ? [] : [[name, id]];
    }),
  );
