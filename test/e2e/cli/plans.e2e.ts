import assert from "node:assert/strict";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { plain } from "../../../packages/cli/src/output.ts";
import { operationLines } from "../../../packages/cli/src/plan_lines.ts";
import type { Body } from "./proxy.ts";
import {
  ACCEPT_ALL,
  edge,
  idIn,
  type Outcome,
  pathIn,
  type TestService,
  textOf,
  withServices,
} from "./services.ts";

/*
 * Plans on the command line: one person or program proposes what a file changes, another approves it.
 */

let service: TestService;
let empty: TestService;
withServices(
  (started) => (service = started),
  (started) => (empty = started),
);

/** The same service with another key. */
async function as(role: string): Promise<Pick<TestService, "url" | "key">> {
  const { body } = await service.call("POST", "/api_keys", { role });
  return { url: service.url, key: String(body["token"]) };
}

const get = async (path: string): Promise<Body> => (await service.call("GET", path)).body;

const planIn = ({ stdout }: Outcome): string => /Plan (pln_\w+)/.exec(stdout)?.[1] ?? assert.fail(stdout);

const office = (rules: string): string => `ip_policies:
  lisbon-office_1:
    description: Lisbon
    rules:
${rules}
`;
const LISBON = "      - { action: allow, cidr: 198.51.100.0/24 }";
const PORTO = "      - { action: allow, cidr: 203.0.113.0/24 }";

test("a planner proposes a file, and an editor with a copy of it applies what is shown", async () => {
  const [planner, editor] = [await as("planner"), await as("editor")];
  writeFileSync(
    pathIn("a.yaml"),
    `${office(LISBON)}tcp_edges:
  shop:
    hostports: ["shop.example.com:22"]
    ip_restriction: { ip_policy_ids: [lisbon-office_1] }
    backend: { backend_id: shop_ssh }
  idle: { hostports: ["idle.example.com:23"] }
static_backends:
  shop_ssh: { address: "shop.internal:22" }
`,
  );
  const proposed = await edge(planner, ["plan", "a.yaml", "--description", "Porto \u202e office"]);
  assert.equal(proposed.code, 2, proposed.stderr);
  assert.match(proposed.stdout, /\+ ip_policies\.lisbon-office_1/);
  assert.match(proposed.stdout, /Places:\n {2}shop\.example\.com:22 {2}shop\n {4}\+ 198\.51\.100\.0\/24\n/);
  assert.match(
    proposed.stdout,
    /^Effect: Some sources newly get in at 1 place; a problem appears\.\n {2}! newly_allowed: Some .*\n {4}problem_added: A problem appears: backend not set \(idle\)\.\n/m,
  );
  assert.match(proposed.stdout, /Problems that appear:[^]*backend_not_set/);
  assert.ok(proposed.stdout.includes(`${service.url}/console#/plans/${planIn(proposed)}`));
  assert.deepEqual((await get("/ip_policies"))["ip_policies"], []);

  const id = planIn(proposed);
  const rejected = await edge(planner, ["approve", id, "--yes", ACCEPT_ALL]);
  assert.deepEqual([rejected.code, /ERR_FORBIDDEN/.test(rejected.stderr)], [1, true], rejected.stderr);
  copyFileSync(pathIn("a.yaml"), pathIn("copy.yaml"));
  const applied = await edge(editor, ["approve", id, "copy.yaml", "--yes", ACCEPT_ALL]);
  assert.equal(applied.code, 0, applied.stderr);
  assert.match(
    applied.stdout,
    /^Porto \\u202e office\n {2}\+ ip_policies\.lisbon-office_1\n {6}description: "Lisbon"\n {6}\+ rule allow 198\.51\.100\.0\/24\n {2}\+ static_backends\.shop_ssh\n/,
  );
  assert.match(
    applied.stdout,
    / {2}\+ tcp_edges\.shop\n {6}description: "shop"\n {6}hostports: \["shop\.example\.com:22"\]\n {6}backend: \{ backend_id: "shop_ssh" \}\n {6}ip_restriction: \{ ip_policy_ids: \["lisbon-office_1"\] \}\n/,
  );
  assert.match(applied.stdout, /\+ 198\.51\.100\.0\/24[^]*Applied\.\n$/);
  assert.match(idIn("copy.yaml", "lisbon-office_1", service), /^ipp_/);
  assert.match(idIn("copy.yaml", "shop", service), /^edgtcp_/);
  const { code, stdout } = await edge(editor, ["diff", "copy.yaml"]);
  assert.deepEqual([code, stdout.includes("No differences.")], [0, true], stdout);
  const again = await edge(editor, ["approve", id, "--yes"]);
  assert.equal(again.code, 1);
  assert.match(
    again.stderr,
    new RegExp(`^The plan was applied by \\S.* at \\d{4}-\\S+Z\\. To undo it: edge undo ${id}\\n$`),
  );
});

