import addFormats from "ajv-formats";
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js";
import { expect } from "vitest";
import { operations } from "../src/app.ts";
import { openApiDocument } from "../src/openapi/document.ts";
import type { Json } from "./json.ts";

/** The OpenAPI document, as it is served at `https://api.test`. */
export const contract: Json = JSON.parse(openApiDocument(operations(), "https://api.test"));

const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true });
addFormats(ajv);
ajv.addVocabulary(["example", "openapi", "info", "servers", "security", "tags", "paths", "components"]);
ajv.addSchema({ $id: "contract", ...contract });

const compiled = new Map<string, ValidateFunction>();

/** The compiled schema at a JSON Pointer into the document. */
export function validatorAt(pointer: string): ValidateFunction {
  const known = compiled.get(pointer) ?? ajv.compile({ $ref: `contract#${pointer}` });
  compiled.set(pointer, known);
  return known;
}

const pointerTo = (...names: (string | number)[]): string =>
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
): void {
  const documentPath = path.replace(/:(\w+)/g, "{$1}");
  const what = `${status} of ${method} ${path}`;
  const documented = contract["paths"][documentPath]?.[method.toLowerCase()]?.responses?.[status];
  expect(documented, `${what} is documented`).toBeDefined();
  const name = documented.$ref?.split("/").at(-1);
  const response = name ? contract["components"].responses[name] : documented;
  const pointer = name
    ? pointerTo("components", "responses", name)
    : pointerTo("paths", documentPath, method.toLowerCase(), "responses", status);
  for (const [header, { $ref }] of Object.entries<{ $ref: string }>(response.headers)) {
    const { required, schema } = contract["components"].headers[$ref.split("/").at(-1) ?? ""];
    const value = headers.get(header);
    if (required) expect(value, `${what} has ${header}`).not.toBeNull();
    if (value !== null && schema.pattern) expect(value, header).toMatch(new RegExp(schema.pattern));
  }
  if (!response.content) return expect(body, what).toEqual({});
  const validate = validatorAt(pointer + pointerTo("content", "application/json", "schema"));
  expect(validate(body), `${what}: ${ajv.errorsText(validate.errors)}`).toBe(true);
}

/** Checks a body that was accepted against the document, without the nulls that stand for "left out". */
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
