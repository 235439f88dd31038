import { useMemo, useRef, useState } from "preact/hooks";
import { type Parsed, parseRules, type RuleInput } from "../base/networks.ts";
import { ruleKey } from "../changes/diff.ts";
import { count } from "../facts/amounts.ts";
import { Dialog } from "../widgets/dialog.tsx";

/** Adds rules that were typed, pasted or dropped: a rule a line. */
export function AddRules(props: {
  close: () => void;
  add: (rules: RuleInput[]) => void;
  existing: RuleInput[];
}) {
  const [text, setText] = useState("");
  const [action, setAction] = useState<RuleInput["action"]>("allow");
  const [ends, setEnds] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const { rules, errors } = useMemo(() => parseRules(text, action), [text, action]);
  const existing = useMemo(() => new Set(props.existing.map(ruleKey)), [props.existing]);
  const known = rules.filter((rule) => existing.has(ruleKey(rule))).length;
  const submit = (event: Event): void => {
    event.preventDefault();
    if (errors.length > 0 || rules.length === 0) return field.current?.focus();
    const expires_at = ends === "" ? undefined : new Date(`${ends}Z`).toISOString().replace(".000", "");
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
    <Dialog title="Add rules" close={props.close} class="large">
      <form class="form" onSubmit={submit}>
        <label htmlFor="rules">Rules, one a line</label>
        <textarea
          id="rules"
          ref={field}
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
        <p id="rules-note" class="t3 sm">
          A network, then optionally allow or deny, and a description. # begins a comment. You can drop a file
          here.
        </p>
        <div class="bar">
          <label>
            Otherwise{" "}
            <select
              class="input"
              value={action}
              onChange={(event) => setAction(event.currentTarget.value === "deny" ? "deny" : "allow")}
            >
              <option>allow</option>
              <option>deny</option>
            </select>
          </label>
          <label>
            End (UTC){" "}
            <input
              class="input"
              type="datetime-local"
              value={ends}
              onInput={(event) => setEnds(event.currentTarget.value)}
            />
          </label>
        </div>
        <Found parsed={{ rules, errors }} known={known} />
        <button type="submit" class="btn p" disabled={errors.length > 0 || rules.length === 0}>
          Add {rules.length > 0 && count(rules.length, "rule")}
        </button>
      </form>
    </Dialog>
  );
}

function Found({ parsed: { rules, errors }, known }: { parsed: Parsed; known: number }) {
  return (
    <div id="rules-errors" aria-live="polite">
      {errors.length > 0 && (
        <div class="notice bad">
          <p>{count(errors.length, "line")} cannot be read:</p>
          <ul>
            {errors.slice(0, 20).map(({ line, msg }) => (
              <li key={line}>
                Line {line}: {msg}
              </li>
            ))}
          </ul>
        </div>
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
