import { useMemo, useState } from "preact/hooks";
import { type Parsed, parseRules, type RuleInput } from "../base/networks.ts";
import { ruleKey } from "../changes/diff.ts";
import { count } from "../facts/amounts.ts";
import { FormDialog } from "../widgets/dialog.tsx";
import { Choice, Text } from "../widgets/inputs.tsx";
import { Notice } from "../widgets/page.tsx";
import { endOf } from "./edit_rule.tsx";

/** Adds rules that were typed, pasted or dropped: a rule a line. */
export function AddRules(props: {
  close: () => void;
  add: (rules: RuleInput[]) => void;
  existing: RuleInput[];
}) {
  const [text, setText] = useState("");
  const [action, setAction] = useState<RuleInput["action"]>("allow");
  const [ends, setEnds] = useState("");
  const { rules, errors } = useMemo(() => parseRules(text, action), [text, action]);
  const existing = useMemo(() => new Set(props.existing.map(ruleKey)), [props.existing]);
  const known = rules.filter((rule) => existing.has(ruleKey(rule))).length;
  const submit = (): void => {
    const expires_at = endOf(ends);
    props.add(expires_at === undefined ? rules : rules.map((rule) => ({ ...rule, expires_at })));
    props.close();
  };
  const drop = async (event: DragEvent): Promise<void> => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    setText(await file.text());
  };
  return (
    <FormDialog
      title="Add rules"
      verb={rules.length > 0 ? `Add ${count(rules.length, "rule")}` : "Add"}
      class="large"
      close={props.close}
      isDisabled={errors.length > 0 || rules.length === 0}
      submit={submit}
    >
      <div class="field">
        <label htmlFor="rules">Rules, one a line</label>
        <textarea
          id="rules"
          class="input mono"
          rows={10}
          spellcheck={false}
          placeholder={"203.0.113.0/24, allow, Porto office\n198.51.100.77, deny"}
          value={text}
          aria-describedby="rules-note rules-errors"
          aria-invalid={errors.length > 0}
          onInput={(event) => setText(event.currentTarget.value)}
          onDrop={(event) => void drop(event)}
        />
        <p id="rules-note" class="hint">
          A network, then optionally allow or deny, and a description. # begins a comment. You can drop a file
          here.
        </p>
      </div>
      <div class="fields">
        <Choice
          label="Otherwise"
          hint="For lines that do not say it"
          value={action}
          options={[
            { value: "allow", text: "allow" },
            { value: "deny", text: "deny" },
          ]}
          set={(value) => setAction(value === "deny" ? "deny" : "allow")}
        />
        <Text
          label="End (UTC)"
          name="expires_at"
          hint="Empty for no end"
          type="datetime-local"
          value={ends}
          set={setEnds}
        />
      </div>
      <Found parsed={{ rules, errors }} known={known} />
    </FormDialog>
  );
}

function Found({ parsed: { rules, errors }, known }: { parsed: Parsed; known: number }) {
  return (
    <div id="rules-errors" aria-live="polite">
      {errors.length > 0 && (
        <Notice tone="bad" title={`${count(errors.length, "line")} cannot be read`}>
          <ul>
            {errors.slice(0, 20).map(({ line, msg }) => (
              <li key={line}>
                Line {line}: {msg}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {rules.length > 0 && (
        <p class="t2">
          {count(rules.length, "rule")}
          {known > 0 && `, of which the policy has ${known} already`}
        </p>
      )}
    </div>
  );
}
