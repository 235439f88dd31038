/** A value that JSON can express. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** True for a JSON object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
