import assert from "node:assert/strict";
import { copyFileSync, existsSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Body } from "./proxy.ts";
import {
  ACCEPT_ALL,
  edge,
  fails,
  emptyService,
  idIn,
  type Outcome,
  pathIn,
  secrets,
  seed,
  type TestService,
  textOf,
  withServices,
} from "./services.ts";

let service: TestService;

withServices((started) => (service = started));

const succeeded = ({ code, stdout, stderr }: Outcome): string => {
  assert.equal(code, 0, stdout + stderr);
  return stdout;
};

/** Applied, with or without problems: many edges in these tests have no backend. */
const applied = ({ code, stdout, stderr }: Outcome): string => {
  assert([0, 3].includes(code ?? 1), stdout + stderr);
  return stdout;
};

const apply = (on: TestService, file: string, ...flags: string[]): Promise<Outcome> =>
  edge(on, ["apply", file, "--yes", ACCEPT_ALL, ...flags], { env: secrets });

/** Applies a file, and checks that there are no differences afterwards. */
async function settle(on: TestService, file: string, ...flags: string[]): Promise<string> {
  const output = applied(await apply(on, file, ...flags));
  const sent = on.count("POST /");
  assert.equal(succeeded(await edge(on, ["diff", file])).split("\n")[0], "No differences.");
  succeeded(await apply(on, file));
  assert.equal(on.count("POST /"), sent);
  return output;
}

const write = (file: string, text: string): string => {
  writeFileSync(pathIn(file), text);
  writeFileSync(pathIn(`${file}.ids.json`), `{"${service.url}": {}}`);
  return file;
};

const get = async (path: string): Promise<Body> => (await service.call("GET", path)).body;

test("exporting, applying elsewhere and exporting again returns the same file", async (t) => {
  const [seeded, other] = [await emptyService(), await emptyService()];
  t.after(async () => {
    await seeded.stop();
    await other.stop();
  });
  await seed(seeded);
  for (const file of ["seeded.yaml", "seeded.json"]) {
    succeeded(await edge(seeded, ["export", file]));
    assert.equal(succeeded(await edge(seeded, ["diff", file])), "No differences.\n");
  }
  assert.match(textOf("seeded.yaml"), /- \{ action: deny, cidr: 10\.0\.0\.0\/8, description: Private-Use \}/);
  for (const [ip, code] of [
    ["8.8.8.8", 0],
    ["2a00::1", 0],
    ["10.0.0.1", 2],
  ] as const) {
    const asked = await edge(seeded, ["access", "shop_over_https", ip, "--file", "seeded.yaml"]);
    assert.equal(asked.code, code, asked.stdout);
  }
  assert.doesNotMatch(textOf("seeded.yaml"), /example-secret|created_at|\buri:|null|_[0-9A-Za-z]{27}/);

  const before = other.count("POST /plans/");
  const output = await settle(other, "seeded.yaml");
  assert.match(output, /^Plan: 28 to create, 0 to change, 0 to delete \(plus 56 rules\/routes to create\)/m);
  assert.equal(other.count("POST /plans/"), before + 1);
  // With the names in the ids file, and without: then objects are named in the order of their creation.
  copyFileSync(pathIn("seeded.yaml.ids.json"), pathIn("again.yaml.ids.json"));
  succeeded(await edge(other, ["export", "again.yaml"]));
  // The first line names the schema of the service.
  const seededThere = textOf("seeded.yaml").replace(seeded.url, other.url);
  assert.equal(textOf("again.yaml"), seededThere);
  succeeded(await edge(other, ["export", "new.yaml"]));
  assert.equal(textOf("new.yaml"), seededThere);
  copyFileSync(pathIn("seeded.yaml.ids.json"), pathIn("again.json.ids.json"));
  succeeded(await edge(other, ["export", "again.json"]));
  assert.equal(textOf("again.json"), textOf("seeded.json"));
  const printed = await edge(other, ["export"]);
  assert.equal(printed.stdout, seededThere);
});

