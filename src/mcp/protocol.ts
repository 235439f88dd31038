import * as z from "zod";

/*
 * The Model Context Protocol over Streamable HTTP: the part that a server with only tools and no sessions needs. Each HTTP request has
 * one JSON-RPC 2.0 message, and so has its response. There are two forms of the protocol:
 *
 * - 2026-07-28 (https://modelcontextprotocol.io/specification/2026-07-28): each request states in `params._meta` its version and
 *   the client's capabilities. Its headers repeat the version, the method and the name of the tool.
 * - Earlier versions begin with `initialize`, which the server does not store, and then send plain JSON-RPC.
 *
 * For example, `{"jsonrpc": "2.0", "id": 1, "method": "ping"}` gets the response `{"jsonrpc": "2.0", "id": 1, "result": {}}`.
 */

/** The version whose requests have an envelope: `params._meta`. */
const VERSION = "2026-07-28";

/** The versions without an envelope, newest first. */
const EARLIER = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];

/** Error codes: of JSON-RPC 2.0 (section 5.1), except for -32020 to -32022, which are the protocol's. */
const codes = {
  unsupportedHeader: -32_000,
  headerMismatch: -32_020,
  missingCapability: -32_021,
  unsupportedVersion: -32_022,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
} as const;

const KEY = "io.modelcontextprotocol/";
const Name = z.looseObject({ name: z.string(), version: z.string() });
const Id = z.union([z.string(), z.int()]);

/** A request, or a notification if it has no id. */
const Message = z.strictObject({
  jsonrpc: z.literal("2.0"),
  id: Id.exactOptional(),
  method: z.string(),
  params: z.looseObject({ _meta: z.looseObject({}).exactOptional() }).exactOptional(),
});

/** A client's response to a request from the server. This server sends no requests, so responses are ignored. */
const Response = z.union([
  z.strictObject({ jsonrpc: z.literal("2.0"), id: Id, result: z.looseObject({}) }),
  z.strictObject({ jsonrpc: z.literal("2.0"), id: Id.exactOptional(), error: z.looseObject({}) }),
]);

const Envelope = z.looseObject({
  [`${KEY}protocolVersion`]: z.string(),
  [`${KEY}clientInfo`]: Name.exactOptional(),
  [`${KEY}clientCapabilities`]: z.looseObject({
    elicitation: z
      .looseObject({ form: z.looseObject({}).exactOptional(), url: z.looseObject({}).exactOptional() })
      .exactOptional(),
  }),
});

const Initialize = z.looseObject({
  protocolVersion: z.string(),
  capabilities: z.looseObject({}),
  clientInfo: Name,
});
const Listen = z.looseObject({ notifications: z.looseObject({}) });
const List = z.looseObject({ cursor: z.string().exactOptional() });
const Call = z.looseObject({ name: z.string(), arguments: z.looseObject({}).exactOptional() });

/** A call of a tool. */
export interface ToolCall {
  name: string;
  /** The arguments as they were sent, including a field named `__proto__`. */
  input: unknown;
  /** True if the client can ask its user. Earlier versions only say so in `initialize`. */
  canAsk: boolean;
  /** The answers of the user to the questions of an earlier result, by name. */
  answers: unknown;
}

/** The tools, and what the server tells clients about itself. */
export interface ToolServer {
  info: { name: string; title: string; version: string };
  /** Instructions for the model. */
  instructions: string;
  /** The tools, and how long clients can keep the list, in milliseconds. */
  list: () => Promise<{ tools: object[]; ttlMs: number }>;
  /** The result of a call; undefined if there is no such tool for this caller. */
  call: (call: ToolCall) => Promise<object | undefined>;
}

/** An HTTP response: one message as JSON, or several as server-sent events. It has no body if the message was a notification. */
export interface MessageReply {
  status: number;
  json?: object;
  events?: object[];
}

