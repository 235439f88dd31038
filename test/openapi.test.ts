import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import committed from "../packages/contract/openapi.json?raw";
import { isForPrograms } from "../packages/model/src/roles.ts";
import { app } from "../src/app.ts";
import { secretPaths } from "../src/delivery/targets.ts";
import { errorCodes } from "../src/http/error_codes.ts";
import { errorCodesOf } from "../src/http/route.ts";
import { guides } from "../src/openapi/guides.ts";
import { call, get, ORIGIN, post, routes } from "./support/api.ts";
import { contract, pointerTo, validatorAt } from "./support/contract.ts";
import { bodySchema, resolved } from "./support/document.ts";
import { emptied } from "./support/emptied.ts";
import { collections } from "./support/examples.ts";
import type { Json } from "./support/json.ts";

const noHeaders = { Authorization: undefined, "Service-Version": undefined };

/** Every JSON value in the document except examples, with its JSON Pointer. */
function* parts(value: unknown = contract, pointer = ""): Generator<{ pointer: string; part: Json }> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield { pointer, part: value };
  for (const [name, member] of Object.entries(value))
    if (name !== "example" && name !== "examples") yield* parts(member, pointer + pointerTo(name));
}

const everywhere = [...parts()];

/** The pointers of the parts of the document for which `isWrong` is true. */
const where = (isWrong: (part: Json, pointer: string) => boolean): string[] =>
  everywhere.filter(({ part, pointer }) => isWrong(part, pointer)).map(({ pointer }) => pointer);

/** Whether a part of the document maps member names to schemas. */
const isMembers = (pointer: string): boolean => pointer.endsWith("/properties");

/** A schema with every schema that it refers to in place of the reference. */
const whole = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema), (_, part) => (part?.$ref ? whole(resolved(contract, part)) : part));

/** HTML pages, which no client of the API calls, and a protocol that describes itself. */
const UNDOCUMENTED = new Set(["GET /", "GET /auth/login", "GET /auth/callback", "POST /mcp"]);

