import * as z from "zod";
import { exampleId, idSchema } from "../../packages/model/src/ids.ts";
import { type Kind, kinds, titled, plural } from "../../packages/model/src/kinds.ts";
import { type Access, isForPrograms } from "../../packages/model/src/roles.ts";
import { SESSION_COOKIE } from "../http/cookies.ts";
import { ErrorResponse } from "../http/error_response.ts";
import {
  errorCodesOf,
  isCreation,
  isVersioned,
  type Operation,
  preconditionsOf,
  type OperationRoute,
} from "../http/route.ts";
import { errorList, errorReferences, errorResponses } from "./error_responses.ts";
import { exampleOf } from "./examples.ts";
import { guideList } from "./guides.ts";
import { headerParameters, headerReferences, parameterReferences, responseHeaders } from "./headers.ts";
import { webhooks } from "./webhooks.ts";

/*
 * Runs when the service is built, not at run time. Code that handles requests must not import this.
 */

type Json = Record<string, unknown>;
type Schema = z.core.JSONSchema.BaseSchema;
/** Converts a schema to JSON Schema: `input` for requests, `output` for responses. */
type Describe = (schema: z.ZodType, io: "input" | "output") => Schema;
/** The content of a request or response: a schema and an example of it. */
type Content = (schema: z.ZodType, io: "input" | "output", mediaType?: string) => Json;

/** The tags of operations for browsers and for operators; the document lists them after all others, in this order. */
const [BROWSERS, OPERATORS] = ["Sign-in", "Service"] as const;
const LAST: string[] = [BROWSERS, OPERATORS];

const aboutTag = new Map<string, string>([
  ...Object.values(kinds).map(({ noun, about }) => [titled(plural(noun)), about] as const),
  [BROWSERS, "How people sign in with a browser, and out."],
  ["Transactions", "Several changes that take effect together, or not at all."],
  ["Traffic", "The live configuration, its problems, and the agents that serve it."],
  [OPERATORS, "Operations for operators of the service."],
]);

const outcomes = {
  200: "Success.",
  201: "Created. The body is the new object.",
  202: "Accepted. The operation continues after the response.",
  204: "Success. There is no body.",
};

/** An introduction to the API. @param origin of the service */
const introduction = (origin: string): string =>
  `
Configures how inbound traffic is accepted and routed: TCP, TLS and HTTPS edges with their routes and modules, IP policies
and their rules, backends of four kinds, bot users, event destinations and event subscriptions.

## Quickstart

Put your API key in the first line. The four calls check the service, create an IP policy, allow a network in it, and test
an address against it. A service that was started with \`npm run dev\` has the key \`local-development-key\`.

\`\`\`sh
export API_KEY="<API_KEY>"
export API=${origin}
call() {
  curl -sS -w '\\n' \\
    -H "Authorization: Bearer $API_KEY" \\
    -H "Service-Version: 2" \\
    -H "Content-Type: application/json" "$@"
}

call $API/health

POLICY=$(call $API/ip_policies \\
  -d '{"description": "Lisbon office"}' |
  sed -n 's/^{"id":"\\([^"]*\\)".*/\\1/p')

call $API/ip_policy_rules \\
  -d '{"ip_policy_id": "'$POLICY'",
    "cidr": "198.51.100.0/24", "action": "allow"}'

call "$API/ip_policies/$POLICY/access?ip=198.51.100.7"
\`\`\`

The last response contains \`"allowed":true\`. An edge enforces the policy once its \`ip_restriction\` names it.

## Guides

${guideList(origin)}

The reference is also available as [Markdown](${origin}/llms.txt) and as [OpenAPI](${origin}/openapi.json).

## Requests

Every request carries \`Authorization: Bearer <API_KEY>\` (the console sends the cookie of a session instead) and
\`Service-Version: 2\`. In a request, \`null\` means "left
out" at every depth. \`""\`, \`[]\` and \`{}\` clear a string, a list and a map. A module given in a PATCH is replaced as a
whole. Every response has a \`Service-Operation-Id\`: quote it when you ask for help.

## Safe retries

Send an \`Idempotency-Key\` with each POST that creates an object. PUT, PATCH and DELETE can be repeated as they are.

## Safe edits

To avoid overwriting someone else's changes, send the \`ETag\` that you received as \`If-Match\`. If the object has changed
in the meantime, the response is 412.
An operation that would ignore a precondition header rejects the request, except for headers that browsers and caches send
with a GET.

## Consistent reads

To read your own writes from a replica, send the \`Service-Bookmark\` of your last response.

## Rate limits

Each API key has a rate limit, and so do failed authentications from one address. Above a limit, the response is 429:
\`RateLimit-Policy\` states the limit, and \`Retry-After\` the seconds to wait.
`.trim();

