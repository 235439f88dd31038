import type { Context } from "hono";
import * as z from "zod";
import type { Page } from "../db/pages.ts";
import type { App } from "../env.ts";
import { idOf, type Kind, kinds } from "../kinds.ts";
import { members } from "../values/members.ts";
import { respond } from "./respond.ts";

const LARGEST_PAGE = 100;

/** The query parameters of every list of `kind`: `limit` and `before_id`, an id that need not exist any more. */
export const pageQuery = (kind: Kind) =>
  z.lazy(() =>
    members({
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
      before_id: idOf(kind)
        .describe("Lists what was created before this object, which need not exist any more.")
        .exactOptional(),
    }).transform((query) => ({ ...query, limit: query.limit ?? LARGEST_PAGE })),
  );

/** The response schema of a list: its one named member and the links that {@link page} makes. */
export const pageOf = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject({
    ...shape,
    uri: z.string().describe("Where the list is."),
    next_page_uri: z
      .string()
      .nullable()
      .describe("Where its next page is, however few objects this one holds; null when there is none."),
  });

/** A page of a list of `kind` as its response shows it. The links are absolute; `uri` has no query. */
export function page<Row extends { id: string }>(
  c: Context<App>,
  kind: Kind,
  query: { limit: number },
  { rows: objects, isMore }: Page<Row>,
): { objects: Row[]; links: { uri: string; next_page_uri: string | null } } {
  const last = isMore ? objects.at(-1) : undefined;
  const uri = `${c.get("request").origin}${kinds[kind].path}`;
  const next_page_uri = last ? `${uri}?before_id=${last.id}&limit=${query.limit}` : null;
  return { objects, links: { uri, next_page_uri } };
}

/** The response of a list. */
export const showPage = (c: Context<App>, body: object): Response => respond(c, 200, JSON.stringify(body));
