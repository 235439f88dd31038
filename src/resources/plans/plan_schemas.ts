import * as z from "zod";
import { EVENT_ID, exampleId, exampleRef, idSchema } from "../../../packages/model/src/ids.ts";
import { kinds } from "../../../packages/model/src/kinds.ts";
import {
  clearableString,
  evenIfWrong,
  requestObject,
  schema,
} from "../../../packages/model/src/values/request_schemas.ts";
import { limit, listSchemaAt } from "../../http/lists.ts";
import { operationList, shownOperation } from "../operations.ts";
import { states } from "../plan_rows.ts";
import { exampleEffect, planEffect } from "./effect_schemas.ts";

/** The request and response shapes of plans. */

const DAY = 86_400;
export const EXPIRES_IN = { least: 60, most: 7 * DAY, usual: DAY };

/** The most events that a plan undoes one by one. */
export const MOST_EVENTS = 50;

const exampleOperations = [
  { method: "POST", path: "/ip_policies", body: { description: "Porto office" }, name: "porto" },
  {
    method: "POST",
    path: "/ip_policy_rules",
    body: { ip_policy_id: "$porto", cidr: "203.0.113.0/24", action: "allow" },
  },
] as const;

const Undo = schema("PlanUndoRequest", () => ({
  description: "Changes to undo.",
  examples: [{ operation_id: "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX" }],
  type: requestObject({
    events: z
      .array(z.string().regex(EVENT_ID, "Expected the id of an event."))
      .min(1, "Contains no events.")
      .max(MOST_EVENTS, `Contains more than ${MOST_EVENTS} events.`)
      .describe("Ids of the events whose changes are undone.")
      .exactOptional(),
    operation_id: z
      .string()
      .regex(/^op_[0-9A-Za-z]{27}$/, "Expected a Service-Operation-Id.")
      .describe(
        `The request whose changes are all undone: at most ${MOST_EVENTS}, or one replacement of rules.`,
      )
      .exactOptional(),
    plan_id: idSchema("plan")
      .describe("The plan whose changes are all undone. It must have been applied.")
      .exactOptional(),
  }).refine((undo) => Object.keys(undo).length === 1, {
    error: "Expected exactly one of events, operation_id and plan_id.",
    when: evenIfWrong,
  }),
}));

const proposedMembers = () => ({
  operations: operationList().exactOptional(),
  undo: Undo.exactOptional(),
});
const isProposal = ({ operations, undo }: { operations?: unknown; undo?: unknown }): boolean =>
  (operations === undefined) !== (undo === undefined);
const eitherIsExpected = { error: "Expected either operations or undo.", when: evenIfWrong };

export const PlanCreate = schema("PlanCreate", () => ({
  examples: [{ description: "Porto office", operations: exampleOperations }],
  type: requestObject({
    description: clearableString(255)
      .describe("What the plan is for, at most 255 bytes in UTF-8.")
      .exactOptional(),
    expires_in: z
      .int()
      .min(EXPIRES_IN.least)
      .max(EXPIRES_IN.most)
      .describe(`Seconds until the plan can no longer be applied; ${EXPIRES_IN.usual} if omitted.`)
      .exactOptional(),
    ...proposedMembers(),
  }).refine(isProposal, eitherIsExpected),
}));

export const PlanPreviewRequest = schema("PlanPreviewRequest", () => ({
  examples: [{ operations: exampleOperations }],
  type: requestObject(proposedMembers()).refine(isProposal, eitherIsExpected),
}));

const Principal = schema("PlanPrincipal", () => ({
  description: "Who made or applied a plan.",
  examples: [{ id: exampleId("bot_user"), subject: "deploy" }],
  type: z.strictObject({
    id: z.string().describe("Id of a bot user or an API key, or `root`."),
    subject: z.string().describe("A human-readable name."),
  }),
}));

const exampleSummary = () => ({
  ...exampleRef("plan"),
  created_at: "2026-01-02T03:04:05Z",
  expires_at: "2026-01-03T03:04:05Z",
  state: "open",
  description: "Porto office",
  created_by: { id: exampleId("api_key"), subject: "deploy" },
  applied_by: null,
  operation_id: null,
});

const summaryMembers = () => ({
  id: z.string().describe("Unique identifier."),
  uri: z.string().describe("URI of the plan."),
  created_at: z.string().describe("When it was made (RFC 3339)."),
  expires_at: z.string().describe("When it can no longer be applied (RFC 3339)."),
  state: z.enum(states).describe("Only open plans can be applied."),
  description: z.string().describe("What the plan is for."),
  created_by: Principal.describe("Who made it."),
  applied_by: Principal.nullable().describe("Who applied it; null before."),
  operation_id: z
    .string()
    .nullable()
    .describe("The `Service-Operation-Id` of the request that applied it; null before."),
});

const PlanReads = schema("PlanReads", () => ({
  description: "Everything that the effect depends on. Applying requires it to be unchanged.",
  type: z.strictObject({
    versions: z
      .record(z.string(), z.int().nullable())
      .describe(
        "Versions of objects by id, of routes by `edge_id/id`; null for an object that does not exist.",
      ),
    users: z
      .record(z.string(), z.array(z.string()))
      .describe("Users of policies, backends and authorities that change."),
    claims: z.record(z.string(), z.array(z.string())).describe("Edges by the port on which they listen."),
    until: z
      .string()
      .nullable()
      .describe("When the first of the rules expires (RFC 3339), which changes the effect."),
  }),
}));

export const PlanPreview = schema("PlanPreview", () => ({
  description: "The effect that operations would have.",
  examples: [exampleEffect()],
  type: planEffect(),
}));

export const Plan = schema("Plan", () => ({
  description: kinds.plan.about,
  examples: [
    {
      ...exampleSummary(),
      operations: [exampleOperations[0]],
      ...exampleEffect(),
      reads: { versions: {}, users: {}, claims: {}, until: null },
    },
  ],
  type: z.strictObject({
    ...summaryMembers(),
    operations: z.array(shownOperation()).describe("The operations, as sent, without secrets."),
    ...planEffect().shape,
    reads: PlanReads,
  }),
}));

const PlanSummary = schema("PlanSummary", () => ({
  description: "A plan without its operations and its effect.",
  examples: [exampleSummary()],
  type: z.strictObject(summaryMembers()),
}));

export const PlanList = schema("PlanList", () => ({
  type: listSchemaAt("/plans", {
    plans: z.array(PlanSummary).describe("The plans on this page, newest first."),
  }),
}));

export const planQuery = z.lazy(() =>
  requestObject({
    limit: limit("").exactOptional(),
    before_id: idSchema("plan")
      .describe("Lists only plans made before this one, which need no longer exist.")
      .exactOptional(),
    state: z.enum(states).describe("Lists only plans in this state.").exactOptional(),
  }),
);