test("no plan is made of a file without differences", async () => {
  const plans = async () => (await get("/plans"))["plans"].length;
  const before = await plans();
  const { code, stdout } = await edge(service, ["plan", "copy.yaml"]);
  assert.deepEqual([code, stdout.includes("No differences.")], [0, true], stdout);
  assert.equal(await plans(), before);
});

test("approve shows objects by their names if it gets the file", async () => {
  writeFileSync(pathIn("named.yaml"), office(LISBON));
  assert.equal((await edge(service, ["apply", "named.yaml", "--yes", "--create-all"])).code, 0);
  const id = idIn("named.yaml", "lisbon-office_1", service);
  writeFileSync(pathIn("named.yaml"), office(LISBON).replace("Lisbon", "Porto"));
  const proposed = planIn(await edge(service, ["plan", "named.yaml"]));
  const unnamed = await edge(service, ["approve", proposed]);
  assert.match(
    unnamed.stdout,
    new RegExp(`^ {2}~ IP policy "Porto" {2}${id}\n {6}description: "Lisbon" -> "Porto"\n`, "m"),
  );
  const { stdout } = await edge(service, ["approve", proposed, "named.yaml", "--yes", ACCEPT_ALL]);
  assert.match(stdout, new RegExp(`^ {2}~ ip_policies\\.lisbon-office_1 {2}${id}\n`, "m"));
});

test("a plan that something has overtaken is rejected, and its effect is computed again", async () => {
  writeFileSync(pathIn("b.yaml"), office(LISBON));
  assert.equal((await edge(service, ["apply", "b.yaml", "--yes", "--create-all"])).code, 0);
  writeFileSync(pathIn("b.yaml"), office(`${LISBON}\n${PORTO}`));
  const proposed = await edge(service, ["plan", "b.yaml"]);
  assert.match(proposed.stdout, /\+ 203\.0\.113\.0\/24/);
  const id = planIn(proposed);
  const policy = idIn("b.yaml", "lisbon-office_1", service);
  const backend = await service.call("POST", "/backends/static", { address: "porto.internal:22" });
  await service.call("POST", "/edges/tcp", {
    hostports: ["porto.example.com:2222"],
    ip_restriction: { ip_policy_ids: [policy] },
    backend: { backend_id: backend.body["id"] },
  });
  const outdated = await edge(service, ["approve", id, "--yes", ACCEPT_ALL]);
  assert.equal(outdated.code, 1);
  assert.match(
    outdated.stderr,
    /^Nothing was changed, because ipp_\w+ has changed since the effect was computed\. Look at the new effect: edge approve pln_\w+ \(412 ERR_PLAN_OUTDATED\)\n$/,
  );
  const refreshed = await edge(service, ["approve", id, "--yes", ACCEPT_ALL]);
  assert.equal(refreshed.code, 0, refreshed.stderr);
  assert.match(refreshed.stdout, /porto\.example\.com:2222 {2}edgtcp_\w+\n {4}\+ 203\.0\.113\.0\/24/);
});

test("a plan of a file that somebody else has overtaken must be made again", async () => {
  writeFileSync(pathIn("b.yaml"), office(PORTO));
  const id = planIn(await edge(service, ["plan", "b.yaml"]));
  const policy = idIn("b.yaml", "lisbon-office_1", service);
  await service.call("PATCH", `/ip_policies/${policy}`, { description: "Changed" });
  for (const options of [[], ["--refresh"]]) {
    const { code, stderr } = await edge(service, ["approve", id, "--yes", ACCEPT_ALL, ...options]);
    assert.equal(code, 1);
    assert.equal(
      stderr,
      "Nothing was changed, because somebody has changed an object of this plan since the plan was made. Make the plan again: edge plan. (412 ERR_PRECONDITION_FAILED)\n",
    );
  }
});

