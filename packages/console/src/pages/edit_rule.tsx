import { useState } from "preact/hooks";
import { RequestFailure } from "../api/errors.ts";
import { canonicalCidr, type RuleInput } from "../base/networks.ts";
import { ruleKey } from "../changes/diff.ts";
import { now } from "../facts/amounts.ts";
import { FormDialog } from "../widgets/dialog.tsx";
import { Choice, Text } from "../widgets/inputs.tsx";

/** A time as the value of its input, in UTC and without the zone. */
const typed = (instant: string | undefined): string => instant?.replace("Z", "") ?? "";

/** A time in an input, in UTC, as an instant (RFC 3339, whole seconds); undefined if the text is not a time. */
export const instantOf = (text: string): string | undefined =>
  Number.isNaN(Date.parse(`${text}Z`)) ? undefined : new Date(`${text}Z`).toISOString().replace(/\.\d+/, "");

/**
 * An end in an input, as an instant (RFC 3339, whole seconds); undefined for no end.
 *
 * @param known the current end, which can have passed
 * @throws RequestFailure if a new end has passed, or is not a time
 */
export function endOf(text: string, known?: string): string | undefined {
  const end = instantOf(text);
  if (end === undefined && text !== "")
    throw rejected("expires_at", `“${text}” is not a time, such as 2027-01-31T18:00.`);
  if (end !== undefined && end !== known && Date.parse(end) <= now())
    throw rejected("expires_at", "This time has passed. Choose a later time.");
  return end;
}

/** Edits a rule of a policy. @param others the policy's other rules */
export function EditRule(props: {
  rule: RuleInput;
  others: RuleInput[];
  close: () => void;
  save: (rule: RuleInput) => Promise<void>;
}) {
  const { rule, others } = props;
  const [cidr, setCidr] = useState(rule.cidr);
  const [action, setAction] = useState(rule.action);
  const [description, setDescription] = useState(rule.description ?? "");
  const [ends, setEnds] = useState(typed(rule.expires_at));
  const submit = async (): Promise<void> => {
    const found = canonicalCidr(cidr.trim());
    if ("error" in found) throw rejected("cidr", `${found.error}.`);
    const expires_at = endOf(ends, rule.expires_at);
    const { metadata } = rule;
    const edited: RuleInput = {
      cidr: found.cidr,
      action,
      ...(description !== "" && { description }),
      ...(metadata !== undefined && { metadata }),
      ...(expires_at !== undefined && { expires_at }),
    };
    if (others.some((other) => ruleKey(other) === ruleKey(edited)))
      throw rejected("cidr", `This policy already has a rule to ${action} ${found.cidr}.`);
    await props.save(edited);
    props.close();
  };
  return (
    <FormDialog
      title={`Edit the rule for ${rule.cidr}`}
      verb="Keep for review"
      close={props.close}
      submit={submit}
    >
      <div class="fields">
        <Text label="Network" name="cidr" isMono required value={cidr} set={setCidr} />
        <Choice
          label="Action"
          value={action}
          options={[
            { value: "allow", text: "allow" },
            { value: "deny", text: "deny" },
          ]}
          set={(value) => setAction(value === "deny" ? "deny" : "allow")}
        />
      </div>
      <Text label="Description" name="description" value={description} set={setDescription} />
      <Text
        label="End (UTC)"
        name="expires_at"
        hint="Leave empty for no end"
        type="datetime-local"
        step="any"
        value={ends}
        set={setEnds}
      />
    </FormDialog>
  );
}

/** The failure of a form that cannot be sent. @param field the name of the input that shows the message */
const rejected = (field: string, msg: string): RequestFailure =>
  new RequestFailure({ msg, errors: [{ path: `/${field}`, msg }] }, 400);
