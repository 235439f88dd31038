import { randomUUID } from "node:crypto";
import type { components } from "edge-configuration-client";
import type { Call } from "./args.ts";
import { isFollowing } from "./comparison.ts";
import { effectLines } from "./effect.ts";
import { UserError } from "./errors.ts";
import { Ids } from "./ids.ts";
import { note, print } from "./output.ts";
import { operationLines } from "./plan_lines.ts";
import { offerLines, titlesFor } from "./proposals.ts";
import { bodyOf, type ServiceAccess } from "./service.ts";

/*
 * Plans that undo earlier changes.
 */

type Undo = components["schemas"]["PlanUndoRequest"];
type Event = components["schemas"]["Event"];

/** What an id stands for. */
function undoOf(id: string): Undo {
  if (/^ev_[0-9A-Za-z]{27}$/.test(id)) return { events: [id] };
  if (/^op_[0-9A-Za-z]{27}$/.test(id)) return { operation_id: id };
  if (/^pln_[0-9A-Za-z]{27}$/.test(id)) return { plan_id: id };
  throw new UserError(
    `${JSON.stringify(id)} is not the id of an event (ev_…), of a request (op_…) or of a plan (pln_…). \`edge watch\`, the console and GET /events show them.`,
  );
}

/** Changes that no plan makes, and those that the service makes itself: it deletes rules that have expired. */
const isOther = ({ event_type, principal }: Event): boolean =>
  principal?.id === "system" ||
  /^(?:plan|api_key|api_restriction|bot_user|user|session|sign_in)_/.test(event_type);

/** The changes of the newest request that changed the configuration. */
async function newest({ api }: ServiceAccess): Promise<Undo> {
  const { events } = bodyOf(await api.GET("/events", { params: { query: { limit: 100 } } }));
  const last = events.find((event) => !isOther(event));
  if (!last)
    throw new UserError(
      "None of the last 100 events changed the configuration. Name an event, a request or a plan.",
    );
  const { event_timestamp: at, principal, operation_id } = last;
  note(`The last change was made at ${at} by ${principal?.subject ?? "nobody"} (${operation_id}).`);
  return { operation_id };
}

/** Makes a plan that undoes a change, and shows it. */
export async function undo(service: ServiceAccess, call: Call): Promise<number> {
  const [id] = call.operands;
  const file = call.text("file");
  const ids = file === undefined ? undefined : new Ids(file, isFollowing(call));
  ids?.requireService(service.url);
  const made = bodyOf(
    await service.api.POST("/plans", {
      body: {
        undo: id === undefined ? await newest(service) : undoOf(id),
        description: call.text("description") ?? `Undo ${id ?? "the last change"}`,
      },
      params: { header: { "Idempotency-Key": randomUUID() } },
    }),
  );
  if (call.has("json")) {
    print(JSON.stringify(made));
    return 0;
  }
  const titleIn = await titlesFor(service, made, ids?.of(service.url) ?? new Map());
  for (const line of [...operationLines(made, titleIn), ...effectLines(made, titleIn)]) print(line);
  for (const line of offerLines(service, made, file)) print(line);
  return 0;
}
