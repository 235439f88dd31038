import * as z from "zod";
import { clock, timestamp } from "../../../packages/model/src/clock.ts";
import { EXAMPLE_ORIGIN, exampleRef, Ref, ref } from "../../../packages/model/src/ids.ts";
import {
  type Coverage,
  COVERAGE_EFFECTS,
  countsOf,
  LONGEST_REASON,
  NOT_WANTED,
} from "../../../packages/model/src/traffic/coverage.ts";
import { plainProblemSchema } from "../../../packages/model/src/traffic/problems.ts";
import { CERTIFICATES_BYTES } from "../../../packages/model/src/traffic/served_certificates.ts";
import { AGENT_NAME, NOT_AN_AGENT_NAME } from "../../../packages/model/src/values/agent_names.ts";
import {
  byteLength,
  clearableString,
  nonEmpty,
  requestObject,
  schema,
  uint32,
} from "../../../packages/model/src/values/request_schemas.ts";
import { ROOT } from "../../http/env.ts";
import { agentNotFound, agentRefused, invalidMembers, tooLarge, unauthenticated } from "../../http/errors.ts";
import { LARGEST_PAGE, limit, listSchemaAt, pageLinks } from "../../http/lists.ts";
import { operation } from "../../http/operation.ts";
import { respond } from "../../http/respond.ts";
import { endpoints } from "../../http/router.ts";
import { forgetRequests } from "../../issuing/order_statements.ts";
import { commit } from "../../writes/commit.ts";
import { authorized } from "../../writes/requirements.ts";
import {
  agentPage,
  findAgent,
  forgetAgent,
  isAgent,
  MOST_AGENTS,
  MOST_AGENTS_OF_A_KEY,
  report,
  type AgentStanding,
} from "./agent_statements.ts";
import { certificateReport } from "./certificate_report.ts";
import { forgetCertificates, reportCertificates } from "./certificate_statements.ts";
import { forgetTraffic } from "./traffic_statements.ts";

/*
 * The agents that serve traffic: each reports which snapshot it serves, and the problems it has with it.
 */

/** The largest number of a change: ids of events have 6 bytes for it. */
const LAST_CHANGE = 2 ** 48 - 1;

/** The longest status without certificates, in bytes. */
const STATUS_BYTES = 65_536;

const meanings = {
  applied_version: "`version` of the snapshot that the agent serves; null until it serves one.",
  ok: "Whether the agent serves the newest snapshot that it has received, apart from the `problems`.",
  error: "The error; null if there was none.",
  problems:
    "Configuration that the agent cannot serve as written, in addition to the problems in the snapshot.",
  edges: "Which edges of its snapshot the agent serves; null if not reported.",
  proxy: "The proxy that the agent runs, with its version; null if not reported.",
};

const Agent = schema("Agent", () => ({
  description: "An agent that serves traffic, with the status that it last reported.",
  examples: [
    {
      name: "lisbon-1",
      uri: `${EXAMPLE_ORIGIN}/agents/lisbon-1`,
      key: exampleRef("api_key"),
      last_seen: "2026-01-02T03:04:05Z",
      applied_version: 17,
      newest_version: 17,
      behind: 0,
      behind_since: null,
      ok: true,
      error: null,
      problems: [],
      proxy: "HAProxy 3.2.26",
      edges: { served: 11, partly: 0, not_served: 1, not_wanted: 0 },
    },
  ],
  type: z.strictObject({
    name: z.string().describe("Its name."),
    uri: z.string().describe("URI of the agent."),
    key: Ref.nullable().describe(
      "The API key that owns the name: no other key can report under it. Null for the operator's key.",
    ),
    last_seen: z
      .string()
      .describe("When the agent last reported (RFC 3339). Agents report at least once a minute."),
    applied_version: z.number().nullable().describe(meanings.applied_version),
    newest_version: z.number().describe("`version` of the newest snapshot."),
    behind: z.number().describe("How many changes have been made since the version that the agent serves."),
    behind_since: z
      .string()
      .nullable()
      .describe("When the first of these changes was made (RFC 3339); null if there are none."),
    ok: z.boolean().describe(meanings.ok),
    error: z.string().nullable().describe(meanings.error),
    problems: z.array(plainProblemSchema).describe(meanings.problems),
    proxy: z.string().nullable().describe(meanings.proxy),
    edges: z
      .strictObject({
        served: z.number().describe("How many are served as written."),
        partly: z.number().describe("How many are served without some of their hostports or routes."),
        not_served: z.number().describe("How many are not served."),
        not_wanted: z.number().describe("How many the agent leaves out because of its option `--only`."),
      })
      .nullable()
      .describe(
        "How many edges of its snapshot the agent serves; null if not reported. `GET /serving` lists them.",
      ),
  }),
}));

