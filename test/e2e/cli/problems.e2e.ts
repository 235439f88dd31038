import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { readSource } from "../../../packages/cli/src/source.ts";
import { coverageOf } from "../../../packages/model/src/traffic/coverage.ts";
import {
  ACCEPT_ALL,
  edge,
  emptyService,
  folder,
  idIn,
  type Outcome,
  pathIn,
  type TestService,
  textOf,
  withServices,
} from "./services.ts";

/*
 * An apply reports objects that are not served, would be created twice or cannot be deleted.
 */

let service: TestService;

withServices((started) => (service = started));

const write = (file: string, text: string): string => {
  writeFileSync(pathIn(file), text);
  return file;
};

const apply = (on: TestService, file: string, ...flags: string[]): Promise<Outcome> =>
  edge(on, ["apply", file, "--yes", ACCEPT_ALL, ...flags]);

const lastLines = (text: string, count: number): string =>
  text.trimEnd().split("\n").slice(-count).join("\n");

test("apply and diff show objects that are not served, and edge problems lists them", async () => {
  const text = (description: string, backend: string): string =>
    [
      'static_backends: { shop: { address: "shop:1" } }',
      "https_edges:",
      "  front:",
      `    description: ${description}`,
      '    hostports: ["front.example.com:443"]',
      "    routes:",
      "      - { match_type: path_prefix, match: /, backend: { backend_id: shop } }",
      `      - { match_type: exact_path, match: /new${backend} }`,
      "",
    ].join("\n");
  const file = write("served.yaml", text("one", ""));
  const created = await apply(service, file);
  const id = idIn(file, "front", service);
  const route = "https_edges\\.front route exact_path /new {2}edghtsrt_\\w+";
  const problem = ` {2}! ${route}\n {6}backend_not_set: The route returns 503: it has no enabled backend\\.`;
  assert.equal(created.code, 3, created.stderr);
  assert.match(
    lastLines(created.stdout, 3),
    new RegExp(`^Applied, but 1 problem must be fixed before everything is served as written:\n${problem}$`),
  );
  // If nothing changes, problems are mentioned, but the exit status is 0.
  for (const command of ["diff", "apply"]) {
    const { code, stdout, stderr } = await edge(service, [command, file]);
    assert.deepEqual([code, stdout], [0, "No differences.\n"]);
    assert.equal(
      stderr,
      "Note: unchanged objects in this file have 1 problem: `edge problems served.yaml --only-file` lists it.\n",
    );
  }
  // An object that is deleted does not count as an unchanged one.
  write("empty.yaml", "https_edges: {}\n");
  writeFileSync(pathIn("empty.yaml.ids.json"), textOf(`${file}.ids.json`));
  const pruned = await edge(service, ["diff", "empty.yaml", "--prune"]);
  assert.deepEqual([pruned.code, pruned.stderr], [2, ""]);
  write(file, text("two", ""));
  const changed = await edge(service, ["diff", file]);
  assert.equal(changed.code, 2);
  assert.match(
    lastLines(changed.stdout, 3),
    new RegExp(`^These objects are currently not served as written:\n${problem}$`),
  );

  const foreign = (await service.call("POST", "/edges/tcp", { hostports: ["ssh.example.com:22"] })).body[
    "id"
  ];
  const all = await edge(service, ["problems", file]);
  assert.equal(all.code, 2);
  assert.match(all.stdout, new RegExp(`^${problem}\n`, "m"));
  assert.match(
    all.stdout,
    new RegExp(`^ {2}! tcp_edges\\.${foreign} {2}ssh\\.example\\.com:22\n {6}backend_not_set: `, "m"),
  );
  const own = await edge(service, ["problems", file, "--only-file", "--json"]);
  assert.equal(own.code, 2);
  const { object, ...rest } = JSON.parse(own.stdout) as Record<string, string>;
  assert.match(object ?? "", /^edghtsrt_/);
  assert.deepEqual(rest, {
    code: "backend_not_set",
    effect: "answers_503",
    msg: "The route returns 503: it has no enabled backend.",
    name: "https_edges.front route exact_path /new",
  });
  assert.match(
    (await edge(service, ["problems"])).stdout,
    new RegExp(`! https_edges\\.${id} route exact_path /new `),
  );
  await service.call("DELETE", `/edges/tcp/${foreign}`);

  write(file, text("two", ", backend: { backend_id: shop }"));
  const mended = await apply(service, file);
  assert.deepEqual([mended.code, lastLines(mended.stdout, 1), mended.stderr], [0, "Done.", ""]);
  const none = await edge(service, ["problems"]);
  assert.deepEqual([none.code, none.stdout], [0, "No problems.\n"]);
  assert.deepEqual((await edge(service, ["problems", "--json"])).stdout, "");
});

