import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { clock, timestamp } from "../packages/model/src/clock.ts";
import { everyMinute } from "../src/background.ts";
import { del, get, patch, post, put, outcome } from "./support/api.ts";
import * as given from "./support/given.ts";
import type { Json } from "./support/json.ts";
import { toDelete, toPatch, toPost, toPut } from "./support/operations.ts";
import { empty } from "./support/stored.ts";
import { newest, refused, rulesOf, undone } from "./support/undoing.ts";

/*
 * Changes that are undone together although they depend on each other, and changes of which only a part can be undone.
 */

beforeEach(() => empty());

const inMinutes = (minutes: number): string => timestamp(clock.now() + minutes * 60_000);
/** Moves the clock, for all later tests too: an id is never before an earlier one. */
const pass = (minutes: number): void => {
  const before = clock.now;
  clock.now = () => before() + minutes * 60_000;
};

const transaction = async (...operations: Json[]) => {
  const answer = await post("/transactions", { operations });
  expect(answer.status, answer.text).toBe(200);
  return answer;
};

/** The only policy, edge or backend in a list. */
const only = async (path: string, member: string): Promise<Json> => {
  const list = (await get(path)).body[member];
  expect(list).toHaveLength(1);
  return list[0];
};

describe("rules of a policy", () => {
  test("that change before it is deleted in the same request are as before", async () => {
    const policy = await given.ipPolicy();
    const changed = await given.rule({ ip_policy_id: policy["id"], cidr: "10.0.0.0/8", description: "old" });
    const gone = await given.rule({ ip_policy_id: policy["id"], cidr: "10.1.0.0/16" });
    await given.rule({ ip_policy_id: policy["id"], cidr: "10.2.0.0/16", action: "deny" });
    const before = await rulesOf(policy);
    const answer = await transaction(
      toPatch(`/ip_policy_rules/${changed["id"]}`, { description: "new" }),
      toDelete(`/ip_policy_rules/${gone["id"]}`),
      toPost("/ip_policy_rules", { ip_policy_id: policy["id"], cidr: "10.3.0.0/16", action: "allow" }),
      toDelete(`/ip_policies/${policy["id"]}`),
    );
    await undone(answer);
    expect(await rulesOf(await only("/ip_policies", "ip_policies"))).toEqual(before);
  });

  test("with the same CIDR and action are all there again", async () => {
    const policy = await given.ipPolicy();
    for (const description of ["one", "two", "two"])
      await given.rule({ ip_policy_id: policy["id"], description });
    const before = await rulesOf(policy);
    const replaced = await put(`/ip_policies/${policy["id"]}/rules`, { rules: [] });
    await undone(replaced);
    expect(await rulesOf(policy)).toEqual(before);
    await undone(await del(`/ip_policies/${policy["id"]}`));
    expect(await rulesOf(await only("/ip_policies", "ip_policies"))).toEqual(before);
  });

  test("that were replaced are restored with the policy's description, in one request with other changes", async () => {
    const [policy, other] = [await given.ipPolicy(), await given.ipPolicy()];
    await given.rule({ ip_policy_id: policy["id"] });
    const before = await rulesOf(policy);
    const rules = Array.from({ length: 60 }, (_, i) => ({ cidr: `10.0.${i}.0/24`, action: "allow" }));
    const answer = await transaction(
      toPut(`/ip_policies/${policy["id"]}/rules`, { rules }),
      toPatch(`/ip_policies/${policy["id"]}`, { description: "changed" }),
      toPatch(`/ip_policies/${other["id"]}`, { description: "changed" }),
    );
    expect((await undone(answer)).map(({ method }) => method).toSorted()).toEqual(["PATCH", "PATCH", "PUT"]);
    expect(await rulesOf(policy)).toEqual(before);
    for (const { id, description } of [policy, other])
      expect((await get(`/ip_policies/${id}`)).body["description"]).toBe(description);
  });

  test("a description that was changed last in the request is restored too", async () => {
    const policy = await given.ipPolicy();
    const rule = await given.rule({ ip_policy_id: policy["id"] });
    const before = await rulesOf(policy);
    const answer = await transaction(
      toDelete(`/ip_policy_rules/${rule["id"]}`),
      toPatch(`/ip_policies/${policy["id"]}`, { description: "changed" }),
    );
    await undone(answer);
    expect((await get(`/ip_policies/${policy["id"]}`)).body).toEqual(policy);
    expect(await rulesOf(policy)).toEqual(before);
  });

  test("are restored after a replacement even if the log has no earlier event of the policy", async () => {
    const policy = await given.ipPolicy();
    await given.rule({ ip_policy_id: policy["id"] });
    const before = await rulesOf(policy);
    await env.DB.prepare("delete from events where type = 'ip_policy_created.v0'").run();
    await undone(await put(`/ip_policies/${policy["id"]}/rules`, { rules: [] }));
    expect(await rulesOf(policy)).toEqual(before);
    const changed = await patch(`/ip_policies/${policy["id"]}`, { description: "changed" });
    await env.DB.prepare("delete from events where seq < (select max(seq) from events)").run();
    expect(await refused(changed)).toContain("no earlier event of the object is kept");
  });

  test("that were there only during the request need nothing", async () => {
    const policy = await given.ipPolicy();
    const answer = await transaction(
      toPost(
        "/ip_policy_rules",
        { ip_policy_id: policy["id"], cidr: "10.0.0.0/8", action: "allow", expires_at: inMinutes(1) },
        { name: "rule" },
      ),
      toDelete("/ip_policy_rules/$rule"),
    );
    pass(2);
    expect(await refused(answer)).toContain("nothing to undo");
  });
});

