import type { Json } from "./json.ts";

/*
 * What tests read from an OpenAPI document, so that every test over all collections also covers new collections.
 */

/** A collection of objects that this API creates. */
export interface Collection {
  path: string;
  /** The prefix of its objects' ids. */
  prefix: string;
  /** The list's field that holds the objects. */
  list: string;
}

/** The prefixes in the pattern of an id, `^(?:bkdfo_|bkdhr_)[0-9A-Za-z]{1,64}$`; undefined for other patterns. */
export const prefixesIn = (pattern: string | undefined): string[] | undefined =>
  /^\^\(\?:((?:\w+_\|?)+)\)\[0-9A-Za-z\]\{1,64\}\$$/.exec(pattern ?? "")?.[1]?.split("|");

/** The schema that a `$ref` in `document` refers to; any other schema unchanged. */
export function resolved(document: Json, schema: Json): Json {
  if (typeof schema["$ref"] !== "string") return schema;
  const names = schema["$ref"].replace(/^#\//, "").split("/");
  return resolved(
    document,
    names.reduce<Json>((node, name) => node[name], document),
  );
}

/** True for a string that the document only restricts in length. */
export const isAnyText = ({ type, pattern, enum: options, const: only }: Json): boolean =>
  type === "string" && pattern === undefined && options === undefined && only === undefined;

/** The schema of the JSON in an operation's request or response; undefined if it has none. */
const schemaIn = (document: Json, holder?: Json): Json | undefined => {
  const schema: Json | undefined = holder?.["content"]?.["application/json"]?.schema;
  return schema && resolved(document, schema);
};

/** The schema of the body that `method` accepts at `path`, such as `/edges/tcp/{id}`; undefined if it accepts none. */
export const bodySchema = (document: Json, method: string, path: string): Json | undefined =>
  schemaIn(document, document["paths"][path]?.[method.toLowerCase()]?.requestBody);

/**
 * Every collection of `document` whose path has no id: a path with a POST that creates, a list, and a path for each
 * object. Collections within an object, such as the routes of an edge, have separate tests.
 */
export const collectionsOf = (document: Json): Collection[] =>
  Object.entries<Json>(document["paths"]).flatMap(([path, { get, post }]) => {
    if (path.includes("{")) return [];
    const object: Json | undefined = document["paths"][`${path}/{id}`]?.get;
    // Plans are made and applied, but not changed.
    const isChangeable = document["paths"][`${path}/{id}`]?.patch !== undefined;
    if (!object || !get || !post?.responses[201] || !isChangeable) return [];
    const id = object["parameters"]
      .map((parameter: Json) => resolved(document, parameter))
      .find((parameter: Json) => parameter["in"] === "path");
    const members = schemaIn(document, get.responses[200])?.["properties"] ?? {};
    const list = Object.keys(members).find((name) => resolved(document, members[name])["type"] === "array");
    const [prefix] = prefixesIn(id?.schema.pattern) ?? [];
    if (prefix === undefined || list === undefined)
      throw new Error(`${path} is not a collection like the others`);
    return [{ path, prefix, list }];
  });
