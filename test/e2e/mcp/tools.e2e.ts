import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import type { Client } from "@modelcontextprotocol/client";
import { Ajv2020 } from "ajv/dist/2020.js";
import { counts } from "../../support/counts.ts";
import type { Json } from "../../support/json.ts";
import { api, connect, eras, type Role, roles } from "./service.ts";

/*
 * Every tool, through official clients of both eras. Each result is checked against the tool's own schema.
 */

const READERS = [
  "find",
  "get",
  "explain_access",
  "recent_changes",
  "list_problems",
  "describe",
  "simulate",
] as const;

let given: Json;

/** An office that gets in to a shop, with what it takes to serve it. */
async function giveConfiguration(): Promise<Json> {
  const policy = await api("POST", "/ip_policies", { description: "Lisbon office" });
  const rule = await api("POST", "/ip_policy_rules", {
    ip_policy_id: policy["id"],
    cidr: "198.51.100.0/24",
    action: "allow",
  });
  const backend = await api("POST", "/backends/static", { address: "10.0.0.1:8080" });
  const edge = await api("POST", "/edges/tcp", {
    description: "Database",
    hostports: ["db.example.com:6432"],
    backend: { backend_id: backend["id"] },
    ip_restriction: { ip_policy_ids: [policy["id"]] },
  });
  const authority = await api("POST", "/certificate_authorities", {
    ca_pem: readFileSync("test/support/certificates/rsa.pem", "utf8"),
  });
  const https = await api("POST", "/edges/https", {
    hostports: ["shop.example.com:443"],
    mutual_tls: { certificate_authority_ids: [authority["id"]] },
  });
  const route = await api("POST", `/edges/https/${https["id"]}/routes`, {
    match: "/",
    match_type: "path_prefix",
    backend: { backend_id: backend["id"] },
  });
  const id = ({ id }: Json) => id as string;
  await api("PUT", "/agents/fra-1/status", { ok: true });
  await api("PUT", "/agents/fra-1/traffic", {
    resolution: 60,
    at: new Date((Math.floor(Date.now() / 60_000) - 1) * 60_000).toISOString(),
    totals: counts(),
    objects: [{ id: route["id"], ...counts({ requests: 12, "5xx": 1 }) }],
    other: counts({ requests: 1 }),
    lost: 0,
  });
  return {
    policy: id(policy),
    rule: id(rule),
    backend: id(backend),
    edge: id(edge),
    https: id(https),
    route: id(route),
  };
}

const ajv = new Ajv2020({ strict: false });

/** Calls a tool and returns its result, which matches the schema of the tool and is also the text. */
async function call(client: Client, name: string, input: Json): Promise<Json> {
  const { tools } = await client.listTools();
  const tool = tools.find((each) => each.name === name);
  assert.ok(tool, `${name} is not listed`);
  const { structuredContent, content, isError } = await client.callTool({ name, arguments: input });
  const [text] = content as { type: string; text: string }[];
  assert.equal(text?.text, JSON.stringify(structuredContent));
  assert.ok((text?.text.length ?? 0) < 24_500);
  if (isError) return { isError, ...(structuredContent as Json) };
  const isValid = ajv.validate(tool.outputSchema as object, structuredContent);
  assert.ok(isValid, `${name}: ${ajv.errorsText()} ${text?.text.slice(0, 500)}`);
  return structuredContent as Json;
}

before(async () => {
  given = await giveConfiguration();
});