test("edge problems of a file that was never applied shows the problems that it would have", async () => {
  const file = write(
    "fresh_problems.yaml",
    'tcp_edges:\n  a: { hostports: ["p.example.com:4200"] }\nhttps_edges:\n  b:\n    hostports: ["q.example.com:4201"]\n    routes: [{ match_type: path_prefix, match: / }]\n',
  );
  const { code, stdout, stderr } = await edge(service, ["problems", file]);
  assert.equal(code, 2);
  assert.equal(
    stdout,
    [
      "  ! https_edges.b route path_prefix /",
      "      backend_not_set: The route returns 503: it has no enabled backend.",
      "  ! tcp_edges.a",
      "      backend_not_set: The edge is not served: it has no enabled backend.",
      "",
    ].join("\n"),
  );
  assert.match(stderr, /^fresh_problems\.yaml has never been applied to http/);
});

test("edge problems shows what agents do not serve, with their reasons", async () => {
  const file = write(
    "machines.yaml",
    'static_backends: { own: { address: "b:1" } }\ntcp_edges: { served: { hostports: ["m.example.com:4100"], backend: { backend_id: own } } }\n',
  );
  await apply(service, file, "--create-all");
  const { version, edges } = (await service.call("GET", "/snapshot")).body;
  const id = idIn(file, "served", service);
  const reason = {
    effect: "not_served",
    code: "port_taken",
    msg: "Another process listens on port 4100.",
  } as const;
  const report = (name: string, exceptions: [string, typeof reason][] = []): Promise<unknown> =>
    service.call("PUT", `/agents/${name}/status`, {
      applied_version: version,
      ok: true,
      proxy: "HAProxy 2.6.12",
      edges: coverageOf(
        edges.map((one: { id: string }) => one.id),
        new Map(exceptions),
        (text) => createHash("sha256").update(text).digest("hex"),
      ),
    });
  for (const name of ["lisbon", "porto"]) await report(name);
  assert.equal((await edge(service, ["problems", file, "--only-file"])).stdout, "No problems.\n");
  await report("porto", [[id, reason]]);
  const { code, stdout } = await edge(service, ["problems", file, "--only-file"]);
  assert.equal(code, 2);
  assert.match(
    stdout,
    new RegExp(
      `^ {2}! tcp_edges\\.served {2}${id}\n {6}port_taken: Served by 1 of 2 agents\\. porto: Another process listens on port 4100\\.\n$`,
    ),
  );
  const proxy = "HAProxy 2.6.12";
  await service.call("PUT", "/agents/porto/status", { applied_version: version, ok: true, proxy });
  assert.match(
    (await edge(service, ["problems", file, "--only-file"])).stdout,
    /\n {6}unknown: Known to be served by 1 of 2 agents\. porto: The agent does not report which edges it serves\./,
  );
  for (const name of ["lisbon", "porto"]) await service.call("DELETE", `/agents/${name}`);
});

