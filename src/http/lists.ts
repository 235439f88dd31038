import type { Context } from "hono";
import * as z from "zod";
import { EXAMPLE_ORIGIN, exampleId, idPattern, idSchema, isIdOf } from "../../packages/model/src/ids.ts";
import { type Kind, kinds, plural } from "../../packages/model/src/kinds.ts";
import { storedInstant } from "../../packages/model/src/values/instants.ts";
import { evenIfWrong, nonEmpty, requestObject } from "../../packages/model/src/values/request_schemas.ts";
import type { Page, PageQuery } from "../db/page_statement.ts";
import type { UsersQuery } from "../db/references.ts";
import type { App } from "./env.ts";

/** The largest page, and the default `limit`. */
export const LARGEST_PAGE = 100;

const ENDS_EARLIER =
  "A page can have fewer, because it also ends at about 4 MB: follow `next_page_uri` to get the rest.";

/**
 * The query parameter `limit` of every list.
 *
 * @param note a sentence on other reasons for a page to end
 * @param most the largest page, and the default
 */
export const limit = (note = ENDS_EARLIER, most = LARGEST_PAGE) =>
  z
    .string()
    .refine(
      (text) => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= most,
      `Expected a whole number from 1 to ${most}.`,
    )
    .transform(Number)
    .meta({
      type: "integer",
      minimum: 1,
      maximum: most,
      description: `The maximum number of objects on a page; ${most} if omitted. ${note}`.trim(),
    });

/** Query parameters that filter a list: their schemas, by name. A request has at most one of them. */
export type Filters = Record<string, z.ZodType<string>>;

/** The longest metadata that is indexed, in bytes. */
const METADATA_BYTES = 4096;

/** The filter of every list of objects that have metadata. */
export const byMetadata: Filters = {
  metadata: z.lazy(() =>
    nonEmpty(METADATA_BYTES).describe(
      "Lists only objects with exactly this `metadata`, which can have at most 4096 bytes.",
    ),
  ),
};

/** The filter for lists of objects that can expire. */
export const byExpiry: Filters = {
  expires_before: z.lazy(() =>
    storedInstant().describe("Lists only objects that expire before this time (RFC 3339), soonest first."),
  ),
};

/** The query parameter for the start of a page in a list {@link byExpiry}: the last object of the previous page. */
const afterExpiry = (kind: Kind): Filters => ({
  after: z.lazy(() =>
    z
      .string()
      .regex(
        new RegExp(`^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ,${idPattern(kind)}$`),
        "Expected the expiry and the id of an object, separated by a comma: use the value in next_page_uri.",
      )
      .describe(
        "With `expires_before`: the expiry and the id of the object that the page starts after, as in `next_page_uri`.",
      ),
  ),
});

const optional = (filters: Filters) =>
  Object.fromEntries(Object.entries(filters).map(([name, schema]) => [name, schema.exactOptional()]));