/** An error in a message, with the HTTP status of the response. */
class Problem extends Error {
  readonly status: number;
  readonly code: number;
  readonly data: object | undefined;

  constructor(status: number, code: number, message: string, data?: object) {
    super(message);
    [this.status, this.code, this.data] = [status, code, data];
  }
}

/** Answers one message. @param header reads a header of the request */
export async function answerMessage(
  message: unknown,
  header: (name: string) => string | undefined,
  server: ToolServer,
): Promise<MessageReply> {
  const { success, data } = Message.safeParse(message);
  const id = isObject(message) ? Id.safeParse(message["id"]).data : undefined;
  try {
    if (!success) {
      if (Response.safeParse(message).success) return { status: 202 };
      const expected = "Expected a JSON-RPC 2.0 request: jsonrpc, id, method and params.";
      throw new Problem(400, codes.invalidRequest, expected);
    }
    const envelope = envelopeOf(data, header);
    if (id === undefined) return { status: 202 };
    const asked: Asked = { ...data, id, sent: argumentsIn(message) };
    return envelope ? await currentReply(asked, envelope, server) : await earlierReply(asked, server);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, message: text, data: details } = error;
    return {
      status: error.status,
      json: {
        jsonrpc: "2.0",
        id: id ?? null,
        error: { code, message: text, ...(details && { data: details }) },
      },
    };
  }
}

/** A request. */
interface Asked extends z.output<typeof Message> {
  id: string | number;
  /** The arguments of a call as they were sent: parsing drops a field named `__proto__`, which is to be rejected. */
  sent: unknown;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

function argumentsIn(message: unknown): unknown {
  const parameters = isObject(message) ? message["params"] : undefined;
  return (isObject(parameters) ? parameters["arguments"] : undefined) ?? {};
}

/**
 * The envelope of a message. Undefined for a message of an earlier version, and for a notification, which does not need an envelope.
 *
 * @throws {@link Problem} for an incomplete envelope, for headers that differ from the message, and for an unsupported version
 */
function envelopeOf(
  { id, method, params = {} }: z.output<typeof Message>,
  header: (name: string) => string | undefined,
): z.output<typeof Envelope> | undefined {
  const said = header("MCP-Protocol-Version");
  const meta = params["_meta"];
  const named = meta?.[`${KEY}protocolVersion`];
  if (named === undefined && said !== VERSION) {
    if (said === undefined || method === "initialize" || EARLIER.includes(said)) return undefined;
    const known = `Supported versions: ${[VERSION, ...EARLIER].join(", ")}.`;
    throw new Problem(400, codes.unsupportedHeader, `MCP-Protocol-Version is not supported. ${known}`);
  }
  if (id === undefined) return undefined;
  if (typeof named === "string") {
    requireSame("MCP-Protocol-Version", said, named);
    if (named !== VERSION)
      throw new Problem(400, codes.unsupportedVersion, `This server speaks ${VERSION}.`, {
        supported: [VERSION],
        requested: named,
      });
    requireSame("Mcp-Method", header("Mcp-Method"), method);
    const name = method === "tools/call" ? params["name"] : undefined;
    if (typeof name === "string") requireSame("Mcp-Name", decoded(header("Mcp-Name")), name);
  }
  return valid(Envelope, meta ?? {}, "/params/_meta", 400);
}

/** Decodes a header value that was encoded because headers are ASCII: `=?base64?Y2Fmw6k=?=` for `café`. */
function decoded(header: string | undefined): string | undefined {
  const [, base64] = /^=\?base64\?([A-Za-z\d+/]+={0,2})\?=$/.exec(header ?? "") ?? [];
  if (base64 === undefined || base64.length % 4 !== 0) return header;
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
}

/** @throws {@link Problem} for a header that is missing, or differs from the message */
function requireSame(name: string, sent: string | undefined, expected: string): void {
  if (sent === expected) return;
  const problem = sent === undefined ? "is missing" : "differs from the message";
  throw new Problem(400, codes.headerMismatch, `The header ${name} ${problem}.`);
}

/** @param status of the response if `value` is invalid @throws {@link Problem} for an invalid value, which is not quoted */
function valid<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  at = "/params",
  status = 200,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = [at, ...(issue?.path ?? []).map((name) => String(name).replaceAll("/", "~1"))].join("/");
  throw new Problem(status, codes.invalidParams, `${path}: ${issue?.message ?? "invalid"}`);
}

