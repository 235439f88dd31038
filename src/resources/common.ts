import * as z from "zod";
import { EXAMPLE_ORIGIN, exampleId, uriOf } from "../ids.ts";
import type { Kind } from "../kinds.ts";

/*
 * What objects of different collections have in common.
 */

/** Members of every object in responses. */
export const objectMembers = () => ({
  id: z
    .string()
    .describe("Unique identifier: the prefix of its kind and 27 letters and digits. Ascends with time."),
  uri: z.string().describe("Where the object is."),
  created_at: z.iso.datetime().describe("When the object was created: RFC 3339, UTC, whole seconds."),
});

/** Members of every object that has a description and metadata; both are left out while unset. */
export const describedMembers = () => ({
  ...objectMembers(),
  description: z.string().describe("For people. Left out while it is not set.").optional(),
  metadata: z.string().describe("For machines. Left out while it is not set.").optional(),
});

/** {@link objectMembers} of an example. */
export const exampleObject = (kind: Kind) => ({
  id: exampleId(kind),
  uri: uriOf(EXAMPLE_ORIGIN, exampleId(kind)),
  created_at: "2026-01-02T03:04:05Z",
});

/** The texts of a new object created without any. */
export const unsetTexts = { description: null, metadata: null };

interface ObjectRow {
  id: string;
  created_at: string;
}

interface DescribedRow extends ObjectRow {
  description: string | null;
  metadata: string | null;
}

/** {@link objectMembers} of a row. */
export const toObject = (row: ObjectRow, origin: string) => ({
  id: row.id,
  uri: uriOf(origin, row.id),
  created_at: row.created_at,
});

/** {@link describedMembers} of a row. */
export const toDescribed = (row: DescribedRow, origin: string) => ({
  id: row.id,
  uri: uriOf(origin, row.id),
  created_at: row.created_at,
  description: row.description ?? undefined,
  metadata: row.metadata ?? undefined,
});
