import * as z from "zod";
import { problemSchema } from "../../../packages/model/src/traffic/problems.ts";
import { schema } from "../../../packages/model/src/values/request_schemas.ts";
import { verdictMembers } from "../traffic/traffic_policies.ts";
import { CHECKS } from "./places.ts";

/*
 * The response shapes of the effect of operations. The code that computes an effect derives its types from them.
 */

/** The codes of warnings, in the order in which they are shown, with what each means. */
export const warningCodes = {
  effect_unknown: "Who gets in afterwards, or what changes when rules expire, was not computed.",
  effect_truncated: "The effect is too long to show in full. `totals` counts everything.",
  opens_to_everyone: "Everybody gets in at some places, and did not before.",
  newly_allowed: "Some sources get in at some places, and did not before.",
  check_removed: "Something is no longer checked at some places.",
  check_changed: "A check changes at some places. What it lets through is not compared.",
  taken_over: "Another object than before serves some places.",
  later_newly_allowed: "More sources get in when rules expire.",
  problem_added: "Problems appear.",
} as const;

const exampleChange = () => ({
  method: "POST",
  path: "/ip_policies",
  status: 201,
  object: { id: "$porto", uri: null, description: "Porto office" },
  before: null,
  after: { description: "Porto office", metadata: "" },
});

const exampleTotals = () => ({
  places_newly_allowed: 0,
  places_to_everyone: 0,
  places_newly_refused: 0,
  places_to_nobody: 0,
  checks_removed: 0,
  checks_changed: 0,
  later_newly_allowed: 0,
  problems_added: 0,
  operations: 1,
});

const fields = () => z.looseObject({}).nullable();
const networks = (what: string) =>
  z.array(z.string()).describe(`${what}, as the fewest networks: the largest first, and at most 50.`);
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

/** Added when an effect is shown: see `plan_traffic.ts`. */
const trafficMember = () =>
  z
    .strictObject({
      requests_last_hour: z.number().describe("How many requests it had in the last hour."),
      connections_last_hour: z.number().describe("How many connections it had in the last hour."),
      denied_last_hour: z.number().describe("How many of its requests and connections were denied."),
      is_complete: z
        .boolean()
        .describe(
          "False if there can be more: an agent has not reported the whole hour, or has counted it together with others.",
        ),
    })
    .optional()
    .describe(
      "The traffic of the edge or the route in the hour before the response; with more than 20 agents, in the last hour of the clock that was added up. Omitted if nothing is known.",
    );

const PlanChange = schema("PlanChange", () => ({
  description: "What an operation of a plan changes.",
  examples: [exampleChange()],
  type: z.strictObject({
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
    traffic: trafficMember(),
    truncated: z.literal(true).optional().describe("Present only if something was left out."),
  }),
}));

const PlanPlace = schema("PlanPlace", () => ({
  description: "A place where clients arrive, and who serves it.",
  type: z.strictObject({
    hostport: z
      .string()
      .nullable()
      .describe(
        "Where clients arrive, in canonical form; null for an IP policy, and for an edge or a route that is managed elsewhere.",
      ),
    match: z
      .strictObject({
        match_type: z.enum(["exact_path", "path_prefix"]).describe("How `match` is compared."),
        match: z.string().describe("The path, or the prefix of paths that belong to no longer match."),
      })
      .nullable()
      .describe("The paths; null without paths, and for paths that match no route."),
    object: target().describe(
      "The edge or route that serves the place afterwards; before, if none does afterwards. Or an IP policy.",
    ),
    instead_of: target().nullable().describe("What served it before, if that was another object."),
    traffic: trafficMember(),
  }),
}));

const placesMembers = () => ({
  places: z.array(PlanPlace).describe("Where: the first 10 places with the same change."),
  places_more: z.int().describe("How many other places there are."),
});
const networksMembers = (allowed: string, refused: string) => ({
  newly_allowed: networks(allowed),
  newly_refused: networks(refused),
  count_allowed: count("newly allowed"),
  count_refused: count("newly refused"),
  truncated: z.boolean().describe("True if there are more networks."),
});
const checks = (description: string) => z.array(z.enum(CHECKS)).describe(description);

const PlanAccess = schema("PlanAccess", () => ({
  description:
    "Who gets in, and what is checked, at places that change in the same way. Sources are compared by IP restrictions. Places that were served before come first, then new places, then IP policies as restrictions of their own.",
  type: z.strictObject({
    ...placesMembers(),
    ...networksMembers("Sources that get in only afterwards", "Sources that get in only before"),
    from_everyone: z.boolean().describe("True if every source gets in before."),
    to_everyone: z.boolean().describe("True if every source gets in afterwards."),
    to_nobody: z.boolean().describe("True if no source gets in afterwards."),
    no_longer: checks("What is checked before and not afterwards."),
    newly: checks("What is checked only afterwards."),
    changed: checks(
      "What is checked before and afterwards, differently. What it lets through is not compared.",
    ),
    also: checks("What else is checked afterwards, as before."),
  }),
}));