export const AgentList = schema("AgentList", () => ({
  description: "The agents that serve traffic.",
  type: listSchemaAt("/agents", { agents: z.array(Agent).describe("The agents on this page, by name.") }),
}));

/** The most edges that a bitmap has bits for. */
const MOST_EDGES = 100_000;
/** More than the number of different reasons. */
const MOST_EXCEPTIONS = 100;

const coverage = () =>
  requestObject({
    count: z.int().min(0).max(MOST_EDGES).describe("How many edges the agent's snapshot has."),
    digest: z
      .string()
      .regex(/^[0-9a-f]{16}$/, "Expected 16 lower-case hexadecimal digits.")
      .describe(
        "Identifies these edges: the first 16 hexadecimal digits of the SHA-256 of their ids, in ascending order, each followed by a line feed.",
      ),
    exceptions: z
      .array(
        requestObject({
          effect: z
            .enum(COVERAGE_EFFECTS)
            .describe(
              "`not_served`: nothing of the edges is served. `partly`: some of their hostports or routes are not.",
            ),
          code: nonEmpty(100).describe(
            `The code of the problem; \`${NOT_WANTED}\` if the agent leaves out the edges because of its option \`--only\`.`,
          ),
          msg: nonEmpty(LONGEST_REASON * 4).describe("The problem of the first of these edges, for people."),
          edges: z
            .string()
            .max(Math.ceil(MOST_EDGES / 8 / 3) * 4)
            .regex(BASE64, "Expected base64.")
            .describe(
              "The edges: a bit for each, in ascending order of their ids, from the lowest bit of the first byte on, in base64. Zeros at the end can be left out.",
            ),
        }),
      )
      .max(MOST_EXCEPTIONS)
      .describe("The edges that are not served, or only in part. No edge is in two of them."),
  }) satisfies z.ZodType<Coverage>;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const AgentStatusRequest = schema("AgentStatusRequest", () => ({
  description: `What an agent reports: at most ${STATUS_BYTES} bytes, and ${CERTIFICATES_BYTES} of certificates.`,
  examples: [
    {
      applied_version: 17,
      ok: true,
      proxy: "HAProxy 3.2.26",
      edges: {
        count: 12,
        digest: "d14a028c2a3a2bc9",
        exceptions: [
          {
            effect: "not_served",
            code: "certificate_missing",
            msg: "shop.example.com:443 is not served: there is no certificate for shop.example.com.",
            edges: "CA==",
          },
        ],
      },
      certificates: [
        {
          hosts: ["www.example.com"],
          not_before: "2026-01-02T03:04:05Z",
          not_after: "2026-04-02T03:04:05Z",
          issuer: "C=US, O=Let's Encrypt, CN=R11",
          serial: "03a1c2",
          source: "file",
          used: true,
        },
      ],
    },
  ],
  type: requestObject({
    applied_version: z
      .number()
      .refine(
        (number) => Number.isInteger(number) && number >= 0 && number <= LAST_CHANGE,
        "Expected the `version` of a snapshot.",
      )
      .meta({ type: "integer", minimum: 0, maximum: LAST_CHANGE })
      .describe(meanings.applied_version)
      .exactOptional(),
    ok: z.boolean().describe(meanings.ok),
    error: clearableString(4_096).describe(meanings.error).exactOptional(),
    problems: z
      .array(
        requestObject({
          object: nonEmpty(200).describe("Id of the object."),
          code: nonEmpty(100).describe("A code for programs to act on."),
          msg: nonEmpty(2_000).describe("The problem, and what is served instead, for people."),
        }),
      )
      .describe(meanings.problems)
      .exactOptional(),
    proxy: clearableString(200).describe(meanings.proxy).exactOptional(),
    edges: coverage().describe(meanings.edges).exactOptional(),
    certificates: certificateReport().exactOptional(),
    certificates_left_out: uint32()
      .describe("How many certificates are left out, or some of their hosts. If omitted, none.")
      .exactOptional(),
  }),
}));

function toAgent(standing: AgentStanding, origin: string): z.output<typeof Agent> {
  const { name, key_id, applied_version, newest, behind_since, edges } = standing;
  return {
    name,
    uri: `${origin}/agents/${name}`,
    key: key_id === ROOT ? null : ref(origin, key_id),
    last_seen: timestamp(standing.last_seen),
    applied_version,
    newest_version: newest,
    behind: Math.max(0, newest - (applied_version ?? 0)),
    behind_since: behind_since === null ? null : timestamp(behind_since),
    ok: standing.ok,
    error: standing.error,
    problems: standing.problems,
    proxy: standing.proxy,
    edges: edges && countsOf(edges),
  };
}

