import type * as z from "zod";
import type { Plan as schema } from "../../resources/plans/plan_schemas.ts";
import { Room } from "./cut.ts";

/*
 * Plans as tools show them: what changes, and who gets in.
 */

export type Plan = z.output<typeof schema>;

/** A plan without its operations, which the caller knows, and without what its effect depends on. */
export function shownPlan(plan: Plan, etag: string | null) {
  const { id, uri, state, description, created_at, expires_at, created_by, summary, warnings, totals } = plan;
  const { access_omitted, later_omitted } = plan;
  const rest = {
    id,
    uri,
    etag,
    state,
    summary,
    warnings,
    totals,
    description,
    created_at,
    expires_at,
    created_by,
    ...(access_omitted !== undefined && { access_omitted }),
    ...(later_omitted !== undefined && { later_omitted }),
  };
  const room = new Room(rest);
  const access = room.list(plan.access?.map(shortened) ?? []);
  const changes = room.list(plan.changes);
  const later = room.list(plan.later?.map(shortened) ?? []);
  const [added, removed] = [room.list(plan.problems?.added ?? []), room.list(plan.problems?.removed ?? [])];
  return {
    ...rest,
    changes: changes.items,
    access: plan.access && access.items,
    later: plan.later && later.items,
    problems: plan.problems && { added: added.items, removed: removed.items },
    more: plan.truncated || [access, changes, later, added, removed].some(({ isCut }) => isCut),
    left_out: {
      access: (plan.access?.length ?? 0) - access.items.length,
      later: (plan.later?.length ?? 0) - later.items.length,
      changes: plan.changes.length - changes.items.length,
    },
  };
}

/** An item whose lists fit, and say what is missing. */
function shortened<Item extends NonNullable<Plan["access"] | Plan["later"]>[number]>(item: Item): Item {
  const { places, places_more, newly_allowed, newly_refused, truncated } = item;
  if (JSON.stringify(item).length <= LONGEST_ITEM) return item;
  const isCut = newly_allowed.length > NETWORKS || newly_refused.length > NETWORKS;
  return {
    ...item,
    places: places.slice(0, PLACES),
    places_more: places_more + Math.max(0, places.length - PLACES),
    newly_allowed: newly_allowed.slice(0, NETWORKS),
    newly_refused: newly_refused.slice(0, NETWORKS),
    truncated: truncated || isCut,
  };
}

/** The longest item that is shown whole, in characters; and of longer ones, how many places and networks. */
const LONGEST_ITEM = 1_500;
const PLACES = 2;
const NETWORKS = 8;

/** How many operations a question shows. */
const SHOWN = 10;
const CHARACTERS = 100;

/** Text by others in a question: on one line, in quotes, and short. Escapes whatever could break the line or change its direction. */
const quoted = (text: string): string =>
  JSON.stringify(text.length > CHARACTERS ? `${text.slice(0, CHARACTERS).toWellFormed()}…` : text).replace(
    /(?! )[\p{C}\p{Z}]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );

const named = ({ id, description }: { id: string; description?: string | undefined }): string =>
  description === undefined || description === "" ? id : `${id} (${quoted(description)})`;

const trafficOf = ({
  requests_last_hour: requests,
  connections_last_hour: connections,
  denied_last_hour: denied,
  is_complete: isComplete,
}: NonNullable<Plan["changes"][number]["traffic"]>): string =>
  `${isComplete ? "" : "at least "}${requests > 0 ? `${requests} requests` : `${connections} connections`} in the last hour${denied === 0 ? "" : `, ${denied} denied`}`;

/** The question whether a plan is to be applied: first what has to be confirmed, then everything else. */
export function questionFor(plan: Plan): string {
  const [confirmed, others] = [true, false].map((confirm) =>
    plan.warnings.flatMap((warning) => (warning.confirm === confirm ? [`- ${warning.msg}`] : [])),
  );
  const operations = plan.changes
    .slice(0, SHOWN)
    .map(
      ({ method, path, object, traffic }) =>
        `- ${method} ${path}${object ? `: ${named(object)}` : ""}${traffic ? `, ${trafficOf(traffic)}` : ""}`,
    );
  const left = (plan.totals?.operations ?? plan.operations.length) - operations.length;
  return [
    ...(confirmed ?? []),
    ...(others ?? []),
    plan.summary,
    `Apply plan ${named({ id: plan.id, description: plan.description })} of ${quoted(plan.created_by.subject)}?`,
    "What changes:",
    ...operations,
    ...(left > 0 ? [`- and ${left} more`] : []),
  ].join("\n");
}