test("a problem that an apply causes elsewhere is shown with names", async () => {
  const text = (hostports: string): string =>
    `static_backends: { b: { address: "b:1" } }\ntcp_edges: { first: { hostports: [${hostports}], backend: { backend_id: b } } }\n`;
  const file = write("elsewhere.yaml", text(""));
  await apply(service, file, "--create-all");
  const backend = { backend_id: idIn(file, "b", service) };
  const body = { description: "Somebody's", hostports: ["taken.example.com:22"], backend };
  const other = (await service.call("POST", "/edges/tcp", body)).body["id"];
  write(file, text('"taken.example.com:22"'));
  const { code, stdout } = await apply(service, file);
  assert.equal(code, 3);
  assert.match(
    lastLines(stdout, 2),
    new RegExp(
      `^ {2}! tcp_edges\\.${other} {2}"Somebody's"\n {6}\\w+_taken: .*tcp_edges\\.first \\(${idIn(file, "first", service)}\\)`,
    ),
  );
  await service.call("DELETE", `/edges/tcp/${other}`);
});

test("if problems cannot be listed, an apply says so and exits with status 3", async () => {
  const file = write("unknown.yaml", "ip_policies: { unknown: {} }\n");
  service.reject("GET /problems", 413);
  const planned = await edge(service, ["diff", file]);
  assert.equal(planned.code, 2);
  assert.match(planned.stderr, /^Warning: cannot tell which objects are not served as written: .* 413 /);
  service.before("POST /plans", async () => service.reject("GET /problems", 413));
  const { code, stdout, stderr } = await apply(service, file);
  assert.deepEqual([code, lastLines(stdout, 1)], [3, "Applied."]);
  assert.match(stderr, /^Warning: cannot tell /);
});

test("objects are not created twice if the ids file is missing", async (t) => {
  const other = await emptyService();
  t.after(other.stop);
  const file = write("twice.yaml", "ip_policies: { office: { description: Lisbon } }\ntcp_edges: {}\n");
  const created = await apply(other, file);
  assert.deepEqual(
    [created.code, lastLines(created.stdout, 1)],
    [0, "Done."],
    "an empty service needs no option",
  );
  rmSync(pathIn(`${file}.ids.json`));
  const rejected = (why: string): string =>
    [
      `${file}.ids.json ${why}, and the service already has 1 object of the kinds in this file.`,
      "Every object in the file would be CREATED, even if it already exists there.",
    ].join("\n");
  for (const args of [["plan"], ["apply", "--yes"], ["apply", "--dry-run"]]) {
    const { code, stdout, stderr } = await edge(other, [...args, file]);
    assert.deepEqual([code, stdout], [1, ""]);
    assert(stderr.startsWith(rejected("does not exist")), stderr);
    assert.match(stderr, /\nIf the objects exist, restore twice\.yaml\.ids\.json, .* pass --create-all\.\n$/);
  }
  // Without changing anything, everything counts as new.
  const shown = await edge(other, ["diff", file]);
  assert.deepEqual([shown.code, /\+ ip_policies\.office\n/.test(shown.stdout)], [2, true]);
  assert.equal(
    shown.stderr,
    `Note: ${file}.ids.json does not exist, so every object in the file counts as new. The service already has 1 object of these kinds. An apply asks for --match or --create-all.\n`,
  );
  assert.equal(existsSync(pathIn(`${file}.ids.json`)), false);
  write(`${file}.ids.json`, '{"https://other.example.com": {"office": "ipp_1"}}');
  const { stderr } = await edge(other, ["apply", file, "--dry-run"]);
  assert(stderr.startsWith(rejected(`has no ids for ${other.url}`)), stderr);
  assert.match(stderr, /\nThe ids file is for https:\/\/other\.example\.com\. Is the URL right\?\n/);
  assert.equal((await edge(other, ["diff", file, "--create-all"])).code, 2);
  const twice = await apply(other, file, "--create-all");
  assert.deepEqual([twice.code, lastLines(twice.stdout, 1)], [0, "Done."]);
  assert.equal((await other.call("GET", "/ip_policies")).body["ip_policies"].length, 2);
  // No object of this kind exists, so none can be created twice.
  const fresh = write("fresh.yaml", 'static_backends: { b: { address: "b:1" } }\nip_policies: {}\n');
  assert.equal((await apply(other, fresh)).code, 0);
});

