import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import addFormats from "ajv-formats";
import Ajv2020 from "ajv/dist/2020.js";
import { parse } from "yaml";
import { ACCEPT_ALL, edge, idIn, pathIn, type TestService, textOf, withServices } from "./services.ts";

/*
 * What makes the command pleasant every day: profiles, other names, parts of a file, JSON, and completion.
 */

let service: TestService;
let other: TestService;
withServices(
  (started) => (service = started),
  (started) => (other = started),
);

const FILE = `# The shop.
ip_policies:
  office: # Lisbon
    description: Office
    rules: [{ action: allow, cidr: 10.0.0.0/8 }]
static_backends:
  "old": { address: "10.0.0.1:80" }
  spare: &spare { address: "10.0.0.2:80" }
weighted_backends:
  mix:
    backends: { old: 3, spare: 1 } # old gets more
tcp_edges:
  ssh:
    hostports: ["ssh.example.com:22"]
    backend: { backend_id: old }
    ip_restriction: { ip_policy_ids: [office] }
  db:
    hostports: ["db.example.com:5432"]
    backend: { backend_id: mix }
`;

before(() => writeFileSync(pathIn("edge.yaml"), FILE));

const homeless = { API: "", API_KEY: "" };

test("login keeps a key that only its user can read, and other commands use it", async () => {
  const config = pathIn("config/edge/config.json");
  const none = await edge(undefined, ["whoami"]);
  assert.match(none.stderr, /No service URL: run `edge login`/);
  const wrong = await edge(undefined, ["login", "--url", service.url, "--key", "wrong"]);
  assert.deepEqual([wrong.code, existsSync(config)], [1, false]);
  const kept = await edge(undefined, ["login", "--url", `${service.url}/`, "--key", service.key]);
  assert.equal(kept.code, 0, kept.stderr);
  assert.ok(!kept.stdout.includes(service.key) && !kept.stderr.includes(service.key));
  assert.equal(statSync(config).mode & 0o777, 0o600);
  assert.equal(statSync(pathIn("config/edge")).mode & 0o777, 0o700);
  assert.match((await edge(undefined, ["whoami"], { env: homeless })).stdout, /role: admin/);

  // A key only goes to the service that it is for.
  const elsewhere = await edge(undefined, ["whoami", "--url", other.url]);
  assert.match(elsewhere.stderr, /No API key/);
  const fromVariable = await edge(undefined, ["whoami"], { env: { API: other.url } });
  assert.match(fromVariable.stderr, /No API key/);
  await edge(undefined, ["login", "--profile", "staging", "--url", other.url, "--key", other.key]);
  const staging = await edge(service, ["whoami", "--json", "--profile", "staging"]);
  assert.equal(JSON.parse(staging.stdout).url, other.url);
  const byVariable = await edge(undefined, ["whoami", "--json"], { env: { EDGE_PROFILE: "staging" } });
  assert.equal(JSON.parse(byVariable.stdout).url, other.url);
  assert.match(
    (await edge(service, ["whoami", "--profile", "nothing"])).stderr,
    /There is no profile nothing/,
  );
  assert.match((await edge(service, ["whoami", "--profile", "../x"])).stderr, /not the name of a profile/);

  chmodSync(config, 0o644);
  assert.match((await edge(undefined, ["whoami"])).stderr, /Other users can read .*chmod 600/);
  chmodSync(config, 0o600);
  assert.equal((await edge(undefined, ["logout"])).code, 0);
  assert.match((await edge(undefined, ["whoami"])).stderr, /No service URL/);
  writeFileSync(config, "{}", { mode: 0o600 });
  assert.match((await edge(undefined, ["whoami"])).stderr, /is not a file of profiles/);
  rmSync(config);
});

