import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";

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