const SHOP = `# The shop.
ip_policies:
  # Who works there.
  office:
    description: Lisbon
    rules:
      - { cidr: 198.51.100.7, action: allow } # bare address
      - { action: deny, cidr: "2001:DB8:0::/48", description: not these }
  nobody:
certificate_authorities: {}
http_response_backends:
  sorry: { status_code: 503, body: "Back in a minute", headers: { X-B: b, X-A: "" } }
static_backends:
  blue: { address: "blue.internal:80" }
  green: { address: "green.internal:80", tls: { enabled: true } }
weighted_backends:
  both:
    backends: { green: 1, blue: 9 }
failover_backends:
  safe:
    backends: [last, both, sorry] # last is created later
  last:
    backends: [sorry]
tcp_edges:
  ssh:
    hostports: ["ssh.example.com:22"]
    backend: { backend_id: safe }
    ip_restriction: { ip_policy_ids: [office, nobody] }
tls_edges:
  front:
    tls_termination: { terminate_at: upstream }
    mutual_tls: { enabled: false, certificate_authority_ids: [ca_2fCzyKyxGFFQjbGvSPXiVOWCOkX] }
https_edges:
  web:
    hostports: ["www.example.com:443"]
    mutual_tls: {}
    tls_termination: {}
    routes:
      - match_type: path_prefix
        match: /
        backend: { backend_id: both }
        circuit_breaker: {}
        compression: {}
        ip_restriction: {}
        request_headers: {}
        response_headers: { add: { X-B: b, X-A: a }, remove: [] }
        traffic_policy: { value: "\${not a variable}" }
        user_agent_filter: {}
        webhook_verification: { provider: sns }
        websocket_tcp_converter: {}
certificate_issuers:
  public:
    directory_url: https://acme.example.com/directory
    contact: ["mailto:ops@example.com"]
    terms_of_service_agreed: true
    hosts: [www.example.com, "*.apps.example.com", "*"]
    agents: [lisbon-1] # the only one
event_destinations:
  archive:
    target:
      object_storage:
        auth: { role: { role_arn: "arn:aws:iam::123456789012:role/edge" } }
        bucket_arn: "arn:aws:s3:::edge"
        region: eu-west-1
event_subscriptions:
  all:
    sources: [{ type: ip_policy_created.v0 }]
    destination_ids: [archive]
`;

test("an export keeps comments, defaults and other spellings", async () => {
  const file = write("shop.yaml", SHOP);
  await settle(service, file);
  succeeded(await edge(service, ["export", file]));
  assert.equal(textOf(file), SHOP);
  const rules = await get("/ip_policy_rules");
  assert.equal(rules["ip_policy_rules"].length, 2);
  // Changes made by hand are added to the file. The rest keeps its text.
  await service.call("PATCH", `/ip_policies/${idIn(file, "nobody", service)}`, {
    description: "Nobody, really",
  });
  await service.call("POST", "/ip_policies", { description: "New" });
  succeeded(await edge(service, ["export", file]));
  assert.equal(
    textOf(file),
    SHOP.replace("  nobody:\n", "  nobody:\n    description: Nobody, really\n  new:\n    description: New\n"),
  );
  const [{ id }] = (await get("/ip_policies"))["ip_policies"];
  await service.call("DELETE", `/ip_policies/${id}`);
  succeeded(await edge(service, ["export", file]));
  assert.equal(existsSync(pathIn(`${file}.ids.json`)) && textOf(file).includes("  new:"), false);
});

