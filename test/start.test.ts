import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import * as given from "./support/given.ts";

const sources = import.meta.glob<string>("../src/**/*.ts", { query: "?raw", import: "default", eager: true });

test("no schema is created at startup: each is created when a request first needs it", async () => {
  vi.resetModules();
  const zod = await import("zod");
  const { globalRegistry, ZodLazy } = zod;
  const add = globalRegistry.add.bind(globalRegistry);
  let made = 0;
  // Every schema has a description or a name, so it is added to the registry when it is created.
  globalRegistry.add = (...about: Parameters<typeof add>) => {
    made += 1;
    return add(...about);
  };
  const { app, operations } = await import("../src/app.ts");
  expect(made).toBe(0);
  expect((await app.request("/openapi.json", {}, env)).status).toBe(200);
  expect(made).toBeLessThan(10);
  for (const { operation } of operations()) {
    for (const schema of [operation.body, operation.response]) if (schema instanceof ZodLazy) schema.unwrap();
  }
  expect(made).toBeGreaterThan(200);
});

test("the modules of Node.js are loaded only by requests with certificates", async () => {
  const importing = Object.entries(sources).filter(([, text]) => /(?:from|import) ?\(?"node:/.test(text));
  expect(importing.map(([path]) => path)).toEqual([]);
  const loaded = vi.spyOn(process, "getBuiltinModule");
  await given.tlsEdge({ mutual_tls: { certificate_authority_ids: ["ca_1"] } });
  expect(loaded).not.toHaveBeenCalled();
  await given.authority();
  expect(loaded.mock.calls).toEqual([["node:crypto"]]);
});
