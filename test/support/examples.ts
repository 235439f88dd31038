import { create } from "./api.ts";
import { contract } from "./contract.ts";
import { bodySchema, type Collection, collectionsOf, prefixesIn, resolved } from "./document.ts";
import type { Json } from "./json.ts";

/*
 * Requests for tests that cover every operation, made from the examples in the OpenAPI document.
 */

/** Every collection of the API. */
export const collections: Collection[] = collectionsOf(contract);

/** `/edges/tcp/:id` as the document writes it. */
export const documented = (path: string): string => path.replace(/:(\w+)/g, "{$1}");

const schemaAt = (method: string, path: string): Json => {
  const schema = bodySchema(contract, method, documented(path));
  if (!schema) throw new Error(`${method} ${path} accepts no body`);
  return schema;
};

/** The document's last and fullest example of the body that `method` accepts at `path`, `/edges/tcp/:id`. */
export function exampleOf(method: string, path: string): Json {
  const example = schemaAt(method, path)["examples"]?.at(-1);
  if (!example) throw new Error(`${method} ${path} has no example: give its schema one with .meta()`);
  return example;
}

/** The example, completed with omitted fields that have examples in the document; for PATCH, that of POST if there is one. */
export function wholeExampleOf(method: string, path: string): Json {
  const { properties = {} } = schemaAt(method, path);
  const collection = path.replace(/\/:\w+$/, "");
  const creates = bodySchema(contract, "POST", documented(collection)) !== undefined;
  const example =
    method === "PATCH" && creates ? wholeExampleOf("POST", collection) : exampleOf(method, path);
  const members = Object.entries<Json>(properties).flatMap(([name, schema]) => {
    const value: unknown = example[name] ?? resolved(contract, schema)["examples"]?.[0];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(members);
}

/** The required fields of a body. */
export const requiredOf = (method: string, path: string, body: Json): Json =>
  Object.fromEntries((schemaAt(method, path)["required"] ?? []).map((name: string) => [name, body[name]]));

/** A JSON value with every string in it, including the names of fields, replaced. */
async function mapped(value: unknown, replace: (text: string) => Promise<string>): Promise<unknown> {
  if (typeof value === "string") return replace(value);
  if (Array.isArray(value)) return Promise.all(value.map((item) => mapped(item, replace)));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(async ([name, inner]) => [
    await replace(name),
    await mapped(inner, replace),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}

/** The collection that an id belongs to; undefined for other strings and for ids of objects managed elsewhere. */
const collectionOf = (text: string): Collection | undefined =>
  collections.find(({ prefix }) => new RegExp(`^${prefix}[0-9A-Za-z]{27}$`).test(text));

/** The id of a new object in place of an id of a collection; any other string unchanged. */
async function existing(text: string): Promise<string> {
  const path = collectionOf(text)?.path;
  return path === undefined ? text : (await given(path))["id"];
}

/** `body` with every id of a collection in it replaced by that of a new object. */
export const referring = async (body: Json): Promise<Json> => (await mapped(body, existing)) as Json;

/** `body` with every id of a collection in it replaced by an id that no object has. */
export const referringToNothing = async (body: Json): Promise<Json> =>
  (await mapped(body, async (text) => {
    const collection = collectionOf(text);
    return collection ? `${collection.prefix}nothing` : text;
  })) as Json;

/** A body that POST to `path` accepts, with only the required fields, and a change that PATCH accepts. */
export async function accepted(path: string): Promise<{ body: Json; change: Json }> {
  const body = await referring(requiredOf("POST", path, exampleOf("POST", path)));
  const update = schemaAt("PATCH", `${path}/:id`);
  const change =
    "description" in update["properties"]
      ? { description: "changed" }
      : await referring(exampleOf("PATCH", `${path}/:id`));
  return { body, change };
}

/** A new object of a collection, created with only the required fields. */
export const given = async (path: string): Promise<Json> =>
  create(path, await referring(requiredOf("POST", path, exampleOf("POST", path))));

/** Groups of prefixes that are allowed in the same place: those of the kinds of backends. */
const interchangeable: string[][] = Array.from(
  JSON.stringify(contract).matchAll(/"pattern":"(.*?[^\\])"/g),
  ([, pattern]) => prefixesIn(pattern) ?? [],
);

/** `body`, and variants of it with ids of every other kind that is allowed in the same places. */
export function interchanged(body: Json): Json[] {
  const text = JSON.stringify(body);
  const others = interchangeable.flatMap((prefixes) =>
    prefixes.map((prefix) => text.replace(new RegExp(`"(?:${prefixes.join("|")})`, "g"), `"${prefix}`)),
  );
  return [...new Set([text, ...others])].map((other) => JSON.parse(other));
}

/**
 * Bodies for POST that refer to the object `id`, one for each collection whose example has such an id, with its path.
 */
export async function bodiesReferringTo(id: string): Promise<{ path: string; body: Json }[]> {
  const prefix = collectionOf(id)?.prefix ?? "";
  const alike = new Set([prefix, ...interchangeable.filter((some) => some.includes(prefix)).flat()]);
  const isAlike = (text: string): boolean => alike.has(collectionOf(text)?.prefix ?? "none");
  const bodies: { path: string; body: Json }[] = [];
  for (const { path } of collections) {
    let refers = false;
    const body = await mapped(exampleOf("POST", path), async (text) => {
      refers ||= isAlike(text);
      return isAlike(text) ? id : text;
    });
    if (refers)
      bodies.push({
        path,
        body: (await mapped(body, async (text) => (text === id ? id : existing(text)))) as Json,
      });
  }
  return bodies;
}