test("every omitted field is cleared", async () => {
  const file = "shop.yaml";
  const bare = `
ip_policies: { office: {}, nobody: {} }
http_response_backends: { sorry: {} }
static_backends: { blue: { address: "blue.internal:80" }, green: { address: "green.internal:80" } }
weighted_backends: { both: {} }
failover_backends: { safe: {}, last: {} }
tcp_edges: { ssh: {} }
tls_edges: { front: {} }
https_edges: { web: { routes: [{ match_type: path_prefix, match: / }] } }
certificate_issuers:
  public: { directory_url: https://acme.example.com/directory, terms_of_service_agreed: true, hosts: [www.example.com] }
event_destinations:
  archive: { target: { cloud_logs: { auth: { role: { role_arn: r } }, log_group_arn: a } } }
event_subscriptions: { all: {} }
`;
  writeFileSync(pathIn(file), bare);
  const output = await settle(service, file);
  assert.match(
    output,
    /^ {2}~ ip_policies\.office .*\n {6}description: "Lisbon" -> "office"\n {6}- rule allow 198\.51\.100\.7\/32$/m,
  );
  assert.match(output, /traffic_policy: \{ value: "\$\{not a variable\}" \} -> \(not set\)/);
  const edgeNow = await get(`/edges/https/${idIn(file, "web", service)}`);
  const [{ id, uri, created_at, edge_id, match, match_type, ...rest }] = edgeNow["routes"];
  assert.deepEqual(
    [...new Set(Object.values(rest))],
    [null],
    id + uri + created_at + edge_id + match + match_type,
  );
  const sorry = await get(`/backends/http_response/${idIn(file, "sorry", service)}`);
  assert.equal(sorry["status_code"], 200);
  assert.equal(sorry["headers"], null);
  assert.deepEqual((await get(`/backends/static/${idIn(file, "green", service)}`))["tls"], {
    enabled: false,
  });
});

test("changes made by hand are shown field by field, and reverted", async () => {
  const file = write(
    "drift.yaml",
    'ip_policies:\n  home:\n    rules:\n      - { action: allow, cidr: 192.0.2.0/24 }\ntcp_edges:\n  a:\n    description: A\n    hostports: ["a.example.com:1"]\n    ip_restriction: { ip_policy_ids: [home] }\n',
  );
  await settle(service, file);
  const [a, home] = [idIn(file, "a", service), idIn(file, "home", service)];
  await service.call("PATCH", `/edges/tcp/${a}`, { description: "B", ip_restriction: { enabled: false } });
  await service.call("PUT", `/edges/tcp/${a}/traffic_policy`, { value: "by hand" });
  await service.call("POST", "/ip_policy_rules", {
    ip_policy_id: home,
    cidr: "203.0.113.0/24",
    action: "deny",
  });
  const { body } = await service.call("POST", "/ip_policies", { description: "by hand" });
  const { code, stdout } = await edge(service, ["diff", file, "--verbose"]);
  assert.equal(code, 2);
  assert.match(
    stdout,
    new RegExp(
      [
        `  ~ ip_policies\\.home  ${home}`,
        "      - rule deny 203\\.0\\.113\\.0/24",
        `  ~ tcp_edges\\.a  ${a}`,
        '      description: "B" -> "A"',
        "      ip_restriction\\.enabled: false -> \\(not set\\)",
        '      ip_restriction\\.ip_policy_ids: \\(not set\\) -> \\["home"\\]',
        '      traffic_policy: { value: "by hand" } -> \\(not set\\)',
        "",
        "Plan: 0 to create, 2 to change, 0 to delete \\(plus 1 rule/route to delete\\)\\.",
      ].join("\n"),
    ),
  );
  assert.match(
    stdout,
    new RegExp(
      `\\d+ objects on the service are not in the file; --prune deletes them:\n(?:.*\n)*  ip_policies\\.${body["id"]}  "by hand"`,
    ),
  );
  await settle(service, file);
});

