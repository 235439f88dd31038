import * as z from "zod";
import { problemSchema } from "../../../packages/traffic/src/snapshot.ts";
import { limit, listSchemaAt } from "../../http/lists.ts";
import { EVENT_ID, exampleId, exampleRef, idSchema } from "../../ids.ts";
import { kinds } from "../../kinds.ts";
import { clearableString, evenIfWrong, requestObject } from "../../values/members.ts";
import { operationList, shownOperation } from "../operations.ts";
import { verdictMembers } from "../traffic_policies.ts";

/** The request and response shapes of plans. */

const DAY = 86_400;
export const EXPIRES_IN = { least: 60, most: 7 * DAY, usual: DAY };

/** The most events that a plan undoes. */
const MOST_EVENTS = 50;

export const states = ["open", "applied", "withdrawn", "expired"] as const;

const exampleOperations = [
  { method: "POST", path: "/ip_policies", body: { description: "Porto office" }, name: "porto" },
  {
    method: "POST",
    path: "/ip_policy_rules",
    body: { ip_policy_id: "$porto", cidr: "203.0.113.0/24", action: "allow" },
  },
] as const;

const Undo = z.lazy(() =>
  requestObject({
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
  })
    .refine(({ events, operation_id }) => (events === undefined) !== (operation_id === undefined), {
      error: "Expected either events or operation_id.",
      when: evenIfWrong,
    })
    .meta({
      id: "PlanUndoRequest",
      description: "Changes to undo.",
      examples: [{ operation_id: "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX" }],
    }),
);

const proposedMembers = () => ({
  operations: operationList().exactOptional(),
  undo: Undo.exactOptional(),
});
const isProposal = ({ operations, undo }: { operations?: unknown; undo?: unknown }): boolean =>
  (operations === undefined) !== (undo === undefined);
const eitherIsExpected = { error: "Expected either operations or undo.", when: evenIfWrong };

export const PlanCreate = z.lazy(() =>
  requestObject({
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
  })
    .refine(isProposal, eitherIsExpected)
    .meta({ id: "PlanCreate", examples: [{ description: "Porto office", operations: exampleOperations }] }),
);

export const PlanPreviewRequest = z.lazy(() =>
  requestObject(proposedMembers())
    .refine(isProposal, eitherIsExpected)
    .meta({ id: "PlanPreviewRequest", examples: [{ operations: exampleOperations }] }),
);

const Principal = z.lazy(() =>
  z
    .strictObject({
      id: z.string().describe("Id of a bot user or an API key, or `root`."),
      subject: z.string().describe("A human-readable name."),
    })
    .meta({
      id: "PlanPrincipal",
      description: "Who made or applied a plan.",
      examples: [{ id: exampleId("bot_user"), subject: "deploy" }],
    }),
);

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

