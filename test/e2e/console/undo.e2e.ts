import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../support/json.ts";
import { applyPlan, choose, comeBack, open, signedIn, world } from "./world.ts";

/*
 * Undoing each kind of change from the log gives back what GET showed before.
 */

interface Answer {
  status: number;
  body: Json;
}

async function ask(method: string, path: string, body?: object): Promise<Answer> {
  const { service } = await world();
  const response = await fetch(service.origin + path, {
    method,
    headers: {
      Authorization: `Bearer ${service.key}`,
      "Service-Version": "2",
      "Content-Type": "application/json",
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : (JSON.parse(text) as Json) };
}

async function made(path: string, body: object): Promise<string> {
  const { status, body: object } = await ask("POST", path, body);
  assert.equal(status, 201, JSON.stringify(object));
  return String(object["id"]);
}

/** A kind of change: what exists before, the change, and the path of what it changes. */
interface Case {
  name: string;
  given: () => Promise<string>;
  change: (path: string) => Promise<Answer>;
}

const policy = async () => `/ip_policies/${await made("/ip_policies", { description: "Undone" })}`;
const backend = async () =>
  `/backends/static/${await made("/backends/static", { description: "Undone", address: "undone.example.com:80" })}`;
const edge = async () => {
  const ip_restriction = { ip_policy_ids: [await made("/ip_policies", {})] };
  const hostports = [`undone-${Date.now()}.example.com:9200`];
  return `/edges/tcp/${await made("/edges/tcp", { description: "Undone", hostports, ip_restriction })}`;
};

const cases: Case[] = [
  {
    name: "a changed policy",
    given: policy,
    change: (path) => ask("PATCH", path, { description: "Changed" }),
  },
  {
    name: "added rules",
    given: policy,
    change: (path) =>
      ask("PUT", `${path}/rules`, {
        rules: [
          { cidr: "10.0.0.0/8", action: "allow" },
          { cidr: "::/0", action: "deny" },
        ],
      }),
  },
  { name: "a deleted policy", given: policy, change: (path) => ask("DELETE", path) },
  {
    name: "a changed backend",
    given: backend,
    change: (path) => ask("PATCH", path, { address: "other.example.com:81" }),
  },
  { name: "a deleted backend", given: backend, change: (path) => ask("DELETE", path) },
  {
    name: "a changed edge",
    given: edge,
    change: (path) => ask("PATCH", path, { description: "", hostports: [] }),
  },
  {
    name: "a module that is set",
    given: edge,
    change: (path) => ask("PUT", `${path}/traffic_policy`, { value: '{"on_tcp_connect":[]}' }),
  },
  {
    name: "a module that is removed",
    given: edge,
    change: (path) => ask("DELETE", `${path}/ip_restriction`),
  },
  { name: "a deleted edge", given: edge, change: (path) => ask("DELETE", path) },
];

/** What GET shows, without what a restored object has anew. */
async function shownAt(path: string): Promise<Json> {
  const { body } = await ask("GET", path);
  const { id: _id, uri: _uri, created_at: _at, ...rest } = body;
  const { rules = [] } = path.startsWith("/ip_policies/") ? (await ask("GET", `${path}/rules`)).body : {};
  return { ...rest, rules: rules.map(({ cidr, action }: Json) => `${cidr} ${action}`) };
}

test("undoing each kind of change gives back what GET showed, or says why not", async (t) => {
  const reader = await signedIn();
  const { page, close } = reader;
  /** Opens the newest change of an object, and plans the opposite. */
  const undo = async (path: string): Promise<void> => {
    const { events } = (await ask("GET", `/events?object_id=${path.split("/").at(-1)}`)).body;
    await open(reader, `#/changes/${events[0].event_id}`);
    await choose(page, "More", /^Undo the whole request/);
  };
  const apply = async (): Promise<void> => {
    await applyPlan(page);
  };
  for (const { name, given, change } of cases)
    await t.test(name, async () => {
      const path = await given();
      const before = await shownAt(path);
      const { status, body } = await change(path);
      assert.ok(status < 300, JSON.stringify(body));
      await undo(path);
      await apply();
      const isGone = (await ask("GET", path)).status === 404;
      if (!isGone) return assert.deepEqual(await shownAt(path), before);
      // A deleted object is created again, with another id.
      const { events } = (await ask("GET", "/events?limit=1")).body;
      const restored = `${path.slice(0, path.lastIndexOf("/"))}/${events[0].object.id}`;
      assert.deepEqual(await shownAt(restored), before);
    });
  await t.test("a created backend", async () => {
    const path = await backend();
    await undo(path);
    await apply();
    assert.equal((await ask("GET", path)).status, 404);
  });
  await t.test("a created backend that is in use now cannot be undone, and the page says why", async () => {
    const path = await backend();
    const id = path.split("/").at(-1);
    await made("/edges/tcp", {
      hostports: [`used-${Date.now()}.example.com:9201`],
      backend: { backend_id: id },
    });
    await undo(path);
    const alert = page.getByRole("alert");
    await alert.getByText(/used by|in use|refer/i).waitFor();
    // The page has read the log since the edge was made.
    await comeBack(page);
    await alert.getByText(/^Still in use by “used-/).waitFor();
  });
  await close();
});
