import type { Context } from "hono";
import * as z from "zod";
import { exampleId } from "../../packages/model/src/ids.ts";
import { requestObject, schema } from "../../packages/model/src/values/request_schemas.ts";
import { sql } from "../db/statements.ts";
import { parsedAs } from "../db/unchecked.ts";
import { endpoints } from "../http/endpoints.ts";
import type { App } from "../http/env.ts";
import { operation } from "../http/operation.ts";
import { etagOf, respond } from "../http/respond.ts";
import { commitAll, type Committed, recordOf } from "../writes/commit.ts";
import type { Answer } from "../writes/write.ts";
import {
  type CollectedWrites,
  collect,
  type Handle,
  rejectionOf,
  type TransactionOperation,
  operationList,
} from "./operations.ts";

/*
 * Several operations as one: their writes are committed together.
 */

const example = {
  operations: [
    { method: "POST", path: "/ip_policies", body: { description: "Lisbon office" }, name: "office" },
    {
      method: "POST",
      path: "/ip_policy_rules",
      body: { ip_policy_id: "$office", cidr: "198.51.100.0/24", action: "allow" },
    },
  ],
} as const;

const TransactionCreate = schema("TransactionCreate", () => ({
  examples: [example],
  type: requestObject({
    dry_run: z.boolean().describe("True to check everything and change nothing.").exactOptional(),
    operations: operationList(),
  }),
}));

export const Transaction = schema("Transaction", () => ({
  description: "Several operations that took effect as one.",
  examples: [
    {
      dry_run: false,
      results: [
        {
          status: 201,
          etag: '"0a1b2c3d-1"',
          body: { id: exampleId("ip_policy"), description: "Lisbon office" },
        },
      ],
    },
  ],
  type: z.strictObject({
    dry_run: z.boolean().describe("True if nothing was changed."),
    results: z
      .array(
        z.strictObject({
          status: z.int().describe("The status that the operation would have had as a separate request."),
          etag: z
            .string()
            .nullable()
            .describe("The `ETag` of the object afterwards; null for a deletion and in a dry run."),
          body: z
            .looseObject({})
            .nullable()
            .describe("The object that a POST created; null for all other operations and in a dry run."),
        }),
      )
      .describe("The result of each operation, in the same order."),
  }),
}));

/** The answer to an operation, as a result in the response. */
function toResult(c: Context<App>, answer: Answer | undefined, isDryRun: boolean) {
  const status = answer?.status ?? 200;
  const version = answer && "version" in answer ? answer.version : undefined;
  return {
    status,
    etag: isDryRun || version === undefined ? null : etagOf(c, version),
    body: !isDryRun && answer?.status === 201 ? answer.body : null,
  };
}

/** The report of a dry run, which is empty. */
export const NOTHING = sql`select '[]'`;

/** @param handle handles a request with the whole service */
export const transactions = (handle: Handle) =>
  endpoints().post(
    "/",
    ...operation({
      id: "TransactionsCreate",
      access: "editor",
      summary: "Run a transaction",
      description:
        "Runs up to 500 operations in order, all or nothing: bulk changes, and changes that belong together. API keys, bot users and delivery operations cannot be part of a transaction. The operations `PUT /ip_policies/{id}/rules` can have 10,000 rules in all.",
      tag: "Transactions",
      body: TransactionCreate,
      status: 200,
      response: Transaction,
      isKeyed: true,
      guardedBy: "Set if_match of an operation instead.",
      errors: [
        "ERR_UNKNOWN_REFERENCE",
        "ERR_NOT_FOUND",
        "ERR_IN_USE",
        "ERR_LOCK_OUT",
        "ERR_CONFLICT",
        "ERR_PRECONDITION_FAILED",
      ],
    }),
    async (c) => {
      const { dry_run = false, operations: given } = c.req.valid("json");
      const collected = await collect(c, handle, given);
      const { writes, operations, rejected } = collected;
      const record =
        rejected || dry_run
          ? undefined
          : await recordOf(
              c,
              { id: c.get("request").operationId, kept: keptOf(collected), answer: { version: 1 } },
              { ...c.req.valid("json"), operations },
            );
      // The first rejected operation is reported, so operations before a known rejection are tried: they may be rejected too.
      const committed = await commitAll(c, writes, {
        ...((dry_run || rejected) && { dryRun: NOTHING }),
        ...(record && { record }),
      });
      if ("rejected" in committed) throw rejectionOf(committed.rejected);
      if (rejected) throw rejected;
      if ("replayed" in committed) return replay(c, committed.replayed.response);
      return respond(c, 200, JSON.stringify({ dry_run, results: resultsOf(c, collected, committed) }));
    },
  );

/** The results of operations that were committed, or tried in a dry run. */
export function resultsOf(
  c: Context<App>,
  { writes, operations }: CollectedWrites,
  committed: Extract<Committed, { answers: unknown } | { said: unknown }>,
) {
  const isDryRun = "said" in committed;
  const answers = isDryRun ? writes.map(({ creates }) => creates?.answer) : committed.answers;
  return answers.map((answer, i) => toResult(c, answer ?? statusIn(operations[i]), isDryRun));
}

/** Responds like the request that stored `response`, which {@link keptOf} made. */
export const replay = (c: Context<App>, response: string, headers: Record<string, string> = {}): Response =>
  respond(c, 200, JSON.stringify(withTags(c, response)), { "Idempotent-Replayed": "true", ...headers });

type Body = z.output<typeof Transaction>;

/**
 * The body that is replayed for an `Idempotency-Key`. For a new object it has the version, from which the ETag is made. The
 * version of an object that was changed, or that got a new source, is not known in advance.
 */
export const keptOf = ({ writes, operations }: Pick<CollectedWrites, "writes" | "operations">): Body => ({
  dry_run: false,
  results: writes.map(({ creates }, i) =>
    creates
      ? {
          status: 201,
          etag: creates.changed ? null : String(creates.answer.version),
          body: { ...creates.kept },
        }
      : { status: statusIn(operations[i]).status, etag: null, body: null },
  ),
});

/** A replayed body, with versions replaced by ETags. Both are as of the first request, like the objects. */
function withTags(c: Context<App>, text: string): Body {
  const body = parsedAs<Body>(text);
  const results = body.results.map((one) => ({
    ...one,
    etag: one.etag === null ? null : etagOf(c, Number(one.etag)),
  }));
  return { ...body, results };
}

/** The answer to an operation in a dry run, which only has a status. */
const statusIn = (each: TransactionOperation | undefined): Answer =>
  each?.method === "DELETE" ? { status: 204 } : { status: 200, version: 0, body: {} };
