import { useEffect, useState } from "preact/hooks";
import { type Fields, readObject } from "../api/client.ts";
import { useNames } from "../api/names.ts";
import { readRules } from "../api/rules.ts";
import { inWords, ruleInput } from "../changes/diff.ts";
import { conflicts, mergeRules } from "../changes/merge.ts";
import { modules } from "../changes/modules.ts";
import { type PendingChange, discard, keep, pending } from "../changes/pending.ts";
import { Problem, Skeleton } from "../widgets/page.tsx";

/** A change whose object somebody else changed. */
interface Conflict {
  key: string;
  change: PendingChange & { type: "update" };
  theirs: Fields;
  etag: string;
  fields: string[];
}

/** Merges the pending changes with what somebody else applied. Only fields that both changed need a choice. */
export function Merge({ done }: { done: () => void }) {
  const [found, setFound] = useState<Conflict[]>();
  const [error, setError] = useState<unknown>();
  const [mine, setMine] = useState<Set<string>>(new Set());
  useEffect(() => {
    mergeAll().then((all) => (all.length === 0 ? done() : setFound(all)), setError);
  }, []);
  const names = useNames();
  if (error !== undefined) return <Problem error={error} />;
  if (!found) return <Skeleton />;
  const choose = (name: string, isMine: boolean): void => {
    const chosen = new Set(mine);
    if (isMine) chosen.add(name);
    else chosen.delete(name);
    setMine(chosen);
  };
  const finish = (): void => {
    for (const conflict of found) settle(conflict, mine);
    done();
  };
  return (
    <section class="panel">
      <header>
        <h2>Somebody else changed the same fields</h2>
      </header>
      {found.map(({ key, change, theirs, fields }) =>
        fields.map((field) => {
          const name = `${key} ${field}`;
          const words = (value: unknown): string => inWords(value, (id) => names(id).name);
          return (
            <fieldset class="merge" key={name}>
              <legend>
                {change.title}: {labelOf(field)}
              </legend>
              <p class="t3">Before: {words(change.base[field])}</p>
              <label class="check">
                <input
                  type="radio"
                  class="radio"
                  name={name}
                  checked={!mine.has(name)}
                  onChange={() => choose(name, false)}
                />
                Theirs: {words(theirs[field])}
              </label>
              <label class="check">
                <input
                  type="radio"
                  class="radio"
                  name={name}
                  checked={mine.has(name)}
                  onChange={() => choose(name, true)}
                />
                Yours: {words(change.body[field])}
              </label>
            </fieldset>
          );
        }),
      )}
      <footer>
        <button type="button" class="btn p" data-key="enter" onClick={finish}>
          Review again
        </button>
      </footer>
    </section>
  );
}

/** What a field is called in forms. */
const labelOf = (field: string): string => modules[field] ?? field.replaceAll("_", " ");

function settle({ key, change, theirs, etag, fields }: Conflict, mine: Set<string>): void {
  const kept = Object.entries(change.body).filter(
    ([name]) => !fields.includes(name) || mine.has(`${key} ${name}`),
  );
  keep(key, { ...change, etag, base: theirs, body: Object.fromEntries(kept) });
}

/** Merges changes that need no choice, and returns the others. @throws RequestFailure */
async function mergeAll(): Promise<Conflict[]> {
  const all = await Promise.all(Object.entries(pending.value).map(([key, change]) => mergeOne(key, change)));
  return all.filter((conflict) => conflict !== undefined);
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
  if (type === "delete") {
    // Somebody changed what the reader wanted to delete, so the deletion must be chosen again.
    if (etag !== change.etag) discard(key);
    return undefined;
  }
  const fields = conflicts(change.base, object, change.body);
  if (fields.length > 0) return { key, change, theirs: object, etag, fields };
  keep(key, { ...change, etag, base: object });
  return undefined;
}