describe("rules that expire", () => {
  test("a rule that was created and has expired since need not be deleted", async () => {
    const answer = await transaction(
      toPost("/ip_policies", { description: "new" }, { name: "policy" }),
      toPost("/ip_policy_rules", {
        ip_policy_id: "$policy",
        cidr: "10.0.0.0/8",
        action: "allow",
        expires_at: inMinutes(1),
      }),
    );
    pass(2);
    await everyMinute(env, clock.now());
    expect((await newest())[0]).toMatchObject({ event_type: "ip_policy_rule_deleted.v0" });
    expect(await undone(answer)).toMatchObject([{ method: "DELETE" }]);
    expect((await get("/ip_policies")).body["ip_policies"]).toEqual([]);
  });

  test("a rule that would have expired is not given its end again", async () => {
    const policy = await given.ipPolicy();
    const rule = await given.rule({ ip_policy_id: policy["id"], expires_at: inMinutes(1) });
    const changed = await patch(`/ip_policy_rules/${rule["id"]}`, { expires_at: "" });
    pass(2);
    expect(await refused(changed)).toContain("the rule as it was before has expired");
    const replaced = await put(`/ip_policies/${policy["id"]}/rules`, {
      rules: [{ cidr: rule["cidr"], action: rule["action"], expires_at: inMinutes(1) }],
    });
    await put(`/ip_policies/${policy["id"]}/rules`, { rules: [] });
    const [, event] = await newest(2);
    pass(2);
    expect(replaced.status).toBe(200);
    expect(await refused([event?.["event_id"]])).toContain("the rule has expired");
  });

  test("a replacement is undone without the rules that have expired since", async () => {
    const policy = await given.ipPolicy();
    await given.rule({ ip_policy_id: policy["id"], description: "stays" });
    const before = await rulesOf(policy);
    await given.rule({ ip_policy_id: policy["id"], cidr: "10.0.0.0/8", expires_at: inMinutes(1) });
    const replaced = await put(`/ip_policies/${policy["id"]}/rules`, { rules: [] });
    pass(2);
    await undone(replaced);
    expect(await rulesOf(policy)).toEqual(before);
  });
});

describe("what refers to a deleted object", () => {
  test("is restored whole if it was changed by the same request", async () => {
    const [policy, other] = [await given.ipPolicy({ description: "gone" }), await given.ipPolicy()];
    const ids = (all: Json[]) => ({ ip_policy_ids: all.map(({ id }) => id) });
    const both = await given.tcpEdge({ ip_restriction: ids([policy, other]) });
    const none = await given.tcpEdge({ hostports: ["b.example.com:443"] });
    const put = (edge: Json) => toPut(`/edges/tcp/${edge["id"]}/ip_restriction`, ids([policy]));
    const answer = await transaction(
      put(both),
      put(none),
      toPost("/edges/tcp", { ip_restriction: ids([policy]) }),
      toDelete(`/ip_policies/${policy["id"]}`),
    );
    await undone(answer);
    const { body: list } = await get("/edges/tcp");
    expect(list["tcp_edges"]).toHaveLength(2);
    expect((await get(`/edges/tcp/${none["id"]}`)).body).toEqual(none);
    const { body: policies } = await get("/ip_policies");
    const again: Json = policies["ip_policies"].find(({ description }: Json) => description === "gone");
    const { body: edge } = await get(`/edges/tcp/${both["id"]}`);
    expect(edge["ip_restriction"].ip_policies.map(({ id }: Json) => id)).toEqual([again["id"], other["id"]]);
  });

  test("refers to all new objects if several were deleted", async () => {
    const policies = [await given.ipPolicy({ description: "0" }), await given.ipPolicy({ description: "1" })];
    const authority = await given.authority();
    const edge = await given.tlsEdge({
      ip_restriction: { ip_policy_ids: policies.map(({ id }) => id) },
      mutual_tls: { enabled: false, certificate_authority_ids: [given.CA] },
    });
    const answer = await transaction(
      ...policies.map(({ id }) => toDelete(`/ip_policies/${id}`)),
      toDelete(`/certificate_authorities/${authority["id"]}`),
    );
    await undone(answer);
    const { body: after } = await get(`/edges/tls/${edge["id"]}`);
    const found = await Promise.all(
      after["ip_restriction"].ip_policies.map(async ({ id }: Json) => (await get(`/ip_policies/${id}`)).body),
    );
    expect(found.map(({ description }) => description)).toEqual(["0", "1"]);
    expect(after["mutual_tls"]).toEqual(edge["mutual_tls"]);
  });
});