test("a plan is applied only after somebody agrees", async () => {
  writeFileSync(pathIn("c.yaml"), office(PORTO));
  const id = planIn(await edge(service, ["plan", "c.yaml", "--create-all"]));
  const stateOf = async () => (await get(`/plans/${id}`))["state"];
  const unasked = await edge(service, ["approve", id]);
  assert.deepEqual([unasked.code, /Not a terminal/.test(unasked.stderr)], [1, true]);
  const declined = await edge(service, ["approve", id], { typed: "n\n" });
  assert.deepEqual([declined.code, await stateOf()], [1, "open"]);
  assert.match(declined.stdout, /Apply this to .*\(y\/N\)/);
  const agreed = await edge(service, ["approve", id, "c.yaml"], { typed: "y\n" });
  assert.deepEqual([agreed.code, await stateOf()], [0, "applied"]);
  const byName = await edge(service, ["approve", id]);
  assert.equal(byName.code, 1);
});

test("a plan has the rules of a whole policy, and no more than one transaction", async () => {
  const rules = Array.from(
    { length: 2_000 },
    (_, n) => `      - { action: deny, cidr: 10.${n >> 8}.${n & 255}.0/24 }`,
  );
  writeFileSync(pathIn("d.yaml"), office(rules.join("\n")));
  const proposed = await edge(service, ["plan", "d.yaml", "--create-all"]);
  assert.equal(proposed.code, 2, proposed.stderr);
  assert.equal((await edge(service, ["approve", planIn(proposed), "d.yaml", "--yes"])).code, 0);
  const policy = idIn("d.yaml", "lisbon-office_1", service);
  const found = await get(`/ip_policies/${policy}/rules?limit=10000`);
  assert.equal(found["rules"].length, 2_000);

  const policies = Array.from({ length: 501 }, (_, n) => `  p${n}: {}`);
  writeFileSync(pathIn("e.yaml"), `ip_policies:\n${policies.join("\n")}\n`);
  const tooMany = await edge(service, ["plan", "e.yaml", "--create-all"]);
  assert.equal(tooMany.code, 1);
  assert.match(
    tooMany.stderr,
    /^No plan was made: the differences need 2 transactions, and a plan is one\. /,
  );
});

test("the findings of a traffic policy are shown with the plan", async () => {
  writeFileSync(
    pathIn("f.yaml"),
    `tcp_edges:
  gate:
    hostports: ["gate.example.com:22"]
    traffic_policy:
      value: |
        on_tcp_connect:
          - expressions: ["conn.client_ipp == 1"]
            actions: [{ type: deny }]
`,
  );
  const { stdout } = await edge(service, ["plan", "f.yaml", "--create-all"]);
  assert.match(
    stdout,
    /\n {6}traffic_policy\.value:\n {8}on_tcp_connect:\n {10}- expressions: \["conn\.client_ipp == 1"\]\n/,
  );
  // The line and the column of the file.
  assert.match(stdout, /Traffic policies:\n.*: invalid\n {4}f\.yaml:7:28: Unknown name "conn\.client_ipp"/);
  assert.match(textOf("f.yaml"), /client_ipp/);
});

test("at a terminal, apply shows the effect before it asks, and applies exactly that", async () => {
  writeFileSync(pathIn("g.yaml"), office(PORTO).replace("lisbon", "porto"));
  const states = async (): Promise<string[]> =>
    (await get("/plans"))["plans"].slice(0, 1).map((one: Body) => one["state"]);
  const declined = await edge(service, ["apply", "g.yaml", "--create-all"], { typed: "n\n" });
  assert.match(
    declined.stdout,
    /IP policies, without an effect at any place:[^]*\+ 203\.0\.113\.0\/24[^]*Effect:[^]*\(y\/N\)[^]*Nothing was changed\./,
  );
  assert.deepEqual([declined.code, await states()], [1, ["withdrawn"]]);
  const agreed = await edge(service, ["apply", "g.yaml", "--create-all"], { typed: "y\n" });
  assert.deepEqual([agreed.code, await states()], [0, ["applied"]], agreed.stdout);
  assert.match(idIn("g.yaml", "porto-office_1", service), /^ipp_/);
  const { code } = await edge(service, ["diff", "g.yaml"]);
  assert.equal(code, 0);
});