/** "hostport, backend_id and metadata". */
export const inWords = (names: string[], conjunction: "and" | "or"): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${conjunction} ${names.at(-1)}`;

/** Errors for query parameters that cannot be combined. */
function misplaced(query: Record<string, unknown>, filters: Filters): { path: string; message: string }[] {
  const given = Object.keys(filters).filter((name) => name in query);
  const isByExpiry = "expires_before" in query;
  return [
    ...(given.length < 2 ? [] : given).map((path) => ({
      path,
      message: `Only one filter is accepted at a time: send one of ${inWords(given, "and")}.`,
    })),
    ...(isByExpiry && "before_id" in query
      ? [{ path: "before_id", message: "In a list by expiry, send after instead." }]
      : []),
    ...(!isByExpiry && "after" in query
      ? [{ path: "after", message: "Only accepted with expires_before: otherwise, send before_id." }]
      : []),
  ];
}

/**
 * The query parameters of every list of `kind`: `limit`, `before_id`, whose object may have been deleted, and at most one of
 * `filters`. Lists {@link byExpiry} have `after` instead of `before_id`.
 */
export const listQuery = (kind: Kind, filters: Filters) =>
  z.lazy(() =>
    requestObject({
      limit: limit().exactOptional(),
      before_id: idSchema(kind)
        .describe("Lists only objects created before this one, which need no longer exist.")
        .exactOptional(),
      ...optional(filters),
      ...("expires_before" in filters && optional(afterExpiry(kind))),
    })
      .superRefine(
        (query, context) => {
          for (const { path, message } of misplaced(query, filters))
            context.addIssue({ code: "custom", path: [path], message });
        },
        { when: evenIfWrong },
      )
      .transform(({ limit = LARGEST_PAGE, before_id, ...given }): PageQuery => {
        const { expires_before, after, ...filter }: Record<string, unknown> = given;
        const [[name, value] = []] = Object.entries(filter);
        const [expires_at, id] = typeof after === "string" ? after.split(",") : [];
        return {
          limit,
          ...(before_id !== undefined && { before_id }),
          ...(name !== undefined && typeof value === "string" && { filter: { kind, name, value } }),
          ...(typeof expires_before === "string" && {
            expiring: { before: expires_before, ...(expires_at && id && { after: { expires_at, id } }) },
          }),
        };
      }),
  );

/** The second part of a position in a list that contains routes. */
const beforeEdge: Filters = {
  before_edge_id: z.lazy(() =>
    idSchema("https_edge").describe(
      "If `before_id` is the id of a route: also lists routes with this same id whose edges have lower ids than this one. Only routes that are managed elsewhere can have the same id in several edges.",
    ),
  ),
};

/** The query parameters of a list of the objects, of the kinds `users`, that refer to an object. */
export const usersQuery = (...users: [Kind, ...Kind[]]) =>
  z.lazy(() =>
    requestObject({
      limit: limit("").exactOptional(),
      before_id: idSchema(...users)
        .describe("Lists only objects with lower ids than this one, which need no longer exist.")
        .exactOptional(),
      ...optional(users.includes("https_edge_route") ? beforeEdge : {}),
    })
      .refine(
        ({ before_id = "", ...rest }) => !("before_edge_id" in rest) || isIdOf("https_edge_route", before_id),
        { path: ["before_edge_id"], error: "Send this only if before_id is the id of a route." },
      )
      .transform(({ limit = LARGEST_PAGE, before_id, ...rest }): UsersQuery => {
        const [before_edge_id] = Object.values(rest);
        return {
          limit,
          ...(before_id !== undefined && { before_id }),
          ...(typeof before_edge_id === "string" && { before_edge_id }),
        };
      }),
  );

/** The response schema of a list of `kind`: its objects, and the links from {@link pageLinks}. */
export const listSchema = (kind: Kind, object: z.ZodType, order = "newest first.") =>
  listSchemaAt(kinds[kind].path.replace("{edge_id}", exampleId("https_edge")), {
    [memberOf(kind)]: z.array(object).describe(`The objects on this page, ${order}`),
  });

/** The field of a list that contains its objects. */
export function memberOf(kind: Kind): string {
  const { member } = kinds[kind];
  if (member === null) throw new Error(`there are no lists of ${plural(kinds[kind].noun)}`);
  return member;
}

/** {@link listSchema} for entries that are not objects of a kind. @param path of the list */
export const listSchemaAt = <S extends z.ZodRawShape>(path: string, shape: S) =>
  z.strictObject({
    ...shape,
    uri: z.string().meta({ description: "URI of the list.", examples: [`${EXAMPLE_ORIGIN}${path}`] }),
    next_page_uri: z
      .string()
      .nullable()
      .meta({
        description:
          "URI of the next page, even if this page has few objects or none; null if there is none.",
        examples: [null],
      }),
  });

/** Query parameters that say where a page starts. */
const STARTS = new Set(["before_id", "before_edge_id", "after_id", "after", "limit"]);

/**
 * The links of a page, as absolute URIs. The next page has the filters of this request.
 *
 * @param uri of the list, without a query
 * @param start where the next page starts, by query parameter; undefined if there is none
 */
export function pageLinks(
  c: Context<App>,
  uri: string,
  limit: number,
  start: Record<string, string> | undefined,
): { uri: string; next_page_uri: string | null } {
  if (!start) return { uri, next_page_uri: null };
  const query = new URLSearchParams({ ...start, limit: String(limit) });
  for (const [name, value] of Object.entries(c.req.query())) if (!STARTS.has(name)) query.set(name, value);
  return { uri, next_page_uri: `${uri}?${query.toString()}` };
}

/** Where the page after this one starts: before its last row. */
export function beforeLast({ rows, isMore }: Page<{ id?: unknown }>): { before_id: string } | undefined {
  const last = isMore ? rows.at(-1)?.id : undefined;
  return typeof last === "string" ? { before_id: last } : undefined;
}

/** Like {@link beforeLast}, for a list by expiry: the next page starts after the last row. */
export function afterLast({
  rows,
  isMore,
}: Page<{ id?: unknown; expires_at?: unknown }>): { after: string } | undefined {
  const last = isMore ? rows.at(-1) : undefined;
  return last && { after: `${String(last.expires_at)},${String(last.id)}` };
}
