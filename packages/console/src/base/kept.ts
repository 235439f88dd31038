import { effect, type Signal, signal } from "@preact/signals";
import { isFields } from "./json.ts";

/** Unfinished input, by its name in the storage of the session: what the user calls it. Signing out discards it. */
const inputs = {
  "traffic policies": "unfinished traffic policies",
  "new edge": "the answers in New edge",
};

/** The names of all values in the storage of the session. */
type Name = keyof typeof inputs | "pending plan" | "planned changes" | "undo plan" | "maker of the changes";

/** The names of values that are too large for the storage. */
const unstored = new Set<string>();

/** The unfinished input that there is. The scripts that use it need not be loaded. */
export const unfinished = (): string[] =>
  Object.entries(inputs)
    .filter(([name]) => unstored.has(name) || sessionStorage.getItem(name) !== null)
    .map(([, input]) => input);

/**
 * A signal whose value survives a reload of this tab. The storage has it only if it is not the initial value. A value that the storage
 * cannot hold remains in memory.
 *
 * @param name in the storage of the session
 * @param initial the value without input
 * @param is whether a stored value is one of this version of the console
 */
export function kept<T>(name: Name, initial: T, is: (value: unknown) => value is T): Signal<T> {
  const value = signal(stored(name, initial, is));
  effect(() => {
    const text = JSON.stringify(value.value);
    // An older value would be wrong after a reload.
    sessionStorage.removeItem(name);
    unstored.delete(name);
    if (text === JSON.stringify(initial)) return;
    try {
      sessionStorage.setItem(name, text);
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      unstored.add(name);
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
