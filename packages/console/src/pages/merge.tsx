import { useEffect, useState } from "preact/hooks";
import { type Fields, readObject } from "../api/client.ts";
import { failureOf, RequestFailure } from "../api/errors.ts";
import { useNames } from "../api/names.ts";
import { readRules } from "../api/rules.ts";
import { inWords, ruleInput } from "../changes/diff.ts";
import { labelOf } from "../changes/labels.ts";
import { conflicts, mergeRules } from "../changes/merge.ts";
import { type PendingChange, discard, keep, pending } from "../changes/pending.ts";
import { Problem, Skeleton } from "../widgets/page.tsx";

/** A change whose object somebody else changed. */
interface Conflict {
  key: string;
  change: PendingChange & { type: "update" | "delete" };
  theirs: Fields;
  etag: string;
  /** What needs a choice; of a deletion, itself. */
  fields: string[];
}

/** Merges the pending changes with what somebody else applied. Only fields that both changed need a choice. */
export function Merge({ done }: { done: () => void }) {
  const [found, setFound] = useState<Conflict[]>();
  const [error, setError] = useState<unknown>();
  const [choices, setChoices] = useState<Record<string, boolean>>({});
  useEffect(() => {
    mergeAll().then((all) => (all.length === 0 ? done() : setFound(all)), setError);
  }, []);
  if (error !== undefined) return <Problem error={error} />;
  if (!found) return <Skeleton />;
  const names = found.flatMap(({ key, fields }) => fields.map((field) => `${key} ${field}`));
  const finish = (): void => {
    for (const conflict of found) settle(conflict, choices);
    done();
  };
  return (
    <section class="panel">
      <header>
        <h2>Somebody else changed the same {found.some(isOfField) ? "fields" : "objects"}</h2>
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

const isOfField = ({ change }: Conflict): boolean => change.type === "update";

/** Their value or the reader's. Nothing is chosen at the start. */
function Choice(props: {
  conflict: Conflict;
  field: string;
  name: string;
  isMine: boolean | undefined;
  choose: (isMine: boolean) => void;
}) {
  const { field, name, isMine, choose } = props;
  const { change, theirs } = props.conflict;
  const names = useNames();
  const words = (value: unknown): string => inWords(value, (id) => names(id).name);
  const texts =
    change.type === "delete"
      ? ["Keep it as it is now", "Delete it"]
      : [`Theirs: ${words(theirs[field])}`, `Yours: ${words(change.body[field])}`];
  return (
    <fieldset class="merge">
      <legend>
        <bdi>{change.title}</bdi>
        {change.type === "update" && `: ${labelOf(change.path, field)}`}
      </legend>
      <p class="t3">
        {change.type === "update"
          ? `Before: ${words(change.base[field])}`
          : "It was changed after you chose to delete it."}
      </p>
      {texts.map((text, i) => (
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

function settle({ key, change, theirs, etag, fields }: Conflict, choices: Record<string, boolean>): void {
  const isTheirs = (name: string): boolean => fields.includes(name) && choices[`${key} ${name}`] !== true;
  if (change.type === "delete") {
    if (isTheirs("")) discard(key);
    else keep(key, { ...change, etag });
    return;
  }
  const kept = Object.entries(change.body).filter(([name]) => !isTheirs(name));
  keep(key, { ...change, etag, base: theirs, body: Object.fromEntries(kept) });
}

/** Merges changes that need no choice, and returns the others. @throws RequestFailure */
async function mergeAll(): Promise<Conflict[]> {
  const all = await Promise.all(
    Object.entries(pending.value).map(([key, change]) =>
      mergeOne(key, change).catch((error: unknown) => gone(key, change, failureOf(error))),
    ),
  );
  return all.filter((conflict) => conflict !== undefined);
}

/** What the change is about does not exist any more: its deletion is done, and a change of it has to be taken back. @throws RequestFailure */
function gone(key: string, { type, title }: PendingChange, failure: RequestFailure): undefined {
  if (failure.status !== 404) throw failure;
  if (type === "delete") {
    discard(key);
    return;
  }
  throw new RequestFailure(
    { msg: `${title} was deleted in the meantime. Take your change of it back.` },
    404,
  );
}

async function mergeOne(key: string, change: PendingChange): Promise<Conflict | undefined> {
  const { type, path } = change;
  if (type === "create") return undefined;
  if (type === "rules") {
    const { etag, rules } = await readRules(path.split("/")[2] ?? "");
    const theirs = rules.map(ruleInput);
    keep(key, { ...change, etag, base: theirs, rules: mergeRules(change.base, theirs, change.rules) });
    return undefined;
  }
  const { object, etag } = await readObject(path);
  // Somebody changed what the reader wanted to delete, so the deletion must be chosen again.
  if (type === "delete")
    return etag === change.etag ? undefined : { key, change, theirs: object, etag, fields: [""] };
  const fields = conflicts(change.base, object, change.body);
  if (fields.length > 0) return { key, change, theirs: object, etag, fields };
  keep(key, { ...change, etag, base: object });
  return undefined;
}
