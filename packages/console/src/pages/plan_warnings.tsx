import type { Plan } from "../api/queries.ts";
import { count } from "../facts/amounts.ts";
import { Icon } from "../widgets/icons.tsx";
import { usePlanNames, withNewNames } from "./plan_names.tsx";

/** A warning's key, which changes with the plan: a refreshed plan has to be confirmed again. */
const warningKey = (etag: string, { code, msg }: Plan["warnings"][number]): string =>
  `${etag} ${code} ${msg}`;

/** Whether everything that has to be confirmed is ticked. */
export const mayBeApplied = (plan: Plan, etag: string, ticked: Set<string>): boolean =>
  plan.warnings.every((warning) => !warning.confirm || ticked.has(warningKey(etag, warning)));

/**
 * What people have to know, as the service words it. The console adds nothing about who gets in.
 *
 * @param onTick undefined if nobody is asked to confirm
 */
export function Warnings(props: {
  plan: Plan;
  etag: string;
  ticked: Set<string>;
  onTick: ((ticked: Set<string>) => void) | undefined;
}) {
  const { plan, etag, ticked, onTick } = props;
  const names = usePlanNames(plan);
  if (plan.warnings.length === 0) return null;
  const asked = plan.warnings.filter(({ confirm }) => confirm && onTick !== undefined);
  const others = plan.warnings.filter((warning) => !asked.includes(warning));
  const keys = asked.map((warning) => warningKey(etag, warning));
  const number = keys.filter((key) => ticked.has(key)).length;
  const tick = (key: string, isTicked: boolean): void => {
    const all = new Set(ticked);
    if (isTicked) all.add(key);
    else all.delete(key);
    onTick?.(all);
  };
  const isBad = plan.warnings.some(({ confirm }) => confirm);
  // Only the warnings of an open plan require action.
  const tone = plan.state !== "open" ? "past" : isBad ? "bad" : "warn";
  return (
    <fieldset class={`warnings ${tone}`} aria-label="Effect">
      <legend>
        <Icon name="warn" />
        <b>
          {asked.length > 0
            ? `Confirm ${count(asked.length, "warning")} to apply this plan`
            : count(others.length, "warning")}
        </b>
        {asked.length > 0 && (
          <span class="meta push" role="status">
            {number} of {keys.length} confirmed
          </span>
        )}
      </legend>
      {asked.map((warning) => {
        const key = warningKey(etag, warning);
        return (
          <label class="confirm" key={key}>
            <input
              type="checkbox"
              class="tick"
              checked={ticked.has(key)}
              onChange={(event) => tick(key, event.currentTarget.checked)}
            />
            <Message text={withNewNames(warning.msg, plan, names)} />
          </label>
        );
      })}
      {others.map(({ code, msg }) => (
        <div class="confirm" key={code}>
          <Icon name="next" />
          <Message text={withNewNames(msg, plan, names)} />
        </div>
      ))}
    </fieldset>
  );
}

/** A message, with what comes before its first colon emphasized. */
function Message({ text }: { text: string }) {
  const end = text.indexOf(": ") + 1;
  return (
    <span class="grow wrap">
      <b>{text.slice(0, end)}</b>
      {text.slice(end)}
    </span>
  );
}
