import type { Context } from "hono";
import * as z from "zod";
import { isIdOf, prefixOf } from "../../../packages/model/src/ids.ts";
import { type Kind, kinds, ownersOf } from "../../../packages/model/src/kinds.ts";
import { type NeededRole, reaches } from "../../../packages/model/src/roles.ts";
import { parsedAs } from "../../db/unchecked.ts";
import { withoutNulls } from "../../http/body.ts";
import type { App, RequestState } from "../../http/env.ts";
import { answerError, errorBody } from "../../http/error_response.ts";
import { ApiError, invalidMembers } from "../../http/errors.ts";
import { memberErrors } from "../../http/member_errors.ts";
import { adopt } from "../../http/request.ts";
import type { Handle } from "../../resources/operations.ts";

/*
 * What tools get from the service: its own API, asked inside the Worker. The tools are loaded later than the service, and import
 * nothing but types of it: otherwise the bundler would wrap every module that both need.
 */

/** A request to the API. */
interface Asked {
  method?: "GET" | "POST";
  /** A path of the service, made by {@link Api.pathOf} or constant. */
  path: string;
  /** Query parameters; those that are undefined are left out. */
  query?: Record<string, string | number | undefined>;
  body?: object;
  headers?: Record<string, string>;
}

/** A response of the API. */
interface Answer<Body> {
  status: number;
  etag: string | null;
  body: Body;
}

/** The error of an API response. */
type ErrorBody = ReturnType<typeof errorBody>;

/** The service, as tools see it. */
export interface Api {
  /** Sends a request to the API as the caller. @throws {@link Rejected} for an error */
  ask: <Body>(asked: Asked) => Promise<Answer<Body>>;
  /** The path of a collection. @throws an error for the caller without the `edge_id` of routes, or with a malformed one */
  collectionOf: (kind: Kind, edge_id?: string) => string;
  /** The path and the kind of an object. @throws an error for the caller for an id of other kinds */
  objectAt: (id: string, allowed: readonly Kind[], edge_id?: string) => { path: string; kind: Kind };
  /** Reads a static asset, which is a JSON object; undefined if there is none. */
  asset: (path: string) => Promise<object | undefined>;
  /** True if the caller's role includes `needed`. */
  reaches: (needed: NeededRole) => boolean;
  /** Validates the input of a tool. @throws {@link Rejected} */
  validate: <Schema extends z.ZodType>(schema: Schema, value: unknown) => z.output<Schema>;
  /** The error of anything thrown: of a {@link Rejected}, or of a fault, which is logged. */
  errorOf: (thrown: unknown) => Promise<ErrorBody>;
  /** Notes in the log which tool is called. */
  calls: (tool: string) => void;
}

/** An error response of the API. */
class Rejected extends Error {
  readonly body: ErrorBody;

  constructor(body: ErrorBody) {
    super(body.msg);
    this.body = body;
  }
}

/** The API for the tools that a request calls. @param handle handles a request with the whole service */
export function apiFor(c: Context<App, string>, handle: Handle): Api {
  const state = c.get("request");
  return {
    ask: (asked) => ask(c, handle, asked),
    collectionOf,
    objectAt: (id, allowed, edge_id) => {
      const kind = allowed.find((each) => kinds[each].prefix === prefixOf(id));
      if (kind === undefined || !isIdOf(kind, id))
        throw invalidMembers([
          {
            path: "/id",
            msg: `Expected an id that begins with one of these: ${allowed.map((each) => kinds[each].prefix).join(", ")}.`,
          },
        ]);
      return { path: `${collectionOf(kind, edge_id)}/${id}`, kind };
    },
    asset: async (path) => {
      const response = await c.env.ASSETS.fetch(`https://origin.invalid/${path}`);
      return response.ok ? parsedAs<object>(await response.text()) : undefined;
    },
    reaches: (needed) => state.caller !== undefined && reaches(state.caller.role, needed),
    validate: (schema, value) => {
      const result = schema.safeParse(withoutNulls(value), { error: unknownMember });
      if (!result.success) throw invalidMembers(memberErrors(result.error, value, "json"));
      return result.data;
    },
    errorOf: async (thrown) => {
      if (thrown instanceof Rejected) return thrown.body;
      if (thrown instanceof ApiError) return errorBody(thrown, state.operationId);
      const error = thrown instanceof Error ? thrown : new Error("something else was thrown");
      return parsedAs<ErrorBody>(await answerError(error, c).text());
    },
    calls: (tool) => void (state.tool = tool),
  };
}

/** Names the accepted members of an object with an unknown one, as requests to the API do. */
const unknownMember: z.core.$ZodErrorMap = ({ code, inst }) =>
  code === "unrecognized_keys" && inst instanceof z.ZodObject
    ? `Unknown; accepted: ${Object.keys(inst.shape).join(", ")}.`
    : undefined;

function collectionOf(kind: Kind, edge_id?: string): string {
  const { path } = kinds[kind];
  const owner = ownersOf(kind)["edge_id"];
  if (owner === undefined) return path;
  if (edge_id === undefined || !isIdOf(owner, edge_id))
    throw invalidMembers([{ path: "/edge_id", msg: "Routes need the id of their HTTPS edge." }]);
  return path.replace("{edge_id}", edge_id);
}

async function ask<Body>(
  c: Context<App, string>,
  handle: Handle,
  { method = "GET", path, query = {}, body, headers }: Asked,
): Promise<Answer<Body>> {
  const state = c.get("request");
  const url = new URL(path, state.url);
  // Ids were checked before: this is the second line of defence against a path that leads elsewhere.
  if (url.pathname !== path) throw new Error("a path that is not written as it is requested");
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value));
  const sent = { ...(body && { "Content-Type": "application/json" }), ...headers };
  const request = new Request(url, { method, headers: sent });
  const part: RequestState = { ...state, url: url.href, route: undefined, part: { body } };
  adopt(request, part);
  const response = await handle(request, c);
  const text = await response.text();
  if (response.status >= 400) throw new Rejected(parsedAs<ErrorBody>(text));
  return { status: response.status, etag: response.headers.get("ETag"), body: parsedAs<Body>(text) };
}
