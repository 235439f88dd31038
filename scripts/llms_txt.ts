import * as z from "zod";

/*
 * The whole reference as Markdown, for AI agents and for readers without JavaScript: /llms.txt (https://llmstxt.org).
 */

const Reference = z.object({ $ref: z.string() });
/** A schema, as far as the document uses JSON Schema. */
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
const Content = z.object({ "application/json": z.object({ schema: Schema }) }).optional();
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
type Tag = z.output<typeof Document>["tags"][number];
type Schema = z.output<typeof Schema>;
type Operation = z.output<typeof Operation>;

/** The last part of a reference: `#/components/schemas/IpPolicy` → `IpPolicy`. */
const nameIn = ({ $ref }: { $ref: string }): string => $ref.slice($ref.lastIndexOf("/") + 1);

const code = (text: string): string => `\`${text}\``;
const json = (value: unknown): string => code(JSON.stringify(value));
const bullet = (text: string): string => `- ${text}`;
/** Joins what is there. */
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
/** Longer ones say nothing to a reader that format and description do not say better. */
const LONGEST_PATTERN = 60;

/** What a value is, in a few words: `string, maxLength 255`, `list of Ref or null`. */
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
    pattern !== undefined && pattern.length <= LONGEST_PATTERN ? `pattern ${code(pattern)}` : undefined,
    schema.default === undefined ? undefined : `default ${json(schema.default)}`,
  );
}

const memberLine = (name: string, schema: Schema, isRequired: boolean, description?: string): string =>
  bullet(
    joined(": ", joined(", ", `${code(name)} ${typeOf(schema)}`, isRequired ? "required" : ""), description),
  );

/** The members of `schema` and, indented, of the objects in it that have no name of their own. */
function membersOf(schema: Schema, depth = 0): string[] {
  const own = Object.entries(schema.properties).flatMap(([name, member]) => [
    "  ".repeat(depth) + memberLine(name, member, schema.required.includes(name), member.description),
    ...membersOf(member, depth + 1),
  ]);
  const { items, anyOf = [], oneOf = [], allOf = [] } = schema;
  return [...own, ...[items ?? [], anyOf, oneOf, allOf].flat().flatMap((part) => membersOf(part, depth))];
}

/**
 * The document as Markdown: all that it says of operations, members, statuses and errors, once each.
 * @param document An OpenAPI document, as JSON
 * @param server the URL of its server: links become relative, and commands have `$ORIGIN`
 * @throws {z.ZodError} where it is not made as ours is: one tag to an operation, JSON bodies only
 */
