import { isFields } from "../api/client.ts";
import type { Destination } from "../api/operation_queries.ts";
import { targets } from "../changes/targets.ts";
import type { StateTone } from "./tones.ts";

/*
 * Deliveries in words.
 */

/** The states of a delivery. */
export const deliveryStates: Record<Destination["delivery"]["state"], { tone: StateTone; text: string }> = {
  idle: { tone: "good", text: "Delivering" },
  delivering: { tone: "busy", text: "Delivering" },
  retrying: { tone: "warn", text: "Retrying" },
  suspended: { tone: "bad", text: "Suspended" },
  unsubscribed: { tone: "none", text: "Nothing to send" },
};

/** The target of a destination: its type, and its settings. */
function settingsOf({
  target,
}: Pick<Destination, "target">): [name: string, settings: Record<string, unknown>] {
  const [name = "", settings] = Object.entries(target).find(([, value]) => value !== null) ?? [];
  return [name, isFields(settings) ? settings : {}];
}

/** The type of a destination's target, in words. */
export function targetOf(destination: Pick<Destination, "target">): string {
  const [name] = settingsOf(destination);
  return targets[name]?.text ?? name;
}

/** Where a target is: the URL of a webhook, the ARN of a stream, the site of a vendor. */
export function addressOf(destination: Pick<Destination, "target">): string {
  const [, settings] = settingsOf(destination);
  const names = ["url", "logs_ingestion_uri", "site"];
  const found =
    names.map((name) => settings[name]).find((value) => typeof value === "string") ??
    Object.entries(settings).find(([name]) => name.endsWith("_arn"))?.[1];
  return typeof found === "string" ? found : "";
}
