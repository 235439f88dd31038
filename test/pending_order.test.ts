import { expect, test, vi } from "vitest";

/*
 * The order in which the console sends pending changes.
 */

interface Change {
  type: "create" | "delete" | "rules" | "update";
  path: string;
  title: string;
  [field: string]: unknown;
}

// The console's modules expect a browser, even if only types are used.
vi.stubGlobal("location", { origin: "http://localhost" });
const path = "../packages/console/src/changes/order.ts";
const { operationsFor } = (await import(path)) as {
  operationsFor: (changes: Change[]) => { operation: { method: string; path: string } }[];
};

const removal = (path: string): Change => ({ type: "delete", path, title: path, etag: '"1"' });
const linesOf = (changes: Change[]): string[] =>
  operationsFor(changes).map(({ operation: { method, path } }) => `${method} ${path}`);

test("objects are deleted after the objects that use them, whatever order the user chose", () => {
  const paths = [
    "/event_destinations/d",
    "/backends/static/b",
    "/backends/weighted/w",
    "/backends/failover/f",
    "/certificate_authorities/c",
    "/ip_policies/p",
    "/edges/https/e/routes/r",
    "/edges/tcp/t",
    "/event_subscriptions/s",
  ];
  for (const chosen of [paths, paths.toReversed()]) {
    const sent = linesOf(chosen.map(removal));
    const at = (path: string): number => sent.indexOf(`DELETE ${path}`);
    for (const [user, used] of [
      ["/event_subscriptions/s", "/event_destinations/d"],
      ["/edges/tcp/t", "/backends/static/b"],
      ["/edges/https/e/routes/r", "/backends/failover/f"],
      ["/backends/failover/f", "/backends/weighted/w"],
      ["/backends/weighted/w", "/backends/static/b"],
      ["/edges/tcp/t", "/ip_policies/p"],
      ["/edges/https/e/routes/r", "/ip_policies/p"],
      ["/edges/tcp/t", "/certificate_authorities/c"],
    ] as const)
      expect(at(user), `${user} ${used}`).toBeLessThan(at(used));
    expect(sent).toHaveLength(paths.length);
  }
});

test("a reference is removed before its object, and a host is free before a new edge uses it", () => {
  const sent = linesOf([
    removal("/ip_policies/p"),
    removal("/edges/tcp/old"),
    {
      type: "create",
      path: "/edges/tcp",
      name: "n1",
      title: "New",
      body: { hostports: ["a.example.com:1"] },
    },
    {
      type: "update",
      path: "/edges/tls/t",
      title: "T",
      etag: '"1"',
      base: {},
      body: { ip_restriction: null },
    },
  ]);
  expect(sent).toEqual([
    "DELETE /edges/tcp/old",
    "POST /edges/tcp",
    "DELETE /edges/tls/t/ip_restriction",
    "DELETE /ip_policies/p",
  ]);
});

test("changes to parts of a deleted object are left out", () => {
  const sent = linesOf([
    removal("/edges/https/e/routes/r"),
    { type: "rules", path: "/ip_policies/p/rules", title: "P", etag: '"1"', base: [], rules: [] },
    removal("/ip_policies/p"),
    removal("/edges/https/e"),
    removal("/edges/https/ee/routes/r"),
  ]);
  expect(sent).toEqual(["DELETE /edges/https/e", "DELETE /edges/https/ee/routes/r", "DELETE /ip_policies/p"]);
});

test("an edge is changed before its routes, whichever was edited first", () => {
  const update = (path: string): Change => ({
    type: "update",
    path,
    title: path,
    etag: '"1"',
    base: {},
    body: { description: "x" },
  });
  const [edge, route] = [update("/edges/https/e"), update("/edges/https/e/routes/r")];
  for (const changes of [
    [edge, route],
    [route, edge],
  ])
    expect(linesOf(changes)).toEqual(["PATCH /edges/https/e", "PATCH /edges/https/e/routes/r"]);
});

test("expired rules are not sent", () => {
  const rules = [
    { cidr: "192.0.2.0/24", action: "allow", expires_at: "2020-01-02T03:04:05Z" },
    { cidr: "198.51.100.0/24", action: "allow" },
    { cidr: "203.0.113.0/24", action: "allow", expires_at: "2090-01-02T03:04:05Z" },
  ];
  const change = {
    type: "rules",
    path: "/ip_policies/p/rules",
    title: "P",
    etag: '"1"',
    base: [],
    rules,
  } as const;
  expect(operationsFor([change])).toMatchObject([{ operation: { body: { rules: rules.slice(1) } } }]);
});

test("a new object is created before the new objects that refer to it, whichever was entered first", () => {
  const creation = (name: string, path: string, body: object): Change => ({
    type: "create",
    name,
    path,
    title: name,
    body,
  });
  const all = [
    creation("edge", "/edges/tcp", { backend: { backend_id: "$fallback" } }),
    creation("fallback", "/backends/failover", { backends: ["$split", "$server"] }),
    creation("split", "/backends/weighted", { backends: { $server: 1 } }),
    creation("server", "/backends/static", {}),
  ];
  for (const changes of [all, all.toReversed(), [...all.slice(2), ...all.slice(0, 2)]])
    expect(linesOf(changes)).toEqual([
      "POST /backends/static",
      "POST /backends/weighted",
      "POST /backends/failover",
      "POST /edges/tcp",
    ]);
});
