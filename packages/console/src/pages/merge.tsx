import { useEffect, useState } from "preact/hooks";
import { type Fields, isFields } from "../api/client.ts";
import { inWords, textOf } from "../changes/diff.ts";
import { labelOf } from "../changes/labels.ts";
import { type Conflict, DELETION, mergeAll } from "../changes/merging.ts";
import { useNamed } from "../widgets/field_diff.tsx";
import { Problem, Skeleton } from "../widgets/page.tsx";
import { utc } from "../widgets/text.tsx";

/**
 * Merges the pending changes with somebody else's. Only conflicts need a choice.
 *
 * @param merged called after a merge without a choice
 * @param done called after a choice
 */
export function Merge({ merged, done }: { merged: () => void; done: () => void }) {
  const [found, setFound] = useState<Conflict[]>();
  const [error, setError] = useState<unknown>();
  const [choices, setChoices] = useState<Record<string, boolean>>({});
  useEffect(() => {
    mergeAll().then((all) => (all.length === 0 ? merged() : setFound(all)), setError);
  }, []);
  if (error !== undefined) return <Problem error={error} />;
  if (!found) return <Skeleton />;
  const names = found.flatMap(({ key, fields }) => fields.map((field) => `${key} ${field}`));
  const finish = (): void => {
    for (const { key, fields, merge } of found)
      merge(fields.filter((field) => choices[`${key} ${field}`] !== true));
    done();
  };
  const isOfObjects = found.some(({ fields }) => fields[0] === DELETION);
  return (
    <section class="panel">
      <header>
        <h2>The same {isOfObjects ? "objects" : "fields"} were changed in the meantime</h2>
      </header>
      {found.map((conflict) =>
        conflict.fields.map((field) => {
          const name = `${conflict.key} ${field}`;
          return (
            <Choice
              key={name}
              conflict={conflict}
              field={field}
              name={name}
              isMine={choices[name]}
              choose={(isMine) => setChoices({ ...choices, [name]: isMine })}
            />
          );
        }),
      )}
      <footer>
        <button
          type="button"
          class="btn p"
          data-key="enter"
          disabled={names.some((name) => choices[name] === undefined)}
          onClick={finish}
        >
          Review again
        </button>
      </footer>
    </section>
  );
}

/** A choice between somebody else's value and the user's. Initially, neither is chosen. */
function Choice(props: {
  conflict: Conflict;
  field: string;
  name: string;
  isMine: boolean | undefined;
  choose: (isMine: boolean) => void;
}) {
  const { field, name, isMine, choose } = props;
  const { key, title, base, theirs, mine } = props.conflict;
  const named = useNamed(key);
  const isDeletion = field === DELETION;
  const isRule = key.endsWith("/rules");
  const words = (value: unknown): string => {
    if (value === undefined) return isRule ? "no such rule" : "none";
    return isRule && isFields(value) ? ruleInWords(value) : inWords(value, named);
  };
  const label = isRule ? field : labelOf(key, field);
  return (
    <fieldset class="merge">
      <legend>
        <bdi>{title}</bdi>
        {!isDeletion && `: ${label}`}
      </legend>
      <p class="t3">
        {isDeletion ? "It was changed after you chose to delete it." : `Before: ${words(base[field])}`}
      </p>
      {[`Now: ${words(theirs[field])}`, `Yours: ${words(mine[field])}`].map((text, i) => (
        <label class="check" key={i}>
          <input
            type="radio"
            class="radio"
            name={name}
            checked={isMine === (i === 1)}
            onChange={() => choose(i === 1)}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

/** The fields of a rule that can change: its description, its end and its metadata. */
function ruleInWords({ description, metadata, expires_at: end }: Fields): string {
  const [name, more] = [textOf(description), textOf(metadata)];
  return [
    name === "" ? "no description" : `“${name}”`,
    typeof end === "string" ? `until ${utc(end)}` : "no end",
    ...(more === "" ? [] : [`metadata “${more}”`]),
  ].join(", ");
}
