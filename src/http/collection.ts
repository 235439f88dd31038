import * as z from "zod";
import {
  type Kind,
  kinds,
  operationPrefix,
  ownersOf,
  titled,
  withArticle,
  plural,
} from "../../packages/model/src/kinds.ts";
import type { NeededRole } from "../../packages/model/src/roles.ts";
import type { ErrorCode } from "./error_codes.ts";
import { byMetadata, type Filters, inWords, listQuery, listSchema } from "./lists.ts";
import { operation } from "./operation.ts";

/** A sentence about the filters of a list. */
function filtersAbout(filters: Filters): string {
  const names = Object.keys(filters).map((name) => `\`${name}\``);
  return names.length === 0 ? "" : ` Accepts one filter at a time: ${inWords(names, "or")}.`;
}

/** The response schema of a page of `kind`, of which `object` is one. */
const pageOf = (kind: Kind, object: z.ZodLazy<z.ZodType>) =>
  z.lazy(() => listSchema(kind, object).meta({ id: `${object.unwrap().meta()?.id}List` }));

/**
 * The five operations of every collection, to be spread at the head of its routes. `errors` lists the errors that an
 * operation can return in addition to those that every operation can.
 *
 * @param object response schema of one object
 * @param access the roles required to read and to write
 */
export function operationsOn(
  kind: Kind,
  object: z.ZodLazy<z.ZodType>,
  access: { read: NeededRole; write: NeededRole } = { read: "viewer", write: "editor" },
) {
  const { noun, purpose } = kinds[kind];
  const [types, nouns, owners] = [operationPrefix(kind), plural(noun), ownersOf(kind)];
  const [one, tag] = [withArticle(noun), titled(nouns)];
  const path = { ...owners, id: kind };
  const within = Object.keys(owners).length === 0 ? {} : { path: owners };
  const page = pageOf(kind, object);
  return {
    page,
    create: <Body extends z.ZodType<object>>(body: Body, ...errors: ErrorCode[]) =>
      operation({
        id: `${types}Create`,
        access: access.write,
        summary: `Create ${one}`,
        description: `Creates ${one} and returns it. ${purpose}`,
        tag,
        ...within,
        body,
        status: 201,
        response: object,
        errors,
      }),
    /** @param filters the filters that the list accepts, `metadata` last */
    list: (filters: Filters = byMetadata) =>
      operation({
        id: `${types}List`,
        access: access.read,
        summary: `List ${nouns}`,
        description: `Lists ${nouns}, newest first. A page has up to \`limit\` of them, or fewer if they are large.${filtersAbout(filters)}`,
        tag,
        ...within,
        query: listQuery(kind, filters),
        status: 200,
        response: page,
      }),
    get: () =>
      operation({
        id: `${types}Get`,
        access: access.read,
        summary: `Get ${one}`,
        description: `Returns ${one}.`,
        conditional: "read",
        tag,
        path,
        status: 200,
        response: object,
      }),
    update: <Body extends z.ZodType<object>>(body: Body, ...errors: ErrorCode[]) =>
      operation({
        id: `${types}Update`,
        access: access.write,
        summary: `Update ${one}`,
        description: `Changes the fields given in the body, keeps the others, and returns the ${noun}.`,
        conditional: "change",
        tag,
        path,
        body,
        status: 200,
        response: object,
        errors,
      }),
    /** @param consequence a sentence on what else is deleted or kept */
    remove: (consequence: string, ...errors: ErrorCode[]) =>
      operation({
        id: `${types}Delete`,
        access: access.write,
        summary: `Delete ${one}`,
        description: `Deletes ${one}. ${consequence}`.trim(),
        conditional: "change",
        tag,
        path,
        status: 204,
        errors,
      }),
  };
}
