import * as z from "zod";
import { isObject } from "../json.ts";

/*
 * The building blocks of request schemas. Every string is well-formed Unicode, every limit counts UTF-8 bytes, objects reject
 * unknown fields, and "", [] and {} mean "not set": the output is null.
 */

/**
 * A schema with a name in the contract. It is made on its first use: a cold start should not pay for it.
 *
 * @param id its name in the OpenAPI document
 * @param make the schema, with its description and examples in the document
 */
export const schema = <T extends z.ZodType>(
  id: string,
  make: () => { type: T; description?: string; examples?: unknown[] },
) =>
  z.lazy(() => {
    const { type, ...documented } = make();
    return type.meta({ id, ...documented });
  });

/** An object that rejects unknown fields, naming the accepted ones. */
export const requestObject = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, {
    error: ({ code }) =>
      code === "unrecognized_keys"
        ? `Unknown; accepted: ${Object.keys(shape).join(", ") || "none"}.`
        : undefined,
  });

/** A well-formed Unicode string of at most `maxBytes` in UTF-8. An empty string stays empty. */
export const string = (maxBytes = Number.POSITIVE_INFINITY) =>
  z
    .string()
    .refine((value) => value.isWellFormed(), "Not well-formed Unicode: it contains a lone surrogate.")
    .refine((value) => byteLength(value, maxBytes) <= maxBytes, `Longer than ${maxBytes} bytes in UTF-8.`);

/**
 * The most items of a list or a map in a request: a larger one could have too many errors to collect. Checked when the body is
 * read, before any item is validated.
 */
export const ITEMS = 10_000;

/** The most items of a list of ids in a request. A response shows each id as a Ref, which is many times as long. */
export const IDS = 1_000;

/** JSON Schema counts characters, of which there are never more than bytes. */
const bound = (maxBytes: number | undefined) => (maxBytes === undefined ? {} : { maxLength: maxBytes });

/** A {@link string} that must not be empty. */
export const nonEmpty = (maxBytes?: number) =>
  string(maxBytes).min(1, "Must not be empty.").meta(bound(maxBytes));

/** A {@link string} that "" clears: the output is then null. */
export const clearableString = (maxBytes?: number) =>
  string(maxBytes)
    .transform((value) => (value === "" ? null : value))
    .meta(bound(maxBytes));

/** A list of at most `most` items that [] clears: the output is then null. */
export const clearableList = <T extends z.ZodType>(item: T, most = ITEMS) =>
  z
    .array(item)
    .max(most, `Contains more than ${most} items.`)
    .transform((items) => (items.length === 0 ? null : items))
    .meta({ maxItems: most });

/** A list of at most `most` items without duplicates. */
const distinct = <T extends z.ZodType>(item: T, most: number) =>
  z
    .array(item)
    .max(most, `Contains more than ${most} items.`)
    .superRefine((items, context) => {
      const seen = new Set<string>();
      for (const [index, value] of items.entries()) {
        const text = JSON.stringify(value);
        if (seen.has(text))
          context.addIssue({ code: "custom", path: [index], message: "Already in the list." });
        seen.add(text);
      }
    });

/** A {@link clearableList} without duplicates. */
export const clearableSet = <T extends z.ZodType>(item: T, most = ITEMS) =>
  distinct(item, most)
    .transform((items) => (items.length === 0 ? null : items))
    .meta({ maxItems: most, uniqueItems: true });

/** A list of 1 to `most` items without duplicates. */
export const nonEmptySet = <T extends z.ZodType>(item: T, most = ITEMS) =>
  distinct(item, most).min(1, "Must not be empty.").meta({ minItems: 1, maxItems: most, uniqueItems: true });

/** An unsigned 32-bit integer from `min` to `max`. */
export const uint32 = (min = 0, max = 4_294_967_295) =>
  whole(z.number(), min, max, `Expected a whole number from ${min} to ${max}.`);

/** A duration in seconds. */
export function seconds(min = 0, max = 4_294_967_295) {
  const error = `Expected whole seconds without a unit, from ${min} to ${max}.`;
  return whole(z.number({ error }), min, max, error);
}

const whole = (number: z.ZodNumber, min: number, max: number, error: string) =>
  number
    .refine((value) => Number.isInteger(value) && value >= min && value <= max, error)
    .meta({ type: "integer", minimum: min, maximum: max });

/**
 * The `when` of a rule that relates fields: the rule is checked even if fields are invalid, so that a caller sees all errors at
 * once. It must accept fields of any type.
 */
export const evenIfWrong = ({ value }: { value: unknown }): boolean => isObject(value);

/** Rejects an object unless exactly one of its fields is set. */
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

/**
 * The length of `text` in UTF-8 bytes. If the number of UTF-16 units already decides the comparison with `limit`, that number.
 */
export function byteLength(text: string, limit: number): number {
  if (text.length > limit || text.length * 3 <= limit) return text.length;
  return encoder.encode(text).byteLength;
}