test("objects that are not in the file are only deleted with --prune, and only those of its kinds", async (t) => {
  const file = write(
    "prune.yaml",
    'static_backends:\n  one: { address: "one:1" }\nfailover_backends:\n  top: { backends: [under] }\n  under: { backends: [one] }\n',
  );
  const other = await emptyService();
  t.after(other.stop);
  await other.call("POST", "/ip_policies", {});
  await settle(other, file);
  writeFileSync(pathIn(file), "static_backends: {}\nfailover_backends: {}\n");
  assert.match(
    succeeded(await apply(other, file)),
    /^No differences\.\n3 objects on the service are not in the file; --prune deletes them, --verbose lists them\.\n/,
  );
  const { stdout: listed } = await edge(other, ["diff", file, "--verbose"]);
  assert.match(listed, /--prune deletes them:\n(?: {2}(?:failover|static)_backends\.\w+ .*\n){3}/);
  const { code, stdout } = await edge(other, ["diff", file, "--prune"]);
  assert.equal(code, 2);
  assert.match(
    stdout,
    /- failover_backends\.top .*\n.*- failover_backends\.under .*\n.*- static_backends\.one /,
  );
  assert.match(await settle(other, file, "--prune"), /0 to create, 0 to change, 3 to delete\./);
  assert.equal((await other.call("GET", "/ip_policies")).body["ip_policies"].length, 1);
  assert.doesNotMatch(textOf(`${file}.ids.json`), /bkd\w*_/);
});

test("failover backends that swap places never form a cycle", async () => {
  const text = (a: string, b: string, c: string): string =>
    `failover_backends:\n  fa: { backends: [${a}] }\n  fb: { backends: [${b}] }\n  fc: { backends: [${c}] }\n`;
  const file = write("swap.yaml", text("fb", "fc", ""));
  await settle(service, file);
  writeFileSync(pathIn(file), text("", "fa", "fb"));
  await settle(service, file);
  writeFileSync(pathIn(file), text("fb", "fb", ""));
  const { code, stderr } = await apply(service, file);
  assert.equal(code, 1);
  assert.match(stderr, /^swap\.yaml:3:19: failover_backends\.fb\.backends(?:\.0)?: /m);
});

test("a certificate authority whose certificate changes is replaced, and references follow", async () => {
  const { readFileSync } = await import("node:fs");
  const pem = (name: string): string =>
    readFileSync(`test/support/certificates/${name}.pem`, "utf8").replaceAll(/^/gm, "      ").trimEnd();
  const text = (name: string): string =>
    `certificate_authorities:\n  devices:\n    ca_pem: |\n${pem(name)}\ntls_edges:\n  e: { mutual_tls: { certificate_authority_ids: [devices] } }\n`;
  const file = write("ca.yaml", text("ec_with_text"));
  await settle(service, file);
  const old = idIn(file, "devices", service);
  writeFileSync(pathIn(file), text("ed25519"));
  const output = await settle(service, file);
  assert.match(output, new RegExp(`\\+ certificate_authorities\\.devices {2}replaces ${old}`));
  const module = (await get(`/edges/tls/${idIn(file, "e", service)}`))["mutual_tls"];
  assert.equal(module.certificate_authorities[0].id, idIn(file, "devices", service));
  assert.equal((await service.call("GET", `/certificate_authorities/${old}`)).status, 404);
});

test("references to deleted policies are omitted with a warning", async () => {
  const policy = (await service.call("POST", "/ip_policies", {})).body["id"];
  const { body } = await service.call("POST", "/edges/tcp", { ip_restriction: { ip_policy_ids: [policy] } });
  await service.call("DELETE", `/ip_policies/${policy}`);
  const { code, stderr } = await edge(service, ["export", "deleted.yaml"]);
  assert.equal(code, 0);
  assert.match(
    stderr,
    new RegExp(`Warning: .*the reference to ${policy} is left out, because this IP policy was deleted`),
  );
  assert.equal(textOf("deleted.yaml").includes(policy), false);
  assert.match(succeeded(await edge(service, ["diff", "deleted.yaml"])), /^No differences\./);
  await service.call("DELETE", `/edges/tcp/${body["id"]}`);
});

test("an object that was deleted by hand is created again", async () => {
  const file = write(
    "gone.yaml",
    "ip_policies:\n  gone: {}\ntcp_edges:\n  of_gone: { ip_restriction: { ip_policy_ids: [gone] } }\n",
  );
  await settle(service, file);
  const before = idIn(file, "gone", service);
  await service.call("DELETE", `/ip_policies/${before}`);
  assert.match(await settle(service, file), /1 to create, 1 to change/);
  assert.notEqual(idIn(file, "gone", service), before);
});

