import * as z from "zod";
import type { AgentList } from "../../resources/traffic/agents.ts";
import type { ProblemList } from "../../resources/traffic/snapshot.ts";
import { Room } from "../shared/cut.ts";
import { more, open } from "../shared/fields.ts";
import { tool } from "../shared/tool.ts";

/** Reads what is not served as written, and how the agents are. */
export const listProblems = tool({
  name: "list_problems",
  title: "List problems",
  description:
    "Lists configuration that is not served as written, and why, and the agents: whether each serves the newest version, how far it is behind, and how many edges it serves.",
  role: "viewer",
  hints: "reads",
  input: z.strictObject({
    after: z.string().max(300).describe("next_after of the page before").exactOptional(),
  }),
  output: z.strictObject({
    problems: z.array(z.looseObject({ object: z.string(), code: z.string(), msg: z.string() })),
    next_after: z.string().nullable(),
    agents: z.array(open()),
    more: more(),
  }),
  run: async ({ after }, api) => {
    const { body } = await api.ask<z.output<typeof ProblemList>>({ path: "/problems", query: { after } });
    const { body: serving } = await api.ask<z.output<typeof AgentList>>({ path: "/agents" });
    const agents = serving.agents.map(({ name, ok, error, behind, last_seen, problems, edges }) => ({
      name,
      ok,
      error,
      behind,
      last_seen,
      problems,
      edges,
    }));
    const room = new Room();
    // Few agents are enough to see how they are; the problems get the rest.
    const [listed, kept] = [room.list(agents.slice(0, 20)), room.list(body.problems)];
    const last = body.problems[kept.items.length - 1];
    const isLast = kept.items.length === body.problems.length && body.next_page_uri === null;
    return {
      problems: kept.items,
      next_after: isLast || !last ? null : `${last.object}.${last.code}`,
      agents: listed.items,
      more: kept.isCut || listed.isCut || listed.items.length < agents.length,
    };
  },
});