test("diff prints the effect that a plan would show, or why it is not shown, and what would be rejected", async () => {
  const [viewer, planner] = [await as("viewer"), await as("planner")];
  const diff = (who: typeof viewer, name: string): Promise<Outcome> =>
    edge(who, ["diff", name, "--create-all"]);
  writeFileSync(
    pathIn("diff.yaml"),
    `${office(PORTO).replace("lisbon", "faro")}tcp_edges:
  faro:
    hostports: ["faro.example.com:2223"]
    ip_restriction: { ip_policy_ids: [faro-office_1] }
    backend: { backend_id: faro_ssh }
static_backends:
  faro_ssh: { address: "faro.internal:22" }
`,
  );
  const before = (await get("/plans"))["plans"].length;
  const shown = await diff(planner, "diff.yaml");
  assert.equal(shown.code, 2, shown.stderr);
  assert.equal((await get("/plans"))["plans"].length, before);
  const planned = await edge(planner, ["plan", "diff.yaml", "--create-all"]);
  const effectIn = ({ stdout }: Outcome): string =>
    /Places:[^]*?(?=\n\nPlan |$)/.exec(stdout)?.[0].trim() ?? "";
  assert.match(effectIn(shown), /faro\.example\.com:2223[^]*\+ 203\.0\.113\.0\/24/);
  assert.equal(effectIn(shown), effectIn(planned));

  const denied = await diff(viewer, "diff.yaml");
  assert.match(
    denied.stdout,
    /^Effect:\n {2}! effect_unknown: It is not known who gets in afterwards: the key needs the role planner\.$/m,
  );
  const unknown = `ipp_${"2".repeat(27)}`;
  writeFileSync(
    pathIn("unknown.yaml"),
    `tcp_edges:\n  lagos:\n    hostports: ["lagos.example.com:22"]\n    ip_restriction: { ip_policy_ids: [${unknown}] }\n`,
  );
  const unaccepted = await diff(planner, "unknown.yaml");
  assert.match(
    unaccepted.stdout,
    /^Applying this would be rejected:\n[^]*unknown\.yaml:4:\d+: .*There is no object/m,
  );
  assert.deepEqual([denied.code, unaccepted.code], [2, 2]);
  writeFileSync(
    pathIn("secret.yaml"),
    "event_destinations:\n  log:\n    target: { monitoring_vendor: { api_key: '${EDGE_TEST_UNSET}', service: edge } }\n",
  );
  const secret = await diff(planner, "secret.yaml");
  assert.match(
    secret.stdout,
    /^ {2}! effect_unknown: It is not known who gets in afterwards: the environment variable EDGE_TEST_UNSET is not set\.$/m,
  );
});

test("the plan in docs/files.md is printed", async () => {
  const [, documented = ""] =
    /```text\n( {2}~ ip_policies\.office[^]*?)```/.exec(readFileSync("docs/files.md", "utf8")) ?? [];
  const file = (rules: string): string => `ip_policies:
  office:
    rules:
${rules}
tcp_edges:
  shop:
    hostports: ["shop.example.com:22"]
    ip_restriction: { ip_policy_ids: [office] }
    backend: { backend_id: shop_ssh }
static_backends:
  shop_ssh: { address: "shop.internal:22" }
`;
  writeFileSync(pathIn("edge.yaml"), file(LISBON));
  const applied = await edge(empty, ["apply", "edge.yaml", "--yes", "--accept", "newly_allowed"]);
  assert.equal(applied.code, 0, applied.stderr);
  writeFileSync(pathIn("edge.yaml"), file(`${LISBON}\n${PORTO}`));
  const { stdout } = await edge(empty, ["plan", "edge.yaml"]);
  const neutral = (text: string): string =>
    text
      .replaceAll(/(ipp|tce|pln)_\w{27}/g, "$1_ID")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
      .replaceAll(/https?:\/\/[^/\s]+/g, "ORIGIN");
  assert.equal(neutral(stdout), neutral(documented));
});

