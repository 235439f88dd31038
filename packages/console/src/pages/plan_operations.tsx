import type { Schemas } from "../api/client.ts";
import { kindOf, nameOf, useNames } from "../api/names.ts";
import type { Plan } from "../api/queries.ts";
import type { RuleInput } from "../base/networks.ts";
import { ruleChanges } from "../changes/diff.ts";
import { count } from "../facts/amounts.ts";
import { FieldDiff, Sign } from "../widgets/field_diff.tsx";
import { Chip, None, Panel } from "../widgets/page.tsx";
import { lastHour } from "./plan_places.tsx";
import { operationShares, Shares } from "./plan_shares.tsx";

/** What changes: each object, before and after. */
export function Operations({ plan }: { plan: Plan }) {
  const shown = plan.changes.map((change, index) => ({ change, body: plan.operations[index]?.body }));
  const changing = shown.filter(({ change }) => changesSomething(change));
  const unchanged = shown.length - changing.length;
  return (
    <Panel title="What changes" aside={`${count(plan.operations.length, "change")}, together or not at all`}>
      {changing.map(({ change, body }) => (
        <Operation key={`${change.method} ${change.path} ${change.object?.id}`} change={change} body={body} />
      ))}
      {changing.length === 0 && <None>Nothing changes.</None>}
      {unchanged > 0 && changing.length > 0 && (
        <footer>{count(unchanged, "object")} stay as they are.</footer>
      )}
      <Shares shares={operationShares(plan)} />
    </Panel>
  );
}

/** Whether anything is different after a change. What is too long to compare counts. */
const changesSomething = ({ before, after, path }: Schemas["PlanChange"]): boolean =>
  before === undefined ||
  after === undefined ||
  path.endsWith("/rules") ||
  JSON.stringify(before) !== JSON.stringify(after);

function Operation({
  change,
  body,
}: {
  change: Schemas["PlanChange"];
  body: Record<string, unknown> | undefined;
}) {
  const names = useNames();
  const { method, path, object, before, after } = change;
  const id = object?.id ?? "";
  const isNew = id.startsWith("$");
  const isRules = path.endsWith("/rules") && method === "PUT";
  const verb = before === null ? "created" : after === null ? "removed" : "changed";
  const fields = after ?? before ?? {};
  const name = object?.description || (isNew ? nameOf({ id: "", ...nameable(fields) }) : names(id).name);
  return (
    <article class="op">
      <header>
        <Chip>{isRules ? "changed" : verb}</Chip>
        <b class="wrap">
          <bdi>{name || kindAt(path)}</bdi>
        </b>
        <span class="t3">{isRules ? "rules" : isNew ? kindAt(path) : kindOf(id)}</span>
        {change.traffic && <span class="meta push">{lastHour(change.traffic)}</span>}
      </header>
      {before === undefined || after === undefined ? (
        <p class="t2 pad">The effect is too long to show which fields change.</p>
      ) : isRules ? (
        <RuleDiff
          before={rulesIn(before)}
          after={rulesIn(after)}
          sent={rulesIn(body)}
          isCut={change.truncated === true}
        />
      ) : (
        <FieldDiff before={whole(before, after)} after={whole(after, before)} />
      )}
    </article>
  );
}

/** The fields of an object that can stand for its name. */
const nameable = ({ hostports, match, address }: Record<string, unknown>) => ({
  ...(Array.isArray(hostports) && { hostports: hostports.map(String) }),
  ...(typeof match === "string" && { match }),
  ...(typeof address === "string" && { address }),
});

type Values = Record<string, unknown> | null;

/** The fields of one side. Of an object that is created or deleted, those that have a value. */
const whole = (side: Values, other: Values): Record<string, unknown> =>
  other === null
    ? Object.fromEntries(Object.entries(side ?? {}).filter(([, value]) => value !== null))
    : (side ?? {});

/** What is created at a path, in words. */
function kindAt(path: string): string {
  if (path.endsWith("/routes")) return "route";
  const [, collection = "", kind] = path.split("/");
  const one = collection.replaceAll("_", " ").replace(/ies$/, "y").replace(/s$/, "").replace("ip ", "IP ");
  return collection === "edges" ? `${kind?.toUpperCase()} edge` : one;
}

const isRule = (value: unknown): value is RuleInput =>
  typeof value === "object" && value !== null && "cidr" in value && "action" in value;

/** The rules in a value of a plan. */
function rulesIn(value: Record<string, unknown> | null | undefined): RuleInput[] {
  const rules = value?.["rules"];
  return Array.isArray(rules) ? rules.filter(isRule) : [];
}

const SHOWN = 100;

function RuleDiff({
  before,
  after,
  sent,
  isCut,
}: {
  before: RuleInput[];
  after: RuleInput[];
  sent: RuleInput[];
  isCut: boolean;
}) {
  const described = new Map(sent.map((rule) => [`${rule.cidr} ${rule.action}`, rule.description]));
  const changes = [...ruleChanges(before, after).values()];
  const lines = changes
    .slice(0, SHOWN)
    .flatMap(({ before: was, after: is }) => [
      ...(was ? [{ sign: "−", rule: was }] : []),
      ...(is ? [{ sign: "+", rule: is }] : []),
    ]);
  return (
    <div class="diff mono">
      {lines.map(({ sign, rule }) => (
        <div key={`${sign}${rule.cidr}${rule.action}`} class={sign === "+" ? "a" : "d"}>
          <Sign sign={sign} />
          <span class="k">{rule.action}</span>
          <span class="cut">
            {rule.cidr} <bdi class="t3">{described.get(`${rule.cidr} ${rule.action}`)}</bdi>
            {rule.expires_at !== undefined && <span class="t3"> until {rule.expires_at}</span>}
          </span>
        </div>
      ))}
      {changes.length > SHOWN && <p class="t3 pad">and {count(changes.length - SHOWN, "more change")}</p>}
      {lines.length === 0 && <p class="t3 pad">Only descriptions change.</p>}
      {isCut && (
        <p class="t3 pad">
          Only the first 100 rules of each side are compared here; all {count(sent.length, "rule")} are
          applied.
        </p>
      )}
    </div>
  );
}
