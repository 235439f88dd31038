import { useNames } from "../api/names.ts";
import type { Plan } from "../api/queries.ts";

/** Something that must be ticked before a plan can be applied. */
interface Warning {
  key: string;
  id: string;
  text: string;
}

/** The warnings of a plan: entrances that nobody or everybody can use, and those that begin or cease to be served. */
export function warningsOf(plan: Plan): Warning[] {
  const access = (plan.access ?? []).flatMap(
    ({ object: { id }, to_nobody, to_everyone, from_everyone, hostports }) => {
      if (hostports.length === 0) return [];
      if (to_nobody) return [{ key: `nobody ${id}`, id, text: "lets nobody in any more" }];
      return to_everyone && !from_everyone ? [{ key: `everybody ${id}`, id, text: "lets everybody in" }] : [];
    },
  );
  const added = (plan.problems?.added ?? []).map(({ object, msg }) => ({
    key: `added ${object} ${msg}`,
    id: object,
    text: msg,
  }));
  const removed = (plan.problems?.removed ?? [])
    .filter(({ msg }) => !msg.startsWith("Served"))
    .map(({ object, code }) => ({
      key: `removed ${object} ${code}`,
      id: object,
      text: `is served from now on (${code})`,
    }));
  return [...access, ...added, ...removed];
}

/** The warnings, each with a box to tick. */
export function Warnings(props: {
  warnings: Warning[];
  ticked: Set<string>;
  onTick: (ticked: Set<string>) => void;
}) {
  const names = useNames();
  if (props.warnings.length === 0) return null;
  const tick = (key: string, isTicked: boolean): void => {
    const ticked = new Set(props.ticked);
    if (isTicked) ticked.add(key);
    else ticked.delete(key);
    props.onTick(ticked);
  };
  return (
    <fieldset class="notice warn">
      <legend class="b">Tick to confirm</legend>
      {props.warnings.map(({ key, id, text }) => (
        <label class="check" key={key}>
          <input
            type="checkbox"
            checked={props.ticked.has(key)}
            onChange={(event) => tick(key, event.currentTarget.checked)}
          />{" "}
          <bdi class="b">{names(id).name}</bdi> {text}
        </label>
      ))}
    </fieldset>
  );
}
