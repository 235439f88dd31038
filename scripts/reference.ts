import * as z from "zod";

/*
 * The whole reference as Markdown: /llms.txt for AI agents (https://llmstxt.org), and the pages of the reference, which need no
 * JavaScript.
 */

const Reference = z.object({ $ref: z.string() });
/** The subset of JSON Schema that the document uses. */
const Schema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  const: z.json().optional(),
  enum: z.array(z.json()).optional(),
  default: z.json().optional(),
  examples: z.array(z.json()).optional(),
  required: z.array(z.string()).default([]),
  format: z.string().optional(),
  pattern: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  minProperties: z.number().optional(),
  maxProperties: z.number().optional(),
  get items() {
    return Schema.optional();
  },
  get properties() {
    return z.record(z.string(), Schema).default({});
  },
  get additionalProperties() {
    return z.union([z.boolean(), Schema]).optional();
  },
  get anyOf() {
    return z.array(Schema).optional();
  },
  get oneOf() {
    return z.array(Schema).optional();
  },
  get allOf() {
    return z.array(Schema).optional();
  },
});
const Content = z.record(z.string(), z.object({ schema: Schema })).optional();
const Parameter = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().default(false),
  description: z.string().default(""),
  schema: Schema,
  example: z.union([z.string(), z.number()]).optional(),
});
const Header = z.object({ description: z.string().default(""), schema: Schema });
const Response = z.object({ headers: z.record(z.string(), Reference).default({}), content: Content });
const Operation = z.object({
  summary: z.string(),
  description: z.string().default(""),
  tags: z.tuple([z.string()]),
  security: z.array(z.unknown()),
  parameters: z.array(z.union([Reference, Parameter])).default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.union([Reference, Response])),
});
const Document = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string().default("") })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({
    parameters: z.record(z.string(), Parameter),
    headers: z.record(z.string(), Header),
    responses: z.record(z.string(), Response),
    schemas: z.record(z.string(), Schema),
  }),
});
type Schema = z.output<typeof Schema>;
type Components = z.output<typeof Document>["components"];

/** An operation whose parameters and responses are resolved. */
interface Operation extends Omit<z.output<typeof Operation>, "parameters" | "responses"> {
  method: string;
  path: string;
  parameters: z.output<typeof Parameter>[];
  /** Responses by status. */
  responses: Map<string, z.output<typeof Response>>;
}

/** The last part of a reference: `#/components/schemas/IpPolicy` → `IpPolicy`. */
const nameIn = ({ $ref }: { $ref: string }): string => $ref.slice($ref.lastIndexOf("/") + 1);

const code = (text: string): string => `\`${text}\``;
const json = (value: unknown): string => code(JSON.stringify(value));
const bullet = (text: string): string => `- ${text}`;
/** Joins the parts that are not empty. */
const joined = (separator: string, ...parts: (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== "").join(separator);

const limits = [
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
] as const;
/** Longer patterns are less informative than the format and the description. */
const MAX_PATTERN_LENGTH = 60;

/** Describes a type: `string, maxLength 255`, `list of Ref or null`. */
function typeOf(schema: Schema): string {
  const { $ref, type, items, additionalProperties, format, pattern, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined) return code(nameIn({ $ref }));
  const choices = anyOf ?? oneOf;
  if (choices) return choices.map(typeOf).join(" or ");
  if (allOf) return allOf.map(typeOf).join(" and ");
  const types = [type ?? "any value"].flat().map((name) => {
    if (name === "array") return items ? `list of ${typeOf(items)}` : "list";
    if (name !== "object" || typeof additionalProperties !== "object") return name;
    return `map of ${typeOf(additionalProperties)}`;
  });
  return joined(
    ", ",
    schema.const !== undefined
      ? json(schema.const)
      : (schema.enum?.map(json).join(" or ") ?? types.join(" or ")),
    format,
    ...limits.map((limit) => (schema[limit] === undefined ? undefined : `${limit} ${schema[limit]}`)),
    pattern !== undefined && pattern.length <= MAX_PATTERN_LENGTH ? `pattern ${code(pattern)}` : undefined,
    schema.default === undefined ? undefined : `default ${json(schema.default)}`,
  );
}

const fieldLine = (name: string, schema: Schema, isRequired: boolean, description?: string): string =>
  bullet(
    joined(": ", joined(", ", `${code(name)} ${typeOf(schema)}`, isRequired ? "required" : ""), description),
  );

/** Lists the fields of a schema and, indented, of its unnamed inner objects. */
function fieldsOf(schema: Schema, depth = 0): string[] {
  const own = Object.entries(schema.properties).flatMap(([name, field]) => [
    "  ".repeat(depth) + fieldLine(name, field, schema.required.includes(name), field.description),
    ...fieldsOf(field, depth + 1),
  ]);
  const { items, anyOf = [], oneOf = [], allOf = [] } = schema;
  return [...own, ...[items ?? [], anyOf, oneOf, allOf].flat().flatMap((part) => fieldsOf(part, depth))];
}

/** The body of a request or response. */
const bodyOf = (message: { content?: z.output<typeof Content> } | undefined): Schema | undefined =>
  Object.values(message?.content ?? {})[0]?.schema;

const isReference = (value: object): value is z.output<typeof Reference> => "$ref" in value;

/** The component that a reference names; anything else unchanged. @throws if there is no such component */
function resolved<T extends object>(given: T | z.output<typeof Reference>, components: Record<string, T>): T {
  if (!isReference(given)) return given;
  const component = components[nameIn(given)];
  if (!component) throw new Error(`The document has no ${given.$ref}.`);
  return component;
}

const operationsIn = ({ paths, components }: z.output<typeof Document>): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase(),
      parameters: operation.parameters.map((given) => resolved(given, components.parameters)),
      responses: new Map(
        Object.entries(operation.responses).map(([status, given]) => [
          status,
          resolved(given, components.responses),
        ]),
      ),
    })),
  );

