import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { test } from "node:test";
import { listen } from "../support/ports.ts";
import { edge, type TestService, withServices } from "./services.ts";

/*
 * Who calls, whether the service works, and what agents serve.
 */

let service: TestService;
withServices((started) => (service = started));

async function keyOf(
  role: string,
  description: string,
): Promise<Pick<TestService, "url" | "key"> & { id: string }> {
  const { body } = await service.call("POST", "/api_keys", { role, description });
  return { url: service.url, key: String(body["token"]), id: String(body["id"]) };
}

test("whoami prints who the key belongs to, its role and its end", async () => {
  const key = await keyOf("planner", "pull requests \u202e");
  const { code, stdout } = await edge(key, ["whoami"]);
  assert.deepEqual(
    [code, stdout],
    [0, `${service.url}\npull requests \\u202e  ${key.id}\nrole: planner\nexpires: never\n`],
  );
  const json = JSON.parse((await edge(key, ["whoami", "--json"])).stdout);
  assert.deepEqual([json.url, json.id, json.role], [service.url, key.id, "planner"]);
  const unknown = await edge({ url: service.url, key: "wrong" }, ["whoami"]);
  assert.deepEqual([unknown.code, /ERR_UNAUTHENTICATED/.test(unknown.stderr)], [1, true]);
});

test("health says whether the service works", async () => {
  const works = await edge(service, ["health"]);
  assert.equal(works.code, 0, works.stderr);
  assert.match(works.stdout, new RegExp(`^ok {2}${service.url} {2}release \\d+\\.\\d+\\.\\d+\\n$`));
  const broken = createServer((_, response) => {
    response.writeHead(500, { "Content-Type": "application/json", "Service-Operation-Id": "op_1" });
    response.end(
      JSON.stringify({
        error_code: "ERR_INTERNAL",
        status_code: 500,
        msg: "The database is missing.",
        details: {},
      }),
    );
  });
  const url = `http://127.0.0.1:${await listen(broken)}`;
  const { code, stdout } = await edge({ url, key: "k" }, ["health"]);
  broken.close();
  assert.deepEqual([code, stdout], [2, `not ok  ${url}  The database is missing. (500 ERR_INTERNAL)\n`]);
});

test("agents says what each agent serves, and what is wrong with it", async () => {
  const none = await edge(service, ["agents"]);
  assert.deepEqual([none.code, none.stdout], [0, "No agent has reported.\n"]);
  const report = (name: string, status: object): Promise<unknown> =>
    service.call("PUT", `/agents/${name}/status`, status);
  const { body } = await service.call("GET", "/snapshot");
  const version = body["version"];
  const status = { applied_version: version, ok: true, proxy: "HAProxy 2.6.12" };
  await report("lisbon", status);
  const fine = await edge(service, ["agents"]);
  assert.deepEqual(
    [fine.code, fine.stdout],
    [0, `ok     lisbon  serves version ${version}  HAProxy 2.6.12\n`],
  );
  const of = (effect: string, code: string, edges: string) => ({ effect, code, msg: "Because.", edges });
  const exceptions = [
    of("partly", "refused_by_haproxy", "AQ=="),
    of("not_served", "certificate_missing", "Ag=="),
    of("not_served", "not_wanted", "DA=="),
  ];
  await report("lisbon", { ...status, edges: { count: 6, digest: "0".repeat(16), exceptions } });
  const some = await edge(service, ["agents"]);
  assert.match(
    some.stdout,
    /^ok {5}lisbon {2}serves version \d+, 3 of 4 edges, 1 of them in part; 2 left out by --only {2}HAProxy/,
  );
  // What is served is not known if the service does not have the version, or the agent has none.
  const covered = { ...status, edges: { count: 6, digest: "0".repeat(16), exceptions: [] } };
  await report("lisbon", { ...covered, applied_version: version + 1 });
  await report("porto", { ...covered, applied_version: null });
  assert.equal(
    (await edge(service, ["agents"])).stdout.replace(/, \d+ changes? behind since \S+/, ""),
    `ok     lisbon  serves version ${version + 1}  HAProxy 2.6.12\nok     porto  serves nothing yet  HAProxy 2.6.12\n`,
  );
  await report("lisbon", status);
  await report("porto", {
    applied_version: null,
    ok: false,
    error: "HAProxy rejects the configuration.",
    problems: [{ object: "edgtcp_1", code: "certificate_missing", msg: "There is no certificate." }],
  });
  const { code, stdout } = await edge(service, ["agents"]);
  assert.equal(code, 2);
  assert.match(
    stdout,
    /^not ok porto {2}serves nothing yet.*\n {9}HAProxy rejects the configuration\.\n {9}edgtcp_1: There is no certificate\. \(certificate_missing\)\n$/m,
  );
  const lines = (await edge(service, ["agents", "--json"])).stdout.trim().split("\n");
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).name),
    ["lisbon", "porto"],
  );
});

