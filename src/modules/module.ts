import * as z from "zod";
import type { Reference } from "../db/references.ts";

/** What every module has; true when left out (spec: "Module shapes shared by edges"). */
export const enabled = () => z.boolean().describe("Whether the module is applied to traffic.").default(true);

/** {@link enabled} in responses. */
export const isEnabled = () => z.boolean().describe("Whether the module is applied to traffic.");

/** One kind of edge module. What is stored is the request shape; the response shows Refs where it has ids. */
export interface EdgeModule<Name extends string, Stored, Shown> {
  /** Member of the edge, column of its row, and last segment of the module's path. */
  name: Name;
  /** In sentences: "Replace the circuit breaker of …". */
  title: string;
  /** Request shape. */
  mutate: z.ZodType<Stored>;
  /** Response shape. */
  response: z.ZodType<Shown>;
  /** The stored value as responses show it; `origin` is what URIs start with. */
  toApi(stored: Stored, origin: string): Shown;
  /** The objects that a value refers to and that must exist; paths are JSON Pointers into the module. */
  references?: (stored: Stored) => Reference[];
}

/** References of a module that is a member of a body, with pointers into that body; none when it is left out. */
export const referencesIn = <Stored>(
  { name, references }: EdgeModule<string, Stored, unknown>,
  value: Stored | null | undefined,
): Reference[] =>
  value === undefined || value === null
    ? []
    : (references?.(value) ?? []).map(({ path, id }) => ({ path: `/${name}${path}`, id }));

/** A module as an edge's response shows it; null when it is not set. */
export const shown = <Stored, Shown>(
  module: EdgeModule<string, Stored, Shown>,
  value: Stored | null,
  origin: string,
): Shown | null => (value === null ? null : module.toApi(value, origin));
