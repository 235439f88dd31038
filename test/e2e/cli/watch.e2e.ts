import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { commandNode, edgeProgram } from "../support/commands.ts";
import { until } from "../support/wait.ts";
import { edge, fails, type TestService, withServices } from "./services.ts";

let service: TestService;

withServices((started) => (service = started));

/** Runs `edge watch` and then an action. Returns the output once it has `count` lines. */
async function watched(args: string[], count: number, action: () => Promise<void>): Promise<string[]> {
  const asked = service.count("GET /events");
  const child = spawn(commandNode, [edgeProgram(), "watch", "--interval", "0.1", ...args], {
    env: { PATH: process.env["PATH"], API: service.url, API_KEY: service.key },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const lines = (): string[] => output.split("\n").slice(0, -1);
  await until("it follows the log", () => service.count("GET /events") >= asked + 2);
  await action();
  await until(`there are ${count} lines`, () => lines().length >= count);
  child.kill("SIGINT");
  const [code] = (await closed) as [number];
  assert.equal(code, 0);
  return lines();
}

test("events are printed as they happen, or starting after a given event", async () => {
  await service.call("POST", "/ip_policies", { description: "before" });
  const create = (count: number) => async (): Promise<void> => {
    for (let number = 1; number <= count; number += 1)
      await service.call("POST", "/ip_policies", { description: `office ${number}` });
  };
  const lines = await watched([], 3, create(3));
  assert.equal(lines.length, 3);
  for (const [index, line] of lines.entries())
    assert.match(
      line,
      new RegExp(
        `^\\d{4}-\\d\\d-\\d\\dT\\S+Z {2}IP policy office ${index + 1} created {2}by \\S.* {2}ev_\\w{27}$`,
      ),
    );
  // More than one page of events in the meantime.
  await create(120)();
  const last = lines[1]?.split("  ").at(-1) ?? "";
  const later = await watched(["--after", last, "--json"], 122, create(1));
  const events = later.map((line) => JSON.parse(line) as { object: { description: string } });
  assert.deepEqual(
    events.map(({ object }) => object.description),
    ["office 3", ...Array.from({ length: 120 }, (_, index) => `office ${index + 1}`), "office 1"],
  );
});

test("watch says what was changed, of which object", async () => {
  const elsewhere = "/edges/https/edghts_2bbb/routes/edghtsrt_2bbb";
  const lines = await watched([], 9, async () => {
    const policy = (await service.call("POST", "/ip_policies", { description: "office" })).body;
    const rule = { ip_policy_id: policy["id"], cidr: "203.0.113.0/24", action: "allow" };
    const { id } = (await service.call("POST", "/ip_policy_rules", rule)).body;
    service.reject("GET /events?object_id", 403);
    await service.call("PATCH", `/ip_policy_rules/${id}`, { cidr: "203.0.113.0/26" });
    await service.call("PATCH", `/ip_policy_rules/${id}`, { cidr: "203.0.113.0/25" });
    await service.call("DELETE", `/ip_policy_rules/${id}`);
    const edges = (await service.call("POST", "/edges/https", { hostports: ["w.example.com:443"] })).body;
    const route = { match_type: "path_prefix", match: "/" };
    await service.call("POST", `/edges/https/${edges["id"]}/routes`, route);
    await service.call("PATCH", `/edges/https/${edges["id"]}`, { description: "web", metadata: "m" });
    await service.call("PUT", `${elsewhere}/circuit_breaker`, {});
  });
  assert.deepEqual(
    lines.map((line) => line.split("  ")[1]),
    [
      "IP policy office created",
      "rule 203.0.113.0/24 allow added to office",
      "rule 203.0.113.0/26 allow changed in office",
      "rule 203.0.113.0/25 allow changed in office: cidr 203.0.113.0/26 → 203.0.113.0/25",
      "rule 203.0.113.0/25 allow removed from office",
      "HTTPS edge w.example.com:443 created",
      "route path_prefix / added to w.example.com:443",
      "HTTPS edge web changed: description none → web, metadata none → m",
      "route edghtsrt_2bbb changed in edghts_2bbb",
    ],
  );
});

test("access shows whether an address is admitted, and why", async () => {
  const policy = (await service.call("POST", "/ip_policies", {})).body["id"];
  for (const [cidr, action] of [
    ["10.0.0.0/8", "allow"],
    ["10.1.0.0/16", "deny"],
  ])
    await service.call("POST", "/ip_policy_rules", { ip_policy_id: policy, cidr, action });
  const restricted = { ip_restriction: { ip_policy_ids: [policy] } };
  const tcp = (await service.call("POST", "/edges/tcp", restricted)).body["id"];
  const tls = (await service.call("POST", "/edges/tls", {})).body["id"];
  const https = (await service.call("POST", "/edges/https", {})).body["id"];
  const said = async (edgeId: string, ip: string): Promise<[number | null, string]> => {
    const { code, stdout } = await edge(service, ["access", edgeId, ip]);
    return [code, stdout];
  };
  const [allowed, text] = await said(tcp, "10.0.0.1");
  assert.equal(allowed, 0);
  assert.match(
    text,
    new RegExp(
      `^allowed  10\\.0\\.0\\.1  ${tcp}: a rule allows it, and none denies it\n  allow 10\\.0\\.0\\.0/8  ${policy}  ipr_\\w+\n$`,
    ),
  );
  const [denied, why] = await said(tcp, "10.1.0.1");
  assert.equal(denied, 2);
  assert.match(why, /^denied .*: a rule denies it\n(?: {2}(?:deny|allow) .*\n){2}$/);
  assert.match((await said(tls, "::1")).join(), /^0,allowed  ::1  edgtls_\w+: there is no IP restriction\n$/);
  assert.deepEqual(await said(https, "::1"), [2, "The edge has no routes, so it admits no address.\n"]);
  for (const [match, body] of [
    ["/", {}],
    ["/in", restricted],
  ] as const)
    await service.call("POST", `/edges/https/${https}/routes`, { match_type: "path_prefix", match, ...body });
  assert.match(
    (await said(https, "192.0.2.1")).join(),
    /^2,allowed .*path_prefix \/: .*\ndenied .*path_prefix \/in: no rule matches\n$/,
  );
  const ca_pem = readFileSync("test/support/certificates/rsa.pem", "utf8");
  const { id: authority } = (await service.call("POST", "/certificate_authorities", { ca_pem })).body;
  for (const path of [`/edges/tls/${tls}`, `/edges/https/${https}`])
    await service.call("PUT", `${path}/mutual_tls`, { certificate_authority_ids: [authority] });
  for (const id of [tls, https])
    assert.match((await said(id, "::1")).join(), /no IP restriction; the client also needs a certificate\n/);
  await fails(service, ["access", tcp, "nonsense"], /ERR_INVALID_REQUEST/);
});