const resultOf = (id: string | number, result: object): object => ({ jsonrpc: "2.0", id, result });

/** The reply to a request with an envelope. */
async function currentReply(
  asked: Asked,
  envelope: z.output<typeof Envelope>,
  server: ToolServer,
): Promise<MessageReply> {
  const { id, method, params = {} } = asked;
  const _meta = { [`${KEY}serverInfo`]: server.info };
  const complete = { resultType: "complete", _meta };
  const subscription = { [`${KEY}subscriptionId`]: id };
  switch (method) {
    case "server/discover":
      return {
        status: 200,
        json: resultOf(id, {
          supportedVersions: [VERSION],
          capabilities: CAPABILITIES,
          instructions: server.instructions,
          ttlMs: 0,
          cacheScope: "private",
          ...complete,
        }),
      };
    case "tools/list":
      valid(List, params);
      return {
        status: 200,
        json: resultOf(id, { ...(await server.list()), cacheScope: "private", ...complete }),
      };
    case "tools/call": {
      const { elicitation } = envelope[`${KEY}clientCapabilities`];
      const result = { ...complete, ...(await called(asked, elicitation !== undefined, server)) };
      // A client that can ask its user, but not with forms, gets an error: nothing is applied without an answer.
      if (result.resultType === "input_required" && elicitation?.url && !elicitation.form)
        throw new Problem(400, codes.missingCapability, "Questions to the user are forms.", {
          requiredCapabilities: { elicitation: { form: {} } },
        });
      return { status: 200, json: resultOf(id, result) };
    }
    // The server has no notifications to send, so the stream ends immediately.
    case "subscriptions/listen":
      valid(Listen, params);
      return {
        status: 200,
        events: [
          {
            jsonrpc: "2.0",
            method: "notifications/subscriptions/acknowledged",
            params: { notifications: {}, _meta: subscription },
          },
          resultOf(id, { resultType: "complete", _meta: { ...subscription, ..._meta } }),
        ],
      };
    default:
      throw new Problem(404, codes.methodNotFound, "Method not found");
  }
}

const CAPABILITIES = { tools: { listChanged: false } };

/** The reply to a request of an earlier version. */
async function earlierReply(asked: Asked, server: ToolServer): Promise<MessageReply> {
  const { id, method, params } = asked;
  const reply = (result: object): MessageReply => ({ status: 200, json: resultOf(id, result) });
  switch (method) {
    case "initialize": {
      const { protocolVersion } = valid(Initialize, params);
      return reply({
        protocolVersion: EARLIER.includes(protocolVersion) ? protocolVersion : EARLIER[0],
        capabilities: CAPABILITIES,
        serverInfo: server.info,
        instructions: server.instructions,
      });
    }
    case "ping":
      return reply({});
    case "tools/list":
      valid(List, params ?? {});
      return reply({ tools: (await server.list()).tools });
    case "tools/call":
      return reply(await called(asked, false, server));
    default:
      throw new Problem(200, codes.methodNotFound, "Method not found");
  }
}

async function called({ params, sent }: Asked, canAsk: boolean, server: ToolServer): Promise<object> {
  const { name, ["inputResponses"]: answers } = valid(Call, params);
  const result = await server.call({ name, input: sent, canAsk, answers });
  if (!result) throw new Problem(200, codes.invalidParams, "There is no such tool for this key.");
  return result;
}
