import { type Context, Hono } from "hono";
import * as z from "zod";
import { sql } from "../db/statements.ts";
import { parsedAs } from "../db/unchecked.ts";
import type { App, RequestState } from "../env.ts";
import { isObject, NOT_AN_OBJECT } from "../http/body.ts";
import { ApiError, invalidMembers } from "../http/errors.ts";
import { jsonPointer, type MemberError } from "../http/member_errors.ts";
import { operation } from "../http/operation.ts";
import { adopt } from "../http/request.ts";
import { etagOf, respond } from "../http/respond.ts";
import { EXAMPLE_ORIGIN, exampleId } from "../ids.ts";
import { requestObject, string } from "../values/members.ts";
import { collectWrite, commitAll, recordOf } from "../writes/commit.ts";
import type { Answer, Write } from "../writes/write.ts";

/*
 * Several operations as one. Each is handled like a separate request up to the point where its write would be committed. The
 * writes are collected, and committed together.
 */

const MOST_OPERATIONS = 500;

/** The paths that operations may have: all configuration. */
const CONFIGURATION =
  /^\/(?:edges\/|backends\/|ip_policy_rules(?:\/|$)|certificate_authorities(?:\/|$)|event_subscriptions(?:\/|$)|(?:ip_policies|event_destinations)(?:\/[^/]*)?\/?$)/;
const NOT_CONFIGURATION =
  "Expected the path of a configuration object, a collection of these, a module or a source, without a query.";

