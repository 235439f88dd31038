import { clock } from "../../packages/model/src/clock.ts";
import { newOperationId } from "../../packages/model/src/ids.ts";
import type { Cause } from "../db/event_writes.ts";
import { NO_ORIGIN } from "./settings.ts";

/** The cause of what the service changes on its own. @param subject what it does */
export const ownCause = (at: number, subject: string): Cause => ({
  at,
  operation_id: newOperationId(clock.now()),
  principal: { id: "system", subject, source: "System", credential: null },
  origin: NO_ORIGIN,
});
