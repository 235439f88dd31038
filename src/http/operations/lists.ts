import * as z from "zod";
import type { Page } from "../../db/page_statement.ts";
import { idSchema } from "../../ids.ts";
import type { Kind } from "../../kinds.ts";
import { requestObject } from "../../values/members.ts";

const LARGEST_PAGE = 100;

/** The query parameters of every list of `kind`: `limit`, and `before_id`, whose object may have been deleted. */
export const listQuery = (kind: Kind) =>
  z.lazy(() =>
    requestObject({
      limit: z
        .string()
        .regex(/^(?:[1-9]\d?|100)$/, `Expected a whole number from 1 to ${LARGEST_PAGE}.`)
        .transform(Number)
        .meta({
          type: "integer",
          minimum: 1,
          maximum: LARGEST_PAGE,
          description: `The most objects that a page holds; ${LARGEST_PAGE} when left out. It may hold fewer, and \`next_page_uri\` leads on: a page ends at about 4 MB.`,
        })
        .exactOptional(),
      before_id: idSchema(kind)
        .describe("Lists what was created before this object, which need not exist any more.")
        .exactOptional(),
    }).transform((query) => ({ ...query, limit: query.limit ?? LARGEST_PAGE })),
  );

/** The response schema of a list: its one named member and the links from {@link pageLinks}. */
export const listSchema = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject({
    ...shape,
    uri: z.string().describe("Where the list is."),
    next_page_uri: z
      .string()
      .nullable()
      .describe("Where its next page is, however few objects this one holds; null when there is none."),
  });

/** The links of a page, as absolute URIs. @param uri of the list, without a query */
export function pageLinks(
  uri: string,
  { rows, isMore }: Page<{ id?: unknown }>,
  query: { limit: number },
): { uri: string; next_page_uri: string | null } {
  const last = isMore ? rows.at(-1)?.id : undefined;
  const isLast = typeof last !== "string";
  return { uri, next_page_uri: isLast ? null : `${uri}?before_id=${last}&limit=${query.limit}` };
}
