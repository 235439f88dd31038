import { argument, quote } from "../base/quote.ts";
import { type RuleKind, scopeOf, setter } from "../base/rules.ts";
import { type Maps, PLACE_FIELDS } from "./maps.ts";
import type { TlsEntrance } from "./parts.ts";

/** The rules of an internal listener that set the variables `edge` and `table`. A name of another listener's edge does not count. */
export function edgeOfListener(
  rule: RuleKind,
  { name, only }: TlsEntrance,
  port: number,
  maps: Maps,
): string[] {
  const key = only === undefined ? "ssl_fc_sni,lower" : `str(${argument(only)})`;
  const map = only === undefined ? `names/${port}` : "listeners";
  const [scope, set] = [scopeOf(rule), setter(rule)];
  const field = (of: keyof typeof PLACE_FIELDS) => `var(${scope}.place),field(${PLACE_FIELDS[of]},~)`;
  const isOwn = only === undefined ? ` if { ${quote(field("listener"))} -m str ${quote(name)} }` : "";
  return [
    set("place", maps.lookup(key, map)),
    ...(["edge", "table"] as const).map((each) => set(each, field(each), isOwn)),
  ];
}
