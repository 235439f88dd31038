import { clock } from "../../packages/model/src/clock.ts";
import { addingUp } from "../../src/resources/traffic/traffic_hours.ts";
import { put } from "./api.ts";
import { counts } from "./counts.ts";
import * as given from "./given.ts";
import type { Json } from "./json.ts";

/*
 * Reports of traffic.
 */

// As in production: tests of traffic set the clock. Others are not to depend on the minute at which they run.
addingUp.at = [3, 10, 30];

/** A whole hour. */
export const HOUR = Date.UTC(2031, 0, 2, 3);
export const MINUTE = 60_000;

/** Sets the service's clock. */
export const at = (milliseconds: number): void => {
  clock.now = () => milliseconds;
};

/** An agent with its key. */
export async function agent(name: string): Promise<Json> {
  const key = await given.key({ role: "agent" });
  await put(`/agents/${name}/status`, { ok: true }, key);
  return key;
}

export const report = (name: string, { token }: Json, more: Json) =>
  put(
    `/agents/${name}/traffic`,
    { resolution: 60, totals: counts(), objects: [], lost: 0, ...more },
    { token },
  );