const tag = "Traffic";
const names = { name: z.lazy(() => z.string().regex(AGENT_NAME).describe("Name of the agent.")) };

export const agents = endpoints()
  .put(
    "/:name/status",
    operation({
      id: "AgentsReport",
      access: "agent",
      summary: "Report an agent's status",
      description: `Reports which snapshot an agent serves, and its problems. Agents report after every change, and at least once a minute. The first key that reports under a name owns the name until the key or the agent is deleted: other keys get 403. There can be ${MOST_AGENTS} agents, ${MOST_AGENTS_OF_A_KEY} for each key. A status can have ${STATUS_BYTES} bytes, and its certificates ${CERTIFICATES_BYTES}.`,
      tag,
      names,
      body: AgentStatusRequest,
      status: 200,
      response: Agent,
    }),
    async (c) => {
      const { session, origin, caller } = c.get("request");
      if (!caller) throw unauthenticated();
      const name = c.req.param("name");
      if (!AGENT_NAME.test(name)) throw invalidMembers([{ path: "name", msg: NOT_AN_AGENT_NAME }]);
      const { certificates, certificates_left_out = 0, ...status } = c.req.valid("json");
      if (byteLength(JSON.stringify(status), STATUS_BYTES) > STATUS_BYTES)
        throw tooLarge(`A status can have at most ${STATUS_BYTES} bytes. Send fewer problems.`);
      const shown = findAgent(name);
      const unset = { applied_version: null, error: null, problems: [], proxy: null, edges: null };
      const row = { name, key_id: caller.keyId, last_seen: clock.now(), ...unset, ...status };
      const [written = [], , found = []] = await session.batch([
        report(row),
        reportCertificates(name, caller.keyId, certificates && { certificates, certificates_left_out }),
        shown,
      ]);
      const [standing] = found.map(shown.decode);
      if (written.length === 0 || !standing)
        throw agentRefused(
          standing && standing.key_id !== caller.keyId
            ? `This name belongs to another key: choose another name, or have an admin delete the agent (DELETE /agents/${name}).`
            : `There are ${MOST_AGENTS} agents already, or this key has ${MOST_AGENTS_OF_A_KEY}: delete those that are gone.`,
        );
      return respond(c, 200, JSON.stringify(toAgent(standing, origin)));
    },
  )
  .get(
    "/",
    operation({
      id: "AgentsList",
      access: "viewer",
      summary: "List agents",
      description: "Lists the agents that serve traffic, by name, with the status of each.",
      tag,
      query: z.lazy(() =>
        requestObject({
          limit: limit("").exactOptional(),
          after: z
            .string()
            .regex(AGENT_NAME, NOT_AN_AGENT_NAME)
            .describe("Lists only agents after this name, which need no longer exist.")
            .exactOptional(),
        }),
      ),
      status: 200,
      response: AgentList,
    }),
    async (c) => {
      const { session, origin } = c.get("request");
      const { limit: most = LARGEST_PAGE, after = "" } = c.req.valid("query");
      const found = await session.all(agentPage(after, most));
      const page = found.slice(0, most);
      const last = found.length > most ? page.at(-1)?.name : undefined;
      const body = {
        agents: page.map((standing) => toAgent(standing, origin)),
        ...pageLinks(c, `${origin}/agents`, most, last === undefined ? undefined : { after: last }),
      } satisfies z.output<typeof AgentList>;
      return respond(c, 200, JSON.stringify(body));
    },
  )
  .get(
    "/:name",
    operation({
      id: "AgentsGet",
      access: "viewer",
      summary: "Get an agent",
      description: "Returns an agent with its status.",
      tag,
      names,
      status: 200,
      response: Agent,
      errors: ["ERR_NOT_FOUND"],
    }),
    async (c) => {
      const { session, origin } = c.get("request");
      const standing = await session.first(findAgent(c.req.param("name")));
      if (!standing) throw agentNotFound();
      return respond(c, 200, JSON.stringify(toAgent(standing, origin)));
    },
  )
  .delete(
    "/:name",
    operation({
      id: "AgentsDelete",
      access: "admin",
      summary: "Delete an agent",
      description:
        "Deletes an agent and frees its name. An agent that is still running reappears with its next report.",
      tag,
      names,
      status: 204,
      errors: ["ERR_NOT_FOUND"],
    }),
    (c) => {
      const name = c.req.param("name");
      return commit(c, {
        requires: [authorized(c), { condition: isAgent(name), isShownByRow: true, error: agentNotFound }],
        change: () => ({
          statements: [
            forgetAgent(name),
            forgetCertificates(name),
            forgetRequests(name),
            forgetTraffic(name),
          ],
          main: 0,
        }),
        answer: () => ({ status: 204 }),
      });
    },
  );
