import type { Call } from "./args.ts";
import { type FileComparison, compareFile, isFollowing } from "./comparison.ts";
import { requireConsent } from "./consent.ts";
import { isEmpty } from "./differences.ts";
import { effectLines, type Plan, wordedLines } from "./effect.ts";
import { ANSWER_IS_NO, UserError } from "./errors.ts";
import { Ids } from "./ids.ts";
import { differencesJson } from "./json_output.ts";
import type { TitleOf } from "./names.ts";
import { operationsOf } from "./operations.ts";
import { type OutputLine, paint, print } from "./output.ts";
import { operationLines } from "./plan_lines.ts";
import type { PlaceOf } from "./policy_places.ts";
import {
  applyPlan,
  createdByPlan,
  explainedIn,
  isOutdated,
  offerLines,
  outdated,
  propose,
  proposalOf,
  requestOf,
  titlesFor,
  titlesOf,
  whyNoPlan,
} from "./proposals.ts";
import { differenceLines } from "./report.ts";
import { bodyOf, type ServiceAccess, RequestError } from "./service.ts";
import { rejectFile } from "./source.ts";
import { type PreviewedEffect, unknownEffect } from "./warnings.ts";

/*
 * Plans: somebody proposes what a file changes, and somebody else approves it.
 */

/** Makes a plan of what would make the service match a file. */
export async function plan(service: ServiceAccess, call: Call): Promise<number> {
  const compared = await compareFile(service, call);
  const { file, differences, objects, placeOf } = compared;
  const { units, missing } = operationsOf(differences);
  rejectFile(file, missing);
  const isJson = call.has("json");
  if (!isJson) for (const line of differenceLines(differences, call.has("verbose"))) print(line);
  if (isEmpty(differences)) {
    if (isJson) print(JSON.stringify({ differences: differencesJson(differences), plan: null }));
    return 0;
  }
  const proposal = await proposalOf(service, compared, units);
  const why = whyNoPlan(proposal);
  if (why !== undefined)
    throw new UserError(
      `No plan was made: ${why} Plan a part of the file with --target, or use \`edge apply\`.`,
    );
  const { plan: made } = await propose(proposal, call.text("description"));
  if (isJson) {
    print(JSON.stringify({ differences: differencesJson(differences), plan: made }));
    return ANSWER_IS_NO;
  }
  for (const line of effectLines(made, titlesOf(proposal.names, objects), placeOf)) print(line);
  for (const line of offerLines(service, made, file.name)) print(line);
  return ANSWER_IS_NO;
}

/** The effect that making the service match a file would have, why it is not known, or why the service would reject it. */
type Previewed = { effect: PreviewedEffect } | { unknown: string } | { rejected: readonly string[] };

/** What making the service match a file would do. */
export async function previewOf(service: ServiceAccess, compared: FileComparison): Promise<Previewed> {
  const { units, missing } = operationsOf(compared.differences);
  const [secret] = missing;
  if (secret) return { unknown: `the environment variable ${secret.variable} is not set.` };
  const proposal = await proposalOf(service, compared, units);
  const why = whyNoPlan(proposal);
  if (why !== undefined) return { unknown: why };
  try {
    const answer = await service.api.POST("/previews", { body: { operations: requestOf(proposal) } });
    return { effect: bodyOf(answer) };
  } catch (error) {
    const isDenied = error instanceof RequestError && error.body.error_code === "ERR_FORBIDDEN";
    if (isDenied) return { unknown: "the key needs the role planner." };
    const explained = await explainedIn(proposal, error);
    if (!(explained instanceof UserError)) throw explained;
    return { rejected: explained.lines };
  }
}

/** {@link previewOf} as lines of text. */
export function previewLines(previewed: Previewed, titleIn: TitleOf, placeOf: PlaceOf): OutputLine[] {
  if ("effect" in previewed) return effectLines(previewed.effect, titleIn, placeOf);
  if ("unknown" in previewed) return wordedLines([unknownEffect(previewed.unknown)]);
  return ["", [paint("red", "Applying this would be rejected:")], ...previewed.rejected];
}

/** Applies a plan as it is shown. */
export async function approve(service: ServiceAccess, call: Call): Promise<number> {
  const [id = "", name] = call.operands;
  if (!/^pln_[0-9A-Za-z]{27}$/.test(id))
    throw new UserError(
      `${JSON.stringify(id)} is not the id of a plan (pln_…): edge approve PLAN [FILE]. \`edge plans\` lists plans.`,
    );
  const ids = name === undefined ? undefined : new Ids(name, isFollowing(call));
  const names = new Map(ids?.of(service.url));
  const path = { id };
  if (call.has("refresh")) await refresh(service, id);
  const read = await service.api.GET("/plans/{id}", { params: { path } });
  const given = bodyOf(read);
  if (given.state !== "open") throw new UserError(await whyNotOpen(service, given));
  const titleIn = await titlesFor(service, given, names);
  if (given.description !== "") print(given.description);
  for (const line of [...operationLines(given, titleIn), ...effectLines(given, titleIn)]) print(line);
  if (given.totals === null) print(`To compute the effect again: edge approve ${id} --refresh`);
  print("");
  ids?.requireWritable(given.operations.length);
  await requireConsent(call, given.warnings, `Apply this to ${service.url}?`);
  const etag = read.response.headers.get("ETag") ?? "";
  const results = await applyPlan(service, { plan: given, etag }).catch(async (error: unknown) => {
    if (!isOutdated(error)) throw error;
    await refresh(service, id);
    throw outdated(error, titleIn, `Look at the new effect: edge approve ${call.operands.join(" ")}`);
  });
  const created = createdByPlan(given, results);
  print("Applied.");
  if (ids) ids.save(service.url, new Map([...names, ...created]));
  else for (const [label, createdId] of created) print(`  ${label}: ${createdId}`);
  return 0;
}

/** Why a plan cannot be applied any more, and what to do. */
async function whyNotOpen(
  { api }: ServiceAccess,
  { id, state, applied_by, expires_at }: Plan,
): Promise<string> {
  if (state === "expired") return `The plan expired at ${expires_at}. Make it again: edge plan.`;
  if (state === "withdrawn") return "The plan was withdrawn. Make it again: edge plan.";
  const query = { object_id: id, limit: 1 };
  const { events } = bodyOf(await api.GET("/events", { params: { query } }));
  const at = events[0]?.event_timestamp;
  return `The plan was applied by ${applied_by?.subject ?? "somebody"}${at === undefined ? "" : ` at ${at}`}. To undo it: edge undo ${id}`;
}

/** Computes the effect of a plan again. That does not help if its own objects have changed: it is for the objects as they were. */
const refresh = async ({ api }: ServiceAccess, id: string): Promise<void> => {
  await api
    .POST("/plans/{id}/refresh", { params: { path: { id } } })
    .then(bodyOf)
    .catch((error: unknown) => {
      if (!isOutdated(error)) throw error;
      throw new UserError(
        `Nothing was changed, because somebody has changed an object of this plan since the plan was made. Make the plan again: edge plan. (412 ${error.body.error_code})`,
      );
    });
};
