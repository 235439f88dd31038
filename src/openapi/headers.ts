import { exampleRef } from "../../packages/model/src/ids.ts";
import { BOOKMARK } from "../db/session.ts";
import { IDEMPOTENCY_KEY } from "../http/operation.ts";
import { exampleOperationId } from "./examples.ts";

/*
 * The headers of requests and responses in the OpenAPI document.
 */

/**
 * Components: header parameters, by name. Optional headers have no example, because importers would send it with every request.
 */
export const headerParameters = {
  ServiceVersion: {
    name: "Service-Version",
    in: "header",
    required: true,
    description: "The version of the API that the request is written for.",
    schema: { type: "string", enum: ["2"], default: "2" },
    example: "2",
  },
  ServiceBookmark: {
    name: "Service-Bookmark",
    in: "header",
    description:
      "The `Service-Bookmark` of an earlier response. The request then reads data at least as recent as that response, possibly from a nearby replica. Without a bookmark, or with one issued before the database was restored, it reads from the primary.",
    schema: { type: "string", pattern: BOOKMARK.source },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "A key of your choice, new for each creation, preferably a UUID. Repeating the same request with the same key within 24 hours does not create another object, and returns the first response.",
    schema: { type: "string", pattern: IDEMPOTENCY_KEY.source },
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description:
      "One or more ETags, or `*`. The request takes effect only if the current ETag is among them (`*`: only if the object or module exists); otherwise it fails with 412. Use it to avoid overwriting changes made by others. ETags issued before the database was restored never match.",
    schema: { type: "string" },
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description:
      "One or more ETags, or `*`. If the current ETag is among them, a GET returns 304 and a change fails with 412. A PUT with `*` takes effect only if the module is not set.",
    schema: { type: "string" },
  },
};

const text = { type: "string" };

/** Components: response headers, by name without hyphens. */
export const responseHeaders = {
  CacheControl: {
    description: "Responses must not be stored; the OpenAPI document must be revalidated before each use.",
    required: true,
    schema: text,
    example: "no-store",
  },
  ContentSecurityPolicy: {
    description: "Prevents browsers from loading anything on behalf of a response.",
    required: true,
    schema: text,
    example: "default-src 'none'; frame-ancestors 'none'",
  },
  ETag: {
    description:
      "Identifies the current state of the resource (RFC 9110). Send it back as `If-Match` or `If-None-Match`.",
    required: true,
    schema: text,
    example: '"3af7fc8d-3"',
  },
  IdempotentReplayed: {
    description: "Present if this is the response to an earlier request with the same `Idempotency-Key`.",
    schema: { type: "string", const: "true" },
    example: "true",
  },
  Location: {
    description: "URI of the created object.",
    required: true,
    schema: { type: "string", format: "uri" },
    example: exampleRef("ip_policy").uri,
  },
  RateLimitPolicy: {
    description: "The rate limit that was exceeded: at most `q` requests in `w` seconds.",
    required: true,
    schema: text,
    example: '"key";q=10000;w=60',
  },
  RetryAfter: {
    description: "Number of seconds to wait before trying again.",
    required: true,
    schema: { type: "integer", minimum: 1 },
    example: 1,
  },
  ServiceBookmark: {
    description:
      "Marks how recent the data in this response is. Send it with a later request that needs data at least as recent.",
    schema: { type: "string", pattern: BOOKMARK.source },
    example: "3af7fc8d-00000085-00000002-00005004-6a8bb1a2d1be43ee1cf2cec8e1a1d3de",
  },
  ServiceOperationId: {
    description: "Identifies this request. Quote it when you ask for help.",
    required: true,
    schema: { type: "string", pattern: "^op_[0-9A-Za-z]{27}$" },
    example: exampleOperationId,
  },
  SetCookie: {
    description: "The session's cookie, which browsers keep and no script can read.",
    required: true,
    schema: text,
    example: "__Host-edge_session=…; Max-Age=28800; Path=/; Secure; HttpOnly; SameSite=Lax",
  },
  StrictTransportSecurity: {
    description: "Makes browsers use only HTTPS. Present in responses over HTTPS.",
    schema: text,
    example: "max-age=31536000",
  },
  Vary: {
    description: "The request headers that the response depends on.",
    required: true,
    schema: text,
    example: "Origin",
  },
  WWWAuthenticate: {
    description: "How to authenticate (RFC 9110).",
    required: true,
    schema: { type: "string", const: "Bearer" },
    example: "Bearer",
  },
  XContentTypeOptions: {
    description: "Prevents browsers from guessing the media type.",
    required: true,
    schema: { type: "string", const: "nosniff" },
    example: "nosniff",
  },
};

/** References to those of {@link headerParameters} that an operation accepts. */
export const parameterReferences = (given: Record<string, boolean>): object[] =>
  Object.entries(given)
    .filter(([, isGiven]) => isGiven)
    .map(([name]) => ({ $ref: `#/components/parameters/${name}` }));

/**
 * References to the headers that every response has, and to those of {@link responseHeaders} that this one has. CORS
 * headers are left out: they belong to the Fetch Standard, and browsers do not expose them.
 */
export const headerReferences = (given: Record<string, boolean> = {}): object =>
  Object.fromEntries(
    Object.entries({
      "Service-Operation-Id": true,
      "Cache-Control": true,
      "Content-Security-Policy": true,
      "Strict-Transport-Security": true,
      "X-Content-Type-Options": true,
      ...given,
    })
      .filter(([, isGiven]) => isGiven)
      .map(([name]) => [name, { $ref: `#/components/headers/${name.replaceAll("-", "")}` }]),
  );
