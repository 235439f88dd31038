import { beforeEach, expect, test } from "vitest";
import { get, outcome, patch, put } from "../support/api.ts";
import * as given from "../support/given.ts";
import type { Json } from "../support/json.ts";
import { empty } from "../support/stored.ts";

beforeEach(() => empty());

/** Reports the status of an agent, which then owns its name. */
const report = async (name: string, token?: string): Promise<void> => {
  const { status, text } = await put(
    `/agents/${name}/status`,
    { ok: true },
    token === undefined ? {} : { token },
  );
  expect(status, text).toBe(200);
};

const issuers = async (token?: string): Promise<Json> =>
  (await get("/issuing", token === undefined ? {} : { token })).body["issuers"];

const offered = ({ hosts, thumbprint }: Json): Json => ({ hosts, thumbprint });

test("agents are offered the issuers for all agents and for their names, oldest first, and nothing else of them", async () => {
  const [lisbon, porto, nameless] = [
    await given.key({ role: "agent" }),
    await given.key({ role: "agent" }),
    await given.key({ role: "agent" }),
  ];
  await report("lisbon-1", lisbon["token"]);
  await report("lisbon-2", lisbon["token"]);
  await report("porto-1", porto["token"]);
  const named = await given.issuer({ agents: ["faro-1", "lisbon-1", "lisbon-2"], description: "named" });
  const all = await given.issuer({ hosts: ["*"], external_account: { key_id: "k", hmac_key: "aGVsbG8" } });
  const both = await given.issuer({
    hosts: ["a.example.com", "*.b.example.com"],
    agents: ["porto-1", "lisbon-2"],
  });
  const nobodys = await given.issuer({ agents: ["faro-1"] });
  expect(await issuers(lisbon["token"])).toEqual([named, all, both].map(offered));
  expect(await issuers(porto["token"])).toEqual([all, both].map(offered));
  expect(await issuers(nameless["token"])).toEqual([offered(all)]);
  expect(await issuers()).toEqual([offered(all)]);
  await report("faro-1");
  expect(await issuers()).toEqual([named, all, nobodys].map(offered));
});

test("the ETag changes with what is offered, and with nothing else", async () => {
  const { token } = await given.key({ role: "agent" });
  const etagOf = async () => (await get("/issuing", { token })).headers.get("ETag") ?? "";
  const none = await etagOf();
  const issuer = await given.issuer();
  const one = await etagOf();
  expect(one).not.toBe(none);
  expect((await get("/issuing", { token, headers: { "If-None-Match": one } })).status).toBe(304);
  expect((await get("/issuing", { token, headers: { "If-None-Match": none } })).status).toBe(200);
  expect(outcome(await get("/issuing", { token, headers: { "If-Match": none } }))).toBe(
    "412 ERR_PRECONDITION_FAILED",
  );
  await patch(issuer["uri"], { description: "other" });
  expect(await etagOf()).toBe(one);
  await patch(issuer["uri"], { hosts: ["other.example.com"] });
  const changed = await etagOf();
  expect(changed).not.toBe(one);
  await patch(issuer["uri"], { agents: ["lisbon-1"] });
  expect(await etagOf()).toBe(none);
  await report("lisbon-1", token);
  expect(await etagOf()).toBe(changed);
});

test("a poll is one round trip, which reads each issuer and the agents that it names", async () => {
  const { token } = await given.key({ role: "agent" });
  await report("a1", token);
  const agents = Array.from({ length: 100 }, (_, i) => `a${i}`);
  await given.issuer({ agents });
  await given.issuer();
  await get("/issuing", { token });
  const { headers, cost } = await get("/issuing", { token });
  expect(cost).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
  expect(cost.rowsRead).toBeLessThanOrEqual(2 + 2 * agents.length);
  const again = await get("/issuing", { token, headers: { "If-None-Match": headers.get("ETag") ?? "" } });
  expect([again.status, again.cost.roundTrips]).toEqual([304, 1]);
});

test("no role but those of agents and admins may poll", async () => {
  for (const role of ["viewer", "planner", "editor", "metrics"])
    expect(outcome(await get("/issuing", { token: (await given.key({ role }))["token"] }))).toBe(
      "403 ERR_FORBIDDEN",
    );
});
