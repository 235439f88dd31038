import * as z from "zod";
import { EXAMPLE_ORIGIN, exampleId, uriOf } from "../../packages/model/src/ids.ts";
import type { Kind } from "../../packages/model/src/kinds.ts";

/*
 * Fields shared by the objects of different collections.
 */

/** Fields of every object in responses. */
export const objectMembers = () => ({
  id: z
    .string()
    .describe(
      "Unique identifier: a prefix that identifies the kind of object, then 27 letters and digits. Later objects have greater ids.",
    ),
  uri: z.string().describe("URI of the object."),
  created_at: z.iso.datetime().describe("When the object was created, in UTC (RFC 3339)."),
});

/** Fields of every object that has a description and metadata; both are omitted if not set. */
export const describedMembers = () => ({
  ...objectMembers(),
  description: z.string().describe("Human-readable description. Omitted if not set.").optional(),
  metadata: z
    .string()
    .describe("Machine-readable string in a format of your own. Omitted if not set.")
    .optional(),
});

/** {@link objectMembers} of an example. */
export const exampleObject = (kind: Kind) => ({
  id: exampleId(kind),
  uri: uriOf(EXAMPLE_ORIGIN, exampleId(kind)),
  created_at: "2026-01-02T03:04:05Z",
});

/** The description and metadata of a new object created without them. */
export const unsetTexts = { description: null, metadata: null };

interface ObjectRow {
  id: string;
  /** Null only in rows that are not objects. */
  created_at: string | null;
}

interface DescribedRow extends ObjectRow {
  description: string | null;
  metadata: string | null;
}

/** {@link objectMembers} of a row. */
export const toObject = (row: ObjectRow, origin: string) => ({
  id: row.id,
  uri: uriOf(origin, row.id),
  created_at: row.created_at ?? "",
});

/** {@link describedMembers} of a row. */
export const toDescribed = (row: DescribedRow, origin: string) => ({
  ...toObject(row, origin),
  description: row.description ?? undefined,
  metadata: row.metadata ?? undefined,
});
