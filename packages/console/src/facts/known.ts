import { useQuery } from "@tanstack/preact-query";
import { useEffect, useMemo, useState } from "preact/hooks";
import { api, bodyOf } from "../api/client.ts";
import { all, useAgents } from "../api/queries.ts";
import { isReporting } from "./agents.ts";
import { now } from "./amounts.ts";
import { LATE, type ServedFacts } from "./served.ts";

/*
 * Reads the state of the edges.
 */

const readProblems = () => all((query) => bodyOf(api.GET("/problems", { params: { query } })));

const readIncomplete = () =>
  all((query) => bodyOf(api.GET("/serving", { params: { query: { ...query, incomplete: "true" } } })));

/** The current time, updated every ten seconds, because data becomes outdated even without a request. */
export function useClock(): number {
  const [time, setTime] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setTime(now), 10_000);
    return () => clearInterval(timer);
  }, []);
  return time;
}

/** The facts about all edges, once everything has been read. */
export function useKnown() {
  const problems = useQuery({ queryKey: ["problems"], queryFn: readProblems });
  const serving = useQuery({ queryKey: ["serving"], queryFn: readIncomplete, refetchInterval: 10_000 });
  const agents = useAgents();
  const time = useClock();
  const reporting = agents.data?.filter(isReporting).length ?? 0;
  const late = serving.data?.some(({ not_serving }) => not_serving.some(({ code }) => LATE.has(code)));
  const data = useMemo((): ServedFacts | undefined => {
    if (!problems.data || !serving.data || !agents.data) return undefined;
    const behind = agents.data.flatMap(({ name, behind_since: since }): [string, number][] =>
      since === null ? [] : [[name, Date.parse(since)]],
    );
    return {
      problems: Map.groupBy(problems.data, ({ object }) => object),
      incomplete: new Map(serving.data.map((one) => [one.object.id, one])),
      time,
      machines: { reporting, all: agents.data.length, behindSince: new Map(behind) },
    };
    // The exact time matters only while machines are behind.
  }, [problems.data, serving.data, agents.data, reporting, late && time]);
  const refetch = (): unknown => Promise.all([problems.refetch(), serving.refetch(), agents.refetch()]);
  return { data, error: problems.error ?? serving.error ?? agents.error, refetch };
}
