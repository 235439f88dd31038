import type { Context, Hono } from "hono";
import * as z from "zod";
import { clock, timestamp } from "../../../packages/model/src/clock.ts";
import { EXAMPLE_ORIGIN, exampleId, exampleRef, idForm, Ref, ref } from "../../../packages/model/src/ids.ts";
import {
  type Kind,
  kinds,
  operationPrefix,
  ownersOf,
  titled,
  withArticle,
  plural,
} from "../../../packages/model/src/kinds.ts";
import { address, type Address } from "../../../packages/model/src/values/cidrs.ts";
import { requestObject, schema } from "../../../packages/model/src/values/request_schemas.ts";
import type { StoredIpRestriction } from "../../db/column_types.ts";
import { sql, type Sql, type Statement, type Values } from "../../db/statements.ts";
import type { RowKey } from "../../db/uses.ts";
import { rowExists, type Versioned } from "../../db/versions.ts";
import type { App } from "../../http/env.ts";
import { invalidMembers, notFound } from "../../http/errors.ts";
import { limit, listSchemaAt } from "../../http/lists.ts";
import { operation } from "../../http/operation.ts";
import { respond } from "../../http/respond.ts";
import { endpoints } from "../../http/router.ts";
import { exampleObject } from "../common.ts";
import {
  type EntranceRow,
  type EntranceQuery,
  entrancePage,
  entranceRules,
  type MatchingRule,
  matchingRules,
  policiesOf,
  policy,
  type RestrictedTable,
} from "./access_statements.ts";

/*
 * Tests whether an address is allowed. `ip_restriction.ts` defines the meaning of an IP restriction.
 */

/** The most lookups, one for each policy and network. */
const PROBES = 100_000;

/** The most rules with each action in a response. */
const RULES = 1_000;

const reasons = [
  "no_restriction",
  "restriction_disabled",
  "no_policies",
  "no_matching_rule",
  "deny_rule",
  "allow_rule",
] as const;

const reason = () =>
  z
    .enum(reasons)
    .describe(
      "The reason. Allowed: there is no IP restriction, it is disabled, or an `allow` rule and no `deny` rule matches. Rejected: it has no policies, no rule matches, or a `deny` rule matches. A deleted policy counts as a policy without rules, and an expired rule as absent.",
    );
const ipMember = () =>
  z.string().describe("The address in canonical form. An IPv4-mapped IPv6 address is shown as IPv4.");
const allowed = () => z.boolean().describe("Whether a source with this address is allowed.");
const matchingRule = () =>
  z.strictObject({
    id: z.string().describe("Id of the rule."),
    uri: z.string().describe("URI of the rule."),
    ip_policy: Ref.describe("The policy that the rule belongs to."),
    cidr: z.string().describe("The rule's range, which contains the address."),
    action: z.enum(["allow", "deny"]).describe("What the rule does."),
  });

const exampleRule = () => ({
  id: exampleId("ip_policy_rule"),
  uri: exampleObject("ip_policy_rule").uri,
  ip_policy: exampleRef("ip_policy"),
  cidr: "198.51.100.0/24",
  action: "allow",
});

export const Access = schema("Access", () => ({
  description: "Whether a source with an address is allowed, and why.",
  examples: [{ ip: "198.51.100.7", allowed: true, reason: "allow_rule", rules: [exampleRule()] }],
  type: z.strictObject({
    ip: ipMember(),
    allowed: allowed(),
    reason: reason(),
    rules: z
      .array(matchingRule())
      .describe(
        `The rules that match, newest first; if there are more than ${RULES} with the same action, ${RULES} of them. Empty if the reason does not depend on rules.`,
      ),
  }),
}));

const ip = () =>
  address()
    .describe("An IPv4 or IPv6 address.")
    .meta({ examples: ["198.51.100.7"] });

const operationOn = (kind: Kind, description: string) =>
  operation({
    id: `${operationPrefix(kind)}AccessGet`,
    access: "viewer",
    summary: `Test an address against ${withArticle(kinds[kind].noun)}`,
    description,
    tag: titled(plural(kinds[kind].noun)),
    path: { ...ownersOf(kind), id: kind },
    query: z.lazy(() => requestObject({ ip: ip() })),
    status: 200,
    response: Access,
  });

/**
 * Reads the first row of a statement, not decoded, and the rules of some policies that match an address. One round trip.
 */
async function readWithRules(
  c: Context<App>,
  first: Statement<unknown>,
  policies: Sql,
  { networks }: Address,
): Promise<{ row: Values | undefined; rules: MatchingRule[] }> {
  const matching = matchingRules(policies, networks, timestamp(clock.now()), RULES);
  const [[row] = [], found = []] = await c.get("request").session.batch([first, matching]);
  return { row, rules: found.map(matching.decode) };
}

