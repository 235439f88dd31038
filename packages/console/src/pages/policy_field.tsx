import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { api, bodyOf, type Schemas } from "../api/client.ts";
import { failureOf } from "../api/errors.ts";
import { mayPlan } from "../api/session.ts";
import { PHASE, type PolicyTarget, TEMPLATES } from "../changes/policy_rules.ts";
import { isJson, placeOfName, suggestionIn, withRule } from "../changes/policy_text.ts";
import { count } from "../facts/amounts.ts";
import type { StateTone } from "../facts/tones.ts";
import { CodeField, typeInto } from "../widgets/code_field.tsx";
import { Menu } from "../widgets/menu.tsx";
import { None, Panel, Problem } from "../widgets/page.tsx";
import { State } from "../widgets/state.tsx";

type Check = Schemas["TrafficPolicyCheck"];

/** What a policy is checked for, by the kind of its edge. */
export const policyTargets = { https: "https_edge_route", tls: "tls_edge", tcp: "tcp_edge" } as const;

/** A field for the text of a traffic policy, and what is wrong with it. */
export function PolicyText(props: { value: string; set: (value: string) => void; target: PolicyTarget }) {
  const { value, target, set } = props;
  const { checked, error } = useCheck(value, target);
  const text = useRef<HTMLTextAreaElement>(null);
  const select = (from: number, to = from): void => {
    text.current?.focus();
    text.current?.setSelectionRange(from, to);
    // The field does not scroll: it is as long as its text.
    const line = value.slice(0, from).split("\n").length;
    const number = text.current?.closest(".code")?.querySelector(`li:nth-child(${line})`);
    number?.scrollIntoView({ block: "center" });
  };
  const insert = (rule: string): void => {
    const added = withRule(value, text.current?.selectionStart ?? 0, PHASE[target], rule);
    typeInto(text.current, added.text);
    setTimeout(() => select(added.end));
  };
  // Positions are those of the text that was checked.
  const isCurrent = checked?.value === value;
  const placed = (checked?.check.findings ?? []).map((finding) => placeOf(finding, value));
  return (
    <>
      <Panel
        title="Text"
        aside={
          <>
            {count(value.split("\n").length, "line")}
            {mayPlan.value && !isJson(value) && (
              <Menu
                label="Insert a rule"
                class="btn q s"
                items={TEMPLATES[target].map(([name, note, rule]) => ({
                  text: name,
                  note,
                  run: () => insert(rule),
                }))}
              />
            )}
            <a class="btn q s" href="/docs/guides/policies" target="_blank">
              Reference
            </a>
          </>
        }
      >
        <CodeField
          field={text}
          label="Traffic policy"
          describedBy="findings"
          value={value}
          set={set}
          marks={placed.flatMap(({ finding: { line, severity }, ...range }) =>
            line === null || !isCurrent
              ? []
              : [{ line, tone: severity === "error" ? "bad" : "warn", ...range }],
          )}
          placeholder={`${PHASE[target]}:\n${TEMPLATES[target][0]?.[2]}`}
          isReadOnly={!mayPlan.value}
        />
      </Panel>
      <div id="findings" aria-live="polite">
        {error !== undefined && <Problem error={error} />}
        {value !== "" && checked && (
          <Findings
            verdict={checked.check.verdict}
            placed={placed}
            isCurrent={isCurrent}
            lineStarts={lineStartsOf(value)}
            replace={(at, wrong, right) => {
              typeInto(text.current, value.slice(0, at) + right + value.slice(at + wrong.length));
              setTimeout(() => select(at, at + right.length));
            }}
            select={(at) => select(at)}
          />
        )}
      </div>
    </>
  );
}

/** The index of the first character of each line. */
function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (const { index } of text.matchAll(/\n/g)) starts.push(index + 1);
  return starts;
}

type PolicyFinding = Check["findings"][number];

/** A finding, and the part of its line that it is about, as indexes. */
interface Placed {
  finding: PolicyFinding;
  from?: number;
  to?: number;
}

