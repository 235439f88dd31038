import { beforeEach, expect, test } from "vitest";
import { type Answer, call, del, get, patch, post, put, outcome } from "./support/api.ts";
import * as given from "./support/given.ts";
import type { Json } from "./support/json.ts";
import { toDelete, toPatch, toPost, toPut } from "./support/operations.ts";
import { empty } from "./support/stored.ts";
import { newest, operationOf, refused, rulesOf, undoing, undone } from "./support/undoing.ts";

/*
 * Plans that undo changes, from the log of events.
 */

beforeEach(() => empty());

test("the application of a plan is undone by its operation", async () => {
  const made = await post("/plans", { operations: [toPost("/ip_policies")] });
  const headers = { "If-Match": made.headers.get("ETag") ?? "" };
  const applied = await post(`/plans/${made.body["id"]}/apply`, undefined, { headers });
  expect(await undone(applied)).toMatchObject([{ method: "DELETE" }]);
  expect((await get("/ip_policies")).body["ip_policies"]).toEqual([]);
});

test("what was created is deleted", async () => {
  const policy = await given.ipPolicy();
  const created = await post("/ip_policy_rules", {
    ip_policy_id: policy["id"],
    cidr: "192.0.2.0/24",
    action: "allow",
  });
  const operations = await undone(created);
  expect(operations).toEqual([toDelete(`/ip_policy_rules/${created.body["id"]}`)]);
  expect(await rulesOf(policy)).toEqual([]);
});

test("what was deleted is created again under a new id", async () => {
  const policy = await given.ipPolicy();
  const rule = await given.rule({ ip_policy_id: policy["id"], description: "Lisbon" });
  const before = await rulesOf(policy);
  await undone(await del(`/ip_policy_rules/${rule["id"]}`));
  expect(await rulesOf(policy)).toEqual(before);
});

test("a change is undone field by field: strings, lists and modules, set and unset", async () => {
  const [backend, policy] = [await given.staticBackend(), await given.ipPolicy()];
  const edge = await given.tcpEdge({
    description: "Front",
    ip_restriction: { ip_policy_ids: [policy["id"]] },
  });
  const path = `/edges/tcp/${edge["id"]}`;
  const changed = await patch(path, {
    description: "",
    metadata: "m",
    hostports: [],
    backend: { backend_id: backend["id"] },
    ip_restriction: { enabled: false },
  });
  await undone(changed);
  const { body } = await get(path);
  expect(body).toEqual(edge);
  const removed = await del(`${path}/ip_restriction`);
  await undone(removed);
  expect((await get(path)).body).toEqual(edge);
});

test("a replacement of rules is undone as one", async () => {
  const policy = await given.ipPolicy();
  await given.rule({ ip_policy_id: policy["id"], cidr: "10.0.0.0/8", description: "kept" });
  await given.rule({ ip_policy_id: policy["id"], cidr: "10.1.0.0/16", description: "old" });
  await given.rule({ ip_policy_id: policy["id"], cidr: "10.2.0.0/16" });
  const before = await rulesOf(policy);
  const replaced = await put(`/ip_policies/${policy["id"]}/rules`, {
    rules: [
      { cidr: "10.0.0.0/8", action: "allow", description: "kept" },
      { cidr: "10.1.0.0/16", action: "allow", description: "new" },
      ...Array.from({ length: 100 }, (_, i) => ({ cidr: `192.0.2.${i}/32`, action: "deny" })),
    ],
  });
  const operations = await undone(replaced);
  expect(operations.map(({ method, path }) => [method, path])).toEqual([
    ["PUT", `/ip_policies/${policy["id"]}/rules`],
  ]);
  expect(await rulesOf(policy)).toEqual(before);
});

test("a deleted policy is created again with its rules, and edges and routes refer to the new one", async () => {
  const [policy, other] = [await given.ipPolicy({ description: "Lisbon" }), await given.ipPolicy()];
  await given.rule({ ip_policy_id: policy["id"], expires_at: "2099-01-01T00:00:00Z", description: "one" });
  await given.rule({ ip_policy_id: policy["id"], cidr: "2001:db8::/32", action: "deny" });
  const before = await rulesOf(policy);
  const restriction = { ip_policy_ids: [other["id"], policy["id"]] };
  const edge = await given.tcpEdge({ ip_restriction: restriction });
  const route = await given.route({ ip_restriction: restriction });
  const deleted = await del(`/ip_policies/${policy["id"]}`);
  const [event] = (await get("/events?limit=1")).body["events"];
  expect(event).toMatchObject({
    event_type: "ip_policy_deleted.v0",
    rules: [{ description: "one" }, { action: "deny" }],
  });
  await undone(deleted);
  const { body: list } = await get("/ip_policies");
  const found: Json = list["ip_policies"].find(({ description }: Json) => description === "Lisbon");
  expect(found["id"]).not.toBe(policy["id"]);
  expect(await rulesOf(found)).toEqual(before);
  for (const path of [`/edges/tcp/${edge["id"]}`, new URL(route["uri"]).pathname]) {
    const { ip_restriction } = (await get(path)).body;
    expect(ip_restriction.ip_policies.map(({ id }: Json) => id)).toEqual([other["id"], found["id"]]);
  }
});

