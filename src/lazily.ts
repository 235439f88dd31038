import type * as z from "zod";

/**
 * What `make` makes, made when it is first asked for and kept. So are schemas: a request needs one or two of a hundred,
 * and starting would wait for them all.
 */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** A schema that is made {@link lazily}, and what it makes of a value. */
export type Lazy<Schema extends z.ZodType = z.ZodType> = () => Schema;
export type Output<Schema extends Lazy> = z.output<ReturnType<Schema>>;