/** Where a finding is: the name that it replaces, or the word at its column. */
function placeOf(finding: PolicyFinding, value: string): Placed {
  const { line, column, msg } = finding;
  if (line === null || column === null) return { finding };
  const wrong = suggestionIn(msg)?.wrong;
  const name = wrong === undefined ? undefined : placeOfName(value, wrong, line, column);
  if (wrong !== undefined && name)
    return {
      finding: { ...finding, line: name.line, column: name.index + 1 },
      from: name.index,
      to: name.index + wrong.length,
    };
  const text = value.split("\n")[line - 1] ?? "";
  const word = /^(?:[\w$]+|.)/u.exec(text.slice(column - 1))?.[0] ?? "";
  return { finding, from: column - 1, to: column - 1 + word.length };
}

/** What the service says of a text, a moment after the last key. */
function useCheck(value: string, target: PolicyTarget) {
  const [checked, setChecked] = useState<{ value: string; check: Check }>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    if (value === "") return undefined;
    let isOutdated = false;
    const check = (): void => {
      bodyOf(api.POST("/traffic_policies/check", { body: { value, for: target } })).then(
        (check) => {
          if (isOutdated) return;
          setChecked({ value, check });
          setError(undefined);
        },
        (reason: unknown) => {
          if (isOutdated) return;
          setChecked(undefined);
          setError(reason);
          // The service may recover while nobody types.
          if (failureOf(reason).status >= 500) timer = setTimeout(check, 2000);
        },
      );
    };
    let timer = setTimeout(check, 250);
    return () => {
      isOutdated = true;
      clearTimeout(timer);
    };
  }, [value, target]);
  return { checked, error };
}

const verdicts: Record<Check["verdict"], [StateTone, string]> = {
  enforced: ["good", "Enforced"],
  invalid: ["bad", "Invalid"],
  not_enforced: ["bad", "Cannot be enforced"],
};

/** What is wrong, each with a button that goes to its place in the text, or that replaces a name with the suggested one. */
function Findings(props: {
  verdict: Check["verdict"];
  placed: Placed[];
  /** Whether their places are those of the text as it is now. */
  isCurrent: boolean;
  replace: (at: number, wrong: string, right: string) => void;
  select: (at: number) => void;
  lineStarts: number[];
}) {
  const { verdict, placed, isCurrent, replace, select, lineStarts } = props;
  const [tone, summary] = verdicts[verdict];
  return (
    <Panel title="Findings" aside={<State tone={tone}>{summary}</State>}>
      {placed.length === 0 && <None>Nothing is wrong. Every rule is enforced as written.</None>}
      {placed.map(({ finding, from, to }) => {
        const { severity, line, column, path, msg } = finding;
        const key = `${path} ${line} ${column} ${msg}`;
        if (line === null || column === null || from === undefined)
          return <Finding key={key} severity={severity} msg={msg} place={severity} />;
        const start = lineStarts[line - 1] ?? 0;
        const names = suggestionIn(msg);
        const isNamed = names !== undefined && to === from + names.wrong.length;
        return (
          <Finding key={key} severity={severity} msg={msg} place={`Line ${line}`}>
            {isNamed && mayPlan.value && (
              <button
                type="button"
                class="btn s"
                disabled={!isCurrent}
                onClick={() => replace(start + from, names.wrong, names.right)}
              >
                Use {names.right}
              </button>
            )}
            <button
              type="button"
              class="btn s"
              disabled={!isCurrent}
              aria-label={`Go to line and column ${line}:${column}`}
              onClick={() => select(start + column - 1)}
            >
              Go there
            </button>
          </Finding>
        );
      })}
    </Panel>
  );
}

function Finding(props: {
  severity: Check["findings"][number]["severity"];
  place: string;
  msg: string;
  children?: ComponentChildren;
}) {
  const isError = props.severity === "error";
  return (
    <div class="row">
      <State tone={isError ? "bad" : "warn"} {...(!isError && { sign: "triangle" })}>
        {props.place}
      </State>
      <span class="grow wrap">{props.msg}</span>
      {props.children}
    </div>
  );
}
