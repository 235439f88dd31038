import * as z from "zod";
import { schema } from "../../packages/model/src/values/request_schemas.ts";
import { operation } from "./operation.ts";
import { isKnown, respond } from "./respond.ts";
import { endpoints } from "./router.ts";
import { sha256 } from "./tokens.ts";

/** The server's URL in the built document, its links and its examples. Every response replaces it with its own origin. */
export const SERVER_PLACEHOLDER = "https://origin.invalid";

/** URL of the document in the static assets. They ignore the host, but a URL must have one. */
const ASSET = `${SERVER_PLACEHOLDER}/openapi.json`;

/**
 * `GET /openapi.json`: the document that `scripts/build_files.ts` built, because building it takes longer than a request may.
 * Its server is the origin of all URIs in responses, so its ETag depends on that too.
 */
export const reference = endpoints().get(
  "/",
  operation({
    id: "OpenApiGet",
    summary: "Get the OpenAPI document",
    description: "Returns the OpenAPI document of the service. Requires no API key.",
    tag: "Service",
    access: "public",
    conditional: "read",
    status: 200,
    response: schema("OpenApi", () => ({
      description: "An OpenAPI document.",
      examples: [{ openapi: "3.1.1" }],
      type: z.looseObject({ openapi: z.string().describe("The version of the OpenAPI Specification.") }),
    })),
  }),
  async (c) => {
    const { origin } = c.get("request");
    const asset = await c.env.ASSETS.fetch(ASSET);
    const version = asset.headers.get("ETag");
    if (!asset.ok || version === null)
      throw new Error(`The assets have no usable openapi.json (${asset.status}): run npm run build.`);
    const etag = `"${(await sha256(`${version} ${origin}`)).slice(0, 32)}"`;
    const headers = { ETag: etag, "Cache-Control": "no-cache", Vary: "Origin" };
    if (isKnown(c, etag)) return respond(c, 304, null, headers);
    const text = await asset.text();
    // As part of a JSON string.
    const own = JSON.stringify(origin).slice(1, -1);
    return respond(
      c,
      200,
      text.replaceAll(SERVER_PLACEHOLDER, () => own),
      headers,
    );
  },
);