test("the document has every operation of the app and no others", () => {
  const served = app.routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`)
    .filter((route) => !UNDOCUMENTED.has(route));
  const documented = Object.entries<object>(contract["paths"]).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(documented.toSorted()).toEqual([...new Set(served)].toSorted());
});

test("every operation has its id, a summary, a description and the errors that it can return", () => {
  for (const { method, path, operation } of routes) {
    const documented = contract["paths"][path.replace(/:(\w+)/g, "{$1}")][method.toLowerCase()];
    expect(documented.operationId).toBe(operation.id);
    expect(documented.summary).toMatch(/^[A-Z]/);
    expect(documented.description).toMatch(/\.$/);
    const isPublic = operation.access === "public";
    const isForPeople = !isForPrograms(operation.access);
    expect(documented.security).toEqual(
      isPublic ? [] : [{ key: [] }, ...(isForPeople ? [{ session: [] }] : [])],
    );
    expect(documented["x-required-role"]).toBe(isPublic ? undefined : operation.access);
    const codes = Object.values<{ $ref?: string }>(documented.responses).flatMap(({ $ref }) => {
      const response = contract["components"].responses[$ref?.split("/").at(-1) ?? ""];
      return response?.content?.["application/json"].schema.allOf[1].properties.error_code.enum ?? [];
    });
    expect(codes.toSorted()).toEqual(errorCodesOf(operation).toSorted());
  }
});

describe("the document suits readers, importers and client generators:", () => {
  test("every field, parameter and header has a description", () => {
    const isSilent = (described: Json): boolean => resolved(contract, described)["description"] === undefined;
    const members = everywhere
      .filter(({ pointer }) => isMembers(pointer))
      .flatMap(({ part, pointer }) =>
        Object.keys(part)
          .filter((name) => part[name].description === undefined && isSilent(part[name]))
          .map((name) => `${pointer}/${name}`),
      );
    expect(members).toEqual([]);
    expect(where((part) => "in" in part && isSilent(part))).toEqual([]);
    expect(Object.values<Json>(contract["components"].headers).filter(isSilent)).toEqual([]);
  });

  test("every const and enum has its type", () => {
    const untyped = where(
      (part, pointer) => !isMembers(pointer) && ("const" in part || "enum" in part) && !("type" in part),
    );
    expect(untyped).toEqual([]);
  });

  test("every part of an allOf has its type, or refers to a schema that has one", () => {
    const untyped = everywhere.flatMap(({ part, pointer }) =>
      Array.isArray(part["allOf"]) &&
      part["allOf"].some((one) => resolved(contract, one)["type"] === undefined)
        ? [pointer]
        : [],
    );
    expect(untyped).toEqual([]);
  });

  test("no field has a default, which generators would make callers send", () => {
    expect(where((part, pointer) => pointer.startsWith("/components/schemas/") && "default" in part)).toEqual(
      [],
    );
    expect(contract["components"].schemas.BackendModuleMutate.properties.enabled.description).toBe(
      "Whether the module is applied to traffic. Defaults to `true`.",
    );
  });

  test("responses are open to new fields, requests are not", () => {
    const closed = new Set(
      where((part) => part["additionalProperties"] === false).map((pointer) => pointer.split("/")[3] ?? ""),
    );
    const objects = Object.entries<Json>(contract["components"].schemas).filter(
      ([, schema]) => schema["properties"],
    );
    const requests = objects
      .map(([name]) => name)
      .filter((name) => /(?:Create|Update|Mutate|Request)$/.test(name));
    expect([...closed].toSorted()).toEqual(requests.toSorted());
  });

  test("every body has a valid example", () => {
    const bodies = everywhere.filter(({ pointer }) => pointer.endsWith("/application~1json"));
    expect(bodies.length).toBeGreaterThan(routes.length);
    for (const { part, pointer } of bodies) {
      const examples =
        "example" in part
          ? [part["example"]]
          : Object.values<Json>(part["examples"]).map(({ value }) => value);
      expect(examples.length, pointer).toBeGreaterThan(0);
      const validate = validatorAt(`${pointer}/schema`);
      for (const example of examples)
        expect(validate(example), `${pointer}: ${JSON.stringify(validate.errors)}`).toBe(true);
    }
  });

  test("an error's example is complete", () => {
    const examples = Object.values<Json>(contract["components"].responses).flatMap(({ content }) =>
      Object.values<Json>(content?.["application/json"].examples ?? {}).map(({ value }) => value),
    );
    for (const { error_code, errors, details } of examples) {
      const namesMembers = error_code === "ERR_INVALID_REQUEST" || error_code === "ERR_UNKNOWN_REFERENCE";
      expect(errors !== undefined, error_code).toBe(namesMembers);
      expect(details.used_by !== undefined, error_code).toBe(error_code === "ERR_IN_USE");
    }
    const codes = new Set(examples.map(({ error_code }) => error_code));
    expect([...codes].toSorted()).toEqual(
      [...new Set(routes.flatMap(({ operation }) => errorCodesOf(operation)))].toSorted(),
    );
  });

  test("no optional header has a value that an importer would send with every request", () => {
    const offered = Object.values<Json>(contract["components"].parameters)
      .filter(
        ({ required, example, schema }) =>
          !required && (example ?? schema.examples ?? schema.default) !== undefined,
      )
      .map(({ name }) => name);
    expect(offered).toEqual([]);
  });

  test("the document's descriptions contain neither HTML nor tables", () => {
    const texts = everywhere.flatMap(({ part }) => [part["description"], part["summary"]]);
    const foreign = texts.filter((text) => typeof text === "string" && /<\/?(?!API_KEY>)\w|^\|/m.test(text));
    expect(foreign).toEqual([]);
  });

  test("the committed document names an absolute URL", () => {
    expect(() => new URL(JSON.parse(committed).servers[0].url)).not.toThrow();
  });

  test("every title is a verb and an object, and is unique", () => {
    const titles = Object.values<Json>(contract["paths"]).flatMap((item) =>
      Object.values<Json>(item).map(({ summary }) => summary),
    );
    expect(new Set(titles).size).toBe(titles.length);
    const verbs =
      /^(?:Add|Apply|Check|Create|Delete|Get|List|Preview|Refresh|Remove|Renew|Replace|Replay|Report|Request|Reseal|Resume|Run|Send|Simulate|Test|Update|Withdraw) /;
    expect(
      titles.filter((title) => !verbs.test(title) || /[.?:;,]/.test(title) || title.length > 70),
    ).toEqual([]);
  });

  test("the document has no placeholder for the operator or the server", () => {
    expect(contract["info"].contact).toBe(undefined);
    expect(contract["servers"]).toEqual([{ url: ORIGIN }]);
  });

  test("the introduction begins with the quickstart, links to the guides, and leaves errors to the last tag", () => {
    const { description } = contract["info"];
    expect(description).toMatch(/^[^#]{1,300}\n\n## Quickstart\n/);
    for (const { name } of guides) expect(description).toContain(`](${ORIGIN}/docs/guides/${name})`);
    expect(description).not.toMatch(/ERR_/);
    const { name, description: errors } = contract["tags"].at(-1);
    expect(name).toBe("Errors");
    for (const code of Object.keys(errorCodes)) expect(errors).toContain(`\`${code}\``);
  });

  test("each collection comes after those that it refers to, then the operator's endpoints, and errors last", () => {
    const tags: string[] = contract["tags"].map(({ name }: Json) => name);
    expect(tags.slice(-6)).toEqual(["Transactions", "Plans", "Traffic", "Sign-in", "Service", "Errors"]);
    const tagOf = (path: string): number => tags.indexOf(contract["paths"][path].post.tags[0]);
    const places = new Map(collections.map(({ path, prefix }) => [prefix, tagOf(path)]));
    expect(places.size).toBe(collections.length);
    for (const [prefix, place] of places) {
      const { path = "" } = collections.find((collection) => collection.prefix === prefix) ?? {};
      const references = JSON.stringify(whole(bodySchema(contract, "POST", path) ?? {}));
      for (const [other, before] of places)
        if (references.includes(`:${other}`) || references.includes(`|${other}`))
          expect(before, `move ${path} in src/app.ts`).toBeLessThanOrEqual(place);
    }
    const described = contract["tags"].map(({ description }: Json) => description);
    expect(new Set(described).size, "each description is unique").toBe(tags.length);
    expect(described).not.toContain(undefined);
    const listed = Object.values<Json>(contract["paths"]).flatMap((item) => Object.values<Json>(item));
    expect([...new Set(listed.flatMap(({ tags }) => tags)), "Errors"]).toEqual(tags);
  });
});

