import { effect, type Signal, signal } from "@preact/signals";
import { isFields } from "./json.ts";

/** For each kind of unfinished input: its name if there is some, otherwise false. Signing out discards it. */
export const unfinished: (() => string | false)[] = [];

/**
 * A signal whose value survives a reload of this tab. A value that the storage cannot hold remains in memory.
 *
 * @param name in the storage of the session
 * @param is whether a stored value is one of this version of the console
 * @param input what the user calls it, if it is input that is not finished
 */
export function kept<T>(
  name: string,
  initial: T,
  is: (value: unknown) => value is T,
  input?: string,
): Signal<T> {
  const value = signal(stored(name, initial, is));
  if (input !== undefined)
    unfinished.push(() => JSON.stringify(value.value) !== JSON.stringify(initial) && input);
  effect(() => {
    try {
      sessionStorage.setItem(name, JSON.stringify(value.value));
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      // An older value would be wrong after a reload.
      sessionStorage.removeItem(name);
    }
  });
  return value;
}

function stored<T>(name: string, initial: T, is: (value: unknown) => value is T): T {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(name) ?? "null");
    return is(value) ? value : initial;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return initial;
  }
}

export const isText = (value: unknown): value is string => typeof value === "string";

/** Whether a value has the fields of an example, with values of the same types. Lists are of strings. */
export const isLike = <T extends object>(value: unknown, example: T): value is T =>
  isFields(value) &&
  Object.entries(example).every(([name, one]) => {
    const own = value[name];
    return Array.isArray(one) ? Array.isArray(own) && own.every(isText) : typeof own === typeof one;
  });

export const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);