/** True for a path that stays as it is when it becomes a URL: without a query, a host, dot segments and the like. */
const isPlain = (path: string): boolean =>
  !/[?#]/.test(path) &&
  URL.canParse(path, EXAMPLE_ORIGIN) &&
  new URL(path, EXAMPLE_ORIGIN).href === `${EXAMPLE_ORIGIN}${path}`;

const NAME = /^[A-Za-z]\w{0,63}$/;

/** The ASCII characters of a header value (RFC 9110 §5.5): no ETag of this service contains others. */
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;

/** Fields of a body, by name: `true` for an id, a list of ids, or a map with ids as its keys. */
interface Places {
  [name: string]: true | Places;
}

/** The fields of bodies that contain ids. */
const IDS: Places = {
  backend_id: true,
  ip_policy_id: true,
  ip_policy_ids: true,
  certificate_authority_ids: true,
  destination_ids: true,
  backends: true,
  backend: { backend_id: true },
  ip_restriction: { ip_policy_ids: true },
  mutual_tls: { certificate_authority_ids: true },
};

const TransactionOperation = z.lazy(() =>
  requestObject({
    method: z.enum(["POST", "PATCH", "PUT", "DELETE"]).describe("The method of the operation."),
    path: string(1_000)
      .regex(/^\//, "Expected a path that begins with a slash.")
      .meta({
        pattern: "^/[^?#]*$",
        description:
          "The path of the operation. `$name` stands for the id that an earlier operation with this `name` creates.",
        examples: ["/ip_policies"],
      }),
    // Not `z.record`, which copies the body without a field named `__proto__`.
    body: z
      .custom<Record<string, unknown>>(isObject, NOT_AN_OBJECT)
      .meta({
        type: "object",
        additionalProperties: {},
        description: "The body of the operation. `$name` can replace any id, as in `path`.",
      })
      .exactOptional(),
    if_match: z
      .string()
      .regex(HEADER_VALUE, "Expected a header value: ASCII without line breaks or other control characters.")
      .describe("As the header `If-Match`, for operations that support it.")
      .exactOptional(),
    name: z
      .string()
      .regex(NAME, "Expected a letter, then up to 63 letters, digits and underscores.")
      .describe(
        "A name for the id of the object that the operation creates, for use in later operations. Must be unique.",
      )
      .exactOptional(),
  }).meta({ id: "TransactionOperationRequest", description: "One operation of a transaction." }),
);
type Operation = z.output<typeof TransactionOperation>;

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

const TransactionCreate = z.lazy(() =>
  requestObject({
    dry_run: z.boolean().describe("True to check everything and change nothing.").exactOptional(),
    operations: z
      .array(TransactionOperation)
      .min(1, "Contains no operations.")
      .max(MOST_OPERATIONS, `Contains more than ${MOST_OPERATIONS} operations.`)
      .meta({
        description: "The operations, in the order in which they are executed.",
        minItems: 1,
        maxItems: MOST_OPERATIONS,
      }),
  }).meta({ id: "TransactionCreate", examples: [example] }),
);

const Transaction = z.lazy(() =>
  z
    .strictObject({
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
    })
    .meta({
      id: "Transaction",
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
    }),
);

/** An error of one operation, with its number. */
function inOperation(n: number, { code, message, extras }: ApiError): ApiError {
  const errors = extras.errors?.map((one) => within(n, one));
  const [first] = extras.errors ?? [];
  const located = first && errors?.[0] ? message.replace(first.path, () => errors[0]?.path ?? "") : message;
  return new ApiError(code, `Operation ${n}: ${located}`, {
    ...extras,
    details: { ...extras.details, operation: String(n) },
    ...(errors && { errors }),
  });
}

/** An error in an operation's request, as an error in the transaction's request. */
const within = (n: number, { path, msg }: MemberError): MemberError => ({
  path: `/operations/${n}/${path === "If-Match" ? "if_match" : path === "" || path.startsWith("/") ? `body${path}` : "path"}`,
  msg,
});

/** The operations of a transaction, with names replaced by the ids that they stand for. */
class Operations {
  readonly #c: Context<App>;
  readonly #handle: (request: Request) => Promise<Response>;
  readonly #ids = new Map<string, string>();
  readonly writes: Write[] = [];
  /** The errors in the requests of all operations. */
  readonly wrong: MemberError[] = [];
  /** The error of the first operation that was rejected for another reason. */
  rejected: ApiError | undefined;

  constructor(c: Context<App>, handle: (request: Request) => Promise<Response>) {
    this.#c = c;
    this.#handle = handle;
  }

  /** Adds the write of operation number `n`, or records its error. */
  async add(n: number, { method, path, body, if_match, name }: Operation): Promise<void> {
    const at = (member: string, msg: string) =>
      void this.wrong.push({ path: `/operations/${n}/${member}`, msg });
    if (name !== undefined && this.#ids.has(name)) return at("name", "Another operation has this name.");
    const known = this.wrong.length;
    const url = path
      .split("/")
      .map((segment) => this.#idFor(segment, `/operations/${n}/path`))
      .join("/");
    const named = this.#named(body, IDS, `/operations/${n}/body`);
    if (name !== undefined) this.#ids.set(name, UNKNOWN_ID);
    if (!CONFIGURATION.test(url) || !isPlain(url)) at("path", NOT_CONFIGURATION);
    if (this.wrong.length > known || this.rejected) return;
    const write = await this.#writeOf(n, method, url, named, if_match);
    if (!write) return;
    this.writes.push(write);
    if (name === undefined) return;
    const id = write.creates && !write.creates.changed ? write.creates.id : undefined;
    if (id === undefined) return at("name", "Only an operation that creates an object can have a name.");
    this.#ids.set(name, id);
  }

  /** Handles an operation like a separate request, and returns its write. */
  async #writeOf(
    n: number,
    method: string,
    path: string,
    body: unknown,
    ifMatch: string | undefined,
  ): Promise<Write | undefined> {
    const state = this.#c.get("request");
    const { href: url } = new URL(path, state.url);
    const request = new Request(url, {
      method,
      headers: { "Content-Type": "application/json", ...(ifMatch !== undefined && { "If-Match": ifMatch }) },
    });
    const part: RequestState = { ...state, url, wrong: [], route: undefined, part: { body } };
    let write: Write | undefined;
    collectWrite(part, (given) => void (write = given));
    adopt(request, part);
    const response = await this.#handle(request);
    if (response.status < 300) return write;
    const error = errorIn(await response.json());
    if (error.code === "ERR_INVALID_REQUEST") {
      const errors = error.extras.errors ?? [{ path: "", msg: error.message }];
      this.wrong.push(...errors.map((one) => within(n, one)));
    } else if (error.code === "ERR_NO_SUCH_PATH" || error.code === "ERR_METHOD_NOT_ALLOWED") {
      const member = error.code === "ERR_NO_SUCH_PATH" ? "path" : "method";
      this.wrong.push({ path: `/operations/${n}/${member}`, msg: error.message });
    } else this.rejected ??= inOperation(n, error);
    return undefined;
  }

  /** The id that a string stands for; the string itself if it is not a name. */
  #idFor(text: string, pointer: string): string {
    if (!text.startsWith("$")) return text;
    const id = this.#ids.get(text.slice(1));
    if (id === undefined) this.wrong.push({ path: pointer, msg: "No earlier operation has this name." });
    return id ?? UNKNOWN_ID;
  }

  /** `value` with the names at `places` replaced by ids. */
  #named(value: unknown, places: true | Places | undefined, pointer: string): unknown {
    if (places === undefined) return value;
    if (places !== true && !isObject(value)) return value;
    if (typeof value === "string") return this.#idFor(value, pointer);
    if (Array.isArray(value)) {
      const items: unknown[] = value;
      return items.map((item, i) => (typeof item === "string" ? this.#idFor(item, `${pointer}/${i}`) : item));
    }
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const at = `${pointer}${jsonPointer([name])}`;
        if (places === true) return [this.#idFor(name, at), member];
        return [name, this.#named(member, Object.hasOwn(places, name) ? places[name] : undefined, at)];
      }),
    );
  }
}

/** Stands in for the id of an operation that was rejected. */
const UNKNOWN_ID = "$";

interface ErrorBody {
  error_code: ApiError["code"];
  msg: string;
  details: Record<string, string>;
  errors?: MemberError[];
}

/** The error in a response. */
function errorIn({ error_code, msg, details, errors }: ErrorBody): ApiError {
  const { operation_id: _, ...rest } = details;
  return new ApiError(error_code, msg, { details: rest, ...(errors && { errors }) });
}

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
const NOTHING = sql`select '[]'`;

/** @param handle handles a request with the whole service */
export const transactions = (handle: (request: Request, c: Context<App>) => Promise<Response>) =>
  new Hono<App>().post(
    "/",
    ...operation({
      id: "TransactionsCreate",
      access: "editor",
      summary: "Run a transaction",
      description:
        "Runs up to 500 operations in order, all or nothing: bulk changes, and changes that belong together. API keys, bot users, delivery operations and `PUT …/rules` cannot be part of a transaction.",
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
        "ERR_CONFLICT",
        "ERR_PRECONDITION_FAILED",
      ],
    }),
    async (c) => {
      const { dry_run = false, operations: given } = c.req.valid("json");
      const operations = given.map(withoutIgnored);
      const collected = new Operations(c, (request) => handle(request, c));
      for (const [n, each] of operations.entries()) await collected.add(n, each);
      if (collected.wrong.length > 0) throw invalidMembers(collected.wrong);
      const kept = keptOf(collected.writes, operations);
      const record =
        collected.rejected || dry_run
          ? undefined
          : await recordOf(
              c,
              { id: c.get("request").operationId, kept, answer: { version: 1 } },
              { ...c.req.valid("json"), operations },
            );
      // The first rejected operation is reported, so operations before a known rejection are tried: they may be rejected too.
      const committed = await commitAll(c, collected.writes, {
        ...((dry_run || collected.rejected) && { dryRun: NOTHING }),
        ...(record && { record }),
      });
      if ("rejected" in committed) throw inOperation(committed.rejected.operation, committed.rejected.error);
      if (collected.rejected) throw collected.rejected;
      if ("replayed" in committed)
        return respond(c, 200, JSON.stringify(withTags(c, committed.replayed.response)), {
          "Idempotent-Replayed": "true",
        });
      const answers =
        "answers" in committed ? committed.answers : collected.writes.map(({ creates }) => creates?.answer);
      const results = answers.map((answer, i) => toResult(c, answer ?? statusIn(operations[i]), dry_run));
      return respond(c, 200, JSON.stringify({ dry_run, results }));
    },
  );

type Body = z.output<typeof Transaction>;

/**
 * The body that is replayed for an `Idempotency-Key`. For a new object it has the version, from which the ETag is made. The
 * version of an object that was changed, or that got a new source, is not known in advance.
 */
const keptOf = (writes: Write[], operations: Operation[]): Body => ({
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

/** Drops the body of a DELETE, which is ignored in a separate request too. */
function withoutIgnored(each: Operation): Operation {
  if (each.method !== "DELETE") return each;
  const { body: _, ...rest } = each;
  return rest;
}

/** The answer to an operation in a dry run, which only has a status. */
const statusIn = (each: Operation | undefined): Answer =>
  each?.method === "DELETE" ? { status: 204 } : { status: 200, version: 0, body: {} };