describe("component", () => {
  const schemas = Object.entries<Record<string, unknown>>(contract["components"].schemas);
  const examples = schemas.flatMap(([name, schema]) =>
    Array.isArray(schema["examples"])
      ? schema["examples"].map((example: unknown) => ({ name, example }))
      : [],
  );

  test.each(examples)("$name has valid examples", ({ name, example }) => {
    const validate = validatorAt(`/components/schemas/${name}`);
    expect(validate(example), JSON.stringify(validate.errors)).toBe(true);
  });

  test("the secrets of a target are those that it declares; responses show null for them", () => {
    const { schemas: all } = contract["components"];
    const pathsIn = (schema: Json, isFound: (field: Json) => boolean, path = "$"): string[] => {
      const { properties = {}, anyOf = [], allOf = [] } = resolved(contract, schema);
      const inner = Object.entries<Json>(properties).flatMap(([name, field]) =>
        isFound(field) ? [`${path}.${name}`] : pathsIn(field, isFound, `${path}.${name}`),
      );
      return [...inner, ...[...anyOf, ...allOf].flatMap((part: Json) => pathsIn(part, isFound, path))];
    };
    expect(pathsIn(all["EventTargetMutate"], ({ writeOnly }) => writeOnly === true)).toEqual(secretPaths);
    // The secret of a webhook is shown in the response to a request that had it generated.
    const isNull = ({ type, description = "" }: Json) =>
      type === "null" || description.includes("Write-only: null, except");
    expect(pathsIn(all["EventTarget"], isNull)).toEqual(secretPaths);
  });

  test("a secret cannot contain a line break, or white space at its ends", () => {
    const patterns: string[] = [];
    JSON.parse(JSON.stringify(schemas), (_, value: Json) => {
      if (value?.["writeOnly"] === true) patterns.push(value["pattern"]);
      return value;
    });
    expect(patterns.length).toBeGreaterThanOrEqual(5);
    for (const pattern of patterns)
      for (const text of ["abc\n", " abc", "abc\t", "a\r\nb", "\n", " ", "a\0"])
        expect(new RegExp(pattern).test(text), pattern).toBe(false);
  });
});

/** Fields that the service sets, and the fields that only a POST sets. All others are set by POST and PATCH. */
const SET_BY_SERVICE: Record<string, string[]> = {
  "/api_keys": ["last_used_at", "token"],
  "/certificate_authorities": [
    "subject_common_name",
    "not_before",
    "not_after",
    "key_usages",
    "extended_key_usages",
  ],
  "/certificate_issuers": ["thumbprint", "account_uri", "caa", "last_error"],
  "/edges/https": ["routes"],
  "/edges/https/{edge_id}/routes": ["edge_id", "policy"],
  "/edges/tcp": ["policy"],
  "/edges/tls": ["policy"],
};
const IMMUTABLE: Record<string, string[]> = {
  "/api_keys": ["owner_id", "role", "expires_at"],
  "/certificate_authorities": ["ca_pem"],
  "/certificate_issuers": ["directory_url"],
  "/ip_policy_rules": ["ip_policy_id", "action"],
};