test("a deleted HTTPS edge is created again with its routes", async () => {
  const edge = await given.httpsEdge({ description: "Shop" });
  await given.route({ edge_id: edge["id"], match: "/a", request_headers: { add: { a: "b" } } });
  await given.route({ edge_id: edge["id"], match: "/b", match_type: "exact_path" });
  const { body: before } = await get(`/edges/https/${edge["id"]}`);
  await undone(await del(`/edges/https/${edge["id"]}`));
  const [after] = (await get("/edges/https")).body["https_edges"];
  const plain = (json: Json): Json =>
    JSON.parse(
      JSON.stringify(json, (name, value) =>
        /^(?:id|edge_id|uri|created_at)$/.test(name) ? undefined : value,
      ),
    );
  expect(plain(after)).toEqual(plain(before));
});

test("all changes of a transaction are undone in reverse order", async () => {
  const policy = await given.ipPolicy();
  const answer = await post("/transactions", {
    operations: [
      toPost("/backends/static", { address: "shop.internal:80" }, { name: "shop" }),
      toPost("/edges/tcp", { backend: { backend_id: "$shop" } }, { name: "edge" }),
      toPatch(`/ip_policies/${policy["id"]}`, { description: "changed" }),
      toPut("/edges/tcp/$edge/ip_restriction", { ip_policy_ids: [policy["id"]] }),
    ],
  });
  await undone(answer);
  expect((await get("/edges/tcp")).body["tcp_edges"]).toEqual([]);
  expect((await get("/backends/static")).body["backends"]).toEqual([]);
  expect((await get(`/ip_policies/${policy["id"]}`)).body).toEqual(policy);
});

test("some events can be undone without the others of their request", async () => {
  const answer = await post("/transactions", {
    operations: ["a", "b"].map((description) => toPost("/ip_policies", { description })),
  });
  const [newest] = (await get("/events?limit=1")).body["events"];
  const made = await undoing({ events: [newest.event_id] });
  expect(made.status, made.text).toBe(201);
  expect(made.body["operations"]).toEqual([toDelete(`/ip_policies/${answer.body["results"][1].body.id}`)]);
});

const SINCE = "has changed since";

test.each<[string, string, () => Promise<Answer>]>([
  [
    "a change of an object that has changed since",
    SINCE,
    async () => {
      const policy = await given.ipPolicy();
      const changed = await patch(`/ip_policies/${policy["id"]}`, { description: "a" });
      await patch(`/ip_policies/${policy["id"]}`, { description: "b" });
      return changed;
    },
  ],
  [
    "a changed target",
    "it changed the secret /target/monitoring_vendor/api_key",
    async () => {
      const { id } = await given.destination();
      return patch(`/event_destinations/${id}`, { target: { monitoring_vendor: { api_key: "another" } } });
    },
  ],
  [
    "a webhook verification that was removed",
    "it needs the secret /webhook_verification/secret",
    async () => {
      const route = await given.route({ webhook_verification: { provider: "github", secret: "s" } });
      return del(`${new URL(route["uri"]).pathname}/webhook_verification`);
    },
  ],
  ["an API key", "cannot change such objects", async () => post("/api_keys", {})],
  ["a request that changed nothing", "it made none", () => get("/ip_policies")],
])("%s cannot be undone, and the error says why", async (_, reason, change) => {
  expect(await refused(await change())).toContain(reason);
});

test("an event that does not exist is 404", async () => {
  expect(outcome(await undoing({ events: ["ev_2fCzyKyxGFFQjbGvSPXiVOWCOkX"] }))).toBe("404 ERR_NOT_FOUND");
});