test("secrets are sent, never shown, and sent again on request", async () => {
  const file = write(
    "secret.yaml",
    'event_destinations:\n  dog:\n    target: { monitoring_vendor: { api_key: "${DOG_KEY}", tags: a } }\n',
  );
  const env = { DOG_KEY: "the-key-of-the-dog" };
  const run = (...args: string[]): Promise<Outcome> => edge(service, [...args], { env });
  const outputs = [await run("apply", file, "--yes"), await run("apply", file, "--yes", "--resend-secrets")];
  assert.match(outputs[1]?.stdout ?? "", /target: \(secret\) is sent again/);
  outputs.push(
    await run("diff", file, "--resend-secrets"),
    await run("export", file),
    await run("diff", file),
  );
  assert.deepEqual(
    outputs.map(({ code }) => code),
    [0, 0, 2, 0, 0],
  );
  for (const { stdout, stderr } of outputs) assert.equal((stdout + stderr).includes(env.DOG_KEY), false);
  assert.match(textOf(file), /"\$\{DOG_KEY\}"/);
  assert.equal((await edge(service, ["diff", file])).code, 0, "diff needs no secrets");
});

test("a certificate issuer has a secret, and is replaced if its directory changes", async () => {
  const text = (directory: string, account: string): string =>
    `certificate_issuers:\n  public:\n    directory_url: https://${directory}.example.com/directory\n    terms_of_service_agreed: true\n    hosts: [www.example.com]\n${account}`;
  const account = '    external_account: { key_id: kid-1, hmac_key: "${EAB_KEY}" }\n';
  const env = { EAB_KEY: "dGhlLWtleS1vZi10aGUtYWNjb3VudA" };
  const run = (...args: string[]): Promise<Outcome> => edge(service, args, { env });
  const file = write("issuer.yaml", text("acme", account));
  const outputs = [await run("apply", file, "--yes"), await run("export", file), await run("diff", file)];
  const old = idIn(file, "public", service);
  assert.deepEqual((await get(`/certificate_issuers/${old}`))["external_account"], {
    key_id: "kid-1",
    hmac_key: null,
  });
  writeFileSync(pathIn(file), text("acme", ""));
  outputs.push(await run("apply", file, "--yes"), await run("diff", file));
  assert.equal((await get(`/certificate_issuers/${old}`))["external_account"], null);
  assert.match(outputs[3]?.stdout ?? "", /external_account: .* -> \(not set\)/);
  writeFileSync(pathIn(file), text("other", ""));
  outputs.push(await run("apply", file, "--yes"));
  assert.match(outputs[5]?.stdout ?? "", new RegExp(`\\+ certificate_issuers\\.public {2}replaces ${old}`));
  assert.equal((await service.call("GET", `/certificate_issuers/${old}`)).status, 404);
  assert.deepEqual(
    outputs.map(({ code }) => code),
    [0, 0, 0, 0, 0, 0],
  );
  for (const { stdout, stderr } of outputs) assert.equal((stdout + stderr).includes(env.EAB_KEY), false);
});

test("more operations than fit into a transaction are sent in as few transactions as possible", async (t) => {
  const count = 1_100;
  const other = await emptyService();
  t.after(other.stop);
  const names = Array.from({ length: count }, (_, index) => `  b${index}: { address: "b:${index + 1}" }\n`);
  const file = write("many.yaml", `static_backends:\n${names.join("")}`);
  const output = await settle(other, file);
  assert.match(output, /^1100 operations are sent in 3 transactions/m);
  assert.equal(other.count("POST /transactions"), 3);
});