test.each([...collections.map(({ path }) => path), "/edges/https/{edge_id}/routes"])(
  "each field of an object of %s can be set, changed and read, unless it is listed above",
  (path) => {
    const fieldsOf = (schema: Json = {}) => Object.keys(schema["properties"]);
    const set = fieldsOf(bodySchema(contract, "POST", path));
    const changed = fieldsOf(bodySchema(contract, "PATCH", `${path}/{id}`));
    const { content } = contract["paths"][`${path}/{id}`].get.responses[200];
    const read = fieldsOf(resolved(contract, content["application/json"].schema));
    // Responses have Refs in place of ids.
    const shown = set.map((name) => (read.includes(name) ? name : name.replace(/_id(s?)$/, "$1")));
    const computed = ["id", "uri", "created_at", ...(SET_BY_SERVICE[path] ?? [])];
    expect(read.toSorted(), "add it to the request or the response schema, or to SET_BY_SERVICE").toEqual(
      [...computed, ...shown].toSorted(),
    );
    expect(
      set.filter((name) => !changed.includes(name)),
      "let PATCH accept it, or add it to IMMUTABLE",
    ).toEqual(IMMUTABLE[path] ?? []);
  },
);

describe("the example that an operation offers", () => {
  const offered = (method: string, path: string): Json =>
    contract["paths"][path.replace(/:(\w+)/g, "{$1}")][method.toLowerCase()].requestBody.content[
      "application/json"
    ].example;

  /** Objects that need another object first: their examples refer to an object of that collection. */
  const needs: Record<string, string> = { "/ip_policy_rules": "/ip_policies" };

  test.each(collections)("is created as it is in an empty database: POST $path", async ({ path }) => {
    await emptied();
    const example = offered("POST", path);
    const needed = needs[path];
    if (needed === undefined) expect((await post(path, example)).status).toBe(201);
    else {
      expect((await post(path, example)).body.error_code).toBe("ERR_UNKNOWN_REFERENCE");
      const { id } = (await post(needed, offered("POST", needed))).body;
      const body = JSON.stringify(example).replace(/ipp_\w+/, id);
      expect((await post(path, JSON.parse(body))).status).toBe(201);
    }
  });

  const updates = routes.filter(({ method, operation }) => method === "PATCH" && operation.body);
  test.each(updates)("is accepted: PATCH $path", async ({ path }) => {
    const { status, body } = await call("PATCH", path.replace(/:\w+/g, "nobody"), offered("PATCH", path));
    expect([status, body.error_code], JSON.stringify(body)).toEqual([404, "ERR_NOT_FOUND"]);
  });
});

test("GET /openapi.json needs no key and returns 304 for its ETag in every form", async () => {
  const first = await get("/openapi.json", { headers: noHeaders });
  expect(first.status).toBe(200);
  expect(first.body).toEqual(contract);
  const etag = first.headers.get("ETag") ?? "";
  expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
  for (const asked of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    const again = await get("/openapi.json", { headers: { ...noHeaders, "If-None-Match": asked } });
    expect([again.status, again.text, again.headers.get("ETag")]).toEqual([304, "", etag]);
  }
  const other = await get("/openapi.json", { headers: { ...noHeaders, "If-None-Match": '"other"' } });
  expect(other.status).toBe(200);
  expect(other.cost.roundTrips).toBe(0);
});

test("the document's server is the origin of its request, or BASE_URL, and its ETag depends on it", async () => {
  const ask = (origin: string, env: { BASE_URL?: string } = {}, etag?: string) =>
    get(`${origin}/openapi.json`, { headers: { ...noHeaders, "If-None-Match": etag }, env });
  const own = await ask("https://other.example:8443");
  const pinned = await ask("https://other.example:8443", { BASE_URL: "https://api.example.com/" });
  const odd = await ask('https://a"$&b.example');
  for (const [answer, url] of [
    [own, "https://other.example:8443"],
    [pinned, "https://api.example.com"],
    [odd, 'https://a"$&b.example'],
  ] as const)
    expect(answer.body).toEqual(
      JSON.parse(JSON.stringify(contract), (_, value) =>
        typeof value === "string" ? value.replaceAll(ORIGIN, () => url) : value,
      ),
    );
  const etags = [own, pinned, odd].map(({ headers }) => headers.get("ETag") ?? "");
  expect(new Set(etags).size).toBe(3);
  const [ofOwn = "", ofPinned = ""] = etags;
  expect((await ask("https://other.example:8443", {}, ofOwn)).status).toBe(304);
  expect((await ask("https://other.example:8443", {}, ofPinned)).status).toBe(200);
});

test("a document that is missing from the assets or has no ETag is an internal error", async () => {
  const lines = vi.spyOn(console, "error").mockImplementation(() => {});
  for (const asset of [
    new Response("nothing", { status: 404, headers: { ETag: '"1"' } }),
    new Response("{}"),
  ]) {
    const ASSETS: Fetcher = { ...env.ASSETS, fetch: () => Promise.resolve(asset) };
    const { status, body } = await get("/openapi.json", { env: { ASSETS } });
    expect([status, body.error_code]).toEqual([500, "ERR_INTERNAL"]);
  }
  expect(lines.mock.calls.flat().join()).toContain("npm run build");
  lines.mockRestore();
});