export function llmsTxt(document: string, server: string): string {
  const { info, tags, paths, components } = Document.parse(JSON.parse(document));
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const keyed = operations.map(({ operation }) => operation).filter(({ security }) => security.length > 0);
  /** What every operation that needs a key has of `list`; it is said once. */
  const ofEvery = (list: (operation: Operation) => string[]): string[] => {
    const [first, ...others] = keyed.map(list);
    return first?.filter((item) => others.every((items) => items.includes(item))) ?? [];
  };

  const parameterOf = (given: Operation["parameters"][number]): z.output<typeof Parameter> => {
    if (!("$ref" in given)) return given;
    const parameter = components.parameters[nameIn(given)];
    if (!parameter) throw new Error(`The document has no ${given.$ref}.`);
    return parameter;
  };
  const responseOf = (given: Operation["responses"][string]): z.output<typeof Response> => {
    if (!("$ref" in given)) return given;
    const response = components.responses[nameIn(given)];
    if (!response) throw new Error(`The document has no ${given.$ref}.`);
    return response;
  };
  const headersOf = ({ parameters }: Operation): string[] =>
    parameters.map(parameterOf).flatMap((parameter) => (parameter.in === "header" ? [parameter.name] : []));
  const refusalsOf = ({ responses }: Operation): string[] =>
    Object.entries(responses).flatMap(([status, response]) =>
      codesOf(responseOf(response).content?.["application/json"].schema).map(
        (name) => `${status} ${code(name)}`,
      ),
    );
  const commonHeaders = ofEvery(headersOf);
  const commonRefusals = ofEvery(refusalsOf);

  const exampleOf = (method: string, path: string, operation: Operation): string => {
    const examples = new Map(
      operation.parameters
        .map(parameterOf)
        .map(({ name, example }) => [name, example?.toString() ?? `{${name}}`]),
    );
    const query = operation.parameters
      .map(parameterOf)
      .flatMap((one) =>
        one.in === "query" && one.required ? [`${one.name}=${examples.get(one.name)}`] : [],
      );
    const target = joined(
      "?",
      path.replace(/\{(\w+)\}/g, (whole, name: string) => examples.get(name) ?? whole),
      query.join("&"),
    );
    const body = operation.requestBody?.content?.["application/json"].schema;
    const named = body?.$ref === undefined ? body : components.schemas[nameIn({ $ref: body.$ref })];
    return joined(" ", method, target, body && JSON.stringify(named?.examples?.[0] ?? {}));
  };

  const operationSection = (method: string, path: string, operation: Operation): string => {
    const { summary, description, parameters, requestBody, responses, security } = operation;
    const isKeyed = security.length > 0;
    const body = requestBody?.content?.["application/json"].schema;
    const headers = headersOf(operation).filter((name) => !isKeyed || !commonHeaders.includes(name));
    const refusals = refusalsOf(operation).filter((refusal) => !isKeyed || !commonRefusals.includes(refusal));
    return [
      `### ${method} ${path}: ${summary}`,
      "",
      isKeyed ? description : `Public. ${description}`,
      "",
      ...(headers.length > 0 ? [bullet(`takes the headers ${headers.map(code).join(", ")}`)] : []),
      ...parameters
        .map(parameterOf)
        .filter((parameter) => parameter.in !== "header")
        .map(({ name, in: place, required, description, schema }) => {
          const type = joined(", ", typeOf(schema), place === "query" && required ? "required" : "");
          return bullet(`${code(name)} in the ${place}: ${type}. ${description}`);
        }),
      ...(body ? [bullet(`body: ${typeOf(body)}`), ...membersOf(body, 1)] : []),
      ...Object.entries(responses).flatMap(([status, given]) => {
        const { content, headers } = responseOf(given);
        const schema = content?.["application/json"].schema;
        if (codesOf(schema).length > 0) return [];
        const named = Object.keys(headers).filter(
          (name) => name !== "Service-Operation-Id" && name !== "Service-Bookmark",
        );
        const parts = [
          schema ? typeOf(schema) : "no body",
          named.length > 0 ? `with ${named.map(code).join(", ")}` : "",
        ];
        return [bullet(`${status}: ${joined(", ", ...parts)}`), ...(schema ? membersOf(schema, 1) : [])];
      }),
      ...(refusals.length > 0 ? [bullet(`rejected with ${refusals.join(", ")}`)] : []),
      bullet(`example: ${code(exampleOf(method, path, operation))}`),
    ].join("\n");
  };

  const hasOperations = ({ name }: Tag): boolean =>
    operations.some(({ operation }) => operation.tags[0] === name);
  const [summary = "", ...introduction] = info.description.split("\n\n");
  const usedHeaders = new Map(
    operations
      .flatMap(({ operation }) => Object.values(operation.responses))
      .flatMap((response) => Object.entries(responseOf(response).headers))
      .map(([name, reference]) => [name, components.headers[nameIn(reference)]]),
  );
  const sections = [
    `# ${info.title}, version ${info.version}`,
    `> ${summary.replaceAll("\n", " ")}`,
    "Paths are relative to the origin of this file, which is `$ORIGIN` in commands. The same as OpenAPI: [/openapi.json](/openapi.json); as a page that sends requests: [/docs](/docs).",
    `Every operation that is not public takes the headers \`Authorization: Bearer <API_KEY>\`, ${commonHeaders.map(code).join(", ")}, with a body also \`Content-Type: application/json\`, and can be rejected with ${commonRefusals.join(", ")}.`,
    "Objects in requests take the members that are listed and no others. What is not `required` may be left out. A name such as `Ref` is that of an object, at the end. Examples leave the headers out: the quickstart has them.",
    introduction.join("\n\n"),
    "## Headers of requests",
    Object.values(components.parameters)
      .filter((parameter) => parameter.in === "header")
      .map(({ name, required, description, schema }) => memberLine(name, schema, required, description))
      .join("\n"),
    "## Headers of responses",
    [...usedHeaders]
      .map(([name, header]) => memberLine(name, header?.schema ?? ANYTHING, false, header?.description))
      .join("\n"),
    ...tags
      .filter(hasOperations)
      .flatMap((tag) => [
        ...tagSection(tag),
        ...operations
          .filter(({ operation }) => operation.tags[0] === tag.name)
          .map(({ method, path, operation }) => operationSection(method, path, operation)),
      ]),
    "## Objects",
    ...Object.entries(components.schemas).map(([name, schema]) =>
      joined("\n\n", `### ${name}`, schema.description, membersOf(schema).join("\n")),
    ),
    ...tags.filter((tag) => !hasOperations(tag)).flatMap(tagSection),
  ];
  return `${sections
    .map((section) => section.trim())
    .filter((section) => section !== "")
    .join("\n\n")
    .replaceAll(`](${server}/`, "](/")
    .replaceAll(server, "$ORIGIN")}\n`;
}

const tagSection = ({ name, description }: Tag): string[] => [`## ${name}`, description];

const ANYTHING = Schema.parse({});

/** The error codes that a response with this body has; none if it is no error. */
function codesOf(schema: Schema | undefined): string[] {
  const codes = schema?.properties["error_code"]?.enum ?? [];
  return [...codes.map(String), ...(schema?.allOf ?? []).flatMap(codesOf)];
}
