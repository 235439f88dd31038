import type { Context } from "hono";
import { rootCause } from "../db/failures.ts";
import type { App } from "../env.ts";
import { logFault } from "./log.ts";

/** Runs work after the response is sent. Failures are logged; nothing waits for it. */
export function inBackground(c: Context<App>, work: Promise<void>): void {
  const { operationId } = c.get("request");
  c.executionCtx.waitUntil(
    work.catch((error: unknown) => logFault(operationId, "Background work failed.", rootCause(error))),
  );
}
