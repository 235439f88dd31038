import type * as z from "zod";
import { type Kind, kinds, withArticle } from "../kinds.ts";
import { operation } from "./operation.ts";
import { pageQuery } from "./pages.ts";

/**
 * The five operations that every collection has, to be put at the head of its routes.
 *
 * @param object response schema of one object
 * @param list response schema of a page, made by `pageOf`
 */
export function operationsOn(kind: Kind, object: z.ZodType, list: z.ZodType) {
  const { types, noun, nouns } = kinds[kind];
  return {
    create: <Body extends z.ZodType<object>>(body: Body) =>
      operation({
        id: `${types}Create`,
        summary: `Create ${withArticle(noun)}`,
        body,
        status: 201,
        response: object,
      }),
    list: () =>
      operation({
        id: `${types}List`,
        summary: `List ${nouns}`,
        query: pageQuery(kind),
        status: 200,
        response: list,
      }),
    get: () =>
      operation({ id: `${types}Get`, summary: `Get ${withArticle(noun)}`, status: 200, response: object }),
    update: <Body extends z.ZodType<object>>(body: Body) =>
      operation({
        id: `${types}Update`,
        summary: `Update ${withArticle(noun)}`,
        body,
        status: 200,
        response: object,
      }),
    remove: () => operation({ id: `${types}Delete`, summary: `Delete ${withArticle(noun)}`, status: 204 }),
  };
}