const isKeyed = ({ security }: Operation): boolean => security.length > 0;

/** The items that `list` returns for every operation that needs a key. They are printed only once. */
function commonItems(operations: readonly Operation[], list: (operation: Operation) => string[]): string[] {
  const [first, ...others] = operations.filter(isKeyed).map(list);
  return first?.filter((item) => others.every((items) => items.includes(item))) ?? [];
}

const headersOf = ({ parameters }: Operation): string[] =>
  parameters.flatMap((parameter) => (parameter.in === "header" ? [parameter.name] : []));

const rejectionsOf = ({ responses }: Operation): string[] =>
  [...responses].flatMap(([status, response]) =>
    codesOf(bodyOf(response)).map((name) => `${status} ${code(name)}`),
  );

/** An example of a request: `GET /path?query` or `POST /path {…}`. */
function exampleOf({ method, path, parameters, requestBody }: Operation, { schemas }: Components): string {
  const examples = new Map(parameters.map(({ name, example }) => [name, example?.toString() ?? `{${name}}`]));
  const query = parameters.flatMap((one) =>
    one.in === "query" && one.required ? [`${one.name}=${examples.get(one.name)}`] : [],
  );
  const target = joined(
    "?",
    path.replace(/\{(\w+)\}/g, (whole, name: string) => examples.get(name) ?? whole),
    query.join("&"),
  );
  const body = bodyOf(requestBody);
  const named = body?.$ref === undefined ? body : schemas[nameIn({ $ref: body.$ref })];
  return joined(" ", method, target, body && JSON.stringify(named?.examples?.[0] ?? {}));
}

/** The lines of a response; none for an error. */
function responseLines(status: string, response: z.output<typeof Response>): string[] {
  const schema = bodyOf(response);
  if (codesOf(schema).length > 0) return [];
  const headers = Object.keys(response.headers).filter(
    (name) => name !== "Service-Operation-Id" && name !== "Service-Bookmark",
  );
  const parts = [
    schema ? typeOf(schema) : "no body",
    headers.length > 0 ? `with ${headers.map(code).join(", ")}` : "",
  ];
  return [bullet(`${status}: ${joined(", ", ...parts)}`), ...(schema ? fieldsOf(schema, 1) : [])];
}

/** The headers and rejections that all operations with a key have in common. */
interface Common {
  headers: string[];
  rejections: string[];
}

function operationSection(operation: Operation, common: Common, components: Components): string {
  const { method, path, summary, description, parameters, requestBody, responses } = operation;
  const isPublic = !isKeyed(operation);
  const body = bodyOf(requestBody);
  const headers = headersOf(operation).filter((name) => isPublic || !common.headers.includes(name));
  const rejections = rejectionsOf(operation).filter((name) => isPublic || !common.rejections.includes(name));
  return [
    `### ${method} ${path}: ${summary}`,
    "",
    isPublic ? `Public. ${description}` : description,
    "",
    ...(headers.length > 0 ? [bullet(`takes the headers ${headers.map(code).join(", ")}`)] : []),
    ...parameters
      .filter((parameter) => parameter.in !== "header")
      .map(({ name, in: place, required, description, schema }) => {
        const type = joined(", ", typeOf(schema), place === "query" && required ? "required" : "");
        return bullet(`${code(name)} in the ${place}: ${type}. ${description}`);
      }),
    ...(body ? [bullet(`body: ${typeOf(body)}`), ...fieldsOf(body, 1)] : []),
    ...[...responses].flatMap(([status, response]) => responseLines(status, response)),
    ...(rejections.length > 0 ? [bullet(`rejected with ${rejections.join(", ")}`)] : []),
    bullet(`example: ${code(exampleOf(operation, components))}`),
  ].join("\n");
}

