import type { Json } from "./json.ts";

/*
 * What tests read from an OpenAPI document, so that a new collection is in every test that covers all of them.
 */

/** A collection of objects that this API creates. */
export interface Collection {
  path: string;
  /** What its objects' ids start with. */
  prefix: string;
  /** The list's member that holds the objects. */
  list: string;
}

/** The prefixes in the pattern of an id, `^(?:bkdfo_|bkdhr_)[0-9A-Za-z]{1,64}$`; undefined for other patterns. */
export const prefixesIn = (pattern: string | undefined): string[] | undefined =>
  /^\^\(\?:((?:\w+_\|?)+)\)\[0-9A-Za-z\]\{1,64\}\$$/.exec(pattern ?? "")?.[1]?.split("|");

/** What a `$ref` in `document` stands for; anything else is itself. */
export function resolved(document: Json, schema: Json): Json {
  if (typeof schema["$ref"] !== "string") return schema;
  const names = schema["$ref"].replace(/^#\//, "").split("/");
  return resolved(
    document,
    names.reduce<Json>((node, name) => node[name], document),
  );
}

/** The schema of the JSON that an operation's body or response holds; undefined when it has none. */
const schemaIn = (document: Json, holder?: Json): Json | undefined => {
  const schema: Json | undefined = holder?.["content"]?.["application/json"]?.schema;
  return schema && resolved(document, schema);
};

/** The schema of the body that `method` takes at `path`, `/edges/tcp/{id}`; undefined when it takes none. */
export const bodySchema = (document: Json, method: string, path: string): Json | undefined =>
  schemaIn(document, document["paths"][path]?.[method.toLowerCase()]?.requestBody);

/** Every collection of `document`: what has a POST that creates, a list, and a path for each object. */
export const collectionsOf = (document: Json): Collection[] =>
  Object.entries<Json>(document["paths"]).flatMap(([path, { get, post }]) => {
    const object: Json | undefined = document["paths"][`${path}/{id}`]?.get;
    if (!object || !get || !post?.responses[201]) return [];
    const id = object["parameters"]
      .map((parameter: Json) => resolved(document, parameter))
      .find((parameter: Json) => parameter["in"] === "path");
    const members = schemaIn(document, get.responses[200])?.["properties"] ?? {};
    const list = Object.keys(members).find((name) => resolved(document, members[name])["type"] === "array");
    const [prefix] = prefixesIn(id?.schema.pattern) ?? [];
    if (prefix === undefined || list === undefined) throw new Error(`${path} is no collection like others`);
    return [{ path, prefix, list }];
  });