test("--prune keeps objects that others use, and lists them", async (t) => {
  const other = await emptyService();
  t.after(other.stop);
  const file = write(
    "used.yaml",
    [
      "static_backends:",
      '  used: { address: "used:1" }',
      '  below: { address: "below:1" }',
      '  unused: { address: "unused:1" }',
      "failover_backends:",
      "  over: { backends: [below] }",
      "tcp_edges:",
      "  named: { backend: { backend_id: used } }",
      "  idle: {}",
      "",
    ].join("\n"),
  );
  assert.equal((await apply(other, file)).code, 0);
  const [used, below, over] = ["used", "below", "over"].map((name) => idIn(file, name, other));
  const https = (await other.call("POST", "/edges/https", { description: "Somebody's" })).body["id"];
  await other.call("POST", `/edges/https/${https}/routes`, {
    match_type: "path_prefix",
    match: "/x",
    backend: { backend_id: over },
  });
  write(file, "static_backends: {}\nfailover_backends: {}\n");
  const planned = await edge(other, ["diff", file, "--prune"]);
  assert.equal(planned.code, 2);
  const lines = [
    `  - static_backends\\.unused  bkdsc_\\w+  unused:1`,
    "",
    "Plan: 0 to create, 0 to change, 1 to delete\\.",
    "3 objects cannot be deleted, because other objects use them:",
    `  failover_backends\\.over  ${over}  created \\S+  used by https_edges\\.${https} \\("Somebody's"\\) route path_prefix /x`,
    `  static_backends\\.used  ${used}  used:1  used by tcp_edges\\.named`,
    `  static_backends\\.below  ${below}  below:1  used by failover_backends\\.over`,
    "",
    "Effect: Nobody newly gets in, and no source is shut out\\.",
    "",
  ];
  assert.match(planned.stdout, new RegExp(`^${lines.join("\n")}$`));
  // Someone starts to use it after the diff: the error contains the user's name in the file.
  const unused = idIn(file, "unused", other);
  const idle = idIn(file, "idle", other);
  other.before("POST /plans", async () => {
    await other.call("PATCH", `/edges/tcp/${idle}`, { backend: { backend_id: unused } });
  });
  const rejected = await apply(other, file, "--prune");
  assert.equal(rejected.code, 1);
  assert.match(
    rejected.stderr,
    new RegExp(`^Cannot delete static_backends\\.unused: .*tcp_edges\\.idle \\(${idle}\\).*409 ERR_IN_USE`),
  );
  await other.call("PATCH", `/edges/tcp/${idle}`, { backend: { backend_id: used } });
  assert.equal((await apply(other, file, "--prune")).code, 0);
  assert.equal((await other.call("GET", `/backends/static/${unused}`)).status, 404);
  const left = await edge(other, ["diff", file, "--prune"]);
  assert.equal(left.code, 0);
  assert.match(
    left.stdout,
    /^No differences\.\n3 objects cannot be deleted, because other objects use them:\n/,
  );
  // A reference by id also keeps an object.
  write(file, `static_backends: {}\ntcp_edges: { named: { backend: { backend_id: ${used} } }, idle: {} }\n`);
  const byId = await edge(other, ["diff", file, "--prune"]);
  assert.match(
    byId.stdout,
    new RegExp(`static_backends\\.used  ${used}  used:1  used by tcp_edges\\.named\n`),
  );
});