for (const era of eras)
  describe(`a client of ${era}`, () => {
    test("lists the tools of its role, in a fixed order and at most 12 kB", async () => {
      const lists: Partial<Record<Role, string[]>> = {};
      for (const role of roles) {
        const { tools } = await (await connect(role, era)).listTools();
        lists[role] = tools.map(({ name }) => name);
        assert.ok(JSON.stringify(tools).length <= 12_000, String(JSON.stringify(tools).length));
        for (const { annotations, inputSchema, outputSchema } of tools) {
          assert.equal(annotations?.openWorldHint, false);
          assert.equal(inputSchema["additionalProperties"], false);
          assert.equal(outputSchema?.type, "object");
        }
      }
      const planner = [...READERS.slice(0, 6), "plan_change", "simulate"];
      const editor = [...planner, "apply_plan"];
      assert.deepEqual(lists, {
        viewer: [...READERS],
        planner,
        editor,
        admin: editor,
        agent: [],
        metrics: [],
      });
    });

    test("cannot call a tool above its role, or one that does not exist", async () => {
      const client = await connect("viewer", era);
      for (const name of ["plan_change", "apply_plan", "nothing", "__proto__", "constructor"])
        await assert.rejects(client.callTool({ name, arguments: {} }), { code: -32_602 }, name);
    });

    test("finds objects, page by page", async () => {
      const client = await connect("viewer", era);
      const { objects } = await call(client, "find", { kind: "tcp_edge", hostport: "db.example.com:6432" });
      assert.deepEqual(
        objects.map(({ id }: Json) => id),
        [given["edge"]],
      );
      const routes = await call(client, "find", { kind: "https_edge_route", edge_id: given["https"] });
      assert.equal(routes["objects"][0].id, given["route"]);
      const seen: string[] = [];
      let before: string | undefined;
      do {
        const page = await call(client, "find", {
          kind: "ip_policy",
          limit: 1,
          ...(before !== undefined && { before_id: before }),
        });
        seen.push(...page["objects"].map(({ id }: Json) => id));
        before = page["next_before_id"] ?? undefined;
      } while (before !== undefined);
      assert.equal(new Set(seen).size, seen.length);
      assert.ok(seen.includes(given["policy"]));
    });

    test("gets an object, its users and its rules", async () => {
      const client = await connect("viewer", era);
      const policy = await call(client, "get", { id: given["policy"], with_rules: true });
      assert.equal(policy["object"].description, "Lisbon office");
      assert.deepEqual(
        [policy["used_by"][0].id, policy["rules"][0].id, policy["more"]],
        [given["edge"], given["rule"], false],
      );
      assert.match(policy["etag"], /^"[0-9a-f]{8}-\d+"$/);
      const route = await call(client, "get", { id: given["route"], edge_id: given["https"] });
      assert.deepEqual([route["object"].id, route["used_by"]], [given["route"], null]);
      assert.deepEqual([route["traffic"].requests, route["traffic"].status["5xx"]], [12, 1]);
      // The agent has counted it with others.
      const edge = await call(client, "get", { id: given["edge"] });
      assert.deepEqual([edge["traffic"], policy["traffic"]], [null, null]);
    });

    test("explains who gets in", async () => {
      const client = await connect("viewer", era);
      const inside = await call(client, "explain_access", { id: given["edge"], ip: "198.51.100.7" });
      assert.equal(
        inside["sentence"],
        `The IP restriction of ${given["edge"]} allows 198.51.100.7, because rule ${given["rule"]} of policy ${given["policy"]} allows 198.51.100.0/24.`,
      );
      const outside = await call(client, "explain_access", { id: given["policy"], ip: "203.0.113.1" });
      assert.deepEqual([outside["allowed"], outside["reason"]], [false, "no_matching_rule"]);
      const all = await call(client, "explain_access", { id: given["https"], ip: "203.0.113.1" });
      assert.equal(
        all["sentence"],
        `1 of 1 routes of ${given["https"]} allow 203.0.113.1. The client also needs a certificate: the edge requires mutual TLS.`,
      );
      assert.deepEqual(
        [all["allowed"], all["routes"].map(({ id, allowed }: Json) => [id, allowed])],
        [true, [[given["route"], true]]],
      );
      const { https: edge_id, route: id } = given;
      const one = await call(client, "explain_access", { id, edge_id, ip: "203.0.113.1" });
      assert.equal(
        one["sentence"],
        `${id} has no IP restriction, so it allows 203.0.113.1. The client also needs a certificate: the edge requires mutual TLS.`,
      );
      assert.equal(all["routes"][0].sentence, one["sentence"]);
      assert.match(outside["sentence"], /^IP policy ipp_\w+ rejects 203\.0\.113\.1, because no rule matches/);
    });

    test("lists problems and simulates a request", async () => {
      const client = await connect("viewer", era);
      const { problems, agents } = await call(client, "list_problems", {});
      assert.ok(Array.isArray(problems) && Array.isArray(agents));
      const simulated = await call(client, "simulate", {
        request: { url: "tcp://db.example.com:6432", source_ip: "203.0.113.1" },
      });
      assert.match(simulated["sentence"], /the connection is closed \(ip_restriction\)/);
    });

    test("describes operations", async () => {
      const client = await connect("viewer", era);
      const created = await call(client, "describe", { method: "POST", path: "/edges/tcp" });
      assert.equal(created["operation_id"], "TcpEdgesCreate");
      assert.ok(created["body"].$defs.TcpEdgeCreate.properties.hostports);
      for (const path of ["/edges/tcp/{id}/backend", `/edges/tcp/${given["edge"]}/backend`])
        assert.equal((await call(client, "describe", { method: "PUT", path }))["required_role"], "editor");
      for (const path of [
        "/edges/udp",
        "/../../wrangler.toml",
        "/%2e%2e/docs.html",
        "//evil.example/x",
        "?",
        "",
      ]) {
        const { operations } = await call(client, "describe", { method: "GET", path });
        assert.ok(operations.includes("GET /edges/tcp: List TCP edges"), path);
      }
    });

    test("plans a change, sees who newly gets in, applies it, finds it in the log and undoes it", async () => {
      const [planner, editor] = [await connect("planner", era), await connect("editor", era)];
      const plan = await call(planner, "plan_change", {
        description: "Porto office",
        operations: [
          {
            method: "POST",
            path: "/ip_policy_rules",
            body: { ip_policy_id: given["policy"], cidr: "203.0.113.0/24", action: "allow" },
          },
        ],
      });
      assert.deepEqual(plan["access"][0].newly_allowed, ["203.0.113.0/24"]);
      const { etag, id } = plan as { etag: string; id: string };
      assert.equal((await call(planner, "get", { id }))["etag"], etag);
      const stale = await call(editor, "apply_plan", { plan_id: id, etag: '"0a1b2c3d-9"' });
      assert.deepEqual([stale["isError"], stale["error_code"]], [true, "ERR_PRECONDITION_FAILED"]);
      const applied = await call(editor, "apply_plan", { plan_id: id, etag });
      assert.equal(applied["results"][0].status, 201);
      assert.match(applied["operation_id"], /^op_/);
      // The quotes are part of an ETag. Applying again returns the first result.
      const again = await call(editor, "apply_plan", { plan_id: id, etag: etag.replaceAll('"', "") });
      assert.equal(again["operation_id"], applied["operation_id"]);
      const rule = applied["results"][0].body.id;
      await api("PATCH", `/ip_policy_rules/${rule}`, { description: "Porto" });
      const { events } = await call(editor, "recent_changes", { object_id: rule });
      assert.deepEqual(
        events.map(({ type, changed }: Json) => [type, changed]),
        [
          ["ip_policy_rule_updated.v0", [{ field: "description", before: null, after: "Porto" }]],
          ["ip_policy_rule_created.v0", null],
        ],
      );
      assert.equal(events[1].plan_id, id);
      const undo = await call(planner, "plan_change", {
        undo: { events: events.map((event: Json) => event["id"]) },
      });
      assert.deepEqual(undo["access"][0].newly_refused, ["203.0.113.0/24"]);
      await call(editor, "apply_plan", { plan_id: undo["id"], etag: undo["etag"] });
      await assert.rejects(api("GET", `/ip_policy_rules/${rule}`), /404/);
    });

    test("gets the errors of the API as results", async () => {
      const client = await connect("planner", era);
      const missing = await call(client, "get", { id: "ipp_missing" });
      assert.deepEqual(
        [missing["isError"], missing["error_code"], missing["status_code"]],
        [true, "ERR_NOT_FOUND", 404],
      );
      const wrong = await call(client, "find", { kind: "unicorn", limit: 0, where: 1 });
      assert.equal(wrong["error_code"], "ERR_INVALID_REQUEST");
      assert.deepEqual(
        wrong["errors"].map(({ path }: Json) => path),
        ["/kind", "/limit", "/where"],
      );
      assert.match(wrong["errors"][2].msg, /^Unknown; accepted: kind, edge_id, hostport, /);
      const kinds = await call(client, "explain_access", { id: "bb_1", ip: "192.0.2.1" });
      assert.equal(
        kinds["errors"][0].msg,
        "Expected an id that begins with one of these: edgtcp_, edgtls_, edghtsrt_, ipp_.",
      );
      const plan = await call(client, "plan_change", {
        operations: [{ method: "DELETE", path: "/api_keys/ak_1" }],
      });
      assert.equal(plan["errors"][0].path, "/operations/0/path");
    });
  });
