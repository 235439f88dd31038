import * as z from "zod";
import { type ErrorCode, errorCodes } from "../http/errors/codes.ts";
import { ErrorResponse } from "../http/errors/response.ts";
import { errorCodesOf, isCreation, type Operation } from "../http/operations/operation.ts";
import type { Route } from "../http/operations/operation.ts";
import { exampleId, idSchema } from "../ids.ts";
import { type Kind, kinds, titled } from "../kinds.ts";
import { headerParameters, headerReferences, parameterReferences, responseHeaders } from "./headers.ts";

/*
 * Runs when the service is built, not at run time: no code that handles requests may import this.
 */

type Json = Record<string, unknown>;
type Schema = z.core.JSONSchema.BaseSchema;
type Describe = (schema: z.ZodType, io: "input" | "output") => Schema;

const aboutTag = new Map<string, string>(
  Object.values(kinds).map(({ nouns, about }) => [titled(nouns), about]),
);

const operationIdHeader = { "Service-Operation-Id": { $ref: "#/components/headers/OperationId" } };

const outcomes = {
  200: "Done; the body shows what is now.",
  201: "Created; the body shows what was made.",
  204: "Done; there is no body.",
};

const INTRODUCTION = `
How inbound traffic is accepted and routed: TCP and TLS edges, IP policies and rules, failover and fixed-response
backends, bot users, event destinations, and the modules of HTTPS edges and routes.

Every request carries \`Authorization: Bearer <API_KEY>\` and \`Service-Version: 2\`. In requests \`null\` means "left out",
at every depth; \`""\`, \`[]\` and \`{}\` clear a text, a list, a map. A module that PATCH names is replaced whole. Every
response names its \`Service-Operation-Id\`.

To retry safely, send an \`Idempotency-Key\` with a POST; PUT, PATCH and DELETE may be repeated as they are. To edit safely,
send the \`ETag\` of what you read as \`If-Match\`: 412 tells that somebody else was there first. To read your own writes from
a replica, send along the last \`Service-Bookmark\` that you got.
`.trim();

/**
 * The OpenAPI 3.1 document of `routes` (https://spec.openapis.org/oas/v3.1.1) as JSON, generated from the schemas that
 * validate requests and, in tests, responses.
 *
 * @param server URL of the service; relative, it is the origin that the document is read from
 */
export function openApiDocument(routes: Route[], server: string): string {
  const components = new Map<string, unknown>();
  const schemaOf: Describe = (schema, io) => {
    const {
      $schema: _,
      $defs = {},
      ...root
    } = z.toJSONSchema(schema, { io, unrepresentable: "any", override: mend });
    for (const [name, definition] of Object.entries($defs))
      components.set(name, withoutNullDefaults(definition));
    return root;
  };
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: operationObject(route.operation, schemaOf),
    };
  }
  schemaOf(ErrorResponse, "output");
  const schemas = Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const document = {
    openapi: "3.1.1",
    info: {
      title: "Edge Configuration API",
      version: "2",
      description: `${INTRODUCTION}\n\n<details><summary>Errors: every <code>error_code</code>, its cause and its cure</summary>\n\n${errorTable()}\n\n</details>`,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: server, description: "The service that this document is read from." }],
    tags: [...new Set(routes.map(({ operation }) => operation.tag))].map((name) => ({
      name,
      description: aboutTag.get(name) ?? "The service itself.",
    })),
    paths,
    components: {
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: "An API key." },
      },
      parameters: headerParameters,
      headers: responseHeaders,
      responses: {
        NotModified: {
          description: "The caller has the current state; there is no body.",
          headers: { ...operationIdHeader, ...headerReferences({ ETag: true, "Service-Bookmark": true }) },
        },
        DocumentNotModified: {
          description: "The caller has the current document; there is no body.",
          headers: { ...operationIdHeader, ...headerReferences({ ETag: true }) },
        },
        ...errorResponses(routes.map(({ operation }) => operation)),
      },
      schemas,
    },
  };
  return JSON.stringify(document).replaceAll("#/$defs/", "#/components/schemas/");
}