test("diff, apply, plan and access print JSON", async () => {
  const json = async (args: string[]) => {
    const { code, stdout, stderr } = await edge(service, [...args, "--json"]);
    assert.equal(stderr, "", args.join(" "));
    return { code, value: JSON.parse(stdout) };
  };
  const before = await json(["diff", "edge.yaml"]);
  assert.equal(before.code, 2);
  assert.deepEqual(
    before.value.differences.creates.map(({ name }: { name: string }) => name),
    ["office", "old", "spare", "mix", "ssh", "db"],
  );
  const { effect } = before.value;
  const [db, ssh] = effect.access;
  assert.deepEqual([db.newly_allowed, ssh.newly_allowed], [["0.0.0.0/0", "::/0"], ["10.0.0.0/8"]]);
  assert.match(effect.summary, /^Everybody newly gets in at 1 place; /);
  const codes = effect.warnings.map(({ code }: { code: string }) => code);
  assert.deepEqual(codes, ["opens_to_everyone", "newly_allowed"]);
  const asking = await edge(service, ["apply", "edge.yaml", "--json"]);
  assert.match(asking.stderr, /pass --yes or --dry-run/);
  const dry = await json(["apply", "edge.yaml", "--dry-run"]);
  assert.deepEqual(
    [dry.code, dry.value.applied, dry.value.effect, existsSync(pathIn("edge.yaml.ids.json"))],
    [0, false, null, false],
  );
  const { value: planned } = await json(["plan", "edge.yaml"]);
  assert.deepEqual(
    [planned.plan.summary, planned.plan.warnings, planned.plan.totals],
    [effect.summary, effect.warnings, effect.totals],
  );
  const unaccepted = await edge(service, ["apply", "edge.yaml", "--yes", "--json"]);
  assert.deepEqual([unaccepted.code, unaccepted.stdout], [1, ""]);
  assert.match(unaccepted.stderr, /--accept opens_to_everyone,newly_allowed\n$/);
  const applied = await json(["apply", "edge.yaml", "--yes", "--accept", codes.join()]);
  assert.deepEqual([applied.value.applied, applied.value.problems], [true, []]);
  assert.deepEqual([applied.value.effect, applied.value.effect_omitted], [effect, null]);
  assert.equal(applied.value.ids.ssh, idIn("edge.yaml", "ssh", service));
  const after = await json(["diff", "edge.yaml"]);
  assert.deepEqual([after.code, after.value.differences.creates, after.value.effect], [0, [], null]);
  assert.equal((await json(["plan", "edge.yaml"])).value.plan, null);
  const { value } = await json(["access", "ssh", "10.1.1.1", "--file", "edge.yaml"]);
  assert.deepEqual([value.allowed, value.reason], [true, "allow_rule"]);
});

test("an object gets another name everywhere, and stays the same object", async () => {
  const id = idIn("edge.yaml", "old", service);
  assert.match((await edge(undefined, ["rename", "edge.yaml", "ol", "shop"])).stderr, /Did you mean old\?/);
  assert.match(
    (await edge(undefined, ["rename", "edge.yaml", "old", "mix"])).stderr,
    /already has an object/,
  );
  assert.match((await edge(undefined, ["rename", "edge.yaml", "old", "a b"])).stderr, /Expected a name/);
  const { code, stdout } = await edge(undefined, ["rename", "edge.yaml", "old", "shop"]);
  assert.deepEqual([code, stdout], [0, "Renamed static_backends.old to shop, with 2 references.\n"]);
  assert.equal(
    textOf("edge.yaml"),
    FILE.replace('"old":', '"shop":')
      .replace("{ old: 3", "{ shop: 3")
      .replace("backend_id: old", "backend_id: shop"),
  );
  assert.equal(idIn("edge.yaml", "shop", service), id);
  // Its description follows, because the file gives none.
  const renamed = await edge(service, ["diff", "edge.yaml"]);
  assert.match(
    renamed.stdout,
    new RegExp(
      `^ {2}~ static_backends\\.shop {2}${id}\n {6}description: "old" -> "shop"\n\nPlan: 0 to create, 1 to change`,
    ),
  );
  await edge(service, ["apply", "edge.yaml", "--yes"]);
  assert.equal((await edge(service, ["diff", "edge.yaml"])).stdout, "No differences.\n");
  writeFileSync(
    pathIn("file.json"),
    JSON.stringify({ static_backends: { a: { address: "10.0.0.1:1" } } }, null, 1),
  );
  await edge(undefined, ["rename", "file.json", "a", "b"]);
  assert.deepEqual(JSON.parse(textOf("file.json")), { static_backends: { b: { address: "10.0.0.1:1" } } });
});

test("a target limits what is changed, and brings the new objects that it refers to", async () => {
  writeFileSync(
    pathIn("edge.yaml"),
    textOf("edge.yaml")
      .replace("10.0.0.2:80", "10.0.0.3:80")
      .replace("ip_policy_ids: [office]", "ip_policy_ids: [office, home]")
      .replace("static_backends:", "  home: { rules: [] }\n  unused: {}\nstatic_backends:"),
  );
  const shown = async (...targets: string[]): Promise<string[]> => {
    const args = targets.flatMap((name) => ["--target", name]);
    const { differences } = JSON.parse(
      (await edge(service, ["diff", "edge.yaml", "--json", ...args])).stdout,
    );
    const names = (list: { name: string }[]) => list.map(({ name }) => name);
    return [...names(differences.creates), ...names(differences.changes)];
  };
  assert.deepEqual(await shown(), ["home", "unused", "spare", "ssh"]);
  assert.deepEqual(await shown("spare"), ["spare"]);
  assert.deepEqual(await shown("ssh"), ["home", "ssh"]);
  assert.deepEqual(await shown("db"), []);
  assert.match(
    (await edge(service, ["diff", "edge.yaml", "--target", "spar"])).stderr,
    /Did you mean spare\?/,
  );
  await edge(service, ["apply", "edge.yaml", "--yes", ACCEPT_ALL, "--target", "ssh"]);
  assert.deepEqual(await shown(), ["unused", "spare"]);
});

