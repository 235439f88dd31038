import { expect, test } from "vitest";
import { kinds as kindsInFiles } from "../packages/cli/src/kinds.ts";
import { eventTypes } from "../packages/model/src/event_types.ts";
import { app } from "../src/app.ts";
import { operationOf } from "../src/http/route.ts";
import { routes } from "./support/api.ts";
import { collections } from "./support/examples.ts";

test("every route except redirects and the protocol of /mcp starts with its operation", () => {
  const first = new Map<string, object>();
  for (const { method, path, handler } of app.routes)
    if (method !== "ALL" && !first.has(`${method} ${path}`)) first.set(`${method} ${path}`, handler);
  const undeclared = [...first].filter(([, handler]) => !operationOf(handler)).map(([route]) => route);
  expect(undeclared).toEqual(["GET /", "GET /auth/login", "GET /auth/callback", "POST /mcp"]);
});

const seeds = Object.values(
  import.meta.glob<string>("../scripts/seed*.ts", { query: "?raw", import: "default", eager: true }),
).join("\n");

const paths = collections.map(({ path }) => path);

/** Lists that the service itself writes, and the list of a person's own keys, which are in another collection. */
const LOGS = [
  "/events",
  "/event_destinations/:id/dead_letters",
  "/problems",
  "/serving",
  "/agents",
  "/certificates",
  "/snapshot",
  "/snapshot/changes",
  "/traffic",
  "/traffic/servers",
  "/users",
  "/users/me/keys",
];

test("every list belongs to a collection, except those that the service writes", () => {
  const listed = routes
    .filter(
      ({ method, path, operation }) =>
        method === "GET" && operation.query && !/\/(?:used_by|access|rules)$/.test(path),
    )
    .map(({ path }) => path);
  expect(listed.toSorted(), "collectionsOf() in test/support/document.ts finds only such lists").toEqual(
    [...paths, "/edges/https/:edge_id/routes", "/plans", ...LOGS].toSorted(),
  );
});

test("every collection has example data in scripts/seed.ts", () => {
  // A key's token is shown only once, in the response that creates the key.
  const missing = paths.filter((path) => path !== "/api_keys" && !seeds.includes(`"${path}"`));
  expect(missing, "add these to scripts/seed.ts").toEqual([]);
});

test("operation ids are unique", () => {
  const ids = routes.map(({ operation }) => operation.id);
  expect(ids).toEqual([...new Set(ids)]);
});

test("event types are unique", () => {
  const types = eventTypes.map(({ type }) => type);
  expect(
    types,
    "this service has such objects: remove them from `elsewhere` in packages/model/src/event_types.ts",
  ).toEqual([...new Set(types)]);
});

/** Collections whose objects cannot be in files: keys and their owners. Rules are in their policies. */
const NOT_IN_FILES = ["/ip_policy_rules", "/bot_users", "/api_keys"];

test("the command `edge` keeps every other collection in files", () => {
  const inFiles = kindsInFiles.map(({ path }) => path);
  expect([...inFiles, ...NOT_IN_FILES].toSorted(), "see packages/cli/src/kinds.ts").toEqual(paths.toSorted());
});