/** The last tag, which has no operations: the list of errors. */
const errorsTag = () => ({
  name: "Errors",
  description: `A program should decide by \`error_code\`; \`msg\` is for people and may change.\n\n${errorList()}`,
});

/** The ways to authenticate. */
const securitySchemes = {
  key: {
    type: "http",
    scheme: "bearer",
    description: "An API key. Each operation states the role that the key needs.",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: SESSION_COOKIE,
    description:
      "The session of a person who signed in. Browsers send the cookie on their own; it is ignored if the request has a key.",
  },
};

/**
 * The OpenAPI 3.1 document of `routes` (https://spec.openapis.org/oas/v3.1.1) as JSON, generated from the schemas that
 * validate requests and, in tests, responses.
 *
 * @param server URL of the service; importers only accept an absolute one
 */
export function openApiDocument(routes: OperationRoute[], server: string): string {
  const components = new Map<string, unknown>();
  const schemaOf: Describe = (schema, io) => {
    const {
      $schema: _,
      $defs = {},
      ...root
    } = z.toJSONSchema(schema, {
      io,
      unrepresentable: "any",
      override: io === "input" ? correct : correctAndOpen,
    });
    for (const [name, definition] of Object.entries($defs)) components.set(name, definition);
    return root;
  };
  const contentOf: Content = (schema, io, mediaType = "application/json") => {
    const described = schemaOf(schema, io);
    const example = exampleOf(described, (name) => components.get(name));
    return { content: { [mediaType]: { schema: described, example } } };
  };
  const listed = routes.toSorted((a, b) => placeOf(a) - placeOf(b));
  const paths: Record<string, Json> = {};
  for (const { method, path, operation } of listed) {
    const template = path.replace(/:(\w+)/g, "{$1}");
    paths[template] = {
      ...paths[template],
      [method.toLowerCase()]: operationObject(operation, schemaOf, contentOf),
    };
  }
  const described = webhooks(contentOf);
  schemaOf(ErrorResponse, "output");
  const schemas = Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const document = {
    openapi: "3.1.1",
    info: {
      title: "Edge Configuration API",
      version: "2",
      description: introduction(server),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: server }],
    tags: [
      ...[...new Set(listed.map(({ operation }) => operation.tag))].map((name) => ({
        name,
        description: aboutTag.get(name),
      })),
      errorsTag(),
    ],
    paths,
    webhooks: described,
    components: {
      securitySchemes,
      parameters: headerParameters,
      headers: responseHeaders,
      responses: {
        NotModified: {
          description: "Not modified since the given ETag. There is no body.",
          headers: headerReferences({ ETag: true, "Service-Bookmark": true }),
        },
        DocumentNotModified: {
          description: "The document has not changed since the given ETag. There is no body.",
          headers: headerReferences({ ETag: true, Vary: true }),
        },
        ...errorResponses(routes.map(({ operation }) => errorCodesOf(operation))),
      },
      schemas,
    },
  };
  return JSON.stringify(document).replaceAll("#/$defs/", "#/components/schemas/");
}

/** After which other operations the document lists an operation. */
const placeOf = ({ operation }: OperationRoute): number => LAST.indexOf(operation.tag);

/** A sentence on the role that an operation needs. */
const requirement = (access: Access): string =>
  access === "any" ? "Accepts every role." : `Requires the role \`${access}\`.`;

