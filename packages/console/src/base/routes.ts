import { signal } from "@preact/signals";

/*
 * Where the reader is: the part of the address behind `#`, which is never sent to the service.
 */

/** A place: the segments of its path, and its filters. */
export interface PagePlace {
  path: string[];
  query: URLSearchParams;
}

function read(): PagePlace {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { path: path.split("/").filter(Boolean).map(decoded), query: new URLSearchParams(query) };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export const place = signal(read());

/** Called when the user leaves the page. If one returns true, the page stays; {@link history.back} then goes where the user wanted to go. */
export const guards = new Set<() => boolean>();

addEventListener("hashchange", ({ oldURL }) => {
  if ([...guards].some((isStaying) => isStaying())) history.pushState(null, "", oldURL);
  else place.value = read();
});

/** The link to a page: its name, an id, filters. */
export function link(name: string, id?: string, query?: Record<string, string>): string {
  const path = ["#", ...[name, id].filter((part) => part !== undefined && part !== "").map(encode)].join("/");
  const text = new URLSearchParams(query).toString();
  return `${path === "#" ? "#/" : path}${text && `?${text}`}`;
}

const encode = (part: string | undefined): string => encodeURIComponent(part ?? "");

/** Goes to a link. `replace` leaves no entry in the history. */
export function go(to: string, how?: "replace"): void {
  if (how === "replace") {
    history.replaceState(null, "", to);
    place.value = read();
  } else location.hash = to;
}

/** Returns a {@link go} that does nothing if the user has left the current page in the meantime. */
export function goLater(): typeof go {
  const from = place.value.path.join();
  return (to, how) => {
    if (place.value.path.join() === from) go(to, how);
  };
}

/** Sets a filter of the current page; an empty value removes it. */
export function setFilter(name: string, value: string): void {
  const query = new URLSearchParams(place.value.query);
  if (value) query.set(name, value);
  else query.delete(name);
  const [page, id] = place.value.path;
  go(link(page ?? "", id, Object.fromEntries(query)), "replace");
}
