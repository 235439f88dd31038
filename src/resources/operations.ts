import type { Context } from "hono";
import * as z from "zod";
import { EXAMPLE_ORIGIN } from "../../packages/model/src/ids.ts";
import { isObject } from "../../packages/model/src/json.ts";
import { ITEMS, requestObject, string, schema } from "../../packages/model/src/values/request_schemas.ts";
import { NOT_AN_OBJECT } from "../http/body.ts";
import type { App, Caller, RequestState } from "../http/env.ts";
import { ApiError, invalidMembers } from "../http/errors.ts";
import type { MemberError } from "../http/member_errors.ts";
import { adopt } from "../http/request.ts";
import { collectWrite } from "../writes/commit.ts";
import type { Write } from "../writes/write.ts";
import { withIds, withIdsInPath } from "./id_places.ts";

/*
 * The operations of transactions and plans. Each is handled like a separate request up to the point where its write would be
 * committed, and the writes are collected.
 */

const MOST_OPERATIONS = 500;

/** The paths that operations may have: all configuration. */
const CONFIGURATION =
  /^\/(?:edges\/|backends\/|ip_policy_rules(?:\/|$)|certificate_(?:authorities|issuers)(?:\/|$)|event_subscriptions(?:\/|$)|(?:ip_policies|event_destinations)(?:\/[^/]*)?\/?$|ip_policies\/[^/]+\/rules\/?$)/;
const NOT_CONFIGURATION =
  "Expected the path of a configuration object, a collection of these, a module or a source, without a query.";

/** True for a path that stays as it is when it becomes a URL: without a query, a host, dot segments and the like. */
const isPlain = (path: string): boolean =>
  !/[?#%]/.test(path) &&
  URL.canParse(path, EXAMPLE_ORIGIN) &&
  new URL(path, EXAMPLE_ORIGIN).href === `${EXAMPLE_ORIGIN}${path}`;

/** The path of a replacement of rules. */
const RULES = /^\/ip_policies\/[^/]+\/rules\/?$/;

const NAME = /^[A-Za-z]\w{0,63}$/;

/** The ASCII characters of a header value (RFC 9110 §5.5): no ETag of this service contains others. */
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;

const TransactionOperation = schema("TransactionOperationRequest", () => ({
  description: "One operation of a transaction.",
  type: requestObject({
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
  }),
}));
export type TransactionOperation = z.output<typeof TransactionOperation>;

/** An operation in a response. */
export const shownOperation = () =>
  z
    .strictObject({
      method: z.string().describe("The method of the operation."),
      path: z.string().describe("The path of the operation."),
      body: z.looseObject({}).optional().describe("The body of the operation, without secrets."),
      if_match: z.string().optional().describe("As the header `If-Match`."),
      name: z.string().optional().describe("The name for the id of the object that the operation creates."),
      object_id: z
        .string()
        .optional()
        .describe("The id of the object that the operation created. Present once the plan was applied."),
    })
    .meta({ id: "PlannedOperation", description: "An operation of a plan." });

/** A list of operations in a request. */
export const operationList = () =>
  z
    .array(TransactionOperation)
    .min(1, "Contains no operations.")
    .max(MOST_OPERATIONS, `Contains more than ${MOST_OPERATIONS} operations.`)
    .meta({
      description: "The operations, in the order in which they are executed.",
      minItems: 1,
      maxItems: MOST_OPERATIONS,
    });

/** Handles a request with the whole service. */
export type Handle = (request: Request, c: Context<App>) => Promise<Response>;

/** Operations, and the write of each. */
export interface CollectedWrites {
  operations: TransactionOperation[];
  writes: Write[];
  /** The error of the first operation that was rejected before its write; the writes are then those before it. */
  rejected: ApiError | undefined;
}

/**
 * Handles operations up to their writes, as those of `caller`.
 *
 * @throws 400 listing what is wrong with the requests of all operations
 */
export async function collect(
  c: Context<App>,
  handle: Handle,
  given: TransactionOperation[],
  caller = c.get("request").caller,
): Promise<CollectedWrites> {
  const operations = given.map(withoutIgnored);
  const collected = new Operations(c, handle, caller);
  for (const [n, each] of operations.entries()) await collected.add(n, each);
  const { wrong, writes, rejected } = collected;
  if (wrong.length > 0) throw invalidMembers(wrong);
  return { operations, writes, rejected };
}

/** An operation's error with the number of the operation. Without a number, the error stays as it is. */
export function inOperation(n: number | undefined, error: ApiError): ApiError {
  if (n === undefined) return error;
  const { code, message, extras } = error;
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

/** The id of the object that a write creates. */
export const createdBy = (write: Write | undefined): string | undefined =>
  write?.creates && !write.creates.changed ? write.creates.id : undefined;

/** The operations of a transaction, with names replaced by the ids that they stand for. */
class Operations {
  readonly #c: Context<App>;
  readonly #handle: Handle;
  readonly #caller: Caller | undefined;
  readonly #ids = new Map<string, string>();
  readonly writes: Write[] = [];
  /** The errors in the requests of all operations. */
  readonly wrong: MemberError[] = [];
  /** How many rules the operations have in all that replace rules. */
  #rules = 0;
  /** The error of the first operation that was rejected for another reason. */
  rejected: ApiError | undefined;

  constructor(c: Context<App>, handle: Handle, caller: Caller | undefined) {
    this.#c = c;
    this.#handle = handle;
    this.#caller = caller;
  }

  /** Adds the write of operation number `n`, or records its error. */
  async add(n: number, { method, path, body, if_match, name }: TransactionOperation): Promise<void> {
    const at = (member: string, msg: string) =>
      void this.wrong.push({ path: `/operations/${n}/${member}`, msg });
    if (name !== undefined && this.#ids.has(name)) return at("name", "Another operation has this name.");
    const known = this.wrong.length;
    const url = withIdsInPath(path, (segment) => this.#idFor(segment, `/operations/${n}/path`));
    const named = withIds(body, (text, pointer) => this.#idFor(text, `/operations/${n}/body${pointer}`));
    if (name !== undefined) this.#ids.set(name, UNKNOWN_ID);
    if (!CONFIGURATION.test(url) || !isPlain(url)) at("path", NOT_CONFIGURATION);
    if (RULES.test(url) && Array.isArray(body?.["rules"])) {
      this.#rules += body["rules"].length;
      if (this.#rules > ITEMS)
        at("body/rules", `With those of earlier operations, there are more than ${ITEMS} rules.`);
    }
    if (this.wrong.length > known || this.rejected) return;
    const write = await this.#writeOf(n, method, url, named, if_match);
    if (!write) return;
    this.writes.push(write);
    if (name === undefined) return;
    const id = createdBy(write);
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
    const part: RequestState = {
      ...state,
      caller: this.#caller,
      url,
      route: undefined,
      part: { body },
    };
    let write: Write | undefined;
    collectWrite(part, (taken) => void (write = taken));
    adopt(request, part);
    const response = await this.#handle(request, this.#c);
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

/** Drops the body of a DELETE, which is ignored in a separate request too. */
function withoutIgnored(each: TransactionOperation): TransactionOperation {
  if (each.method !== "DELETE") return each;
  const { body: _, ...rest } = each;
  return rest;
}
