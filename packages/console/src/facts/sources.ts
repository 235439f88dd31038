import { type Sources, sourcesOf } from "../../../model/src/traffic/networks.ts";
import type { RuleInput } from "../base/networks.ts";
import { now } from "./amounts.ts";

/** The addresses that rules let in now: expired rules are ignored. */
export function sourcesNow(rules: RuleInput[]): Sources {
  const cidrs = (wanted: RuleInput["action"]): string[] =>
    rules
      .filter(({ action }) => action === wanted)
      .filter(({ expires_at: end }) => end === undefined || Date.parse(end) > now())
      .map(({ cidr }) => cidr);
  return sourcesOf({ allow: cidrs("allow"), deny: cidrs("deny") });
}