interface Verdict {
  allowed: boolean;
  reason: (typeof reasons)[number];
}

/** Rules allow an address if at least one `allow` rule and no `deny` rule is among them. */
function decide(rules: MatchingRule[]): Verdict {
  if (rules.some(({ action }) => action === "deny")) return { allowed: false, reason: "deny_rule" };
  if (rules.length === 0) return { allowed: false, reason: "no_matching_rule" };
  return { allowed: true, reason: "allow_rule" };
}

/** @param restriction null if there is none */
function decideRestriction(restriction: StoredIpRestriction | null, rules: MatchingRule[]): Verdict {
  if (restriction === null) return { allowed: true, reason: "no_restriction" };
  if (!restriction.enabled) return { allowed: true, reason: "restriction_disabled" };
  if (restriction.ip_policy_ids === null) return { allowed: false, reason: "no_policies" };
  return decide(rules);
}

/** A rule as responses show it. */
const shownRule = ({ id, ip_policy_id, cidr, action }: MatchingRule, origin: string) => ({
  ...ref(origin, id),
  ip_policy: ref(origin, ip_policy_id),
  cidr,
  action,
});

function answer(c: Context<App>, { ip }: Address, verdict: Verdict, rules: MatchingRule[]): Response {
  const { origin } = c.get("request");
  const shown = rules.toSorted((a, b) => (a.id > b.id ? -1 : 1)).map((rule) => shownRule(rule, origin));
  return respond(c, 200, JSON.stringify({ ip, ...verdict, rules: shown }));
}

/** The key in a path, which has an `edge_id` for a route. */
const keyOf = ({ id = "", edge_id }: { id?: string; edge_id?: string }): RowKey => ({
  id,
  ...(edge_id !== undefined && { edge_id }),
});

/** An edge or a route; `created_at` is null for a route that is managed elsewhere. */
interface Restricted {
  ip_restriction: StoredIpRestriction | null;
  created_at: string | null;
}

/** GET of whether the IP restriction of an edge or a route allows an address, to be mounted at its path. */
export const restrictionAccess = <Row extends Restricted>(
  kind: Kind,
  table: RestrictedTable,
  rows: { find(key: RowKey): Statement<Row> },
): Hono<App> =>
  endpoints().get(
    "/",
    operationOn(
      kind,
      `Returns whether the IP restriction of ${withArticle(kinds[kind].noun)} allows an IP address, and the rules that decide it. Only the address of the connection counts, never a header. Other checks, such as mutual TLS, are not part of the test. A test takes a lookup for each policy and each network that contains the address: if that is more than ${PROBES} lookups, the response is 400.`,
    ),
    async (c) => {
      const key = keyOf(c.req.param());
      const { ip } = c.req.valid("query");
      const most = Math.floor(PROBES / ip.networks.length);
      const query = rows.find(key);
      const { row, rules } = await readWithRules(c, query, policiesOf(table, key, most), ip);
      const restricted = row && query.decode(row);
      // A route that is managed elsewhere exists here only if it has modules.
      if (!restricted || (restricted.created_at === null && restricted.ip_restriction === null))
        throw notFound(kind);
      const { ip_restriction } = restricted;
      const policies = new Set(ip_restriction?.ip_policy_ids).size;
      if (ip_restriction?.enabled && policies > most)
        throw invalidMembers([
          {
            path: "ip",
            msg: `This address is in ${ip.networks.length} networks and the restriction has ${policies} policies, which takes more than ${PROBES} lookups. Test each policy instead.`,
          },
        ]);
      return answer(c, ip, decideRestriction(ip_restriction, rules), rules);
    },
  );

/** GET of whether an IP policy on its own allows an address, to be mounted at its path. */
export const policyAccess = (rows: { row(key: RowKey): Versioned }): Hono<App> =>
  endpoints().get(
    "/",
    operationOn(
      "ip_policy",
      "Returns whether an IP restriction with only this policy would allow an IP address, and the rules that decide it.",
    ),
    async (c) => {
      const id = c.req.param("id") ?? "";
      const { ip } = c.req.valid("query");
      const { row, rules } = await readWithRules(
        c,
        sql`select 1 where ${rowExists(rows.row({ id }))}`,
        policy(id),
        ip,
      );
      if (!row) throw notFound("ip_policy");
      return answer(c, ip, decide(rules), rules);
    },
  );

/** The most edges and routes on a page. */
const ENTRANCES = 1_000;

