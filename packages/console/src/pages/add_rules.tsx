import { useMemo, useState } from "preact/hooks";
import { type Parsed, parseRules, type RuleInput } from "../base/networks.ts";
import { ruleChanges, ruleKey } from "../changes/diff.ts";
import { count } from "../facts/amounts.ts";
import { FormDialog } from "../widgets/dialog.tsx";
import { Choice, LongText, Text } from "../widgets/inputs.tsx";
import { Notice } from "../widgets/page.tsx";
import { endOf, instantOf } from "./edit_rule.tsx";

/** Adds rules that were typed, pasted or dropped: a rule a line. */
export function AddRules(props: {
  close: () => void;
  /** @throws RequestFailure */
  add: (rules: RuleInput[]) => Promise<void>;
  existing: RuleInput[];
}) {
  const [text, setText] = useState("");
  const [action, setAction] = useState<RuleInput["action"]>("allow");
  const [ends, setEnds] = useState("");
  const { rules, errors } = useMemo(() => parseRules(text, action), [text, action]);
  const { added, changed, same } = useMemo(
    () => comparison(props.existing, rules, instantOf(ends)),
    [props.existing, rules, ends],
  );
  const submit = async (): Promise<void> => {
    endOf(ends);
    await props.add([...added, ...changed]);
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
      verb={verbFor(added.length, changed.length)}
      class="large"
      close={props.close}
      isDisabled={errors.length > 0 || added.length + changed.length === 0}
      submit={submit}
    >
      <div onDrop={(event) => void drop(event)}>
        <LongText
          label="Rules, one per line"
          name="rules"
          hint="A network, then optionally allow or deny, and a description. # begins a comment. You can drop a file here."
          rows={10}
          placeholder={"203.0.113.0/24, allow, Porto office\n198.51.100.77, deny"}
          value={text}
          set={setText}
        />
      </div>
      <div class="fields">
        <Choice
          label="Otherwise"
          hint="For lines without an action"
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
          hint="Leave empty for no end"
          type="datetime-local"
          value={ends}
          set={setEnds}
        />
      </div>
      <Found errors={errors} added={added.length} changed={changed} same={same} />
    </FormDialog>
  );
}

/** What the button does, such as "Add 2 rules, change 1 rule". */
const verbFor = (added: number, changed: number): string =>
  added === 0 && changed > 0
    ? `Change ${count(changed, "rule")}`
    : `Add${added > 0 ? ` ${count(added, "rule")}` : ""}${changed > 0 ? `, change ${count(changed, "rule")}` : ""}`;

/** Compares lines with a policy's rules: the rules that they add, the rules that they change, and the number of equal rules. */
function comparison(existing: RuleInput[], lines: RuleInput[], expires_at: string | undefined) {
  const after = new Map(lines.map((rule) => [ruleKey(rule), rule]));
  const before = existing.filter((rule) => after.has(ruleKey(rule)));
  // A rule keeps the fields that its line does not contain.
  const known = new Map(before.map((rule) => [ruleKey(rule), rule]));
  const merged = [...after].map(([key, rule]) => ({
    ...known.get(key),
    ...rule,
    ...(expires_at !== undefined && { expires_at }),
  }));
  const changes = ruleChanges(before, merged);
  const differing = merged.filter((rule) => changes.has(ruleKey(rule)));
  return {
    added: differing.filter((rule) => !known.has(ruleKey(rule))),
    changed: differing.filter((rule) => known.has(ruleKey(rule))),
    same: merged.length - differing.length,
  };
}

const SHOWN = 20;

function Found(props: { errors: Parsed["errors"]; added: number; changed: RuleInput[]; same: number }) {
  const { errors, added, changed, same } = props;
  return (
    <div class="stack" aria-live="polite">
      {errors.length > 0 && (
        <Notice tone="bad" title={`${count(errors.length, "line")} cannot be read`}>
          <ul>
            {errors.slice(0, SHOWN).map(({ line, msg }) => (
              <li key={line}>
                Line {line}: {msg}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {added + same > 0 && (
        <p class="t2">
          {added > 0 && `${count(added, "new rule")}. `}
          {same > 0 && `Already in the policy: ${count(same, "rule")}.`}
        </p>
      )}
      {changed.length > 0 && (
        <Notice tone="warn" title={count(changed.length, "existing rule changes", "existing rules change")}>
          They get the descriptions and ends of these lines: {changed.slice(0, SHOWN).map(ruleKey).join(", ")}
          {changed.length > SHOWN && ` and ${changed.length - SHOWN} more`}
        </Notice>
      )}
    </div>
  );
}
