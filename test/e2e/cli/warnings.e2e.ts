import assert from "node:assert/strict";
import { test } from "node:test";
import { edge, type TestService, withServices } from "./services.ts";

/*
 * Changes that open a place without saying so themselves: the command says what the service says about each, word for word, and applies
 * none of them before somebody confirms every warning.
 */

let service: TestService;
withServices((started) => (service = started));

async function made(path: string, body: object): Promise<string> {
  const answer = await service.call("POST", path, body);
  return String(answer.body["id"] ?? assert.fail(JSON.stringify(answer.body)));
}

const NETWORK = "203.0.113.0/24";

/** A policy that admits everybody but a network, with its rule that denies that network. */
async function denying(): Promise<{ policy: string; rule: string }> {
  const policy = await made("/ip_policies", { description: "Nobody newly gets in." });
  await made("/ip_policy_rules", { ip_policy_id: policy, cidr: "0.0.0.0/0", action: "allow" });
  const rule = await made("/ip_policy_rules", { ip_policy_id: policy, cidr: NETWORK, action: "deny" });
  return { policy, rule };
}

let port = 30_000;

/** What opens a place, and the codes of its warnings. */
const ways: Record<string, { codes: string[]; operation: () => Promise<object> }> = {
  "a deny rule that is to end": {
    codes: ["later_newly_allowed"],
    operation: async () => {
      const { policy, rule } = await denying();
      await tcp({ ip_restriction: { ip_policy_ids: [policy] } });
      const expires_at = new Date(Date.now() + 3_600_000).toISOString();
      return { method: "PATCH", path: `/ip_policy_rules/${rule}`, body: { expires_at } };
    },
  },
  "a restricted route that is deleted above an open one": {
    codes: ["opens_to_everyone", "taken_over"],
    operation: async () => {
      const { policy } = await denying();
      const edgeId = await made("/edges/https", { hostports: [`shop.example.com:${port++}`] });
      const routes = `/edges/https/${edgeId}/routes`;
      const open = { match_type: "path_prefix", match: "/", backend: await backend() };
      await made(routes, open);
      const admin = { ...open, match: "/admin", ip_restriction: { ip_policy_ids: [policy] } };
      return { method: "DELETE", path: `${routes}/${await made(routes, admin)}` };
    },
  },
  "a traffic policy that is emptied": {
    codes: ["check_changed"],
    operation: async () => {
      const value = JSON.stringify({ on_tcp_connect: [{ actions: [{ type: "deny" }] }] });
      const id = await tcp({ traffic_policy: { value } });
      const body = { value: JSON.stringify({ on_tcp_connect: [] }) };
      return { method: "PUT", path: `/edges/tcp/${id}/traffic_policy`, body };
    },
  },
  "a port that another edge gets": {
    codes: ["opens_to_everyone", "taken_over"],
    operation: async () => {
      const { policy } = await denying();
      const id = await tcp({ ip_restriction: { ip_policy_ids: [policy] } });
      await made("/edges/tcp", { hostports: [`other.example.com:${port - 1}`], backend: await backend() });
      return { method: "DELETE", path: `/edges/tcp/${id}` };
    },
  },
};

const backend = async () => ({ backend_id: await made("/backends/static", { address: "db.internal:5432" }) });

/** A TCP edge on a port of its own. */
const tcp = async (modules: object): Promise<string> =>
  made("/edges/tcp", { hostports: [`db.example.com:${port++}`], backend: await backend(), ...modules });

for (const [what, { codes, operation }] of Object.entries(ways))
  test(`approve says what the service says about ${what}, and asks`, async () => {
    const { body } = await service.call("POST", "/plans", { operations: [await operation()] });
    const warnings = body["warnings"] as { code: string; msg: string; confirm: boolean }[];
    assert.deepEqual(
      warnings.map(({ code }) => code),
      codes,
    );
    const id = String(body["id"]);
    const asked = await edge(service, ["approve", id, "--yes"]);
    assert.equal(asked.code, 1);
    const [, words] = asked.stdout.split("\nEffect: ");
    const lines = warnings.map(({ code, msg }) => `  ! ${code}: ${msg}\n`);
    assert.equal(words, `${body["summary"]}\n${lines.join("")}\n`);
    const some = await edge(service, [
      "approve",
      id,
      "--yes",
      "--accept",
      codes.slice(1).join() || "problem_added",
    ]);
    assert.equal(some.code, 1, some.stdout);
    const applied = await edge(service, ["approve", id, "--yes", "--accept", codes.join()]);
    assert.equal(applied.code, 0, applied.stderr);
  });
