import * as z from "zod";
import { id, more, open } from "../shared/fields.ts";
import { type Plan, shownPlan } from "../shared/plan.ts";
import { tool } from "../shared/tool.ts";

const OPERATIONS = 100;

/** A body as it was sent: an object schema would drop a field named `__proto__`, which the API rejects. */
const body = () =>
  z
    .custom<Record<string, unknown>>(
      (value) => typeof value === "object" && value !== null,
      "Expected an object.",
    )
    .meta({ type: "object", additionalProperties: true });

/** Makes a plan. */
export const planChange = tool({
  name: "plan_change",
  title: "Plan a change",
  description: `Makes a plan of up to ${OPERATIONS} operations of the API, or of those that undo earlier changes, and returns its effect: what changes, who newly gets in or is shut out, and which problems appear. Changes no configuration. Send operations or undo.`,
  role: "planner",
  hints: "proposes",
  input: z.strictObject({
    operations: z
      .array(
        z.strictObject({
          method: z.enum(["POST", "PATCH", "PUT", "DELETE"]),
          path: z
            .string()
            .max(1_000)
            .describe("/ip_policies; $name stands for the id of an earlier operation"),
          body: body().exactOptional(),
          if_match: z.string().max(300).exactOptional(),
          name: z.string().max(64).describe("for the id that it creates").exactOptional(),
        }),
      )
      .min(1)
      .max(OPERATIONS)
      .exactOptional(),
    undo: z
      .strictObject({
        events: z.array(id()).max(50).exactOptional(),
        operation_id: id().exactOptional(),
      })
      .describe("Either events or operation_id")
      .exactOptional(),
    description: z.string().max(255).exactOptional(),
    expires_in: z.number().describe("seconds").exactOptional(),
  }),
  output: z.looseObject({
    id: z.string(),
    etag: z.string(),
    state: z.string(),
    changes: z.array(open()),
    access: z.array(open()).nullable(),
    more: more(),
  }),
  run: async (given, api) => {
    const { body, etag } = await api.ask<Plan>({ method: "POST", path: "/plans", body: given });
    return shownPlan(body, etag);
  },
});