function operationObject(operation: Operation, schemaOf: Describe, contentOf: Content): Json {
  const {
    id,
    summary,
    description,
    tag,
    access,
    path = {},
    names = {},
    query,
    body,
    status,
    response,
    conditional,
    isConstant = false,
    mediaType,
    setsCookie = false,
  } = operation;
  const isKeyed = access !== "public";
  const preconditions = preconditionsOf(operation);
  const hasEtag = (conditional !== undefined && status !== 204) || status === 201;
  return {
    operationId: id,
    summary,
    description: isKeyed ? `${description} ${requirement(access)}` : description,
    tags: [tag],
    // Roles are not listed as scopes, because linters expect OAuth scopes in `security`.
    security: isKeyed ? [{ key: [] }, ...(isForPrograms(access) ? [] : [{ session: [] }])] : [],
    ...(isKeyed ? { "x-required-role": access } : {}),
    parameters: [
      ...parameterReferences({
        ServiceVersion: isVersioned(operation),
        ServiceBookmark: isKeyed,
        IdempotencyKey: isCreation(operation),
        IfMatch: preconditions.includes("If-Match"),
        IfNoneMatch: preconditions.includes("If-None-Match"),
      }),
      ...Object.entries(path).map(([name, kind]) => pathParameter(name, kind)),
      ...Object.entries(names).map(([name, schema]) => namedParameter(name, schemaOf(schema, "input"))),
      ...(query ? queryParameters(schemaOf(query, "input")) : []),
    ],
    ...(body && { requestBody: { required: true, ...contentOf(body, "input") } }),
    responses: {
      [status]: {
        description: outcomes[status],
        headers: headerReferences({
          ETag: hasEtag,
          Location: operation.status === 201,
          "Service-Bookmark": (isKeyed || setsCookie) && !isConstant,
          "Set-Cookie": setsCookie,
          "Idempotent-Replayed": isCreation(operation) || operation.isReplayed === true,
          Vary: hasEtag && !isKeyed,
        }),
        ...(response ? contentOf(response, "output", mediaType) : {}),
      },
      ...(conditional === "read" || conditional === "poll"
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
    description: `Id of the ${kinds[kind].noun}.`,
    schema: { type: "string", pattern },
    example: exampleId(kind),
  };
};

/** A parameter in the path that is not an id. */
const namedParameter = (name: string, schema: Schema): Json => {
  const description = schema.description ?? `The ${name}.`;
  return { name, in: "path", required: true, description, schema };
};

/** The parameters of a query's schema. Only required ones have an example, because importers send examples. */
const queryParameters = ({ properties = {}, required = [] }: Schema): Json[] =>
  Object.entries(properties).map(([name, schema]) => {
    const { description, examples, ...rest } = typeof schema === "object" ? schema : {};
    const isRequired = required.includes(name) ? { required: true, example: examples?.[0] } : {};
    return { name, in: "query", description, ...isRequired, schema: rest };
  });

interface Conversion {
  zodSchema: z.core.$ZodType;
  jsonSchema: Schema;
}

/** Corrects Zod's JSON Schema, which omits the examples of schemas that transform their input. Ours have the input's shape. */
const correct = ({ zodSchema, jsonSchema }: Conversion): void => {
  const { examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (Array.isArray(examples)) jsonSchema.examples = examples;
  // A number in a query is validated as a string.
  if (jsonSchema.type === "integer") delete jsonSchema.pattern;
  // Zod limits every integer to the safe range; our schemas set other limits.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // Generators assume that a field with a default is always present. Null means "left out" anyway.
  const { default: value } = jsonSchema;
  delete jsonSchema.default;
  if (value !== undefined && value !== null)
    jsonSchema.description = `${jsonSchema.description} Defaults to \`${JSON.stringify(value)}\`.`;
};

/** {@link correct} for responses: a client must accept fields that a later version adds. */
const correctAndOpen = (conversion: Conversion): void => {
  correct(conversion);
  const { jsonSchema } = conversion;
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
};
