import * as z from "zod";

/*
 * What requests are made of. Every text from outside is well-formed Unicode, every limit counts UTF-8 bytes, an
 * object takes no member that it does not know, and "" , [] and {} mean "not set": they come out as null.
 */

/** An object that refuses unknown members, naming the accepted ones. */
export const requestObject = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, {
    error: ({ code }) =>
      code === "unrecognized_keys"
        ? `Unknown; accepted: ${Object.keys(shape).join(", ") || "none"}.`
        : undefined,
  });

/** Well-formed Unicode text, at most `maxBytes` long in UTF-8. Empty text stays empty. */
const string = (maxBytes = Number.POSITIVE_INFINITY) =>
  z
    .string()
    .refine((text) => text.isWellFormed(), "Not well-formed Unicode: it has a lone surrogate.")
    .refine((text) => byteLength(text, maxBytes) <= maxBytes, `Longer than ${maxBytes} bytes in UTF-8.`);

/**
 * The longest list and the largest map that a request may hold; more would make their errors too many to collect. Held
 * where bodies are read, before anything is checked item by item.
 */
export const ITEMS = 10_000;

/** The longest list of ids that a request may hold: a response shows each as a Ref, many times as long. */
export const IDS = 1_000;

/** {@link string} that must not be empty. */
export const nonEmpty = () => string().min(1, "Must not be empty.");

/** {@link string} that is cleared by "": comes out as null then. */
export const clearableText = (maxBytes?: number) =>
  string(maxBytes)
    .transform((value) => (value === "" ? null : value))
    // JSON Schema counts characters: never more than bytes.
    .meta(maxBytes === undefined ? {} : { maxLength: maxBytes });

/** A list of at most `most` items that is cleared by []: comes out as null then. */
export const clearableList = <T extends z.ZodType>(item: T, most = ITEMS) =>
  z
    .array(item)
    .max(most, `Has more than ${most} items.`)
    .transform((items) => (items.length === 0 ? null : items))
    .meta({ maxItems: most });

/** A whole number of 32 bits without a sign, at least `min`. */
export const uint32 = (min = 0, max = 4_294_967_295) =>
  z
    .number()
    .refine(
      (value) => Number.isInteger(value) && value >= min && value <= max,
      `Expected a whole number from ${min} to ${max}.`,
    )
    .meta({ type: "integer", minimum: min, maximum: max });

/**
 * `when` of a rule between members: it is checked for every object, even one with wrong members, so that a caller
 * learns of all errors at once. The rule must bear members of any type.
 */
export const evenIfWrong = ({ value }: { value: unknown }): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Refuses an object that does not have exactly one member. */
export const exactlyOne = <T extends z.ZodObject>(schema: T): T => {
  const names = Object.keys(schema.shape);
  return schema
    .refine((value) => names.filter((name) => value[name] !== undefined).length === 1, {
      error: `Set exactly one of ${names.slice(0, -1).join(", ")} or ${names.at(-1)}.`,
      when: evenIfWrong,
    })
    .meta({ minProperties: 1, maxProperties: 1 });
};

const encoder = new TextEncoder();

/** Bytes of `text` in UTF-8; not counted when the number of UTF-16 units already settles the comparison with `limit`. */
export function byteLength(text: string, limit: number): number {
  if (text.length > limit || text.length * 3 <= limit) return text.length;
  return encoder.encode(text).byteLength;
}
