import type { Schemas } from "../api/client.ts";
import { kindOf, useNames } from "../api/names.ts";
import type { Plan } from "../api/queries.ts";
import type { RuleInput } from "../base/networks.ts";
import { ruleChanges } from "../changes/diff.ts";
import { count } from "../facts/amounts.ts";
import { FieldDiff, Sign } from "../widgets/field_diff.tsx";
import { Chip } from "../widgets/page.tsx";
import { operationShares, Shares } from "./plan_shares.tsx";

/** What changes: each operation, before and after. */
export function Operations({ plan }: { plan: Plan }) {
  return (
    <section class="col">
      <h2>What changes</h2>
      {plan.changes.map((change, index) => (
        <Operation
          key={`${change.method} ${change.path} ${change.object?.id}`}
          change={change}
          body={plan.operations[index]?.body}
        />
      ))}
      <Shares shares={operationShares(plan)} />
    </section>
  );
}

const verbs: Record<string, string> = { POST: "New", PATCH: "Change", PUT: "Replace", DELETE: "Delete" };

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
  const isRules = path.endsWith("/rules") && method === "PUT";
  const name = object?.description || (id.startsWith("$") ? "" : names(id).name);
  return (
    <article class="op">
      <header>
        <span class="chip o mono">{method}</span>
        <span class="b cut">
          <bdi>{name || `${verbs[method] ?? method} ${kindOfPath(path)}`}</bdi>
        </span>
        <span class="t3 cut">{isRules ? "rules" : id.startsWith("$") ? kindOfPath(path) : kindOf(id)}</span>
        <span class="r">
          <Chip tone="good">{change.status}</Chip>
        </span>
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

type Values = Record<string, unknown> | null;

/** The fields of one side. Of an object that is created or deleted, those that have a value. */
const whole = (side: Values, other: Values): Record<string, unknown> =>
  other === null
    ? Object.fromEntries(Object.entries(side ?? {}).filter(([, value]) => value !== null))
    : (side ?? {});

/** What is created at a path, in words. */
function kindOfPath(path: string): string {
  const collection = path.split("/")[1] ?? "";
  return collection.replaceAll("_", " ").replace(/ies$/, "y").replace(/s$/, "").replace("ip ", "IP ");
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
