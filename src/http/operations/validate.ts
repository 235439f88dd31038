import { zValidator } from "@hono/zod-validator";
import type { Context, MiddlewareHandler } from "hono";
import type * as z from "zod";
import type { App } from "../../env.ts";
import { isIdOf } from "../../ids.ts";
import { type Access, reaches } from "../../roles.ts";
import { confirmCaller } from "../auth/authenticate.ts";
import type { Caller } from "../auth/caller.ts";
import { forbidden, invalidMembers, notFound, unauthenticated } from "../errors/errors.ts";
import { check, type MemberError, memberErrors } from "../errors/member_errors.ts";
import { readJson, withoutNulls } from "./body.ts";
import { wrongHeaders } from "./header_checks.ts";
import { describe, type Operation, preconditionsOf } from "./operation.ts";
import { wrongParameters } from "./parameters.ts";

type Validator<Target extends "json" | "query", Schema extends z.ZodType> = MiddlewareHandler<
  App,
  string,
  { in: Record<Target, z.input<Schema>>; out: Record<Target, z.output<Schema>> }
>;

/**
 * Declares an operation. Spread it at the head of its route: it checks the caller's role, then `zValidator` validates the
 * body and the query. The handler finds the results in `c.req.valid("json")` and `c.req.valid("query")`.
 *
 * @throws 403 for an insufficient role; 415, 408, 413 and 400 as {@link readJson} and {@link withoutNulls} do; 400 listing
 * every invalid header, parameter and member at once; 404 for a malformed id in the path
 * @example
 * .patch("/:id", ...operation({ …, body: BotUserUpdate }), async (c) => {
 *   const { name } = c.req.valid("json");
 */
export function operation<Query extends z.ZodType<object>, Body extends z.ZodType<object>>(
  description: Operation<Query, Body> & { query: Query; body: Body },
): [MiddlewareHandler<App>, Validator<"json", Body>, Validator<"query", Query>];
export function operation<Body extends z.ZodType<object>>(
  description: Operation<never, Body> & { body: Body },
): [MiddlewareHandler<App>, Validator<"json", Body>];
export function operation<Query extends z.ZodType<object>>(
  description: Operation<Query, never> & { query: Query },
): [MiddlewareHandler<App>, Validator<"query", Query>];
export function operation(description: Operation<never, never>): [MiddlewareHandler<App>];
export function operation(description: Operation): MiddlewareHandler<App>[] {
  const { access, path = {}, query, body, conditional } = description;
  const ids = Object.entries(path);
  const judged = conditional === "poll" ? [] : preconditionsOf(description);

  /** Everything that no schema covers: the role, the bytes, the headers, and what `zValidator` does not see of a query. */
  const checkRequest: MiddlewareHandler<App> = async (c, next) => {
    const { caller, url, wrong, session, part } = c.get("request");
    requireRole(caller, access);
    if (body) {
      await readJson(c.req, part);
      await confirmCaller(c, access);
    }
    wrong.push(...wrongHeaders(c.req, description));
    wrong.push(...wrongParameters(url, query !== undefined));
    if (judged.some((name) => c.req.header(name) !== undefined)) session.judgeConditions();
    if (!body && !query) requireValid(c);
    await next();
  };
  describe(checkRequest, description);

  /** The last of all checks. @throws 400 for every error found so far, 404 for a malformed id */
  const requireValid = (c: Context<App, string>, found: MemberError[] = []): void => {
    const wrong = [...c.get("request").wrong, ...found];
    if (wrong.length > 0) throw invalidMembers(wrong);
    const owner = ids.at(-1)?.[1];
    if (owner && !ids.every(([name, kind]) => isIdOf(kind, c.req.param(name) ?? ""))) throw notFound(owner);
  };

  const handlers = [checkRequest];
  if (body)
    handlers.push(
      zValidator(
        "json",
        body,
        (result, c) => {
          const wrong = errorsIn(result, "json");
          if (!query) requireValid(c, wrong);
          // After a refusal here, the query's validator does not run.
          else if (wrong.length > 0) requireValid(c, [...errorsInQuery(query, c), ...wrong]);
        },
        { validationFunction: (schema, value) => check(schema, withoutNulls(value)) },
      ),
    );
  if (query)
    handlers.push(
      zValidator("query", query, (result, c) => requireValid(c, errorsIn(result, "query")), {
        validationFunction: check,
      }),
    );
  return handlers;
}

/** @throws 403 for an insufficient role */
function requireRole(caller: Caller | undefined, access: Access): void {
  if (access === "public") return;
  // The gate refuses requests without a key; if one gets here all the same, it does not even count as a viewer.
  if (!caller) throw unauthenticated();
  if (!reaches(caller.role, access)) throw forbidden(access);
}

/** What `zValidator` passes to its hook: Zod's result and the input. */
type Result = { data: unknown } & ({ success: true } | { success: false; error: z.core.$ZodError });

const errorsIn = (result: Result, target: "json" | "query"): MemberError[] =>
  result.success ? [] : memberErrors(result.error, result.data, target);

/** Errors in the query, which the schema gets in `zValidator`'s shape: a repeated parameter is a list. */
function errorsInQuery(schema: z.ZodType, c: Context<App, string>): MemberError[] {
  const entries = Object.entries(c.req.queries());
  const data = Object.fromEntries(entries.map(([name, all]) => [name, all.length === 1 ? all[0] : all]));
  return errorsIn({ data, ...check(schema, data) }, "query");
}
