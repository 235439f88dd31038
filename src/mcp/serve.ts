import {
  acceptedContent,
  type CallToolResult,
  createMcpHandler,
  inputRequired,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Api } from "./shared/api.ts";
import { INSTRUCTIONS, tools } from "./tools.ts";

/*
 * The protocol: one server for each request, for both of its eras. Loaded when a request needs it.
 */

/** How long clients can keep the list of tools, in milliseconds: it only depends on the role and the release. */
const LIST_KEPT = 300_000;

/** Serves one message. @param version the release of the service */
export async function serve(
  request: Request,
  message: unknown,
  api: Api,
  version: string,
): Promise<Response> {
  const input = argumentsIn(message);
  const isLegacy = await isLegacyRequest(request, message);
  if (!isLegacy) {
    const handler = createMcpHandler(() => serverFor(api, version, input), { legacy: "reject" });
    return handler.fetch(request, { parsedBody: message });
  }
  // The library's own fallback answers with a stream, which would be logged before the tool has run.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = serverFor(api, version, input);
  await server.connect(transport);
  const response = await transport.handleRequest(request, { parsedBody: message });
  await server.close();
  return response;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** The arguments of a call as they were sent: the library drops a field named `__proto__`, which is to be rejected. */
function argumentsIn(message: unknown): unknown {
  const parameters = isObject(message) ? message["params"] : undefined;
  return (isObject(parameters) ? parameters["arguments"] : undefined) ?? {};
}

/** A server with the tools that the caller's role allows. */
function serverFor(api: Api, version: string, input: unknown): Server {
  const allowed = tools.filter(({ role }) => api.reaches(role));
  const server = new Server(
    { name: "edge-configuration", title: "Edge configuration", version },
    {
      capabilities: { tools: { listChanged: false } },
      cacheHints: { "tools/list": { ttlMs: LIST_KEPT, cacheScope: "private" } },
      instructions: INSTRUCTIONS,
      inputRequired: { legacyShim: false },
    },
  );
  server.setRequestHandler("tools/list", () => ({ tools: allowed.map((tool) => tool.listed()) }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const tool = allowed.find(({ name }) => name === params.name);
    if (!tool)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such tool for this key.");
    api.calls(tool.name);
    try {
      // Unknown for a client of 2025, which only says it in `initialize`: there is no session to keep it in.
      const canAsk = server.getClientCapabilities()?.elicitation !== undefined;
      const question = canAsk ? await tool.ask(input, api) : undefined;
      if (question !== undefined) {
        if (mcpReq.inputResponses?.[QUESTION] === undefined) return asking(question);
        if (acceptedContent(mcpReq.inputResponses, QUESTION)?.["apply"] !== true) return DECLINED;
      }
      return resultOf(await tool.call(input, api));
    } catch (error) {
      return { ...resultOf(await api.errorOf(error)), isError: true };
    }
  });
  return server;
}

/** The name of the question in a result and in the call that answers it. */
const QUESTION = "confirm";

/** The result that has the client ask its user. */
const asking = (message: string) =>
  inputRequired({
    inputRequests: {
      [QUESTION]: inputRequired.elicit({
        message,
        requestedSchema: {
          type: "object",
          properties: { apply: { type: "boolean", title: "Apply", description: "Apply the plan" } },
          required: ["apply"],
        },
      }),
    },
  });

/** A result as structured content, and the same JSON as text. */
const resultOf = (result: object): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(result) }],
  structuredContent: { ...result },
});

/** The result if the user does not agree. */
const DECLINED: CallToolResult = {
  ...resultOf({ error_code: "DECLINED", msg: "The user declined. Nothing was changed." }),
  isError: true,
};