test("certificates says which ones agents have for each host, and when they end", async () => {
  const none = await edge(service, ["certificates"]);
  assert.deepEqual([none.code, none.stdout], [0, "No edge needs a certificate, and no agent reports one.\n"]);
  const start = Math.floor(Date.now() / 1000) * 1000;
  const day = (days: number): string => new Date(start + days * 86_400_000).toISOString().replace(".000", "");
  const certificate = (host: string, left: number) => ({
    hosts: [host],
    not_before: day(left - 90),
    not_after: day(left),
    issuer: "CN=\u001B[31mTest\u202E",
    serial: "0a",
    source: "file",
    used: true,
  });
  const report = (name: string, ...certificates: object[]): Promise<unknown> =>
    service.call("PUT", `/agents/${name}/status`, { ok: true, certificates });
  const { body } = await service.call("POST", "/edges/https", { hostports: ["shop.example.com:443"] });
  const [fine, soon, old] = [day(60), day(10), day(-2)];
  for (const name of ["faro", "lagos", "lisbon", "porto"])
    await report(name, certificate("shop.example.com", 60));
  const valid = await edge(service, ["certificates"]);
  assert.deepEqual(
    [valid.code, valid.stdout],
    [
      0,
      `valid    shop.example.com  ends ${fine}  on faro, lagos, lisbon and 1 more  CN=\uFFFD[31mTest\uFFFD\n`,
    ],
  );
  await report("lisbon", certificate("a.example.com", 10), certificate("old.example.com", -2));
  for (const name of ["faro", "lagos", "porto"]) await report(name);
  const { code, stdout } = await edge(service, ["certificates"]);
  assert.equal(code, 2);
  assert.deepEqual(stdout.split("\n"), [
    `ending   a.example.com     ends ${soon}  on lisbon  no edge  CN=\uFFFD[31mTest\uFFFD`,
    `ending   old.example.com   ended ${old}  on lisbon  no edge  CN=\uFFFD[31mTest\uFFFD`,
    "missing  shop.example.com  no certificate",
    "",
  ]);
  const json = await edge(service, ["certificates", "--state", "missing", "--json"]);
  assert.equal(json.code, 2);
  const [missing] = json.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual([missing.host, missing.edges[0].id], ["shop.example.com", body["id"]]);
  const unknown = await edge(service, ["certificates", "--state", "unknown"]);
  assert.deepEqual([unknown.code, unknown.stdout], [0, "None.\n"]);
  const wrong = await edge(service, ["certificates", "--state", "bad"]);
  assert.deepEqual(
    [wrong.code, /valid, ending, pending, failing, paused, missing, unknown/.test(wrong.stderr)],
    [1, true],
  );
});

test("--version is that of the package", async () => {
  const { version } = JSON.parse(readFileSync("packages/cli/package.json", "utf8"));
  assert.deepEqual(await edge(undefined, ["--version"]), { code: 0, stdout: `${version}\n`, stderr: "" });
});