test("many rules are replaced at once, and keep their order", async (t) => {
  const rules = (second: number): string =>
    Array.from(
      { length: 600 },
      (_, n) => `      - { action: allow, cidr: 10.${second}.${n >> 8}.${n & 255}/32 }\n`,
    ).join("");
  const text = (second: number): string =>
    `ip_policies:\n  long:\n    rules:\n${rules(second)}  short:\n    rules:\n      - { action: deny, cidr: 10.9.0.0/16 }\n`;
  const other = await emptyService();
  t.after(other.stop);
  const file = write("rules.yaml", text(0));
  const output = await settle(other, file);
  succeeded(await edge(other, ["export", file]));
  assert.equal(textOf(file), text(0));
  assert.match(output, /^Effect: Nobody newly gets in, and no source is shut out\.$/m);
  assert.deepEqual([other.count("POST /plans/"), other.count("PUT /ip_policies/")], [1, 0]);
  // With more operations than a plan has, by one operation of a transaction.
  const names = Array.from({ length: 501 }, (_, n) => `  p${n}: {}\n`).join("");
  const policies = (from: string): string => from.replace("ip_policies:\n", `ip_policies:\n${names}`);
  writeFileSync(pathIn(file), policies(text(1)));
  const more = await settle(other, file);
  assert.match(more, /^502 operations are sent in 2 transactions/m);
  assert.deepEqual([other.count("POST /transactions"), other.count("PUT /ip_policies/")], [2, 0]);
});

const MODULES = [
  "compression",
  "circuit_breaker",
  "request_headers",
  "user_agent_filter",
  "ip_restriction",
  "websocket_tcp_converter",
];

/** An edge with a hundred routes, each with six modules or none. */
function wideEdge(name: string, isSet: boolean): string {
  const modules = isSet ? MODULES.map((module) => `, ${module}: {}`).join("") : "";
  const routes = Array.from(
    { length: 100 },
    (_, n) => `      - { match_type: exact_path, match: /${n}${modules} }\n`,
  );
  return `https_edges:\n  ${name}:\n    routes:\n${routes.join("")}`;
}

test("an object that needs more than one transaction is changed in several, each with a precondition", async () => {
  const file = write("wide.yaml", wideEdge("wide", true));
  await settle(service, file);
  writeFileSync(pathIn(file), wideEdge("wide", false));
  // Two guards between the transactions, and one before the first, because only routes change.
  assert.match(await settle(service, file), /^603 operations are sent in 2 transactions/m);
});

test("an error in a later transaction says how much was applied, and the rest can be applied later", async () => {
  const names = Array.from({ length: 600 }, (_, index) => `  p${index}: {}\n`).join("");
  const edges = (backend: string): string => `tcp_edges:\n  last: { backend: { backend_id: ${backend} } }\n`;
  const file = write("part.yaml", `ip_policies:\n${names}${edges("bkdsc_2fCzyKyxGFFQjbGvSPXiVOWCOkX")}`);
  const { code, stderr } = await apply(service, file);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /part\.yaml:603:34: .*\n500 of 601 operations were applied and stay applied\. Run the command again/,
  );
  writeFileSync(
    pathIn(file),
    `static_backends: { b: { address: "b:1" } }\nip_policies:\n${names}${edges("b")}`,
  );
  assert.match(await settle(service, file), /^Plan: 102 to create, 0 to change, 0 to delete\./m);
});

test("an export does not drop objects that were never applied", async () => {
  const text = "ip_policies:\n  planned: {}\n  also: {}\n";
  const file = write("planned.yaml", text);
  await fails(
    service,
    ["export", file],
    /^planned\.yaml:2:3: This object and 1 more were never applied to http/,
  );
  assert.equal(textOf(file), text);
});