describe("an HTTPS edge that is deleted", () => {
  test("has its routes as they were before the request", async () => {
    const edge = await given.httpsEdge();
    const at = `/edges/https/${edge["id"]}`;
    const [changed, gone] = [
      await given.route({ edge_id: edge["id"], match: "/changed", description: "old" }),
      await given.route({ edge_id: edge["id"], match: "/gone" }),
    ];
    const answer = await transaction(
      toPatch(`${at}/routes/${changed["id"]}`, { description: "new", match: "/x" }),
      toDelete(`${at}/routes/${gone["id"]}`),
      toPost(`${at}/routes`, { match_type: "exact_path", match: "/new" }),
      toDelete(at),
    );
    await undone(answer);
    const { routes } = await only("/edges/https", "https_edges");
    const plain = routes.map(({ match, description }: Json) => `${match} ${description ?? ""}`);
    expect(plain.toSorted()).toEqual(["/changed old", "/gone "]);
  });

  test("and was created by the same request, needs nothing, not even the secrets of its routes", async () => {
    const webhook_verification = { provider: "github", secret: "s" };
    const answer = await transaction(
      toPost("/edges/https", {}, { name: "edge" }),
      toPost("/edges/https/$edge/routes", { match_type: "exact_path", match: "/", webhook_verification }),
      toDelete("/edges/https/$edge"),
      toPost("/ip_policies"),
    );
    expect(await undone(answer)).toMatchObject([{ method: "DELETE" }]);
  });
});

test("modules that are only valid together are restored together", async () => {
  const mutual_tls = { certificate_authority_ids: [given.CA] };
  const edge = await given.tlsEdge({ mutual_tls, tls_termination: { terminate_at: "edge" } });
  const path = `/edges/tls/${edge["id"]}`;
  const changed = await patch(path, {
    mutual_tls: { ...mutual_tls, enabled: false },
    tls_termination: { terminate_at: "upstream" },
  });
  expect(changed.status, changed.text).toBe(200);
  await undone(changed);
  expect((await get(path)).body).toEqual(edge);
});

describe("an object that has changed since", () => {
  test("between the events that are undone", async () => {
    const { id } = await given.ipPolicy();
    const path = `/ip_policies/${id}`;
    const events: string[] = [];
    for (const body of [{ description: "a" }, { description: "b" }, { metadata: "c" }]) {
      await patch(path, body);
      events.push((await newest())[0]?.["event_id"]);
    }
    expect(await refused([events[0] ?? "", events[2] ?? ""])).toContain(`${id} has changed since`);
    expect(await undone(events)).toHaveLength(3);
  });

  test("because it was deleted with what it belonged to", async () => {
    const policy = await given.ipPolicy();
    const rule = await post("/ip_policy_rules", {
      ip_policy_id: policy["id"],
      cidr: "10.0.0.0/8",
      action: "allow",
    });
    await del(`/ip_policies/${policy["id"]}`);
    expect(await refused(rule)).toContain(`${policy["id"]} was deleted since`);
    const route = await given.route();
    const changed = await patch(new URL(route["uri"]).pathname, { description: "x" });
    await del(`/edges/https/${route["edge_id"]}`);
    expect(await refused(changed)).toContain(`${route["edge_id"]} was deleted since`);
  });

  test("because something was added to it", async () => {
    const policy = await post("/ip_policies", {});
    await given.rule({ ip_policy_id: policy.body["id"] });
    expect(await refused(policy)).toContain(`${policy.body["id"]} has changed since`);
    const edge = await post("/edges/https", {});
    await given.route({ edge_id: edge.body["id"] });
    expect(await refused(edge)).toContain(`${edge.body["id"]} has changed since`);
  });
});

describe("an edge or a route that is managed elsewhere", () => {
  const module = `/edges/https/${given.HTTPS_EDGE}/routes/${given.HTTPS_ROUTE}/compression`;

  test("a module is replaced, unset and set again", async () => {
    await put(module, { enabled: false });
    await undone(await put(module, { enabled: true }));
    expect((await get(module)).body).toEqual({ enabled: false });
    await undone(await del(module));
    expect((await get(module)).body).toEqual({ enabled: false });
  });

  test("that was an object here until it was deleted had no modules", async () => {
    const edge = await given.httpsEdge({ description: "here", tls_termination: { min_version: "1.3" } });
    const path = `/edges/https/${edge["id"]}`;
    await del(path);
    const set = await put(`${path}/mutual_tls`, { certificate_authority_ids: [given.CA] });
    expect(set.status, set.text).toBe(200);
    expect(await undone(set)).toEqual([toDelete(`${path}/mutual_tls`)]);
    expect(outcome(await get(`${path}/mutual_tls`))).toBe("404 ERR_NOT_FOUND");
  });
});
