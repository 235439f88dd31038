import { isObject } from "../../packages/model/src/json.ts";

/**
 * JSON with the members of objects in order, so that the same value always has the same text. It is the canonical form of RFC 8785, but
 * also exists for what that rejects, such as a lone surrogate: a value is hashed before it is validated.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${members.join(",")}}`;
}
