import * as z from "zod";
import type { Page } from "../../db/page_statement.ts";
import { EXAMPLE_ORIGIN, exampleId, idSchema } from "../../ids.ts";
import { type Kind, kinds } from "../../kinds.ts";
import { requestObject } from "../../values/members.ts";

/** The number of objects on a page if the caller gives no `limit`. */
export const LARGEST_PAGE = 100;

/** The query parameter `limit` of every list. */
export const limit = () =>
  z
    .string()
    .regex(/^(?:[1-9]\d?|100)$/, `Expected a whole number from 1 to ${LARGEST_PAGE}.`)
    .transform(Number)
    .meta({
      type: "integer",
      minimum: 1,
      maximum: LARGEST_PAGE,
      description: `The maximum number of objects on a page; ${LARGEST_PAGE} if omitted. A page may hold fewer, as it also ends at about 4 MB: follow \`next_page_uri\` to get the rest.`,
    });

/** The query parameters of every list of `kind`: `limit`, and `before_id`, whose object may have been deleted. */
export const listQuery = (kind: Kind) =>
  z.lazy(() =>
    requestObject({
      limit: limit().exactOptional(),
      before_id: idSchema(kind)
        .describe("Lists only objects created before this one, which need not exist any more.")
        .exactOptional(),
    }).transform((query) => ({ ...query, limit: query.limit ?? LARGEST_PAGE })),
  );

/** The member of a list that holds its objects. */
export const listed = <T extends z.ZodType>(object: T) =>
  z.array(object).describe("The objects on this page, newest first.");

/** The response schema of a list of `kind`: its one named member, {@link listed}, and the links from {@link pageLinks}. */
export const listSchema = <S extends z.ZodRawShape>(kind: Kind, shape: S) =>
  z.strictObject({
    ...shape,
    uri: z.string().meta({
      description: "URI of the list.",
      examples: [`${EXAMPLE_ORIGIN}${kinds[kind].path.replace("{edge_id}", exampleId("https_edge"))}`],
    }),
    next_page_uri: z
      .string()
      .nullable()
      .meta({
        description: "URI of the next page, however few objects this one holds; null if there is none.",
        examples: [null],
      }),
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
