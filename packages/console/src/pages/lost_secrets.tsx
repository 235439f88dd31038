import { useState } from "preact/hooks";
import { newSecret } from "../changes/forms.ts";
import { discard, enterSecrets, incomplete } from "../changes/pending.ts";
import { Text } from "../widgets/inputs.tsx";

/** A form for changes whose secrets were lost in a reload: the user enters each secret again, or leaves out its change. */
export function LostSecrets({ done }: { done: () => void }) {
  const [typed, setTyped] = useState<Record<string, string>>({});
  const submit = (event: Event): void => {
    event.preventDefault();
    enterSecrets(typed);
    done();
  };
  const leaveOut = (key: string): void => {
    discard(key);
    if (incomplete.value.length === 0) done();
  };
  return (
    <form class="panel" onSubmit={submit}>
      <header>
        <h2>Enter the secrets again</h2>
        <span class="meta">They are not stored in the browser, so the reload removed them</span>
      </header>
      {incomplete.value.map(({ key, title, lost }) => (
        <div class="form pad" key={key}>
          {lost.map((id) => {
            const isMade = id.endsWith(" webhook secret");
            const set = (value: string): void => setTyped({ ...typed, [id]: value });
            return (
              <>
                <Text
                  key={id}
                  label={`${title}: ${id.replace(/.*\W/, "").replaceAll("_", " ")}`}
                  {...(!isMade && { type: "password" })}
                  required
                  value={typed[id] ?? ""}
                  set={set}
                />
                {isMade && (
                  <button type="button" class="btn s start" onClick={() => set(newSecret())}>
                    Make a new secret
                  </button>
                )}
              </>
            );
          })}
          <button type="button" class="btn s start" onClick={() => leaveOut(key)}>
            Leave out {title}
          </button>
        </div>
      ))}
      <footer>
        <button type="submit" class="btn p">
          Continue
        </button>
      </footer>
    </form>
  );
}
