import { type Cost, newCost } from "../../../src/db/session.ts";
import { counted } from "../../support/counted.ts";
import type { Subject } from "./shared.ts";

/** The countable work for one request. */
export interface Work extends Cost {
  statements: number;
  /** The length of each log line. */
  logLines: number[];
}

/**
 * A Worker that behaves like `worker` and reports the {@link Work} of each request in a header. Requests must come one after
 * the other for their log lines to be distinguished.
 */
export function metered<Env extends { DB: D1Database }>(worker: Subject<Env>) {
  let logLines: number[] = [];
  const write = console.info;
  console.info = (line: string) => {
    logLines.push(line.length);
    write(line);
  };
  return {
    async fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
      logLines = [];
      const cost = { ...newCost(), statements: 0 };
      const answer = await worker.fetch(request, { ...env, DB: counted(env.DB, cost) }, context);
      const response = new Response(answer.body, answer);
      response.headers.set("Bench-Cost", JSON.stringify({ ...cost, logLines } satisfies Work));
      return response;
    },
  };
}
