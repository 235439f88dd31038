import text from "../../packages/contract/openapi.json?raw";
import { collectionsOf, prefixesIn, resolved } from "../support/document.ts";
import type { Json } from "../support/json.ts";

/*
 * The OpenAPI document as the fuzzers read it: the committed file, so that a rule that changes only in the code is
 * noticed. Nothing here uses the service's own list of operations.
 */

const contract: Json = JSON.parse(text);

/** One operation of the document. */
export interface Documented {
  id: string;
  method: string;
  /** `/edges/tcp/{id}`. */
  path: string;
  /** The ids in the path, in order: name and prefix. */
  ids: { name: string; prefix: string }[];
  /** Query parameters, as in the document. */
  query: Json[];
  /** The headers that it accepts. */
  headers: Set<string>;
  /** JSON Schema of the request body; undefined if it accepts none. */
  body?: Json;
  /** The status of success. */
  status: number;
  /** JSON Schema of the success response's body; undefined if it has none. */
  response?: Json;
  /** The role that it needs; undefined for a public one. */
  role?: string;
}

/** The schema that a `$ref` in the document refers to; any other schema unchanged. */
export const deref = (schema: Json): Json => resolved(contract, schema);

/** Every collection of the document. */
export const documentedCollections = collectionsOf(contract);

/** The collections within an object: for routes, `/edges/https/{edge_id}/routes`, the prefix of edges as `within`. */
export const nestedCollections = [
  { path: "/edges/https/{edge_id}/routes", prefix: "edghtsrt_", list: "routes", within: "edghts_" },
];

/** The name of a schema that the document refers to; "" for one without. */
export const nameOf = (schema: Json): string => schema["$ref"]?.split("/").at(-1) ?? "";

const METHODS = ["get", "put", "post", "patch", "delete"];

/** Every operation of the document. */
export const documented: Documented[] = Object.entries<Json>(contract["paths"]).flatMap(([path, item]) =>
  METHODS.filter((method) => method in item).map((method) => {
    const operation: Json = item[method];
    const parameters: Json[] = operation["parameters"].map(deref);
    const status = Number(Object.keys(operation["responses"]).find((code) => code.startsWith("2")));
    const role = operation["x-required-role"];
    const response = deref(operation["responses"][status])["content"]?.["application/json"]?.schema;
    const body = operation["requestBody"]?.content["application/json"].schema;
    return {
      id: operation["operationId"],
      method: method.toUpperCase(),
      path,
      ids: parameters
        .filter((parameter) => parameter["in"] === "path" && parameter["schema"].pattern)
        .map(({ name, schema }) => ({ name, prefix: prefixesIn(schema.pattern)?.[0] ?? "" })),
      query: parameters.filter((parameter) => parameter["in"] === "query"),
      headers: new Set(
        parameters.filter((parameter) => parameter["in"] === "header").map(({ name }) => name),
      ),
      status,
      ...(body && { body }),
      ...(response && { response: deref(response) }),
      ...(role && { role }),
    };
  }),
);

/** The operation with this method and path; undefined if the document has none. */
export const operationAt = (method: string, path: string): Documented | undefined =>
  documented.find((operation) => operation.method === method && operation.path === path);

/** True for the operations on a module, which is written by PUT, and read and unset at the same path. */
export const isModule = ({ path }: Documented): boolean =>
  ["PUT", "GET", "DELETE"].every((method) => operationAt(method, path) !== undefined);

/** `/edges/https/{edge_id}/routes` with ids in place of the first names in braces. */
export const filled = (path: string, ids: string[]): string =>
  ids.reduce((url, id) => url.replace(/\{\w+\}/, id), path);

/** The POSTs that create the objects in the path of an operation, outermost first. */
export const creationsOf = ({ path }: Documented): Documented[] =>
  [...path.matchAll(/\/\{/g)].flatMap(({ index }) => operationAt("POST", path.slice(0, index)) ?? []);

/** The schema of the body that `method` takes at `path`. */
export const bodyAt = (method: string, path: string): Json => {
  const body = operationAt(method, path)?.body;
  if (!body) throw new Error(`The document has no body for ${method} ${path}`);
  return body;
};

/** The methods that the document has for a path, and HEAD wherever it has GET. */
export const methodsOf = (path: string): string[] =>
  documented
    .filter((operation) => operation.path === path)
    .flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
