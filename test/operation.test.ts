import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Hono } from "hono";
import { expect, test } from "vitest";
import * as z from "zod";
import { requestObject } from "../packages/model/src/values/request_schemas.ts";
import type { App } from "../src/http/env.ts";
import { answerError } from "../src/http/error_response.ts";
import { operation } from "../src/http/operation.ts";
import { everyRequest } from "../src/http/request.ts";

const app = new Hono<App>().use(everyRequest).put(
  "/",
  operation({
    id: "ThingsReplace",
    summary: "Replace things",
    description: "Accepts a body and a query.",
    tag: "Things",
    access: "public",
    body: requestObject({ count: z.number() }),
    query: requestObject({ dry_run: z.stringbool() }),
    status: 200,
  }),
  (c) => c.json([c.req.valid("json").count, c.req.valid("query").dry_run]),
);
app.onError(answerError);

async function put(query: string, body: object): Promise<unknown> {
  const init = { method: "PUT", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await app.request(`/?${query}`, init, env, createExecutionContext());
  const answer: { errors?: { path: string }[] } = await response.json();
  return answer.errors?.map(({ path }) => path) ?? answer;
}

test("errors in the body and in the query are reported together", async () => {
  expect(await put("dry_run=true", { count: 1 })).toEqual([1, true]);
  expect(await put("dry_run=true", { count: "1" })).toEqual(["/count"]);
  expect(await put("dry_run=perhaps", { count: 1 })).toEqual(["dry_run"]);
  expect(await put("dry_run=1&dry_run=1&other=1&=1", { count: "1" })).toEqual([
    "",
    "dry_run",
    "other",
    "/count",
  ]);
});