const exampleChange = () => ({
  method: "POST",
  path: "/ip_policies",
  status: 201,
  object: { id: "$porto", uri: null, description: "Porto office" },
  before: null,
  after: { description: "Porto office", metadata: "" },
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

const fields = () => z.looseObject({}).nullable();
const networks = (what: string) =>
  z.array(z.string()).describe(`${what}, as the fewest networks, at most 50.`);
const count = (what: string) =>
  z
    .strictObject({ ipv4: z.string().describe("IPv4."), ipv6: z.string().describe("IPv6.") })
    .describe(`How many addresses of each family are ${what}, in decimal.`);
const target = () =>
  z.strictObject({
    id: z
      .string()
      .describe("Id of the object; `$name` or `$N` for one that operation `name`, or number N, creates."),
    uri: z.string().nullable().describe("URI of the object; null for a new one."),
    description: z.string().optional().describe("Its description, if it has one."),
  });

const PlanChange = z.lazy(() =>
  z
    .strictObject({
      method: z.string().describe("Method of the operation."),
      path: z.string().describe("Path of the operation."),
      status: z.int().describe("The status that the operation would have."),
      object: target().nullable().describe("The object that it changes; null if it changes nothing."),
      before: fields()
        .optional()
        .describe(
          "The fields that change, as they are; null for a new object. Omitted if the effect is too long.",
        ),
      after: fields()
        .optional()
        .describe(
          "The fields that change, as they would be; null for a deleted object. Omitted if the effect is too long.",
        ),
      traffic_policy: z
        .strictObject(verdictMembers())
        .optional()
        .describe("Whether the traffic policy can be enforced, if the operation changes it."),
      truncated: z.literal(true).optional().describe("Present only if something was left out."),
    })
    .meta({
      id: "PlanChange",
      description: "What an operation of a plan changes.",
      examples: [exampleChange()],
    }),
);

const PlanAccess = z.lazy(() =>
  z
    .strictObject({
      object: target().describe("An edge, a route or an IP policy."),
      hostports: z.array(z.string()).describe("Where the edge, or the edge of the route, accepts traffic."),
      newly_allowed: networks("Sources that get in only afterwards"),
      newly_refused: networks("Sources that get in only before"),
      count_allowed: count("newly allowed"),
      count_refused: count("newly refused"),
      from_everyone: z.boolean().describe("True if every source gets in before."),
      to_everyone: z.boolean().describe("True if every source gets in afterwards."),
      to_nobody: z.boolean().describe("True if no source gets in afterwards."),
      truncated: z.boolean().describe("True if there are more networks."),
      also: z.array(z.string()).describe("Other enabled modules that can reject sources."),
    })
    .meta({ id: "PlanAccess", description: "Who newly gets in or is shut out by IP restrictions." }),
);

const PlanLater = z.lazy(() =>
  z
    .strictObject({
      at: z.string().describe("When rules expire (RFC 3339)."),
      object: target().describe("An edge, a route or an IP policy."),
      newly_allowed: networks("Sources that get in from then on"),
      newly_refused: networks("Sources that no longer get in from then on"),
      truncated: z.boolean().describe("True if there are more networks."),
    })
    .meta({ id: "PlanLater", description: "Who gets in or is shut out when rules expire." }),
);

const PlanReads = z.lazy(() =>
  z
    .strictObject({
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
    })
    .meta({
      id: "PlanReads",
      description: "Everything that the effect depends on. Applying requires it to be unchanged.",
    }),
);

const effectMembers = () => ({
  changes: z.array(PlanChange).describe("What each operation changes, in order."),
  access: z
    .array(PlanAccess)
    .nullable()
    .describe(
      "Who newly gets in or is shut out. Null if too much would have to be read: see `access_omitted`.",
    ),
  later: z.array(PlanLater).describe("What changes when rules expire within a year: the first 50."),
  problems: z
    .strictObject({
      added: z.array(problemSchema).describe("Problems that appear."),
      removed: z.array(problemSchema).describe("Problems that disappear."),
    })
    .nullable()
    .describe("How the list of problems changes. Null if too much would have to be read."),
  access_omitted: z.string().optional().describe("Why `access` and `problems` are null."),
  truncated: z.boolean().describe("True if the effect was too long, and something was left out."),
});

const exampleEffect = () => ({
  changes: [exampleChange()],
  access: [],
  later: [],
  problems: { added: [], removed: [] },
  truncated: false,
});

export const PlanPreview = z.lazy(() =>
  z.strictObject(effectMembers()).meta({
    id: "PlanPreview",
    description: "The effect that operations would have.",
    examples: [exampleEffect()],
  }),
);

export const Plan = z.lazy(() =>
  z
    .strictObject({
      ...summaryMembers(),
      operations: z.array(shownOperation()).describe("The operations, as sent, without secrets."),
      ...effectMembers(),
      reads: PlanReads,
    })
    .meta({
      id: "Plan",
      description: kinds.plan.about,
      examples: [
        {
          ...exampleSummary(),
          operations: [exampleOperations[0]],
          ...exampleEffect(),
          reads: { versions: {}, users: {}, claims: {}, until: null },
        },
      ],
    }),
);

const PlanSummary = z.lazy(() =>
  z.strictObject(summaryMembers()).meta({
    id: "PlanSummary",
    description: "A plan without its operations and its effect.",
    examples: [exampleSummary()],
  }),
);

export const PlanList = z.lazy(() =>
  listSchemaAt("/plans", {
    plans: z.array(PlanSummary).describe("The plans on this page, newest first."),
  }).meta({
    id: "PlanList",
  }),
);

export const planQuery = z.lazy(() =>
  requestObject({
    limit: limit("").exactOptional(),
    before_id: idSchema("plan")
      .describe("Lists only plans made before this one, which need no longer exist.")
      .exactOptional(),
    state: z.enum(states).describe("Lists only plans in this state.").exactOptional(),
  }),
);
