import { effect, type Signal, signal } from "@preact/signals";

/**
 * A signal whose value survives a reload of this tab. A value that the storage cannot hold remains in memory.
 *
 * @param name in the storage of the session
 * @param is whether a stored value is one of this version of the console
 */
export function kept<T>(name: string, initial: T, is: (value: unknown) => value is T): Signal<T> {
  const value = signal(stored(name, initial, is));
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

export const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);
