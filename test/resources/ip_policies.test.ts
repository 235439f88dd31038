import { describe, expect, test } from "vitest";
import { create, del, get, ORIGIN, patch, post, outcome } from "../support/api.ts";
import * as given from "../support/given.ts";

test("a policy created from an empty body has neither description nor metadata", async () => {
  const policy = await create("/ip_policies");
  expect(Object.keys(policy)).toEqual(["id", "uri", "created_at"]);
});

test('a policy\'s strings are cleared by ""', async () => {
  const { id } = await given.ipPolicy({ description: "a", metadata: "b" });
  const { body } = await patch(`/ip_policies/${id}`, { description: "", metadata: "" });
  expect(Object.keys(body)).toEqual(["id", "uri", "created_at"]);
});

test("deleting a policy deletes only its own rules", async () => {
  const [policy, other] = [await given.ipPolicy(), await given.ipPolicy()];
  const rules = [
    await given.rule({ ip_policy_id: policy.id }),
    await given.rule({ ip_policy_id: policy.id }),
  ];
  const kept = await given.rule({ ip_policy_id: other.id });
  expect((await del(`/ip_policies/${policy.id}`)).status).toBe(204);
  for (const rule of rules)
    expect(outcome(await get(`/ip_policy_rules/${rule.id}`))).toBe("404 ERR_NOT_FOUND");
  expect((await get(`/ip_policy_rules/${kept.id}`)).body).toEqual(kept);
  expect(outcome(await del(`/ip_policies/${policy.id}`))).toBe("404 ERR_NOT_FOUND");
});

describe("a rule", () => {
  test("refers to its policy", async () => {
    const policy = await given.ipPolicy();
    const rule = await given.rule({
      ip_policy_id: policy.id,
      action: "deny",
      description: "bots",
      metadata: "m",
    });
    expect(rule).toEqual({
      id: expect.stringMatching(/^ipr_[0-9A-Za-z]{27}$/),
      uri: `${ORIGIN}/ip_policy_rules/${rule.id}`,
      created_at: expect.any(String),
      description: "bots",
      metadata: "m",
      cidr: "192.0.2.0/24",
      ip_policy: { id: policy.id, uri: policy.uri },
      action: "deny",
    });
  });

  test("requires an existing policy", async () => {
    const { id } = await given.ipPolicy();
    await del(`/ip_policies/${id}`);
    const rule = { cidr: "192.0.2.0/24", action: "allow", ip_policy_id: id };
    const { status, body } = await post("/ip_policy_rules", rule);
    expect([status, body.error_code]).toEqual([400, "ERR_UNKNOWN_REFERENCE"]);
    expect(body.errors).toMatchObject([{ path: "/ip_policy_id" }]);
  });

  test("cannot change its action or policy: PATCH rejects both and lists the accepted fields", async () => {
    const rule = await given.rule({ ip_policy_id: (await given.ipPolicy()).id });
    const { status, body } = await patch(`/ip_policy_rules/${rule.id}`, {
      action: "deny",
      ip_policy_id: "ipp_1",
    });
    const msg = "Unknown; accepted: description, metadata, cidr, expires_at.";
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { path: "/action", msg },
      { path: "/ip_policy_id", msg },
    ]);
  });

  test("can change its cidr", async () => {
    const rule = await given.rule({ ip_policy_id: (await given.ipPolicy()).id });
    const { body } = await patch(`/ip_policy_rules/${rule.id}`, { cidr: "2001:DB8::/32" });
    expect(body).toEqual({ ...rule, cidr: "2001:db8::/32" });
  });
});

describe("CIDR", async () => {
  const policyId = async () => (await given.ipPolicy()).id;
  const send = async (cidr: unknown) =>
    post("/ip_policy_rules", { cidr, action: "allow", ip_policy_id: await policyId() });

  test.each([
    ["192.0.2.0/24", "192.0.2.0/24"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["255.255.255.255", "255.255.255.255/32"],
    ["192.0.2.1", "192.0.2.1/32"],
    ["192.0.2.128/25", "192.0.2.128/25"],
    ["::/0", "::/0"],
    ["::1", "::1/128"],
    ["2001:0DB8:0000:0000:0000:0000:0000:0000/32", "2001:db8::/32"],
    ["2001:db8:0:1:0:0:0:0/64", "2001:db8:0:1::/64"],
    ["FE80::/10", "fe80::/10"],
    ["64:ff9b::192.0.2.0/120", "64:ff9b::c000:200/120"],
    ["::1.2.3.4", "::102:304/128"],
    ["::0.0.0.0/96", "::/96"],
    ["::10.0.0.0/104", "::a00:0/104"],
    ["::ffff:1.2.3.4", "::ffff:102:304/128"],
    ["1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304/128"],
    ["2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1/128"],
    ["ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255/128", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128"],
  ])("%s is stored as %s", async (given, kept) => {
    const answer = await send(given);
    expect(answer.body.cidr).toBe(kept);
    expect((await send(answer.body.cidr)).body.cidr).toBe(kept);
  });

  test.each([
    ["192.0.2.1/24", "192.0.2.0/24"],
    ["10.1.2.3/8", "10.0.0.0/8"],
    ["1.2.3.4/0", "0.0.0.0/0"],
    ["2001:db8::1/64", "2001:db8::/64"],
    ["::1/127", "::/127"],
    ["::1.2.3.4/96", "::/96"],
  ])("%s has host bits set: the error suggests %s", async (given, range) => {
    const { status, body } = await send(given);
    expect(status).toBe(400);
    expect(body.errors).toEqual([{ path: "/cidr", msg: `Host bits are set; expected ${range}.` }]);
  });
});
