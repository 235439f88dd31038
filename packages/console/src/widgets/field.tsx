import { place, setFilter } from "../base/routes.ts";

/** The field that filters a list. The filter is part of the address. */
export function Filter({ label, name = "filter" }: { label: string; name?: string }) {
  return (
    <input
      class="input filter"
      type="search"
      data-key="f"
      aria-label={label}
      placeholder={label}
      value={place.value.query.get(name) ?? ""}
      onInput={(event) => setFilter(name, event.currentTarget.value)}
    />
  );
}

/** A test of texts against the current filter, which ignores case. */
export function useFilter(name = "filter"): (...texts: string[]) => boolean {
  const wanted = (place.value.query.get(name) ?? "").trim().toLowerCase();
  return (...texts) => wanted === "" || texts.some((text) => text.toLowerCase().includes(wanted));
}
