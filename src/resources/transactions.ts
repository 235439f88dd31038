import type { Context } from "hono";
import * as z from "zod";
import { exampleId } from "../../packages/model/src/ids.ts";
import { requestObject, schema } from "../../packages/model/src/values/request_schemas.ts";
import { sql } from "../db/statements.ts";
import { parsedAs } from "../db/unchecked.ts";
import type { App } from "../http/env.ts";
import { operation } from "../http/operation.ts";
import { etagOf, respond } from "../http/respond.ts";
import { endpoints } from "../http/router.ts";
import { commitAll, recordOf } from "../writes/commit.ts";
import type { Answer } from "../writes/write.ts";
import {
  type CollectedWrites,
  collect,
  type Handle,
  inOperation,
  operationList,
  type TransactionOperation,
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

/** The report of a dry run, which is empty. */
export const NOTHING = sql`select '[]'`;

/** @param handle handles a request with the whole service */
export const transactions = (handle: Handle) =>
  endpoints().post(
    "/",
    operation({
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
      if ("rejected" in committed) throw inOperation(committed.rejected.operation, committed.rejected.error);
      if (rejected) throw rejected;
      if ("replayed" in committed) return replay(c, committed.replayed.response);
      const answers = "answers" in committed ? committed.answers : [];
      return respond(c, 200, JSON.stringify({ dry_run, results: resultsOf(c, collected, answers) }));
    },
  );

/** The status that each operation has if none is rejected. */
export const statusesOf = ({ writes, operations }: Collected): number[] =>
  writes.map(({ creates }, i) => (creates ? 201 : operations[i]?.method === "DELETE" ? 204 : 200));

/** The results of operations. @param answers empty for a dry run */
export const resultsOf = (c: Context<App>, collected: Collected, answers: (Answer | undefined)[]) =>
  statusesOf(collected).map((status, i) => {
    const answer = answers[i];
    const version = answer && "version" in answer ? answer.version : undefined;
    return {
      status: answer?.status ?? status,
      etag: version === undefined ? null : etagOf(c, version),
      body: answer?.status === 201 ? answer.body : null,
    };
  });

/** Responds like the request that stored `response`, which {@link keptOf} made. */
export const replay = (c: Context<App>, response: string, headers: Record<string, string> = {}): Response =>
  respond(c, 200, JSON.stringify(withTags(c, response)), { "Idempotent-Replayed": "true", ...headers });

type Body = z.output<typeof Transaction>;
type Collected = Pick<CollectedWrites, "writes" | "operations">;

/**
 * The body that is replayed for an `Idempotency-Key`. For a new object it has the version, from which the ETag is made. The
 * version of an object that was changed, or that got a new source, is not known in advance.
 */
export const keptOf = (collected: Collected): Body => ({
  dry_run: false,
  results: statusesOf(collected).map((status, i) => {
    const creates = collected.writes[i]?.creates;
    const etag = creates && !creates.changed ? String(creates.answer.version) : null;
    return { status, etag, body: creates ? { ...creates.kept } : null };
  }),
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

/** Operations with the ids of the objects that they created. @param response what {@link keptOf} made when they were applied; null before */
export function withCreated(operations: TransactionOperation[], response: string | null) {
  const results = response === null ? [] : parsedAs<Body>(response).results;
  return operations.map((one, i) => {
    const id = results[i]?.body?.["id"];
    return typeof id === "string" ? { ...one, object_id: id } : one;
  });
}
