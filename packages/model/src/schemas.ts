import * as z from "zod";
import { isObject } from "./json.ts";

/*
 * Building blocks of the snapshot's schema, which checks input that may be forged. Lists and maps stop at the first invalid item,
 * because a forged body can have millions. Zod's lists and records collect the errors of all items, and `z.record` drops a field
 * named `__proto__`, which is a valid header name.
 */

/** Accepts every value, and appears in the documentation as `described`. */
export const documentedAs = <Output>(described: z.ZodType<Output>): z.ZodType<Output, Output> =>
  accepting<Output>(described);

function accepting<Output>(described: z.ZodType): z.ZodType<Output, Output> {
  const schema = z.custom<Output>();
  schema._zod.processJSONSchema = described._zod.processJSONSchema;
  return schema;
}

/** Checks values with `checked`, and appears in the documentation as `described`. */
export const shownAs = <Output>(checked: z.ZodType<Output>, described: z.ZodType<Output>) =>
  checked.pipe(documentedAs(described));

/** Checks values with `checked`, and appears in the documentation as `described`, which says less. */
export const outlinedAs = <Output>(checked: z.ZodType<Output>, described: z.ZodType) =>
  checked.pipe(accepting<Output>(described));

/** An object that rejects unknown fields. */
export const object = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `Unknown field ${JSON.stringify(issue.keys?.[0])}. Update the agent.`
        : undefined,
  });

/** Reports the errors of the item at `place`. */
function reject({ issues }: z.ZodError, place: string | number, context: z.core.$RefinementCtx): false {
  for (const { path, message } of issues)
    context.addIssue({ code: "custom", path: [place, ...path], message });
  return false;
}

/** A list of items. */
export const list = <Item>(item: z.ZodType<Item>) =>
  z
    .custom<unknown[]>(Array.isArray, "Expected a list.")
    .transform((values, context) => {
      const items: Item[] = [];
      const isRight = values.every((value, index) => {
        const parsed = item.safeParse(value);
        if (!parsed.success) return reject(parsed.error, index, context);
        return items.push(parsed.data);
      });
      return isRight ? items : z.NEVER;
    })
    .pipe(documentedAs(z.array(item)));

/** A map: an object with any keys, and values of one schema. */
export const map = <Value>(key: z.ZodType<string>, item: z.ZodType<Value>) =>
  z
    .custom<Record<string, unknown>>(isObject, "Expected an object.")
    .transform((values, context) => {
      const entries: [string, Value][] = [];
      const isRight = Object.entries(values).every(([name, value]) => {
        const checked = key.safeParse(name);
        if (!checked.success) return reject(checked.error, name, context);
        const parsed = item.safeParse(value);
        if (!parsed.success) return reject(parsed.error, name, context);
        return entries.push([name, parsed.data]);
      });
      return isRight ? Object.fromEntries(entries) : z.NEVER;
    })
    .pipe(documentedAs(z.record(z.string(), item)));
