import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { app } from "../src/app.ts";
import { errorCodesOf } from "../src/http/operations/operation.ts";
import { call, get, ORIGIN, routes } from "./api.ts";
import { contract, validatorAt } from "./contract.ts";

const noHeaders = { Authorization: undefined, "Service-Version": undefined };

/** Pages for people, which no client calls. */
const UNDOCUMENTED = new Set(["GET /"]);

test("the document has every operation of the app and nothing else", () => {
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
    expect(documented.security).toEqual(operation.access === "public" ? [] : [{ key: [operation.access] }]);
    const codes = Object.values<{ $ref?: string }>(documented.responses).flatMap(({ $ref }) => {
      const response = contract["components"].responses[$ref?.split("/").at(-1) ?? ""];
      return response?.content?.["application/json"].schema.allOf[1].properties.error_code.enum ?? [];
    });
    expect(codes.toSorted()).toEqual(errorCodesOf(operation).toSorted());
  }
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

  test("every request and every object has an example", () => {
    const named = new Set(examples.map(({ name }) => name));
    const wanted = schemas
      .map(([name]) => name)
      .filter((name) => !/List$|^Ref$|^CloudAuth$|^OpenApi$/.test(name));
    expect(wanted.filter((name) => !named.has(name))).toEqual([]);
  });

  test("every member has a description", () => {
    const undescribed = schemas.flatMap(([name, { properties = {} }]) =>
      Object.entries<Record<string, unknown>>(Object(properties))
        .filter(([, property]) => !("description" in property) && !JSON.stringify(property).includes("$ref"))
        .filter(
          ([member]) => !/^(EventTarget|CloudAuth)/.test(name) && name !== "Health" && member !== "openapi",
        )
        .map(([member]) => `${name}.${member}`),
    );
    expect(undescribed).toEqual([]);
  });

  test("secrets are write-only in requests and null in responses", () => {
    const { EventTarget, EventTargetMutate, CloudAuth, CloudAuthMutate } = contract["components"].schemas;
    for (const [request, response] of [
      [
        EventTargetMutate.properties.monitoring_vendor.properties.api_key,
        EventTarget.properties.monitoring_vendor.anyOf[0].properties.api_key,
      ],
      [
        EventTargetMutate.properties.logs_ingestion.properties.client_secret,
        EventTarget.properties.logs_ingestion.anyOf[0].properties.client_secret,
      ],
      [
        CloudAuthMutate.properties.creds.properties.cloud_secret_access_key,
        CloudAuth.properties.creds.anyOf[0].properties.cloud_secret_access_key,
      ],
    ]) {
      expect(request.writeOnly).toBe(true);
      expect(response.type).toBe("null");
    }
  });
});

describe("an example is accepted by its operation", () => {
  const updates = routes.filter(({ method, operation }) => method === "PATCH" && operation.body);
  test.each(updates.map(({ path, operation }) => ({ path, id: operation.id })))(
    "$id",
    async ({ path, id }) => {
      const name = contract["paths"][path.replace(/:(\w+)/g, "{$1}")].patch.requestBody.content[
        "application/json"
      ].schema.$ref
        .split("/")
        .at(-1);
      const [example] = contract["components"].schemas[name].examples;
      const answer = await call("PATCH", path.replace(":id", "nobody"), example);
      expect([answer.status, answer.body.error_code], id).toEqual([404, "ERR_NOT_FOUND"]);
    },
  );
});

test("GET /openapi.json needs no key and answers 304 to its ETag in every form", async () => {
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
    expect(answer.body).toEqual({ ...contract, servers: [{ ...contract["servers"][0], url }] });
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

test("/ redirects to the documentation", async () => {
  const response = await app.request(`${ORIGIN}/`, {}, env);
  expect([response.status, response.headers.get("Location")]).toEqual([302, "/docs"]);
});
