import { useQuery } from "@tanstack/preact-query";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { Schemas } from "../api/client.ts";
import { kindOf } from "../api/names.ts";
import type { Plan } from "../api/queries.ts";
import { rulesQuery } from "../api/rules.ts";
import type { RuleInput } from "../base/networks.ts";
import { ruleChanges, ruleKey, rulesIn } from "../changes/diff.ts";
import { secretsIn } from "../changes/labels.ts";
import { count } from "../facts/amounts.ts";
import { FieldDiff, Sign } from "../widgets/field_diff.tsx";
import { Chip, None, Panel } from "../widgets/page.tsx";
import { utc } from "../widgets/text.tsx";
import { kindAt, nameInPlan, usePlanNames } from "./plan_names.tsx";
import { lastHour } from "./plan_places.tsx";
import { operationShares, Shares } from "./plan_shares.tsx";

type Change = Schemas["PlanChange"];
type Sent = Plan["operations"][number];

/** The number of changes in a plan, counted as in the bar of pending changes: each rule of a list, and each object. */
export function changesIn(plan: Plan): number {
  if (plan.truncated) return plan.operations.length;
  let rules = 0;
  const objects = new Set<string>();
  for (const { path, method, object, before, after } of plan.changes)
    if (isOfRules(path, method)) rules += Math.max(1, ruleChanges(rulesIn(before), rulesIn(after)).size);
    else objects.add(object?.id ?? path);
  return rules + objects.size;
}

const isOfRules = (path: string, method: string): boolean => path.endsWith("/rules") && method === "PUT";

/** The changed objects, before and after. @param number the number of changes @param action the button of an operation */
export function Operations(props: {
  plan: Plan;
  number: number;
  action?: ((operation: Sent) => ComponentChildren) | undefined;
}) {
  const { plan, number, action } = props;
  const shown = plan.changes.map((change, index) => ({ change, sent: plan.operations[index] }));
  const changing = shown.filter(
    ({ change, sent }) => changesSomething(change) || secretsIn(change.path, sent?.body).length > 0,
  );
  const unchanged = shown.length - changing.length;
  return (
    <Panel title="What changes" aside={count(number, "change")}>
      {changing.map(({ change, sent }, i) => (
        <Operation key={`${i} ${change.path}`} plan={plan} change={change} sent={sent} action={action} />
      ))}
      {changing.length === 0 && <None>Nothing changes.</None>}
      {unchanged > 0 && changing.length > 0 && (
        <footer>
          {unchanged === 1 ? "1 object stays as it is." : `${count(unchanged, "object")} stay as they are.`}
        </footer>
      )}
      <Shares shares={operationShares(plan)} />
    </Panel>
  );
}

/** Whether anything is different after a change. What is too long to compare counts. */
const changesSomething = ({ before, after, path }: Change): boolean =>
  before === undefined ||
  after === undefined ||
  path.endsWith("/rules") ||
  JSON.stringify(before) !== JSON.stringify(after);

function Operation(props: {
  plan: Plan;
  change: Change;
  sent: Sent | undefined;
  action: ((operation: Sent) => ComponentChildren) | undefined;
}) {
  const { plan, change, sent } = props;
  const names = usePlanNames(plan);
  const { method, path, object, before, after } = change;
  const id = object?.id ?? "";
  const isNew = id.startsWith("$");
  const isRules = isOfRules(path, method);
  const verb = before === null ? "created" : after === null ? "removed" : "changed";
  const kind = isRules ? "rules" : isNew ? kindAt(path) : kindOf(id);
  // Only the plan still contains the name of a deleted object.
  const shown = names(id);
  const name = object?.description || (isNew || after === null ? nameInPlan(change) : shown.name);
  const href = after === null ? undefined : shown.href;
  return (
    <article class="op">
      <header>
        <Chip>{isRules ? "changed" : verb}</Chip>
        {name !== "" && (
          <b class="wrap">
            {href === undefined ? (
              <bdi>{name}</bdi>
            ) : (
              <a class="plain" href={href}>
                <bdi>{name}</bdi>
              </a>
            )}
          </b>
        )}
        <span class="t3">{kind}</span>
        <span class="push line meta">
          {change.traffic && lastHour(change.traffic)}
          {sent && props.action?.(sent)}
        </span>
      </header>
      {before === undefined || after === undefined ? (
        <p class="t2 pad">The effect is too long to show which fields change.</p>
      ) : isRules ? (
        <RuleDiff
          before={rulesIn(before)}
          after={rulesIn(after)}
          sent={rulesIn(sent?.body)}
          isCut={change.truncated === true}
          policy={id}
          isOpen={plan.state === "open"}
        />
      ) : (
        <FieldDiff
          before={before ?? {}}
          after={after ?? {}}
          path={path}
          nameOf={names}
          secrets={secretsIn(path, sent?.body).map(({ label }) => label)}
        />
      )}
    </article>
  );
}

const SHOWN = 100;

/** A policy's rules before a plan is applied, by key, because the plan does not contain descriptions. */
function useKnownRules(policy: string, isOpen: boolean): Map<string, RuleInput> {
  const enabled = isOpen && policy.startsWith("ipp_");
  const { data } = useQuery({ ...rulesQuery(policy), enabled });
  const known = useRef<Map<string, RuleInput>>();
  if (enabled && data) known.current ??= new Map(data.rules.map((rule) => [ruleKey(rule), rule]));
  return known.current ?? new Map<string, RuleInput>();
}

function RuleDiff(props: {
  before: RuleInput[];
  after: RuleInput[];
  sent: RuleInput[];
  isCut: boolean;
  policy: string;
  isOpen: boolean;
}) {
  const { sent, isCut } = props;
  const known = useKnownRules(props.policy, props.isOpen);
  const described = new Map(sent.map((rule) => [ruleKey(rule), rule]));
  const changes = [...ruleChanges(props.before, props.after).values()];
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
          <span class="v">
            {rule.cidr}{" "}
            <bdi class="t3">{(sign === "+" ? described : known).get(ruleKey(rule))?.description}</bdi>
            {rule.expires_at !== undefined && <span class="t3"> until {utc(rule.expires_at)}</span>}
          </span>
        </div>
      ))}
      {changes.length > SHOWN && <p class="t3 pad">and {count(changes.length - SHOWN, "more change")}</p>}
      {lines.length === 0 && !isCut && <p class="t3 pad">Only descriptions change.</p>}
      {isCut && (
        <p class="t3 pad">
          Only the first 100 rules of each side are compared here; all {count(sent.length, "rule")} are
          applied.
        </p>
      )}
    </div>
  );
}
