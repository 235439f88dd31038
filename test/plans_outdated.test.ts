// @module-tag thorough
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { type Answer, call, del, get, patch, post } from "./support/api.ts";
import * as given from "./support/given.ts";
import type { Json } from "./support/json.ts";
import { toDelete, toPut } from "./support/operations.ts";
import { empty } from "./support/stored.ts";

/*
 * What a plan does not change itself, but what its effect depends on or reaches.
 */

beforeEach(() => empty("events"));

const plan = (operations: Json[]): Promise<Answer> => post("/plans", { operations });
const apply = (made: Answer): Promise<Answer> =>
  call("POST", `/plans/${made.body["id"]}/apply`, undefined, {
    headers: { "If-Match": made.headers.get("ETag") ?? "" },
  });
const codeOf = ({ status, body }: Answer): [number, string | undefined] => [status, body["error_code"]];
const problemsNow = async (): Promise<Json[]> => (await get("/problems")).body["problems"];

describe("the problems of an HTTPS edge's routes", () => {
  const needsCertificate = JSON.stringify({
    on_http_request: [
      { expressions: ["conn.tls.client.subject.common_name == 'guest'"], actions: [{ type: "deny" }] },
    ],
  });
  const givenAuthenticating = async () => {
    const { id: authority } = await given.authority();
    const mutual_tls = { certificate_authority_ids: [authority] };
    const edge = await given.httpsEdge({ mutual_tls });
    const route = {
      edge_id: edge["id"],
      backend: { backend_id: (await given.staticBackend())["id"] },
      traffic_policy: { value: needsCertificate },
    };
    return { path: `/edges/https/${edge["id"]}`, mutual_tls, route };
  };

  test("are shown by a plan that ends the mutual TLS which their traffic policies need", async () => {
    const { path, mutual_tls, route } = await givenAuthenticating();
    await given.route(route);
    const ending = await plan([toDelete(`${path}/mutual_tls`)]);
    expect(ending.body["problems"]["added"]).toMatchObject([{ code: "traffic_policy_not_enforced" }]);
    expect((await apply(ending)).status).toBe(200);
    expect(await problemsNow()).toEqual(ending.body["problems"]["added"]);
    const restoring = await plan([toPut(`${path}/mutual_tls`, mutual_tls)]);
    expect(restoring.body["problems"]).toEqual({ added: [], removed: await problemsNow() });
  });

  test("outdate that plan when there is another such route", async () => {
    const { path, route } = await givenAuthenticating();
    const made = await plan([toDelete(`${path}/mutual_tls`)]);
    await given.route(route);
    expect(codeOf(await apply(made))).toEqual([412, "ERR_PLAN_OUTDATED"]);
  });
});

test.each(["created", "deleted"])(
  "a plan that lets a TCP edge have its port is outdated when an edge with another name on that port is %s",
  async (how) => {
    const backend = { backend: { backend_id: (await given.staticBackend())["id"] } };
    const first = await given.tlsEdge({ hostports: ["a.example.com:443"], ...backend });
    await given.tcpEdge({ hostports: ["b.example.com:443"], ...backend });
    const other = () => given.tlsEdge({ hostports: ["c.example.com:443"], ...backend });
    const { id } = how === "created" ? { id: "" } : await other();
    const operations = [toDelete(`/edges/tls/${first["id"]}`)];
    const made = await plan(operations);
    await (how === "created" ? other() : del(`/edges/tls/${id}`));
    expect(codeOf(await apply(made))).toEqual([412, "ERR_PLAN_OUTDATED"]);
    const fresh = await plan(operations);
    const left = (await problemsNow()).filter(({ object }) => object.startsWith("edgtls_"));
    expect((await apply(fresh)).status).toBe(200);
    const { added } = fresh.body["problems"];
    expect(await problemsNow()).toEqual([...left, ...added]);
    expect(added).toHaveLength(how === "created" ? 1 : 0);
  },
);

test("a change of a rule outdates a plan that deletes it, however many edges use its policy", async () => {
  const policy = await given.ipPolicy();
  const rule = await given.rule({ ip_policy_id: policy["id"], cidr: "192.0.2.0/24" });
  await env.DB.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 20001)
     insert into uses (target, user, edge_id) select ?, 'edgtcp_' || i, '' from n`,
  )
    .bind(policy["id"])
    .run();
  const made = await plan([toDelete(`/ip_policy_rules/${rule["id"]}`)]);
  expect(made.body["access"]).toBeNull();
  expect((await patch(`/ip_policy_rules/${rule["id"]}`, { cidr: "10.0.0.0/8" })).status).toBe(200);
  expect(codeOf(await apply(made))).toEqual([412, "ERR_PLAN_OUTDATED"]);
  await env.DB.prepare("delete from uses where target = ?").bind(policy["id"]).run();
});
