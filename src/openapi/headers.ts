import { BOOKMARK } from "../db/database.ts";
import { IDEMPOTENCY_KEY } from "../http/operations/header_checks.ts";

/*
 * The headers of requests and responses, as the OpenAPI document describes them.
 */

/** Components: parameters that are headers, by name. */
export const headerParameters = {
  ServiceVersion: {
    name: "Service-Version",
    in: "header",
    required: true,
    description: "The version of the API that the request is written for.",
    schema: { type: "string", enum: ["2"], default: "2" },
  },
  ServiceBookmark: {
    name: "Service-Bookmark",
    in: "header",
    description:
      "The `Service-Bookmark` of an earlier response: what is read is at least as fresh as that, and may come from a replica nearby. Without it, or with one of before the database was restored, it is read from the primary.",
    schema: { type: "string", pattern: BOOKMARK.source },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "What the caller makes up for this one creation, best a UUID: the same request sent again under it within 24 hours creates nothing and is answered as the first was.",
    schema: { type: "string", pattern: IDEMPOTENCY_KEY.source },
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description:
      "ETags of the states that the caller knows, or `*` for whatever is set: the request is done only if one of them is current, otherwise answered with 412. No ETag of before the database was restored is. The way to change something that others may change too.",
    schema: { type: "string" },
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description:
      "ETags of the states that the caller has: if one of them is current, a GET is answered with 304, a change with 412. A PUT with `*` is done only if the module is not set.",
    schema: { type: "string" },
  },
};

/** Components: headers of responses, by name without hyphens. */
export const responseHeaders = {
  ETag: {
    description: "Names this state of the resource (RFC 9110).",
    required: true,
    schema: { type: "string" },
  },
  Location: {
    description: "Where the created object is: its `uri`.",
    required: true,
    schema: { type: "string", format: "uri" },
  },
  ServiceBookmark: {
    description:
      "How fresh the answer is. Send it along with a later request that must see at least the same.",
    required: true,
    schema: { type: "string", pattern: BOOKMARK.source },
  },
  IdempotentReplayed: {
    description: "There when this is the answer of an earlier request with the same `Idempotency-Key`.",
    schema: { type: "string", const: "true" },
  },
  OperationId: {
    description: "Names the handled request; quote it when you ask for help.",
    required: true,
    schema: { type: "string", pattern: "^op_[0-9A-Za-z]{27}$" },
  },
  RetryAfter: {
    description: "Seconds to wait before the request is tried again.",
    required: true,
    schema: { type: "integer" },
  },
  Authenticate: {
    description: "How to authenticate (RFC 9110).",
    required: true,
    schema: { type: "string", const: "Bearer" },
  },
};

/** References to those of {@link headerParameters} that an operation accepts. */
export const parameterReferences = (given: Record<string, boolean>): object[] =>
  Object.entries(given)
    .filter(([, isThere]) => isThere)
    .map(([name]) => ({ $ref: `#/components/parameters/${name}` }));

/** References to those of {@link responseHeaders} that a response has. */
export const headerReferences = (given: Record<string, boolean>): object =>
  Object.fromEntries(
    Object.entries(given)
      .filter(([, isThere]) => isThere)
      .map(([name]) => [name, { $ref: `#/components/headers/${name.replaceAll("-", "")}` }]),
  );