test("equivalent expiry times are equal, and expired rules are omitted", async () => {
  const year = new Date().getUTCFullYear() + 2;
  const rule = (cidr: string, end: string): string =>
    `      - { action: allow, cidr: ${cidr}, expires_at: "${end}" }\n`;
  const soon = new Date(Date.now() + 6_000).toISOString();
  const text = [
    "ip_policies:\n  ending:\n    rules:\n",
    rule("10.0.0.0/8", `${year}-01-01T01:30:00.999+01:30`),
    rule("10.1.0.0/16", "2020-01-01T00:00:00Z"),
    rule("10.2.0.0/16", soon),
  ].join("");
  const file = write("ends.yaml", text);
  const output = await apply(service, file);
  assert.match(succeeded(output), /plus 2 rules\/routes to create/);
  assert.match(
    output.stderr,
    /^Note: ending: the rule allow 10\.1\.0\.0\/16 expired at 2020-01-01T00:00:00Z and is left out\.\n/,
  );
  const path = `/ip_policy_rules?ip_policy_id=${idIn(file, "ending", service)}`;
  const [, first] = (await get(path))["ip_policy_rules"];
  assert.equal(first.expires_at, `${year}-01-01T00:00:00Z`);
  assert.equal((await edge(service, ["diff", file])).stdout.split("\n")[0], "No differences.");
  await sleep(Math.max(0, Date.parse(soon) - Date.now()) + 100);
  assert.equal((await get(path))["ip_policy_rules"].length, 2, "the service still shows it");
  const { code, stdout, stderr } = await edge(service, ["diff", file]);
  assert.deepEqual([code, stdout.split("\n")[0], stderr.split("\n").length], [0, "No differences.", 3]);
  succeeded(await edge(service, ["export", "ended.yaml"]));
  assert.doesNotMatch(textOf("ended.yaml"), /10\.2\.0\.0/);
  writeFileSync(pathIn(file), text.replace(soon, ""));
  assert.match(await settle(service, file), /plus 1 rule\/route to create/);
});

test("a retried request takes effect once", async () => {
  const file = write(
    "again.yaml",
    "ip_policies: { once: { metadata: once, rules: [{ action: deny, cidr: '::/0' }] } }\n",
  );
  service.reject("GET /ip_policies");
  for (const lost of ["POST /plans", "POST /plans/"]) service.loseResponse(lost);
  const { code, stderr } = await apply(service, file);
  assert.deepEqual(
    [
      code,
      stderr.match(/(?:The service is not available|Cannot reach .*: it closed .*)\. Retrying in 1 s\./g)
        ?.length,
    ],
    [0, 3],
  );
  assert.match(idIn(file, "once", service), /^ipp_/);
  assert.equal((await get("/ip_policies?metadata=once"))["ip_policies"].length, 1);
  assert.equal((await edge(service, ["diff", file])).stdout.split("\n")[0], "No differences.");
});

test("after a lost response, objects that someone else may have changed are not changed", async () => {
  const file = write("lost.yaml", wideEdge("lost", true));
  await settle(service, file);
  writeFileSync(pathIn(file), wideEdge("lost", false));
  service.loseResponse("POST /transactions");
  const { code, stderr } = await apply(service, file);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /The service has changed https_edges\.lost, but its response was lost.*\n\d+ of 603 operations were applied and stay applied\. Run the command again/,
  );
  await settle(service, file);
});

test("objects with children fit into one transaction, and larger ones are divided between objects", async (t) => {
  const text = (rules: string): string =>
    `ip_policies:\n${Array.from({ length: 240 }, (_, n) => `  p${n}: { rules: [${rules}] }\n`).join("")}`;
  const one = "{ action: allow, cidr: '::/0' }";
  const file = write("large.yaml", text(one));
  const other = await emptyService();
  t.after(other.stop);
  await settle(other, file);
  // A plan is made, and applied.
  assert.deepEqual([other.count("POST /plans"), other.count("POST /transactions")], [2, 0]);
  writeFileSync(pathIn(file), text(`${one}, { action: deny, cidr: '::/1' }`));
  const tried = await edge(other, ["apply", file, "--dry-run"]);
  assert.match(
    succeeded(tried).split("\nPlan: ").at(-1) ?? "",
    /^.*\nA transaction of 480 operations is too large.*\nOnly the first transaction is checked: .*\nThe service would accept the first/,
  );
  assert.equal((await edge(other, ["diff", file])).code, 2);
  const output = await settle(other, file);
  assert.match(
    output,
    /^A transaction of 480 operations is too large for the service\. It is sent in 2 parts\.\nDone\.$/m,
  );
});