test("ids that cannot be written are printed, because they would be lost otherwise", async (t) => {
  const other = await emptyService();
  t.after(other.stop);
  const file = write("lost-ids.yaml", "ip_policies: { office: {} }\n");
  other.before("POST /plans", async () => {
    mkdirSync(pathIn(`${file}.ids.json`));
  });
  const { code, stderr } = await apply(other, file);
  assert.equal(code, 1);
  const [{ id }] = (await other.call("GET", "/ip_policies")).body["ip_policies"];
  const [first, second, ...rest] = stderr.trimEnd().split("\n");
  assert.equal(first, `${file}.ids.json is a directory. Expected a regular file.`);
  assert.match(
    second ?? "",
    /^The objects exist on the service, .* Save this as lost-ids\.yaml\.ids\.json:$/,
  );
  assert.deepEqual(JSON.parse(rest.join("\n")), { [other.url]: { office: id } });
});

test("a closed pipe does not stop an apply", async (t) => {
  const other = await emptyService();
  t.after(other.stop);
  const names = Array.from({ length: 2_000 }, (_, n) => `  p${n}: { description: ${"x".repeat(60)} }\n`);
  const file = write("pipe.yaml", `ip_policies:\n${names.join("")}`);
  const command = `set -o pipefail; "$NODE" "$EDGE" apply ${file} --yes --accept effect_unknown | head -1`;
  const env = { PATH: process.env["PATH"], API: other.url, API_KEY: other.key, NODE: process.execPath };
  const EDGE = resolve("packages", "cli", "bin", "edge.js");
  await new Promise<void>((done, failed) => {
    execFile("bash", ["-c", command], { cwd: folder, env: { ...env, EDGE } }, (error) =>
      error ? failed(error) : done(),
    );
  });
  assert.equal((await edge(other, ["diff", file])).stdout, "No differences.\n");
});

test("output contains no control or format characters, and JSON and YAML keep their values", async (t) => {
  const other = await emptyService();
  t.after(other.stop);
  const description = "\u009b31m\u202e\u200b\u{e0041}\u2028\ufeff\u0007\tx";
  const { body } = await other.call("POST", "/ip_policies", { description: "before" });
  const events = (await other.call("GET", "/events?limit=1")).body["events"];
  await other.call("PATCH", `/ip_policies/${body["id"]}`, { description });
  await other.call("POST", "/edges/tcp", {
    description,
    metadata: description,
    hostports: ["control.example.com:1"],
  });
  const outputs: string[] = [];
  const run = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await edge(other, args);
    outputs.push(stdout, stderr);
    return stdout;
  };
  const printed = await run("export");
  const { value } = readSource(pathIn(write("printed.yaml", printed)), true);
  assert.deepEqual(value["ip_policies"], { ip_policy_1: { description } });
  for (const file of ["control.yaml", "control.json"]) {
    write(
      file,
      file.endsWith("json") ? '{"ip_policies": {}, "tcp_edges": {}}' : "ip_policies: {}\ntcp_edges: {}\n",
    );
    await run("diff", file, "--prune");
    await run("export", file);
    assert.equal((await run("diff", file)).startsWith("No differences."), true);
    outputs.push(textOf(file));
  }
  await run("problems");
  for (const line of (await run("problems", "--json")).trimEnd().split("\n")) JSON.parse(line);
  for (const flags of [[], ["--json"]]) {
    const command = [
      "timeout",
      "3",
      process.execPath,
      resolve("packages", "cli", "bin", "edge.js"),
      "watch",
      "--after",
    ];
    const all = [...command, events[0].event_id, ...flags].map((word) => `'${word}'`).join(" ");
    const env = { PATH: process.env["PATH"], API: other.url, API_KEY: other.key };
    const seen = await new Promise<string>((done) => {
      execFile("bash", ["-c", all], { env }, (_, stdout) => done(stdout));
    });
    outputs.push(seen);
    const [first = ""] = seen.split("\n");
    if (flags.length > 0) assert.equal(JSON.parse(first).object.description, description);
    else assert.match(first, /\\u009b31m\\u202e\\u200b/);
  }
  for (const output of outputs)
    assert.doesNotMatch(
      output.replaceAll("\n", ""),
      /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u,
      JSON.stringify(output),
    );
});
