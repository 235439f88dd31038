import * as z from "zod";
import { uriOf } from "../kinds.ts";

/*
 * What objects of different collections have in common.
 */

/** Members of every object in responses. */
export const objectMembers = { id: z.string(), uri: z.string(), created_at: z.string() };

/** Members of every object that has a description and metadata; both are left out while they are not set. */
export const describedMembers = {
  ...objectMembers,
  description: z.string().optional(),
  metadata: z.string().optional(),
};

/** The texts of a new object that was told none. */
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
  ...toObject(row, origin),
  description: row.description ?? undefined,
  metadata: row.metadata ?? undefined,
});
