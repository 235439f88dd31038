import addFormats from "ajv-formats";
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js";
import { expect } from "vitest";
import text from "../../packages/contract/openapi.json?raw";
import type { Json } from "./json.ts";

/**
 * The OpenAPI document, as served at `https://api.test`. It is the committed document, which `npm run check` compares with the
 * code, because building it takes long and every test file would.
 */
export const contract: Json = JSON.parse(text.replaceAll("http://127.0.0.1:8787", "https://api.test"));

const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true });
addFormats(ajv);
ajv.addVocabulary([
  "example",
  "openapi",
  "info",
  "servers",
  "security",
  "tags",
  "paths",
  "webhooks",
  "components",
]);
ajv.addSchema({ $id: "contract", ...closed(contract) });

/**
 * The document with every object in its components closed: clients accept unknown fields, so the response schemas are
 * open, but these tests know every field.
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

/** The document's description of the responses of an operation with one status. */
interface Documented {
  headers: { name: string; isRequired: boolean; pattern: RegExp | undefined; constant: unknown }[];
  /** Names in lower case. */
  names: Set<string>;
  /** Undefined if there is no body. */
  validate: ValidateFunction | undefined;
}

const documentedResponses = new Map<string, Documented>();

function documentedAt(method: string, path: string, status: number): Documented {
  const what = `${status} of ${method} ${path}`;
  const known = documentedResponses.get(what);
  if (known) return known;
  const documentPath = path.replace(/:(\w+)/g, "{$1}");
  const documented = contract["paths"][documentPath]?.[method.toLowerCase()]?.responses?.[status];
  expect(documented, `${what} is documented`).toBeDefined();
  const name = documented.$ref?.split("/").at(-1);
  const response = name ? contract["components"].responses[name] : documented;
  const pointer = name
    ? pointerTo("components", "responses", name)
    : pointerTo("paths", documentPath, method.toLowerCase(), "responses", status);
  const headers = Object.entries<{ $ref: string }>(response.headers).map(([header, { $ref }]) => {
    const { required, schema } = contract["components"].headers[$ref.split("/").at(-1) ?? ""];
    return {
      name: header,
      isRequired: required === true,
      pattern: schema.pattern && new RegExp(schema.pattern),
      constant: schema.const,
    };
  });
  const [mediaType = ""] = Object.keys(response.content ?? {});
  const made = {
    headers,
    names: new Set(headers.map((header) => header.name.toLowerCase())),
    validate: response.content && validatorAt(pointer + pointerTo("content", mediaType, "schema")),
  };
  documentedResponses.set(what, made);
  return made;
}

/**
 * Checks a response against the document: its status is documented for the operation, the headers documented for that
 * status are present, and its body matches the schema (or is absent). `expect` is only called for a failure, because it takes
 * longer than the checks.
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
  const what = `${status} of ${method} ${path}`;
  const { headers: documented, names, validate } = documentedAt(method, path, status);
  for (const header of headers.keys())
    if (!isUndocumented(header) && !names.has(header)) expect(header, `${what} documents it`).toBeUndefined();
  for (const { name, isRequired, pattern, constant } of documented) {
    const value = headers.get(name);
    // A dry run ends its batch on purpose, so it has no result that a bookmark or an ETag could describe.
    const isLeftOut = isDryRun && /^(?:ETag|Service-Bookmark)$/.test(name);
    const isExpected = !isLeftOut && (isRequired || (name === "Service-Bookmark" && status < 400));
    if (value === null) {
      if (isExpected) expect(value, `${what} has ${name}`).not.toBeNull();
      continue;
    }
    if (pattern && !pattern.test(value)) expect(value, name).toMatch(pattern);
    if (constant && value !== constant) expect(value, name).toBe(constant);
  }
  if (!validate) return expect(body, what).toEqual({});
  if (!validate(body)) expect(ajv.errorsText(validate.errors), what).toBe("No errors");
}

/** OpenAPI states the media type elsewhere. CORS headers depend only on the Origin and belong to the Fetch Standard. */
const isUndocumented = (header: string): boolean => /^(?:content-type|access-control-.*)$/.test(header);

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
  if (!validate(withoutNulls(body)))
    expect(ajv.errorsText(validate.errors), `${method} ${path} accepted the body`).toBe("No errors");
}

const delivered = pointerTo(
  "webhooks",
  "event",
  "post",
  "requestBody",
  "content",
  "application/json",
  "schema",
);

/** Checks an event that was sent to a webhook against the document. */
export function checkDelivered(event: Json): void {
  const validate = validatorAt(delivered);
  if (!validate(event))
    expect(ajv.errorsText(validate.errors), String(event["event_type"])).toBe("No errors");
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(entries.map(([name, member]) => [name, withoutNulls(member)]));
}
