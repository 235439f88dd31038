import * as z from "zod";
import { clock } from "../../../packages/model/src/clock.ts";
import { exampleId, exampleRef, idSchema, Ref, ref } from "../../../packages/model/src/ids.ts";
import { NOT_WANTED } from "../../../packages/model/src/traffic/coverage.ts";
import { requestObject, schema } from "../../../packages/model/src/values/request_schemas.ts";
import type { Session } from "../../db/session.ts";
import { LARGEST_PAGE, limit, listSchemaAt, pageLinks } from "../../http/lists.ts";
import { operation } from "../../http/operation.ts";
import { respond } from "../../http/respond.ts";
import { endpoints } from "../../http/router.ts";
import { newestChange } from "../../traffic/snapshot_reads.ts";
import { agentsUp, SILENT } from "./agent_statements.ts";
import { changedEdges, type EdgeChanges, changesSince } from "./edge_changes.ts";
import { type NotServedReason, reasonsOf } from "./effective.ts";
import { forms, judgements, type ManagedEdge } from "./snapshot_forms.ts";

/*
 * Which edges are served by machines, and why others are not: what agents report, compared with what should be served.
 */

/** The most agents that are listed for an edge. */
const MOST_LISTED = 20;

const reasons = (description: string) =>
  z
    .array(
      z.strictObject({
        agent: z
          .string()
          .nullable()
          .describe("Name of the agent; null if the reason is the configuration, so no agent can."),
        code: z.string().describe("A code for programs to act on."),
        msg: z.string().describe("The reason, for people."),
      }),
    )
    .describe(
      `${description} At most ${MOST_LISTED} agents are listed: agents that leave it out on purpose come last.`,
    );

const Serving = schema("Serving", () => ({
  description: "Which agents serve an edge.",
  examples: [
    {
      object: exampleRef("https_edge"),
      hostports: ["shop.example.com:443"],
      agents: { serving: 2, of: 3, left_out: 0 },
      not_serving: [
        {
          agent: "lisbon-1",
          code: "certificate_missing",
          msg: "shop.example.com:443 is not served: there is no certificate for shop.example.com.",
        },
      ],
      partly: [],
    },
  ],
  type: z.strictObject({
    object: Ref.describe("The edge."),
    hostports: z.array(z.string()).describe("Its hostports."),
    agents: z
      .strictObject({
        serving: z.number().describe("How many agents serve the edge, at least in part."),
        of: z.number().describe(`How many agents have reported within the last ${SILENT / 60_000} minutes.`),
        left_out: z.number().describe("How many agents leave out the edge on purpose (`not_wanted`)."),
      })
      .describe("How many agents serve the edge."),
    not_serving: reasons("The agents that do not serve the edge as it is now, each with the reason."),
    partly: reasons(
      "The agents that serve the edge without some of its hostports or routes, each with the reason.",
    ),
  }),
}));

const ServingList = schema("ServingList", () => ({
  description: "Which edges are served by agents.",
  type: listSchemaAt("/serving", {
    serving: z.array(Serving).describe("The edges on this page, in descending order of their ids."),
  }),
}));

const anyEdge = ["tcp_edge", "tls_edge", "https_edge"] as const;

const codes = `- \`behind\`: The agent serves a version in which the edge is not there yet.
- \`serving_older\`: The agent serves the edge as it was before its last change.
- \`far_behind\`: The agent serves a version that is so old that the edge can have changed since, or can be missing there.
- \`not_ok\`: The agent reports an error, which is the message.
- \`unknown\`: What the agent serves cannot be told from its report.
- \`not_wanted\`: The agent leaves out the edge because of its option \`--only\`.`;

export const serving = endpoints().get(
  "/",
  operation({
    id: "ServingList",
    access: "viewer",
    summary: "List which edges are served",
    description: `Lists the edges that have hostports, in descending order of their ids, each with how many agents serve it as it is now, according to what they reported within the last ${SILENT / 60_000} minutes. The codes of reasons are those of \`GET /problems\`, of agents' problems, and:\n\n${codes}`,
    tag: "Traffic",
    query: z.lazy(() =>
      requestObject({
        object_id: idSchema(...anyEdge)
          .describe(
            "Lists only this edge. The list is empty if the edge has no hostports, or does not exist.",
          )
          .exactOptional(),
        incomplete: z
          .literal("true")
          .describe("Lists only edges that some agent does not serve, or serves only in part.")
          .exactOptional(),
        limit: limit("").exactOptional(),
        before_id: idSchema(...anyEdge)
          .describe("Lists only edges with lower ids than this one, which need no longer exist.")
          .meta({ examples: [exampleId("https_edge")] })
          .exactOptional(),
      }),
    ),
    status: 200,
    response: ServingList,
    errors: ["ERR_TOO_LARGE"],
  }),
  async (c) => {
    const { object_id, incomplete, limit: most = LARGEST_PAGE, before_id } = c.req.valid("query");
    const { session, origin } = c.get("request");
    const { agents, version, changes } = await reports(session, clock.now());
    const configuration = await judgements.current(c, forms.snapshot.problems, version);
    // What has changed in between is not known.
    if (configuration.version !== version) changes.since = configuration.version;
    const reasonsOfEdge = reasonsOf(configuration, agents, changes);
    const entry = (edge: ManagedEdge): z.output<typeof Serving> => {
      const found = reasonsOfEdge(edge);
      const notServing = found.filter(({ isServed }) => !isServed);
      return {
        object: ref(origin, edge.id),
        hostports: edge.hostports,
        agents: {
          serving: edge.isInSnapshot ? agents.length - notServing.length : 0,
          of: agents.length,
          left_out: notServing.filter(isLeftOut).length,
        },
        not_serving: notServing
          .toSorted((a, b) => Number(isLeftOut(a)) - Number(isLeftOut(b)))
          .slice(0, MOST_LISTED)
          .map(shown),
        partly: found
          .filter(({ isServed }) => isServed)
          .slice(0, MOST_LISTED)
          .map(shown),
      };
    };
    const page: z.output<typeof Serving>[] = [];
    let last: { before_id: string } | undefined;
    for (const edge of configuration.edges.toReversed()) {
      if (object_id !== undefined && edge.id !== object_id) continue;
      if (before_id !== undefined && edge.id >= before_id) continue;
      const made = entry(edge);
      if (incomplete && made.not_serving.length === 0 && made.partly.length === 0) continue;
      if (page.length === most) {
        last = { before_id: page.at(-1)?.object.id ?? "" };
        break;
      }
      page.push(made);
    }
    const body = {
      serving: page,
      ...pageLinks(c, `${origin}/serving`, most, last),
    } satisfies z.output<typeof ServingList>;
    return respond(c, 200, JSON.stringify(body));
  },
);

/** Reads, in one round trip, what agents report and what has changed since the versions that they serve. */
async function reports(session: Session, now: number) {
  const [up, edges, since] = [agentsUp(now), changedEdges(now), changesSince(now)];
  const [agents = [], changed = [], begin = [], newest = []] = await session.batch([
    up,
    edges,
    since,
    newestChange,
  ]);
  const version = newest.map(newestChange.decode)[0] ?? 0;
  const changes: EdgeChanges = {
    since: begin.map(since.decode)[0] ?? version,
    edges: changed.map(edges.decode),
  };
  return { agents: agents.map(up.decode), version, changes };
}

const isLeftOut = ({ code }: NotServedReason): boolean => code === NOT_WANTED;

const shown = ({ agent, code, msg }: NotServedReason) => ({ agent, code, msg });
