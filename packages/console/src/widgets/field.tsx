import { place, setFilter } from "../base/routes.ts";
import { Icon } from "./icons.tsx";

/** The field that filters a list. The filter is part of the address. */
export function Filter({ label, name = "filter" }: { label: string; name?: string }) {
  return (
    <label class="find">
      <Icon name="find" />
      <input
        type="search"
        data-key="f"
        aria-label={label}
        placeholder={label}
        value={place.value.query.get(name) ?? ""}
        onInput={(event) => setFilter(name, event.currentTarget.value)}
      />
      <kbd class="wide" aria-hidden="true">
        F
      </kbd>
    </label>
  );
}

/** A test of texts against the current filter, which ignores case. */
export function useFilter(name = "filter"): (...texts: string[]) => boolean {
  const wanted = (place.value.query.get(name) ?? "").trim().toLowerCase();
  return (...texts) => wanted === "" || texts.some((text) => text.toLowerCase().includes(wanted));
}

/** Which part of a list is shown. The choice is part of the address; the first option is there from the start. */
export function Parts(props: {
  label: string;
  name: string;
  options: [value: string, text: string, number?: number][];
}) {
  const current = place.value.query.get(props.name) ?? "";
  return (
    <div class="seg" role="group" aria-label={props.label}>
      {props.options.map(([value, text, number]) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === current}
          onClick={() => setFilter(props.name, value)}
        >
          {text}
          {number !== undefined && <span class="t3">{number.toLocaleString("en")}</span>}
        </button>
      ))}
    </div>
  );
}
