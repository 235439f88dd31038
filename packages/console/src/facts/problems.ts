import { useQuery } from "@tanstack/preact-query";
import { useMemo } from "preact/hooks";
import { api, bodyOf, type Schemas } from "../api/client.ts";
import { all } from "../api/queries.ts";
import { count } from "./amounts.ts";

/*
 * What is not served as written: by no machine, because of the configuration, or by some machines, according to their agents.
 */

export type Problem = Schemas["Problem"];

/** What agents do not serve of an edge, as problems. What the configuration is the reason for is a problem already. */
const problemsOfAgents = ({ object, agents, not_serving, partly }: Schemas["Serving"]): Problem[] =>
  [...not_serving, ...partly].flatMap(({ agent, code, msg }) =>
    agent === null || (code === "not_wanted" && agents.serving > 0)
      ? []
      : {
          object: object.id,
          code,
          msg: `Served by ${agents.serving} of ${count(agents.of, "machine")}. ${agent}: ${msg}`,
          effect: agents.serving === 0 ? "not_served" : "partly",
        },
  );

const readProblems = () => all((query) => bodyOf(api.GET("/problems", { params: { query } })));

/** Codes of agents that do not have the last change yet. */
const LATE: ReadonlySet<string> = new Set(["behind", "serving_older"]);

/** The problems of agents at the last read. */
let before: ReadonlySet<string> = new Set();

/** Reads the problems of agents. A machine that is late is one only if it was at the last read: most are late for a moment only. */
async function readServing(): Promise<Problem[]> {
  const serving = await all((query) =>
    bodyOf(api.GET("/serving", { params: { query: { ...query, incomplete: "true" } } })),
  );
  const problems = serving.flatMap(problemsOfAgents);
  const keyOf = ({ object, code, msg }: Problem): string => `${object} ${code} ${msg}`;
  const earlier = before;
  before = new Set(problems.map(keyOf));
  return problems.filter((problem) => !LATE.has(problem.code) || earlier.has(keyOf(problem)));
}

/** All problems: of the configuration, and of agents with it. */
export function useProblems() {
  const configured = useQuery({ queryKey: ["problems"], queryFn: readProblems });
  const serving = useQuery({ queryKey: ["serving"], queryFn: readServing, refetchInterval: 10_000 });
  const data = useMemo(
    () => configured.data && serving.data && [...configured.data, ...serving.data],
    [configured.data, serving.data],
  );
  const refetch = (): unknown => Promise.all([configured.refetch(), serving.refetch()]);
  return { data, error: configured.error ?? serving.error, refetch };
}