/** The sections about headers. */
function headerSections(operations: readonly Operation[], components: Components): string[] {
  const usedHeaders = new Map(
    operations
      .flatMap(({ responses }) => [...responses.values()])
      .flatMap(({ headers }) => Object.entries(headers))
      .map(([name, reference]) => [name, components.headers[nameIn(reference)]]),
  );
  return [
    "## Headers of requests",
    Object.values(components.parameters)
      .filter((parameter) => parameter.in === "header")
      .map(({ name, required, description, schema }) => fieldLine(name, schema, required, description))
      .join("\n"),
    "## Headers of responses",
    [...usedHeaders]
      .map(([name, header]) => fieldLine(name, header?.schema ?? ANYTHING, false, header?.description))
      .join("\n"),
  ];
}

/** A part of the reference, as Markdown. */
export interface ReferencePart {
  /** `ip-policies`: the part's page, and its tag in the links of Scalar. */
  name: string;
  title: string;
  text: string;
}

/**
 * Converts an OpenAPI document to Markdown, with all operations, fields, statuses and errors: an introduction, a part for each
 * tag, and the objects.
 *
 * @param document an OpenAPI document, as JSON
 * @param server the URL of its server: links become relative, and commands use `$ORIGIN`
 * @throws {z.ZodError} if the document has another structure: each operation must have one tag, and all bodies must be JSON
 */
export function referenceParts(document: string, server: string): ReferencePart[] {
  const parsed = Document.parse(JSON.parse(document));
  const { info, tags, components } = parsed;
  const operations = operationsIn(parsed);
  const common: Common = {
    headers: commonItems(operations, headersOf),
    rejections: commonItems(operations, rejectionsOf),
  };
  const [summary = "", ...introduction] = info.description.split("\n\n");
  const part = (title: string, ...sections: string[]): ReferencePart => ({
    name: title.toLowerCase().replaceAll(" ", "-"),
    title,
    text: sections
      .map((section) => section.trim())
      .filter((section) => section !== "")
      .join("\n\n")
      .replaceAll(`](${server}/`, "](/")
      .replaceAll(server, "$ORIGIN"),
  });
  const tagParts = tags.map((tag) => {
    const own = operations.filter((operation) => operation.tags[0] === tag.name);
    const sections = own.map((operation) => operationSection(operation, common, components));
    return {
      isEmpty: own.length === 0,
      part: part(tag.name, `## ${tag.name}`, tag.description, ...sections),
    };
  });
  return [
    part(
      "Introduction",
      `# ${info.title}, version ${info.version}`,
      `> ${summary.replaceAll("\n", " ")}`,
      "Paths are relative to the origin of this file, which is `$ORIGIN` in commands. The reference is also available as OpenAPI ([/openapi.json](/openapi.json)) and as a page that can send requests ([/docs](/docs)).",
      `Every operation that is not public accepts the headers \`Authorization: Bearer <API_KEY>\`, ${common.headers.map(code).join(", ")} and, with a body, \`Content-Type: application/json\`. It can be rejected with ${common.rejections.join(", ")}.`,
      "Objects in requests accept only the listed fields. Fields that are not `required` can be omitted. A name such as `Ref` refers to an object, described at the end. Examples omit the headers, which the quickstart shows.",
      introduction.join("\n\n"),
      ...headerSections(operations, components),
    ),
    ...tagParts.filter(({ isEmpty }) => !isEmpty).map((one) => one.part),
    part(
      "Objects",
      "## Objects",
      ...Object.entries(components.schemas).map(([name, schema]) =>
        joined("\n\n", `### ${name}`, schema.description, fieldsOf(schema).join("\n")),
      ),
    ),
    ...tagParts.filter(({ isEmpty }) => isEmpty).map((one) => one.part),
  ];
}

/** The whole reference as one file. @param parts those of {@link referenceParts} */
export const llmsTxt = (parts: readonly ReferencePart[]): string =>
  `${parts.map(({ text }) => text).join("\n\n")}\n`;

const ANYTHING = Schema.parse({});

/** The error codes of a response with this body; empty if it is not an error. */
function codesOf(schema: Schema | undefined): string[] {
  const codes = schema?.properties["error_code"]?.enum ?? [];
  return [...codes.map(String), ...(schema?.allOf ?? []).flatMap(codesOf)];
}