test("plans that wait are listed, and undo proposes the opposite of a change", async () => {
  for (const one of (await get("/plans?state=open"))["plans"])
    await service.call("DELETE", `/plans/${one.id}`);
  assert.equal((await edge(service, ["plans"])).stdout, "No plan waits for approval.\n");
  writeFileSync(pathIn("u.yaml"), 'static_backends: { spare: { address: "one.internal:1" } }\n');
  await edge(service, ["apply", "u.yaml", "--yes", "--create-all"]);
  writeFileSync(pathIn("u.yaml"), 'static_backends: { spare: { address: "two.internal:2" } }\n');
  const id = planIn(await edge(service, ["plan", "u.yaml", "--description", "Another address"]));
  const { stdout: listed } = await edge(service, ["plans"]);
  assert.match(
    listed,
    new RegExp(`^${id} {2}open until \\S+ {2}"Another address" {2}made by \\S.* at \\S+\n$`),
  );
  assert.equal((await edge(service, ["approve", id, "u.yaml", "--yes", ACCEPT_ALL])).code, 0);
  assert.equal((await edge(service, ["plans"])).stdout, "No plan waits for approval.\n");
  assert.match((await edge(service, ["plans", "--all"])).stdout, new RegExp(`^${id} {2}applied by `, "m"));

  const lines =
    / {2}~ static_backends\.spare {2}bkdsc_\w+\n {6}address: "two\.internal:2" -> "one\.internal:1"\n/;
  for (const what of [[], [id]]) {
    const { code, stdout, stderr } = await edge(service, ["undo", ...what, "--file", "u.yaml"]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, lines);
    assert.match(stdout, /\nTo apply it: edge approve pln_\w+ u\.yaml\n/);
    if (what.length === 0) assert.match(stderr, /^The last change was made at \S+Z by .* \(op_\w+\)\.\n$/);
  }
  const { events } = await get(`/events?object_id=${idIn("u.yaml", "spare", service)}&limit=1`);
  const undone = await edge(service, ["undo", events[0].event_id, "--json"]);
  const made = JSON.parse(undone.stdout);
  assert.equal(made.description, `Undo ${events[0].event_id}`);
  assert.equal((await edge(service, ["approve", made.id, "--yes"])).code, 0);
  assert.equal(
    (await get(`/backends/static/${idIn("u.yaml", "spare", service)}`))["address"],
    "one.internal:1",
  );

  const open = planIn(await edge(service, ["plan", "u.yaml"]));
  const early = await edge(service, ["undo", open]);
  assert.match(early.stderr, /^The plan was not applied, so there is nothing to undo\. \(409 ERR_CONFLICT/);
  await service.call("DELETE", `/plans/${open}`);
  const late = await edge(service, ["approve", open, "--yes"]);
  assert.equal(late.stderr, "The plan was withdrawn. Make it again: edge plan.\n");
  const wrong = await edge(service, ["undo", "bkdsc_1"]);
  assert.match(
    wrong.stderr,
    /^"bkdsc_1" is not the id of an event \(ev_…\), of a request \(op_…\) or of a plan \(pln_…\)\./,
  );
});

test("no change of a plan is hidden or has another sign, even if its values are left out", () => {
  const id = (prefix: string): string => `${prefix}_${"0".repeat(27)}`;
  const [edge, route, policy, rule] = ["edghts", "edghtsrt", "ipp", "ipr"].map(id);
  const object = (of = "") => ({ id: of, uri: `https://x/${of}` });
  const ref = object(id("bkdsc"));
  const changes = [
    { method: "DELETE", path: `/ip_policies/${policy}`, status: 204, object: object(policy) },
    {
      method: "PATCH",
      path: `/edges/https/${edge}/routes/${route}`,
      status: 200,
      object: object(route),
      before: { compression: { enabled: false }, backend: null },
      after: { compression: { enabled: true }, backend: { enabled: true, backend: ref } },
    },
    {
      method: "PATCH",
      path: `/ip_policy_rules/${rule}`,
      status: 200,
      object: object(rule),
      before: { cidr: "10.0.0.0/8" },
      after: { cidr: "10.0.0.0/9" },
    },
    { method: "DELETE", path: `/edges/https/${edge}/mutual_tls`, status: 204, object: object(edge) },
  ];
  const names = new Map([
    [policy, "ip_policies.office"],
    [ref.id, "static_backends.shop"],
  ]);
  const lines = operationLines({ changes }, (one) => names.get(one)).map(plain);
  assert.deepEqual(lines, [
    `  - ip_policies.office  ${policy}`,
    `  ~ HTTPS edge ${edge}`,
    `      ~ route ${route}`,
    "          compression.enabled: false -> true",
    '          backend: (not set) -> { backend_id: "shop" }',
    `  ~ rule ${rule}`,
    '      cidr: "10.0.0.0/8" -> "10.0.0.0/9"',
  ]);
});
