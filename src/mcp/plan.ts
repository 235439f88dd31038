import type * as z from "zod";
import type { Plan as schema } from "../resources/plans/plan_schemas.ts";
import { Room } from "./cut.ts";

/*
 * Plans as tools show them: what changes, and who gets in.
 */

export type Plan = z.output<typeof schema>;

/** A plan without its operations, which the caller knows, and without what its effect depends on. */
export function shownPlan(plan: Plan, etag: string | null) {
  const { id, uri, state, description, created_at, expires_at, created_by } = plan;
  const rest = { id, uri, etag, state, description, created_at, expires_at, created_by };
  const room = new Room(rest);
  const [access, changes] = [room.list(plan.access ?? []), room.list(plan.changes)];
  const later = room.list(plan.later);
  const [added, removed] = [room.list(plan.problems?.added ?? []), room.list(plan.problems?.removed ?? [])];
  return {
    ...rest,
    changes: changes.items,
    access: plan.access && access.items,
    later: later.items,
    problems: plan.problems && { added: added.items, removed: removed.items },
    ...(plan.access_omitted !== undefined && { access_omitted: plan.access_omitted }),
    more: plan.truncated || [access, changes, later, added, removed].some(({ isCut }) => isCut),
  };
}

/** How much of a plan a question can show. */
const SHOWN = 10;
const CHARACTERS = 100;

/** Text by others in a question: on one line, in quotes, and short. */
const quoted = (text: string): string =>
  JSON.stringify(text.length > CHARACTERS ? `${text.slice(0, CHARACTERS).toWellFormed()}…` : text);

const named = ({ id, description }: { id: string; description?: string | undefined }): string =>
  description === undefined || description === "" ? id : `${id} (${quoted(description)})`;

const listed = (lines: string[]): string[] =>
  lines.length > SHOWN ? [...lines.slice(0, SHOWN), `- and ${lines.length - SHOWN} more`] : lines;

/** The question whether a plan is to be applied: what it changes, and who gets in. */
export function questionFor(plan: Plan): string {
  const changes = plan.changes.map(
    ({ method, path, object }) => `- ${method} ${path}${object ? `: ${named(object)}` : ""}`,
  );
  const access = (plan.access ?? []).flatMap(({ object, to_everyone, from_everyone, ...networks }) => [
    ...(to_everyone && !from_everyone ? [`- Everybody gets in: ${named(object)}`] : []),
    ...(networks.newly_allowed.length > 0 && !to_everyone
      ? [`- Newly gets in at ${named(object)}: ${listed(networks.newly_allowed).join(", ")}`]
      : []),
    ...(networks.to_nobody ? [`- Nobody gets in any more: ${named(object)}`] : []),
    ...(networks.newly_refused.length > 0 && !networks.to_nobody
      ? [`- No longer gets in at ${named(object)}: ${listed(networks.newly_refused).join(", ")}`]
      : []),
  ]);
  const who =
    plan.access === null
      ? ["Who gets in afterwards is not known: too much would have to be read."]
      : access.length === 0
        ? ["Nobody newly gets in, and nobody is shut out."]
        : ["Who gets in:", ...listed(access)];
  const title = `Apply plan ${named({ id: plan.id, description: plan.description })} of ${quoted(plan.created_by.subject)}?`;
  return [title, "What changes:", ...listed(changes), ...who].join("\n");
}
