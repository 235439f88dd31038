import type { Plan } from "../api/queries.ts";

/** A warning's key, which changes with the plan: a refreshed plan has to be confirmed again. */
const warningKey = (etag: string, { code, msg }: Plan["warnings"][number]): string =>
  `${etag} ${code} ${msg}`;

/** Whether everything that has to be confirmed is ticked. */
export const mayBeApplied = (plan: Plan, etag: string, ticked: Set<string>): boolean =>
  plan.warnings.every((warning) => !warning.confirm || ticked.has(warningKey(etag, warning)));

/**
 * The effect as the service words it: one sentence, and what people have to know. The console adds nothing about who gets in.
 *
 * @param onTick undefined if nobody is asked to confirm
 */
export function Effect(props: {
  plan: Plan;
  etag: string;
  ticked: Set<string>;
  onTick: ((ticked: Set<string>) => void) | undefined;
}) {
  const { plan, etag, ticked, onTick } = props;
  const asked = plan.warnings.filter(({ confirm }) => confirm && onTick !== undefined);
  const others = plan.warnings.filter((warning) => !asked.includes(warning));
  const keys = asked.map((warning) => warningKey(etag, warning));
  const tick = (key: string, isTicked: boolean): void => {
    const all = new Set(ticked);
    if (isTicked) all.add(key);
    else all.delete(key);
    onTick?.(all);
  };
  return (
    <section class={`panel told ${plan.warnings.length > 0 ? "warn" : ""}`} aria-label="Effect">
      <p class="summary">{plan.summary}</p>
      {asked.length > 0 && (
        <fieldset class="warnings">
          <legend>
            <span class="b">Tick each to apply</span>{" "}
            <span class="t2" role="status">
              {keys.filter((key) => ticked.has(key)).length} of {keys.length} ticked
            </span>
          </legend>
          {asked.map((warning) => {
            const key = warningKey(etag, warning);
            return (
              <label class="check" key={key}>
                <input
                  type="checkbox"
                  checked={ticked.has(key)}
                  onChange={(event) => tick(key, event.currentTarget.checked)}
                />
                <Message text={warning.msg} />
              </label>
            );
          })}
        </fieldset>
      )}
      {others.length > 0 && (
        <ul class="warnings">
          {others.map(({ code, msg }) => (
            <li class="check" key={code}>
              <span class="dot warn" aria-hidden="true" />
              <Message text={msg} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** A message, with what comes before its first colon emphasized. */
function Message({ text }: { text: string }) {
  const end = text.indexOf(": ") + 1;
  return (
    <span class="grow">
      <span class="b">{text.slice(0, end)}</span>
      {text.slice(end)}
    </span>
  );
}