test("for those who may not read an event, undoing it fails like undoing an unknown one", async () => {
  const created = await post("/api_keys", {});
  const [event] = await newest();
  const unknown = {
    events: ["ev_2fCzyKyxGFFQjbGvSPXiVOWCOkX"],
    operation_id: "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX",
  };
  const asked = { events: [event?.["event_id"]], operation_id: operationOf(created) };
  const policy = await post("/ip_policies", {});
  const [readable] = await newest();
  const { token } = await given.key({ role: "planner" });
  const answerTo = async (undo: Json) => {
    const { status, body } = await call("POST", "/plans", { undo }, { token });
    const { operation_id: _, ...details } = body["details"];
    const msg = body["msg"].replace(undo["operation_id"], "OPERATION");
    return { ...body, status, details, msg };
  };
  for (const name of ["events", "operation_id"] as const) {
    const wanted = await answerTo({ [name]: unknown[name] });
    expect(wanted.status).toBe(name === "events" ? 404 : 409);
    expect(await answerTo({ [name]: asked[name] })).toEqual(wanted);
  }
  const mixed = await answerTo({ events: [readable?.["event_id"], event?.["event_id"]] });
  expect(mixed).toEqual(await answerTo({ events: unknown.events }));
  // Admins learn the reason.
  expect(await refused(created)).toContain("cannot change such objects");
  expect(await refused([event?.["event_id"]])).toContain(event?.["event_id"]);
  expect(await undone(policy)).toMatchObject([{ method: "DELETE" }]);
});

test("names replace ids only where the contract has ids", async () => {
  const policy = await given.ipPolicy();
  const backend = await given.httpResponse();
  const id: string = policy["id"];
  const texts = { description: id, metadata: backend["id"] };
  const edge = await given.httpsEdge(texts);
  const modules = {
    backend: { backend_id: backend["id"] },
    ip_restriction: { ip_policy_ids: [id] },
    request_headers: { add: { "x-policy": id, ip_policy_ids: backend["id"] }, remove: [id] },
    traffic_policy: { value: JSON.stringify([id, backend["id"]]) },
    user_agent_filter: { allow: [id], deny: [backend["id"]] },
  };
  const route = await given.route({ ...texts, edge_id: edge["id"], match: `/${id}`, ...modules });
  const other = await given.httpResponse({ ...texts, body: id, headers: { "x-id": id, backend_id: id } });
  const answer = await post("/transactions", {
    operations: [
      toDelete(new URL(route["uri"]).pathname),
      toDelete(`/backends/http_response/${other["id"]}`),
      toDelete(`/backends/http_response/${backend["id"]}`),
      toPatch(`/edges/https/${edge["id"]}`, { description: "x", metadata: "x" }),
      toDelete(`/ip_policies/${id}`),
    ],
  });
  expect(answer.status, answer.text).toBe(200);
  await undone(answer);
  const { body: after } = await get(`/edges/https/${edge["id"]}`);
  expect(after).toMatchObject(texts);
  const [again] = after["routes"];
  const { request_headers, traffic_policy, user_agent_filter } = route;
  expect(again).toMatchObject({
    ...texts,
    match: `/${id}`,
    request_headers,
    traffic_policy,
    user_agent_filter,
  });
  expect(again.ip_restriction.ip_policies[0].id).not.toBe(id);
  expect((await get(`/ip_policies/${again.ip_restriction.ip_policies[0].id}`)).status).toBe(200);
  expect((await get(`/backends/http_response/${again.backend.backend.id}`)).status).toBe(200);
  const { body: list } = await get("/backends/http_response");
  const { headers } = other;
  expect(list["backends"].find(({ body }: Json) => body === id)).toMatchObject({ ...texts, headers });
});

test("a change that set a secret is 409, another one of the same destination is undone", async () => {
  const destination = await given.destination({ description: "first" });
  const path = `/event_destinations/${destination["id"]}`;
  await undone(await patch(path, { description: "second" }));
  expect((await get(path)).body).toEqual(destination);
  const target = { monitoring_vendor: { api_key: "another" } };
  const message = await refused(await patch(path, { description: "third", target }));
  const [event] = await newest();
  expect(event).toMatchObject({ secrets_changed: ["/target/monitoring_vendor/api_key"] });
  expect(message).toBe(
    `${event?.["event_id"]} cannot be undone: it changed the secret /target/monitoring_vendor/api_key, whose earlier value is not in the log.`,
  );
});

test("a change that changed nothing is skipped; if there is no other, the error says so", async () => {
  const policy = await given.ipPolicy({ description: "same" });
  const answer = await post("/transactions", {
    operations: [toPatch(`/ip_policies/${policy["id"]}`, { description: "same" }), toPost("/ip_policies")],
  });
  expect(await undone(answer)).toMatchObject([{ method: "DELETE" }]);
  const same = await patch(`/ip_policies/${policy["id"]}`, { description: "same" });
  expect(await refused(same)).toBe("There is nothing to undo: the changes left everything as it was.");
});

test("exactly one of operations, undo events and an undone request is expected", async () => {
  for (const body of [
    {},
    {
      operations: [toDelete("/ip_policies/ipp_1")],
      undo: { operation_id: "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX" },
    },
    { undo: {} },
    { undo: { operation_id: "op_2fCzyKyxGFFQjbGvSPXiVOWCOkX", events: ["ev_2fCzyKyxGFFQjbGvSPXiVOWCOkX"] } },
    { undo: { events: [] } },
  ])
    expect((await post("/plans", body)).status).toBe(400);
});