test("without ids, objects are matched if that is asked for, and none is created twice unseen", async () => {
  rmSync(pathIn("edge.yaml.ids.json"));
  const refused = await edge(service, ["apply", "edge.yaml", "--dry-run"]);
  assert.deepEqual([refused.code, /would be CREATED/.test(refused.stderr)], [1, true]);
  // `spare` has another address, and `unused` was never applied.
  const partly = await edge(service, ["apply", "edge.yaml", "--yes", "--match"]);
  assert.equal(partly.code, 1);
  const why =
    /Matched 6 objects[^]*Not matched, because the service has none, or several, with the same hostports or description: (?:static_backends\.spare, ip_policies\.unused|ip_policies\.unused, static_backends\.spare)\. It has 1 other object of these kinds\.[^]*--create-all too\.\n$/;
  assert.match(partly.stderr, why);
  assert.match((await edge(service, ["diff", "edge.yaml", "--match"])).stderr, why);
  assert.equal(existsSync(pathIn("edge.yaml.ids.json")), false);
  writeFileSync(
    pathIn("few.yaml"),
    'tcp_edges:\n  terminal:\n    hostports: ["SSH.example.com:22"]\n  database:\n    hostports: ["db.example.com:5432"]\n',
  );
  const matched = await edge(service, ["diff", "few.yaml", "--match"]);
  assert.match(matched.stderr, /Matched 2 objects/);
  assert.match(matched.stdout, /~ tcp_edges\.terminal/);
  assert.equal(existsSync(pathIn("few.yaml.ids.json")), false);
  await edge(service, ["apply", "few.yaml", "--match", "--yes", ACCEPT_ALL]);
  assert.match(idIn("few.yaml", "terminal", service), /^edgtcp_/);
});

test("exported objects are named after their descriptions", async () => {
  for (const description of ["Shop (front) é", "shop front e", "x".repeat(70), "☃", "1st"])
    await other.call("POST", "/ip_policies", { description });
  await edge(other, ["export", "named.yaml"]);
  const names = [...textOf("named.yaml").matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name);
  assert.deepEqual(names, ["shop_front_e", "shop_front_e_2", "ip_policy_1", "ip_policy_2", "ip_policy_3"]);
});

test("files match the schema that the command prints and new files name", async () => {
  const schema = JSON.parse((await edge(undefined, ["schema"])).stdout);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  const validate = ajv.compile(schema);
  const isValid = (text: string): boolean => validate(parse(text));
  const block =
    /```yaml\n(ip_policies:[^]*?)```/.exec(readFileSync(join("docs", "files.md"), "utf8"))?.[1] ?? "";
  assert.ok(block.includes("https_edges"));
  assert.ok(isValid(block), JSON.stringify(validate.errors));
  assert.ok(isValid(textOf("named.yaml")), JSON.stringify(validate.errors));
  assert.match(
    textOf("named.yaml"),
    new RegExp(`^# yaml-language-server: \\$schema=${other.url}/schemas/edge\\.yaml\\.json\\n`),
  );
  for (const wrong of [
    "ip_policy: {}",
    "ip_policies: []",
    "ip_policies: { 1st: {} }",
    "ip_policies: { a: { rules: [{ action: allow }] } }",
    "ip_policies: { a: { rules: [{ action: permit, cidr: 10.0.0.0/8 }] } }",
    "static_backends: { a: {} }",
    "tcp_edges: { a: { backend: { backend_id: 'not a name' } } }",
    "https_edges: { a: { routes: [{ match: / }] } }",
    "event_destinations: { a: { target: { webhook: { url: 'https://a.example', secret: plain } } } }",
    "tests: [{ name: a }]",
  ])
    assert.ok(!isValid(wrong), wrong);
});

test("completion offers commands and their options", async () => {
  const completed = async (...words: string[]): Promise<string[]> => {
    const { stdout } = await edge(undefined, ["completion", "bash"]);
    writeFileSync(pathIn("completion.sh"), stdout);
    const list = words.map((word) => `'${word}'`).join(" ");
    const script = `source ${pathIn("completion.sh")}; COMP_WORDS=(edge ${list}); COMP_CWORD=${words.length}; _edge; echo "\${COMPREPLY[*]}"`;
    return execFileSync("bash", ["-c", script], { encoding: "utf8" }).trim().split(" ");
  };
  assert.deepEqual(await completed("a"), ["apply", "approve", "access", "agents"]);
  assert.deepEqual(await completed("diff", "--t"), ["--target"]);
  for (const shell of ["zsh", "fish"]) {
    const { stdout } = await edge(undefined, ["completion", shell]);
    assert.match(stdout, /approve/);
  }
  assert.match((await edge(undefined, ["completion", "tcsh"])).stderr, /Expected one of bash, zsh, fish/);
});
