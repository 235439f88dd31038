import { type Fields, isFields } from "../base/json.ts";

/*
 * The fields of forms, and their values in the body of a request.
 */

/** A field of a form. */
export interface Field {
  /** Where its value is in the body, such as "tls.enabled". */
  name: string;
  label: string;
  /**
   * `made`: a secret that is made here and shown. `share`: a fraction, shown in percent. `headers`: values by name. `reference`: the id of another object. `rules`: rules of an IP policy, one per line. `words`: a list, separated
   * by commas. `weights`: numbers by the ids of backends. `order`: ids of backends, in order.
   */
  type:
    | "choice"
    | "headers"
    | "lines"
    | "long"
    | "number"
    | "order"
    | "reference"
    | "references"
    | "rules"
    | "made"
    | "secret"
    | "share"
    | "sources"
    | "text"
    | "tick"
    | "weights"
    | "words";
  hint?: string;
  /** How many lines of text a `long` field shows. */
  rows?: number;
  /** The hint if nothing is chosen. */
  hintIfNone?: string;
  /** A warning about a line of `lines` that is probably wrong. The service decides. */
  doubtOf?: (line: string) => string | undefined;
  /** An error message for one of `words`. */
  faultOf?: (word: string) => string | undefined;
  min?: number;
  max?: number;
  /** A regular expression for the whole value, and an error message. */
  pattern?: [pattern: string, title: string];
  placeholder?: string;
  isRequired?: boolean;
  /** Names, addresses and the like. */
  isMono?: true;
  /** It cannot be changed later. */
  isFixed?: true;
  /** What an empty field is in the body. By default, it is left out. */
  empty?: null | "" | string[];
  options?: { value: string; text: string }[];
}

/** The value of a field in a body. */
export const valueOf = (body: Fields, name: string): unknown =>
  name.split(".").reduce<unknown>((value, part) => (isFields(value) ? value[part] : undefined), body);

/**
 * A body with another value of a field; without the field if the value is undefined.
 *
 * @param isInner whether the body is part of another one, and left out if nothing remains in it
 */
export function withValue(body: Fields, name: string, value: unknown, isInner = false): Fields {
  const [first = "", ...rest] = name.split(".");
  if (rest.length > 0) {
    const part = body[first];
    const changed = withValue(isFields(part) ? part : {}, rest.join("."), value, true);
    if (!isInner || Object.keys(changed).length > 0) return { ...body, [first]: changed };
  } else if (value !== undefined) return { ...body, [first]: value };
  const { [first]: _, ...others } = body;
  return others;
}