const AccessList = schema("AccessList", () => ({
  description: "Whether each edge and route allows a source with an address, and why.",
  examples: [
    {
      ip: "198.51.100.7",
      access: [
        {
          edge: exampleRef("tcp_edge"),
          route: null,
          allowed: true,
          reason: "allow_rule",
          rule: exampleRule(),
        },
      ],
      uri: `${EXAMPLE_ORIGIN}/access`,
      next_page_uri: null,
    },
  ],
  type: listSchemaAt("/access", {
    ip: ipMember(),
    access: z
      .array(
        z.strictObject({
          edge: Ref.describe("The edge."),
          route: Ref.nullable().describe("The route of an HTTPS edge; null for a TCP or TLS edge."),
          allowed: allowed(),
          reason: reason(),
          rule: matchingRule()
            .nullable()
            .describe(
              "A rule that decides, with the IP policy that it belongs to; null if the reason does not depend on a rule.",
            ),
        }),
      )
      .describe("The edges and routes on this page, in the order of their ids."),
  }),
}));

const EDGE = idForm("tcp_edge", "tls_edge").pattern;
const [HTTPS_EDGE, ROUTE] = [idForm("https_edge").pattern, idForm("https_edge_route").pattern];

const AccessListQuery = z.lazy(() =>
  requestObject({
    ip: ip(),
    limit: limit(
      `A page can hold fewer, because it also ends after ${PROBES} lookups: follow \`next_page_uri\` to get the rest.`,
      ENTRANCES,
    ).exactOptional(),
    after: z
      .string()
      .transform((text, context) => {
        const [edge_id = "", id, ...rest] = text.split("/");
        if (id === undefined && EDGE.test(edge_id)) return { edge_id, id: "" };
        if (id !== undefined && rest.length === 0 && HTTPS_EDGE.test(edge_id) && ROUTE.test(id))
          return { edge_id, id };
        context.addIssue({
          code: "custom",
          message:
            "Expected the id of a TCP or TLS edge, or the ids of an HTTPS edge and a route as edge_id/id.",
        });
        return z.NEVER;
      })
      .describe(
        "Lists only edges and routes after this one, which need no longer exist: the id of a TCP or TLS edge, or `edge_id/id` of a route.",
      )
      .exactOptional(),
  }),
);

/** The rule that decides: one that denies, otherwise one that allows. */
const decisive = (rules: MatchingRule[]): MatchingRule | undefined =>
  rules.find(({ action }) => action === "deny") ?? rules[0];

/** One item of the list. @param matching the matching rules of each policy */
function entranceAccess(
  { edge_id, id, restriction }: EntranceRow,
  matching: Map<string, MatchingRule[]>,
  origin: string,
) {
  const rules = restriction?.enabled
    ? (restriction.ip_policy_ids ?? []).flatMap((policy) => matching.get(policy) ?? [])
    : [];
  const rule = decisive(rules);
  return {
    edge: ref(origin, edge_id),
    route: edge_id === id ? null : ref(origin, id, edge_id),
    ...decideRestriction(restriction, rules),
    rule: rule ? shownRule(rule, origin) : null,
  };
}

/** GET of whether each edge and route allows an address. */
export const access = endpoints().get(
  "/",
  operation({
    id: "AccessList",
    access: "viewer",
    summary: "Test an address against all edges and routes",
    description: `Returns for each TCP edge, TLS edge and HTTPS edge route whether its IP restriction allows an IP address, and a rule that decides it. HTTPS edges have no IP restriction of their own. Only the address of the connection counts, never a header. Other checks, such as mutual TLS, are not part of the test. A page holds up to ${ENTRANCES} edges and routes.`,
    tag: "Traffic",
    query: AccessListQuery,
    status: 200,
    response: AccessList,
  }),
  async (c) => {
    const { session, origin } = c.get("request");
    const { ip, limit: size = ENTRANCES, after = { edge_id: "", id: "" } } = c.req.valid("query");
    const most = Math.floor(PROBES / ip.networks.length);
    const query: EntranceQuery = { limit: size, after, most };
    const page = entrancePage(query);
    const matching = entranceRules(query, ip.networks, timestamp(clock.now()));
    const [found = [], rules = []] = await session.batch([page, matching]);
    const byPolicy = Map.groupBy(rules.map(matching.decode), ({ ip_policy_id }) => ip_policy_id);
    const read = found.map(page.decode);
    const shown = read.slice(0, size).filter(({ fits }) => fits);
    const last = shown.length < read.length ? shown.at(-1) : undefined;
    const uri = `${origin}/access`;
    const next =
      last &&
      new URLSearchParams({
        ip: ip.ip,
        after: last.edge_id === last.id ? last.id : `${last.edge_id}/${last.id}`,
        limit: String(size),
      });
    const body = {
      ip: ip.ip,
      access: shown.map((entrance) => entranceAccess(entrance, byPolicy, origin)),
      uri,
      next_page_uri: next ? `${uri}?${next.toString()}` : null,
    };
    return respond(c, 200, JSON.stringify(body));
  },
);