/** Every error code as a Markdown table: what causes it and what cures it. */
export function errorTable(): string {
  const rows = Object.entries(errorCodes).map(
    ([code, { status, cause, cure }]) => `| \`${code}\` | ${status} | ${cause} | ${cure} |`,
  );
  return ["| `error_code` | status | cause | cure |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function operationObject(operation: Operation, schemaOf: Describe): Json {
  const {
    id,
    summary,
    description,
    tag,
    access,
    path = {},
    query,
    body,
    status,
    response,
    conditional,
  } = operation;
  const isKeyed = access !== "public";
  const hasEtag = (conditional !== undefined && status !== 204) || isCreation(operation);
  return {
    operationId: id,
    summary,
    description: access === "public" ? description : `${description} Needs the role \`${access}\`.`,
    tags: [tag],
    security: access === "public" ? [] : [{ key: [access] }],
    parameters: [
      ...parameterReferences({
        ServiceVersion: isKeyed,
        ServiceBookmark: isKeyed,
        IdempotencyKey: isCreation(operation),
        IfMatch: conditional === "change" || (conditional === "read" && isKeyed),
        IfNoneMatch: conditional !== undefined,
      }),
      ...Object.entries(path).map(([name, kind]) => pathParameter(name, kind)),
      ...(query ? queryParameters(schemaOf(query, "input")) : []),
    ],
    ...(body
      ? {
          requestBody: {
            required: true,
            content: { "application/json": { schema: schemaOf(body, "input") } },
          },
        }
      : {}),
    responses: {
      [status]: {
        description: outcomes[status],
        headers: {
          ...operationIdHeader,
          ...headerReferences({
            ETag: hasEtag,
            Location: isCreation(operation),
            "Service-Bookmark": isKeyed,
            "Idempotent-Replayed": isCreation(operation),
          }),
        },
        ...(response ? { content: { "application/json": { schema: schemaOf(response, "output") } } } : {}),
      },
      ...(conditional === "read"
        ? { 304: { $ref: `#/components/responses/${isKeyed ? "" : "Document"}NotModified` } }
        : {}),
      ...errorReferences(errorCodesOf(operation)),
    },
  };
}

const pathParameter = (name: string, kind: Kind): Json => {
  const { pattern } = z.toJSONSchema(idSchema(kind));
  return {
    name,
    in: "path",
    required: true,
    description: `The ${kinds[kind].noun}'s id.`,
    schema: { type: "string", pattern },
    example: exampleId(kind),
  };
};

/** The parameters of a query's schema, all of them optional. */
const queryParameters = ({ properties = {} }: Schema): Json[] =>
  Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest } = typeof schema === "object" ? schema : {};
    return { name, in: "query", description, schema: rest };
  });

/** References to the responses of `codes`, one for each status. */
const errorReferences = (codes: ErrorCode[]): Json =>
  Object.fromEntries(
    byStatus(codes).map(([status, sharing]) => [
      status,
      { $ref: `#/components/responses/${responseName(sharing)}` },
    ]),
  );

/** Every response that {@link errorReferences} of some operation refers to. */
const errorResponses = (operations: Operation[]): Json =>
  Object.fromEntries(
    operations
      .flatMap((operation) => byStatus(errorCodesOf(operation)))
      .map(([status, sharing]) => [responseName(sharing), errorResponse(status, sharing)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

const byStatus = (codes: ErrorCode[]): [string, ErrorCode[]][] =>
  Object.entries(Object.groupBy(codes, (code) => errorCodes[code].status));

/** `InvalidRequestOrUnknownReference`. */
const responseName = (codes: ErrorCode[]): string =>
  codes
    .map((code) =>
      code
        .slice("ERR_".length)
        .toLowerCase()
        .replace(/(?:^|_)./g, (start) => start.slice(-1).toUpperCase()),
    )
    .join("Or");

/** The body of an error with the first of `codes`. */
function exampleError([code = "ERR_INTERNAL"]: ErrorCode[]): z.output<typeof ErrorResponse> {
  const { status, cause } = errorCodes[code];
  const operation_id = `op_${exampleId("ip_policy").slice(kinds.ip_policy.prefix.length)}`;
  return { error_code: code, status_code: status, msg: cause, details: { operation_id } };
}

const errorResponse = (status: string, codes: ErrorCode[]): Json => ({
  description: codes.map((code) => `\`${code}\`: ${errorCodes[code].cause}`).join(" "),
  headers: {
    ...operationIdHeader,
    ...(status === "401" ? { "WWW-Authenticate": { $ref: "#/components/headers/Authenticate" } } : {}),
    ...(status === "429" || status === "503"
      ? { "Retry-After": { $ref: "#/components/headers/RetryAfter" } }
      : {}),
  },
  content: {
    "application/json": {
      schema: {
        allOf: [
          { $ref: "#/components/schemas/Error" },
          { properties: { error_code: { enum: codes }, status_code: { const: Number(status) } } },
        ],
      },
      example: exampleError(codes),
    },
  },
});

/** Corrects Zod's JSON Schema. It omits the examples of a schema that transforms its input; ours have the input's shape. */
const mend = ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: Schema }): void => {
  const { examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (Array.isArray(examples)) jsonSchema.examples = examples;
  // A number in a query is validated as text.
  if (jsonSchema.type === "integer") delete jsonSchema.pattern;
  // Zod limits every integer to the safe range; our schemas set limits of their own.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
};

/** A schema without defaults of null: `required` already says which members may be left out. */
function withoutNullDefaults(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutNullDefaults);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => name !== "default" || value !== null)
      .map(([name, value]) => [name, withoutNullDefaults(value)]),
  );
}
