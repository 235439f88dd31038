import type { Context } from "hono";
import { admit, confirmCaller } from "../http/auth.ts";
import { readText } from "../http/body.ts";
import type { App } from "../http/env.ts";
import { originNotAllowed } from "../http/errors.ts";
import { respond } from "../http/respond.ts";
import { endpoints } from "../http/router.ts";
import { version } from "../http/version.ts";
import type { Handle } from "../resources/operations.ts";
import { apiFor } from "./shared/api.ts";

/*
 * `POST /mcp`: the Model Context Protocol over Streamable HTTP, without sessions. Each message is a request of its own.
 */

/** The maximum nesting depth of a message. The arguments of a tool have the depth of other request bodies. */
const DEPTH = 48;

/** Loads the protocol and the tools. Not imported at the start, because no other request needs them. */
const protocol = () => import("./serve.ts");

/** JSON-RPC errors of messages that are not even read. */
const unreadable = {
  json: { code: -32_700, message: "The body is not valid JSON." },
  batch: { code: -32_600, message: "Send one message in each request: batches are not supported." },
  depth: { code: -32_600, message: `The message is nested more than ${DEPTH} levels deep.` },
} as const;

/** True if the caller is not a page, or a page that can send requests here: a foreign page must not reach a local service. */
function isOriginAllowed(c: Context<App, string>): boolean {
  const origin = c.req.header("Origin");
  if (origin === undefined || origin === c.get("request").origin || origin === new URL(c.req.url).origin)
    return true;
  const others = (c.env.MCP_ORIGINS ?? "").split(",").map((other) => other.trim());
  return origin !== "" && others.includes(origin);
}

const isDeep = (value: unknown, left: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (left === 0 || Object.values(value).some((member) => isDeep(member, left - 1)));

/** The message in a request, or the JSON-RPC error for a body without one. */
async function messageIn(
  c: Context<App, string>,
): Promise<{ message: unknown } | { error: keyof typeof unreadable }> {
  const text = await readText(c.req);
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return { error: "json" };
  }
  if (Array.isArray(message)) return { error: "batch" };
  return isDeep(message, DEPTH) ? { error: "depth" } : { message };
}

async function answer(c: Context<App, string>, handle: Handle): Promise<Response> {
  const read = await messageIn(c);
  await confirmCaller(c, "program");
  if ("error" in read)
    return respond(c, 400, JSON.stringify({ jsonrpc: "2.0", id: null, error: unreadable[read.error] }));
  const { serve } = await protocol();
  const { status, json, events } = await serve(
    (name) => c.req.header(name),
    read.message,
    apiFor(c, handle),
    version,
  );
  if (events) {
    const stream = events.map((event) => `event: message\ndata: ${JSON.stringify(event)}\n\n`).join("");
    return respond(c, status, stream, { "Content-Type": "text/event-stream" });
  }
  return respond(c, status, json ? JSON.stringify(json) : null);
}

/** @param handle handles a request with the whole service */
export const mcp = (handle: Handle) =>
  endpoints().post("/", async (c) => {
    if (!isOriginAllowed(c)) throw originNotAllowed();
    return admit(c, "program", () => answer(c, handle));
  });