const PlanLater = schema("PlanLater", () => ({
  description:
    "Who gets in or is shut out when rules expire. Sources that the operations let in immediately, or at a place that they open to everybody, are not listed while they stay in. Sources that stay out are not listed at a place where nobody gets in any more.",
  type: z.strictObject({
    at: z.string().describe("When rules expire (RFC 3339)."),
    ...placesMembers(),
    ...networksMembers(
      "Sources that get in from then on, and would not without the operations or were shut out by them until then",
      "Sources that no longer get in from then on, and would without the operations or were let in by them until then",
    ),
  }),
}));

const PlanWarning = schema("PlanWarning", () => ({
  description: "Something that people have to know before a plan is applied.",
  examples: [
    {
      code: "opens_to_everyone",
      msg: 'Everybody newly gets in at 1 place, which was served before: shop.example.com:443 under "/admin".',
      confirm: true,
    },
  ],
  type: z.strictObject({
    code: z.string().describe(`A code for programs to act on: ${Object.keys(warningCodes).join(", ")}.`),
    msg: z
      .string()
      .describe("The warning, for people. It contains no texts by callers except matches in quotes."),
    confirm: z.boolean().describe("True if a person has to confirm it before the plan is applied."),
  }),
}));

const sum = (description: string) => z.int().describe(description);
const PlanTotals = schema("PlanTotals", () => ({
  description:
    "Sums that are never cut. A place is a pair of a hostport and a set of paths; an edge or a route that is managed elsewhere counts as one; IP policies do not count.",
  examples: [exampleTotals()],
  type: z.strictObject({
    places_newly_allowed: sum("Places where sources newly get in."),
    places_to_everyone: sum("Places where everybody gets in, and did not before."),
    places_newly_refused: sum("Places where sources no longer get in."),
    places_to_nobody: sum("Places where nobody gets in any more."),
    checks_removed: sum("Places where something is no longer checked."),
    checks_changed: sum("Places where a check changes."),
    later_newly_allowed: z
      .int()
      .nullable()
      .describe("Pairs of a place and an instant at which sources newly get in; null if `later` is null."),
    problems_added: sum("Problems that appear."),
    operations: sum("Operations."),
  }),
}));

export const planEffect = () =>
  z.strictObject({
    summary: z.string().describe("The effect in one sentence."),
    warnings: z
      .array(PlanWarning)
      .describe(
        "Facts that people have to know before they agree: at most one for each code, the most important first.",
      ),
    totals: PlanTotals.nullable().describe("Sums of the whole effect; null if it was not computed."),
    changes: z.array(PlanChange).describe("What each operation changes, in order."),
    access: z
      .array(PlanAccess)
      .nullable()
      .describe(
        "Who newly gets in or is shut out, and what is no longer checked. Null if that was not computed.",
      ),
    later: z
      .array(PlanLater)
      .nullable()
      .describe(
        "What changes when rules expire. Ends that the operations do not touch are left out. Null if that was not computed.",
      ),
    problems: z
      .strictObject({
        added: z.array(problemSchema).describe("Problems that appear."),
        removed: z.array(problemSchema).describe("Problems that disappear."),
      })
      .nullable()
      .describe("How the list of problems changes. Null if that was not computed."),
    access_omitted: z
      .string()
      .optional()
      .describe("Why `access`, `later`, `totals` and `problems` are null."),
    later_omitted: z.string().optional().describe("Why `later` and its total are null."),
    truncated: z.boolean().describe("True if the effect was too long, and something was left out."),
    shown: z
      .strictObject({
        access: sum("Of `access`."),
        later: sum("Of `later`."),
        changes: sum("Of `changes`."),
        problems: sum("Of `problems`, added before removed."),
      })
      .optional()
      .describe("How many items of each list are shown, if the effect was too long."),
  });

/** An effect as responses show it. */
export type ShownEffect = z.output<ReturnType<typeof planEffect>>;

/** A place with the names of its objects: their ids. The name of a route is the id of its edge, a slash and its own id. */
export type Place = Omit<z.output<typeof PlanPlace>, "object" | "instead_of"> & {
  object: string;
  instead_of: string | null;
};
type Named<Item> = Omit<Item, "places"> & { places: Place[] };

/** What an operation changes. */
export type PlannedChange = z.output<typeof PlanChange>;
/** What changes at some places. */
export type AccessChange = Named<z.output<typeof PlanAccess>>;
/** What changes at some places when rules expire. */
export type LaterChange = Named<z.output<typeof PlanLater>>;
/** A fact that people have to know before a plan is applied. */
export type Warning = z.output<typeof PlanWarning>;
export type Totals = z.output<typeof PlanTotals>;

/** An effect with ids in place of Refs. New objects have the ids that the operations would give them. */
export type PlanEffect = Omit<ShownEffect, "access" | "later"> & {
  access: AccessChange[] | null;
  later: LaterChange[] | null;
};

export const exampleEffect = () => ({
  summary: "Nobody newly gets in, and no source is shut out.",
  warnings: [],
  totals: exampleTotals(),
  changes: [exampleChange()],
  access: [],
  later: [],
  problems: { added: [], removed: [] },
  truncated: false,
});
