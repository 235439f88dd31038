import * as z from "zod";
import { clock, timestamp } from "./clock.ts";
import { type Kind, kinds } from "./kinds.ts";
import { ksuid } from "./ksuid.ts";

const pathOfPrefix = new Map<string, string>(Object.values(kinds).map(({ prefix, path }) => [prefix, path]));

/** The first members of a new object: a new id of its kind, the same instant as RFC 3339 text, and its first version. */
export function stamp(kind: Kind): { id: string; created_at: string; version: number } {
  const now = clock.now();
  return { id: kinds[kind].prefix + ksuid(now), created_at: timestamp(now), version: 1 };
}

/** A new id for one handled request, `op_` and 27 characters; shown to the caller and logged. */
export const newOperationId = (): string => `op_${ksuid(clock.now())}`;

/** The part of an id after its prefix. Ours has 27 characters; ids created elsewhere may have fewer or more. */
const OPAQUE = "[0-9A-Za-z]{1,64}";
const opaque = new RegExp(`^${OPAQUE}$`);

/** True when `id` has the form of an id of `kind`: its prefix, then 1 to 64 letters and digits. */
export const isIdOf = (kind: Kind, id: string): boolean =>
  id.startsWith(kinds[kind].prefix) && opaque.test(id.slice(kinds[kind].prefix.length));

/** The prefix of an id, with its underscore; "" for a text without one. */
export const prefixOf = (id: string): string => id.slice(0, id.indexOf("_") + 1);

/**
 * The absolute URI of the object `id`, found by its prefix. `origin` has no trailing slash.
 *
 * @param edge_id for a route, its edge
 */
export const uriOf = (origin: string, id: string, edge_id = ""): string =>
  `${origin}${pathOfPrefix.get(prefixOf(id))?.replace("{edge_id}", edge_id) ?? ""}/${id}`;

/** An object that a response only refers to (spec: `Ref`). */
export const Ref = z.lazy(() =>
  z
    .strictObject({
      id: z.string().describe("Id of the object."),
      uri: z.string().describe("URI of the object."),
    })
    .meta({ id: "Ref", description: "A reference to another object." }),
);

/**
 * The Ref for an id. It depends on the id alone, so it needs no query and remains when the object is deleted.
 *
 * @param edge_id for a route, its edge
 */
export const ref = (origin: string, id: string, edge_id = ""): z.output<typeof Ref> => ({
  id,
  uri: uriOf(origin, id, edge_id),
});

/** The Refs for a list of ids, in the given order; null for a list that is not set. */
export const refs = (origin: string, ids: string[] | null): z.output<typeof Ref>[] | null =>
  ids?.map((id) => ref(origin, id)) ?? null;

/** An id and a Ref of `kind` for examples. */
export const exampleId = (kind: Kind): string => `${kinds[kind].prefix}2fCzyKyxGFFQjbGvSPXiVOWCOkX`;
export const exampleRef = (kind: Kind): z.output<typeof Ref> => ref(EXAMPLE_ORIGIN, exampleId(kind));
export const EXAMPLE_ORIGIN = "https://api.example.com";

/** A pattern, not anchored, of the ids of some kinds. */
export const idPattern = (...allowed: Kind[]): string =>
  `(?:${allowed.map((kind) => kinds[kind].prefix).join("|")})${OPAQUE}`;

/** An id in a request, of one of the kinds `allowed`. Only the form is checked here; see `db/references.ts` for existence. */
export function idSchema(...allowed: [Kind, ...Kind[]]): z.ZodString {
  const { pattern, expected } = idForm(...allowed);
  return z.string().regex(pattern, expected);
}

/** The pattern of an id of one of the kinds `allowed`, and the error for any other text. */
export function idForm(...allowed: [Kind, ...Kind[]]): { pattern: RegExp; expected: string } {
  const prefixes = allowed.map((kind) => kinds[kind].prefix);
  return {
    pattern: new RegExp(`^${idPattern(...allowed)}$`),
    expected: `Expected an id that starts with ${prefixes.join(" or ")}, followed by 1 to 64 letters and digits.`,
  };
}
