import addFormats from "ajv-formats";
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js";
import { expect } from "vitest";
import { operations } from "../../src/app.ts";
import { openApiDocument } from "../../src/openapi/document.ts";
import type { Json } from "./json.ts";

/** The OpenAPI document, as served at `https://api.test`. */
export const contract: Json = JSON.parse(openApiDocument(operations(), "https://api.test"));

const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true });
addFormats(ajv);
ajv.addVocabulary(["example", "openapi", "info", "servers", "security", "tags", "paths", "components"]);
ajv.addSchema({ $id: "contract", ...closed(contract) });

/**
 * The document with every object in its components closed: clients accept unknown members, so the response schemas are
 * open, but these tests know every member.
 */
function closed({ components, ...document }: Json): Json {
  const schemas: unknown = JSON.parse(JSON.stringify(components.schemas), (_, value: unknown) => {
    const isObject = typeof value === "object" && value !== null && "properties" in value;
    return isObject ? { additionalProperties: false, ...value } : value;
  });
  return { ...document, components: { ...components, schemas } };
}

const compiled = new Map<string, ValidateFunction>();

/** The compiled schema at a JSON Pointer into the document. */
export function validatorAt(pointer: string): ValidateFunction {
  const known = compiled.get(pointer) ?? ajv.compile({ $ref: `contract#${pointer}` });
  compiled.set(pointer, known);
  return known;
}

/** A JSON Pointer as a URI fragment (RFC 6901, section 6). */
export const pointerTo = (...names: (string | number)[]): string =>
  names
    .map((name) => `/${encodeURIComponent(String(name).replaceAll("~", "~0").replaceAll("/", "~1"))}`)
    .join("");

/**
 * Checks a response against the document: its status is documented for the operation, the headers documented for that
 * status are present, and its body matches the schema (or is absent).
 *
 * @param path the route, such as `/edges/tcp/:id`
 */
export function checkContract(
  method: string,
  path: string,
  status: number,
  headers: Headers,
  body: unknown,
  isDryRun = false,
): void {
  const documentPath = path.replace(/:(\w+)/g, "{$1}");
  const what = `${status} of ${method} ${path}`;
  const documented = contract["paths"][documentPath]?.[method.toLowerCase()]?.responses?.[status];
  expect(documented, `${what} is documented`).toBeDefined();
  const name = documented.$ref?.split("/").at(-1);
  const response = name ? contract["components"].responses[name] : documented;
  const undeclared = Array.from(headers.keys()).filter(
    (header) => !isUndocumented(header) && !(header in lowerCase(response.headers)),
  );
  expect(undeclared, `${what} has no header beyond those documented`).toEqual([]);
  const pointer = name
    ? pointerTo("components", "responses", name)
    : pointerTo("paths", documentPath, method.toLowerCase(), "responses", status);
  for (const [header, { $ref }] of Object.entries<{ $ref: string }>(response.headers)) {
    const { required, schema } = contract["components"].headers[$ref.split("/").at(-1) ?? ""];
    const value = headers.get(header);
    // A dry run ends its batch on purpose, so it has no result that a bookmark or an ETag could describe.
    const isLeftOut = isDryRun && /^(?:ETag|Service-Bookmark)$/.test(header);
    if (!isLeftOut && (required || (header === "Service-Bookmark" && status < 400)))
      expect(value, `${what} has ${header}`).not.toBeNull();
    if (value !== null && schema.pattern) expect(value, header).toMatch(new RegExp(schema.pattern));
    if (value !== null && schema.const) expect(value, header).toBe(schema.const);
  }
  if (!response.content) return expect(body, what).toEqual({});
  const validate = validatorAt(pointer + pointerTo("content", "application/json", "schema"));
  expect(validate(body), `${what}: ${ajv.errorsText(validate.errors)}`).toBe(true);
}

/** OpenAPI states the media type elsewhere. CORS headers depend only on the Origin and belong to the Fetch Standard. */
const isUndocumented = (header: string): boolean => /^(?:content-type|access-control-.*)$/.test(header);

const lowerCase = (headers: object): object =>
  Object.fromEntries(Object.keys(headers).map((name) => [name.toLowerCase(), true]));

/** Checks a body that was accepted against the document, without the nulls that count as "left out". */
export function checkRequest(method: string, path: string, body: unknown): void {
  const documentPath = path.replace(/:(\w+)/g, "{$1}");
  const operation = contract["paths"][documentPath][method.toLowerCase()];
  if (!operation.requestBody) return;
  const at = [
    "paths",
    documentPath,
    method.toLowerCase(),
    "requestBody",
    "content",
    "application/json",
    "schema",
  ];
  const validate = validatorAt(pointerTo(...at));
  expect(validate(withoutNulls(body)), `${method} ${path} accepted ${ajv.errorsText(validate.errors)}`).toBe(
    true,
  );
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(entries.map(([name, member]) => [name, withoutNulls(member)]));
}
