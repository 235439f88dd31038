import { Hono } from "hono";
import * as z from "zod";
import type { App } from "../env.ts";
import { lazily } from "../lazily.ts";
import { isKnown } from "./conditions.ts";
import { openApiDocument, type Route } from "./openapi.ts";
import { operation } from "./operation.ts";
import { respond } from "./respond.ts";

/** The document, ready to be sent, and its strong ETag (RFC 9110 §8.8.3). */
interface Document {
  text: string;
  etag: string;
}

/**
 * `GET /openapi.json`: the document of `routes`, made when it is first asked for and kept as long as the isolate lives,
 * so that starting costs nothing and asking again costs a comparison.
 */
export function reference(routes: () => Route[]): Hono<App> {
  let document: Promise<Document> | undefined;
  return new Hono<App>().get(
    "/",
    operation({
      id: "OpenApiGet",
      summary: "Get this document",
      description: "Shows the OpenAPI document of the service.",
      tag: "Service",
      access: "public",
      conditional: "read",
      status: 200,
      response: lazily(() => z.looseObject({ openapi: z.string() }).meta({ id: "OpenApi" })),
    }),
    async (c) => {
      document ??= make(routes());
      const { text, etag } = await document;
      const headers = { ETag: etag, "Cache-Control": "no-cache", Vary: "Origin" };
      return isKnown(c, etag) ? respond(c, 304, null, headers) : respond(c, 200, text, headers);
    },
  );
}

async function make(routes: Route[]): Promise<Document> {
  const text = openApiDocument(routes);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const hex = Array.from(new Uint8Array(digest).subarray(0, 16), (byte) =>
    byte.toString(16).padStart(2, "0"),
  );
  return { text, etag: `"${hex.join("")}"` };
}
