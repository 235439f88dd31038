import * as z from "zod";
import { Room } from "../shared/cut.ts";
import { id, more, open } from "../shared/fields.ts";
import { type Plan, questionFor } from "../shared/plan.ts";
import { tool } from "../shared/tool.ts";

/** The ETag in quotes, which models tend to leave out. */
const quotedTag = (etag: string): string => `"${etag.replaceAll('"', "")}"`;

/** Applies a plan that the caller has seen. */
export const applyPlan = tool({
  name: "apply_plan",
  title: "Apply a plan",
  description:
    "Executes a plan, all or nothing. Rejected if the plan, or anything its effect depends on, has changed since the etag. Only call it if the user has seen the effect and agreed.",
  role: "editor",
  hints: "changes",
  input: z.strictObject({
    plan_id: id(),
    etag: z
      .string()
      .regex(/^[\x20-\x7e]{1,200}$/, "Expected the etag of the plan.")
      .describe("of the plan that the user has seen"),
  }),
  output: z.strictObject({
    results: z.array(open()),
    operation_id: z.string().nullable(),
    more: more(),
  }),
  ask: async ({ plan_id, etag }, api) => {
    const { path } = api.objectAt(plan_id, ["plan"]);
    const { body, etag: current } = await api.ask<Plan>({ path });
    // Otherwise the user would agree to something else, or to nothing: the API says what is wrong.
    return current === quotedTag(etag) && body.state === "open" ? questionFor(body) : undefined;
  },
  run: async ({ plan_id, etag }, api) => {
    const { path } = api.objectAt(plan_id, ["plan"]);
    const headers = { "If-Match": quotedTag(etag) };
    const { body } = await api.ask<{ results: object[] }>({ method: "POST", path: `${path}/apply`, headers });
    const { items, isCut } = new Room().list(body.results);
    const { operation_id } = (await api.ask<Plan>({ path })).body;
    return { results: items, operation_id, more: isCut };
  },
});
