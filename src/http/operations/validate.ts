import { zValidator } from "@hono/zod-validator";
import type { Context, MiddlewareHandler } from "hono";
import type * as z from "zod";
import type { App } from "../../env.ts";
import { isIdOf } from "../../ids.ts";
import { type Access, reaches } from "../../roles.ts";
import { confirmCaller } from "../auth/authenticate.ts";
import type { Caller } from "../auth/caller.ts";
import { forbidden, invalidMembers, notFound, unauthenticated } from "../errors/errors.ts";
import { check, type MemberError, memberErrors } from "../errors/members.ts";
import { readJson, withoutNulls } from "./body.ts";
import { isConditional, wrongHeaders } from "./header_checks.ts";
import { describe, isCreation, type Operation } from "./operation.ts";
import { wrongParameters } from "./parameters.ts";

type Validator<Target extends "json" | "query", Schema extends z.ZodType> = MiddlewareHandler<
  App,
  string,
  { in: Record<Target, z.input<Schema>>; out: Record<Target, z.output<Schema>> }
>;

/**
 * Declares an operation. Spread it at the head of its route: it checks who calls, then `zValidator` checks the body and
 * the query. The handler finds their values in `c.req.valid("json")` and `c.req.valid("query")`.
 *
 * @throws 403 for a caller whose role does not reach; 415, 408, 413 and 400 as {@link readJson} and {@link withoutNulls} do;
 * 400 that names every wrong header, parameter and member at once; 404 for a path with what can be no id
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
  const heeds = { idempotencyKey: isCreation(description), conditions: conditional !== undefined };

  /** All that no schema tells: who calls, bytes, headers, and what `zValidator` does not see of a query. */
  const checkRequest: MiddlewareHandler<App> = async (c, next) => {
    const { caller, url, wrong, session } = c.get("request");
    requireRole(caller, access);
    if (body) {
      await readJson(c.req);
      await confirmCaller(c, access);
    }
    if (access !== "public") wrong.push(...wrongHeaders(c.req, heeds));
    wrong.push(...wrongParameters(url, query !== undefined));
    if (heeds.conditions && isConditional(c.req)) session.judgeConditions();
    if (!body && !query) requireRight(c);
    await next();
  };
  describe(checkRequest, description);

  /** Called last of all checks. @throws 400 for what was found wrong before and now, 404 for what can be no id */
  const requireRight = (c: Context<App, string>, found: MemberError[] = []): void => {
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
          if (!query) requireRight(c, wrong);
          // What is refused here never comes to the query's validator.
          else if (wrong.length > 0) requireRight(c, [...errorsInQuery(query, c), ...wrong]);
        },
        { validationFunction: (schema, value) => check(schema, withoutNulls(value)) },
      ),
    );
  if (query)
    handlers.push(
      zValidator("query", query, (result, c) => requireRight(c, errorsIn(result, "query")), {
        validationFunction: check,
      }),
    );
  return handlers;
}

/** @throws 403 for a caller whose role does not reach */
function requireRole(caller: Caller | undefined, access: Access): void {
  if (access === "public") return;
  // The gate lets nobody come here without a key; should it ever, that is no viewer either.
  if (!caller) throw unauthenticated();
  if (!reaches(caller.role, access)) throw forbidden(access);
}

/** What a hook of `zValidator` is given: Zod's result, and what was checked. */
type Result = { data: unknown } & ({ success: true } | { success: false; error: z.core.$ZodError });

const errorsIn = (result: Result, target: "json" | "query"): MemberError[] =>
  result.success ? [] : memberErrors(result.error, result.data, target);

/** What a schema finds wrong in the query, which it is given as `zValidator` does: a repeated parameter is a list. */
function errorsInQuery(schema: z.ZodType, c: Context<App, string>): MemberError[] {
  const entries = Object.entries(c.req.queries());
  const data = Object.fromEntries(entries.map(([name, all]) => [name, all.length === 1 ? all[0] : all]));
  return errorsIn({ data, ...check(schema, data) }, "query");
}
