import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { test } from "node:test";
import { commandNames } from "../../../packages/cli/src/help.ts";
import { freePort, listen } from "../support/ports.ts";
import { edge, fails, idIn, pathIn, type TestService, textOf, withServices } from "./services.ts";

let service: TestService;

withServices((started) => (service = started));

/** Nothing listens at this address. */
const nowhere = { url: `http://127.0.0.1:${await freePort()}`, key: "key" };

/** Writes a file, and an ids file without names. */
const write = (file: string, text: string): string => {
  writeFileSync(pathIn(file), text);
  writeFileSync(pathIn(`${file}.ids.json`), noIds());
  return file;
};
const noIds = (): string => `{"${service.url}": {}}\n`;
const isUnchanged = (file: string): void => assert.equal(textOf(`${file}.ids.json`), noIds());

const ONE_EDGE = `tcp_edges:\n  ssh:\n    hostports: ["ssh.example.com:22"]\n`;

/** Invalid files, and all lines of their errors. */
const broken: Record<string, [text: string, ...lines: (string | RegExp)[]]> = {
  "no YAML": ["tcp_edges:\n  a: [1,\n", /^f\.yaml:3:1: /],
  "a tab": ["tcp_edges:\n\ta: {}\n", /^f\.yaml:2:1: Tabs are not allowed/],
  "a name twice": ["tcp_edges:\n  a: {}\n  a: {}\n", "f.yaml:3:3: Duplicate name in this object."],
  "a name in two kinds": [
    "static_backends: { a: { address: a:1 } }\ntcp_edges: { a: {} }\n",
    "f.yaml:2:14: tcp_edges.a: There is already an object with this name in static_backends.",
  ],
  "a list": ["- a\n", /^f\.yaml:1:1: Expected an object with any of ip_policies, /],
  "an unknown kind": ["tcp: {}\n", /^f\.yaml:1:1: tcp: Unknown; accepted: ip_policies, /],
  "a misspelt kind": ["tcp_edge: {}\n", "f.yaml:1:1: tcp_edge: Unknown; did you mean tcp_edges?"],
  "a kind that is a list": [
    "tcp_edges: [a]\n",
    "f.yaml:1:12: tcp_edges: Expected an object whose fields are names of objects.",
  ],
  "an unknown field": [
    "tcp_edges:\n  a:\n    hostport: x\n",
    "f.yaml:3:5: tcp_edges.a.hostport: Unknown; did you mean hostports?",
  ],
  "an unknown field where children are accepted": [
    "ip_policies: { a: { rule: [] } }\nhttps_edges: { b: { route: [], routes: [{ routes: [] }] } }\n",
    "f.yaml:1:21: ip_policies.a.rule: Unknown; did you mean rules?",
    "f.yaml:2:21: https_edges.b.route: Unknown; did you mean routes?",
    "f.yaml:2:41: https_edges.b.routes.0: match_type is missing.",
    "f.yaml:2:41: https_edges.b.routes.0: match is missing.",
    /^f\.yaml:2:43: https_edges\.b\.routes\.0\.routes: Unknown; accepted: match_type, match, (?!.*routes)/,
  ],
  "a read-only member": [
    "ip_policies:\n  a: { id: ipp_1 }\n",
    /^f\.yaml:2:8: ip_policies\.a\.id: Unknown; accepted: /,
  ],
  "an unknown name": [
    "tcp_edges:\n  a:\n    backend:\n      backend_id: blue\n",
    "f.yaml:4:19: tcp_edges.a.backend.backend_id: Unknown name. Expected a name in http_response_backends, static_backends, weighted_backends, failover_backends, or an id.",
  ],
  "a name of another kind": [
    "ip_policies: { home: {} }\ntcp_edges: { a: { backend: { backend_id: home } } }\n",
    /^f\.yaml:2:42: tcp_edges\.a\.backend\.backend_id: This is a name in ip_policies\. Expected /,
  ],
  "a wrong type": [
    "tcp_edges: { a: { hostports: a:1 } }\ntls_edges: { b: { tls_termination: { min_version: 1.2, enabled: yes } } }\n",
    "f.yaml:1:30: tcp_edges.a.hostports: Expected a list, not a string.",
    "f.yaml:2:51: tls_edges.b.tls_termination.min_version: Expected a string, not a number: write it in quotes.",
    "f.yaml:2:65: tls_edges.b.tls_termination.enabled: Expected true or false, not a string.",
  ],
  "a missing member": ["static_backends:\n  a: {}\n", "f.yaml:2:6: static_backends.a: address is missing."],
  "no target, and two": [
    "event_destinations:\n  a: { target: {} }\n  b: { target: { webhook: { url: u }, cloud_logs: {} } }\n",
    /^f\.yaml:2:16: event_destinations\.a\.target: Set exactly one of /,
    /^f\.yaml:3:16: event_destinations\.b\.target: Set exactly one of /,
    "f.yaml:3:27: event_destinations.b.target.webhook: secret is missing.",
    "f.yaml:3:51: event_destinations.b.target.cloud_logs: auth is missing.",
    "f.yaml:3:51: event_destinations.b.target.cloud_logs: log_group_arn is missing.",
  ],
  "a secret": [
    "event_destinations:\n  a: { target: { monitoring_vendor: { api_key: my-secret } } }\n",
    "f.yaml:2:48: event_destinations.a.target.monitoring_vendor.api_key: Expected the name of an environment variable, such as ${NAME}: secrets do not belong in files.",
  ],
  "bad rules": [
    "ip_policies:\n  a:\n    rules:\n      - { action: allow, cidr: 10.0.0.1/8 }\n      - { action: permit, cidr: 10.0.0.0/8 }\n      - { action: deny, cidr: ::1 }\n      - { action: deny, cidr: 0:0::1/128 }\n      - { action: deny }\n",
    "f.yaml:4:32: ip_policies.a.rules.0.cidr: Host bits are set; expected 10.0.0.0/8.",
    "f.yaml:5:19: ip_policies.a.rules.1.action: Expected one of allow, deny.",
    "f.yaml:7:9: ip_policies.a.rules.3: There is already a rule with this action and cidr.",
    "f.yaml:8:9: ip_policies.a.rules.4: cidr is missing.",
  ],
  "bad names": [
    "tcp_edges:\n  1a: {}\n  ipp_a: {}\n  true: {}\n  __proto__: {}\n",
    "f.yaml:2:3: tcp_edges.1a: Expected a name of up to 64 letters, digits, _ and - that begins with a letter.",
    "f.yaml:3:3: tcp_edges.ipp_a: A name must not begin with the prefix of an id.",
    /^f\.yaml:4:3: /,
    /^f\.yaml:5:3: tcp_edges\.__proto__: Expected a name /,
  ],
  "header names twice": [
    "http_response_backends:\n  a: { headers: { A: b, a: c, 'b b': d } }\n",
    "f.yaml:2:25: http_response_backends.a.headers.a: Duplicate name: header names are case-insensitive.",
    /^f\.yaml:2:31: http_response_backends\.a\.headers\.b b: Expected the name of a header: /,
  ],
  "numbers out of bounds": [
    "http_response_backends: { a: { status_code: 99 }, b: { status_code: 200.5 } }\n",
    "f.yaml:1:45: http_response_backends.a.status_code: Expected a number from 200 to 599.",
    "f.yaml:1:69: http_response_backends.b.status_code: Expected a whole number, not a number.",
  ],
  "no time": [
    "ip_policies: { a: { rules: [{ action: deny, cidr: '::/0', expires_at: 2030-01-02 }] } }\n",
    "f.yaml:1:71: ip_policies.a.rules.0.expires_at: Expected an RFC 3339 date and time, such as 2030-01-02T03:04:05Z.",
  ],
  "long text": [
    `ip_policies: { a: { description: ${"é".repeat(128)} } }\n`,
    "f.yaml:1:34: ip_policies.a.description: Longer than 255 bytes in UTF-8.",
  ],
};

test("an invalid file is rejected with line, column and reason", async (t) => {
  for (const [what, [text, ...lines]] of Object.entries(broken))
    await t.test(what, async () => {
      write("f.yaml", text);
      for (const command of ["diff", "apply"]) {
        const { code, stdout, stderr } = await edge(nowhere, [command, "f.yaml"]);
        const said = stderr.trimEnd().split("\n");
        assert.deepEqual([code, stdout, said.length], [1, "", lines.length], stderr);
        for (const [index, line] of lines.entries())
          if (typeof line === "string") assert.equal(said[index], line);
          else assert.match(said[index] ?? "", line);
      }
      isUnchanged("f.yaml");
    });
});

test("an invalid JSON file is rejected with line, column and reason", async () => {
  for (const [text, line] of [
    ['{\n  "tcp_edges": {\n    "a": {},\n  }\n}\n', /^f\.json:4:3: Not valid JSON: unexpected "}"\.$/],
    ["tcp_edges: {}\n", /^f\.json:1:1: Not valid JSON: unexpected text\.$/],
    ['{"tcp_edges": {\n', /^f\.json:2:1: Not valid JSON: the file ends too early\.$/],
    [
      '{\n\t"tcp_edges": {\n\t\t"a": { "colour": 1 }\n\t}\n}\n',
      /^f\.json:3:10: tcp_edges\.a\.colour: Unknown; /,
    ],
    ['{"tcp_edges": {"a": {}, "a": {}}}', /^f\.json:1:25: Duplicate name in this object\.$/],
  ] as const) {
    write("f.json", text);
    const { code, stderr } = await edge(nowhere, ["diff", "f.json"]);
    assert.equal(code, 1);
    assert.match(stderr.trimEnd(), line);
  }
});

test("errors from the service name the place in the file", async () => {
  const file = write(
    "service.yaml",
    `tcp_edges:\n  a:\n    backend:\n      backend_id: bkdsc_2fCzyKyxGFFQjbGvSPXiVOWCOkX\n`,
  );
  await fails(
    service,
    ["apply", file, "--yes"],
    /^The service rejected the file\.\nservice\.yaml:4:19: tcp_edges\.a\.backend\.backend_id: There is no /,
  );
  isUnchanged(file);
});

test("a secret whose variable is not set is rejected before anything is sent", async () => {
  const file = write(
    "missing.yaml",
    "event_destinations:\n  a:\n    target:\n      monitoring_vendor:\n        api_key: ${A_KEY}\n",
  );
  const sent = service.count("POST");
  for (const env of [{}, { A_KEY: "" }]) {
    const { code, stdout, stderr } = await edge(service, ["apply", file, "--yes"], { env });
    assert.deepEqual(
      [code, stdout, stderr],
      [
        1,
        "",
        "missing.yaml:5:18: event_destinations.a.target.monitoring_vendor.api_key: The environment variable A_KEY is not set.\n",
      ],
    );
  }
  assert.equal(service.count("POST"), sent);
});

test("without a terminal and without --yes, nothing is changed", async () => {
  const file = write("consent.yaml", ONE_EDGE);
  const { code, stdout, stderr } = await edge(service, ["apply", file]);
  assert.equal(code, 1);
  assert.match(stdout, /\+ tcp_edges\.ssh/);
  assert.equal(
    stderr,
    "Nothing was changed. Not a terminal, so cannot ask for confirmation. Pass --yes to apply without asking.\n",
  );
  assert.equal((await edge(service, ["diff", file])).code, 2);
});

test("at a terminal, only yes confirms", async () => {
  const file = write("terminal.yaml", ONE_EDGE);
  for (const typed of ["n\n", "\n", "\x04", "yep\n"]) {
    const { code, stdout } = await edge(service, ["apply", file], { typed });
    assert.equal(code, 1);
    assert.match(stdout, /Apply this to http:\/\/127\.0\.0\.1:\d+\? \(y\/N\)/);
    assert.match(stdout, /Nothing was changed\.\r?\n$/);
  }
  const { code, stdout } = await edge(service, ["apply", file], { typed: "y\n" });
  assert.equal(code, 3);
  assert.match(
    stdout,
    /Applied, but 1 problem must be fixed .*\r?\n.*! tcp_edges\.ssh.*\r?\n {6}backend_not_set: The edge is not served: .*\r?\n$/,
  );
  assert.equal((await edge(service, ["diff", file])).code, 0);
});

test("colors are used at a terminal, unless NO_COLOR is set", async () => {
  const file = write("colours.yaml", ONE_EDGE);
  const escape = "\x1b[";
  const seen = async (env: Record<string, string>, typed?: string): Promise<boolean> => {
    const options = { env, ...(typed !== undefined && { typed }) };
    return (await edge(service, ["diff", file], options)).stdout.includes(`${escape}32m`);
  };
  assert.deepEqual(
    [
      await seen({}, ""),
      await seen({ NO_COLOR: "1" }, ""),
      await seen({ NO_COLOR: "" }, ""),
      await seen({ TERM: "dumb" }, ""),
      await seen({}),
    ],
    [true, false, true, false, false],
  );
});

test("an empty file is not taken for a service without objects", async () => {
  const file = write("empty.yaml", "# nothing yet\n");
  for (const args of [["diff"], ["apply", "--prune", "--yes"], ["plan"]]) {
    const { code, stderr } = await edge(service, [...args, file]);
    assert.deepEqual(
      [code, stderr],
      [1, "empty.yaml has no objects. If that is intended, pass --allow-empty.\n"],
    );
  }
  const meant = await edge(service, ["diff", file, "--allow-empty"]);
  assert.deepEqual([meant.code, meant.stdout], [0, "No differences.\n"]);
});

test("a variable without quotes in a map on one line is explained", async () => {
  const file = write(
    "braces.yaml",
    "event_destinations: { a: { target: { datadog: { api_key: ${DD_KEY} } } } }\n",
  );
  await fails(service, ["diff", file], / Put the variable in quotes: "\$\{DD_KEY\}"\.\n/);
});

test("--dry-run checks everything and changes nothing", async () => {
  const file = write("dry.yaml", "ip_policies:\n  dry: { description: Not there }\n");
  const { code, stdout } = await edge(service, ["apply", file, "--dry-run"]);
  assert.equal(code, 0);
  assert.match(stdout, /1 to create, .*\nThe service would accept this\. Nothing was changed\.\n$/);
  assert.equal((await edge(service, ["diff", file])).code, 2);
  isUnchanged(file);
});

test("changes made after the comparison are not overwritten: the error lists them", async () => {
  const file = write("drift.yaml", "tcp_edges:\n  a: { description: before }\n");
  assert.equal((await edge(service, ["apply", file, "--yes"])).code, 0);
  const id = idIn(file, "a", service);
  writeFileSync(pathIn(file), "tcp_edges:\n  a: { description: after }\n");
  service.before("POST /plans", async () => {
    await service.call("PATCH", `/edges/tcp/${id}`, { description: "somebody else", hostports: ["a:1"] });
  });
  await fails(
    service,
    ["apply", file, "--yes"],
    /^drift\.yaml:2:3: Cannot change tcp_edges\.a: .*412 ERR_PRECONDITION_FAILED.*\nSomeone has changed it since it was read:\n {2}description: "before" -> "somebody else"\n {2}hostports: \(not set\) -> \["a:1"\]\nRun the command again\.\n$/,
  );
  assert.equal((await service.call("GET", `/edges/tcp/${id}`)).body["description"], "somebody else");
});

test("a rule that is created after the comparison is detected, too", async () => {
  const text = (action: string): string =>
    `ip_policies:\n  drifting:\n    rules:\n      - { action: ${action}, cidr: 10.0.0.0/8 }\n`;
  const file = write("rule.yaml", text("allow"));
  assert.equal((await edge(service, ["apply", file, "--yes"])).code, 0);
  const id = idIn(file, "drifting", service);
  writeFileSync(pathIn(file), text("deny"));
  service.before("POST /plans", async () => {
    await service.call("POST", "/ip_policy_rules", {
      ip_policy_id: id,
      cidr: "192.0.2.0/24",
      action: "deny",
    });
  });
  const { code, stderr } = await edge(service, ["apply", file, "--yes"]);
  assert.equal(code, 1, "every change of a rule changes the version of its policy");
  assert.match(
    stderr,
    /^rule\.yaml:2:3: .*\nSomeone has changed it since it was read:\n {2}\+ rule deny 192\.0\.2\.0\/24\n/,
  );
});

test("changes made after the comparison are detected when all rules of a policy are replaced", async () => {
  const rules = (second: number): string =>
    Array.from({ length: 600 }, (_, n) => `{ action: deny, cidr: 10.${second}.${n >> 8}.${n & 255} }`).join();
  const file = write("put.yaml", `ip_policies: { put: { rules: [${rules(0)}] } }\n`);
  assert.equal((await edge(service, ["apply", file, "--yes"])).code, 0);
  const id = idIn(file, "put", service);
  writeFileSync(pathIn(file), `ip_policies: { put: { rules: [${rules(1)}] } }\n`);
  service.before("POST /plans", async () => {
    await service.call("PATCH", `/ip_policies/${id}`, { description: "by hand" });
  });
  await fails(
    service,
    ["apply", file, "--yes"],
    /^put\.yaml:1:16: Cannot replace the rules of put: .*412 ERR_PRECONDITION_FAILED.*\nSomeone has changed it since it was read:\n {2}description: "put" -> "by hand"\nRun/,
  );
});

test("usage, exit statuses and errors of calls", async () => {
  const help = async (args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await edge(undefined, args);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /^Usage: edge /);
    assert(stdout.split("\n").every((line) => line.length <= 120));
    return stdout;
  };
  const general = await help(["--help"]);
  for (const arg of ["-h", "help"]) assert.equal(await help([arg]), general);
  const names = Array.from(general.matchAll(/^ {2}([a-z]+) /gm), ([, name = ""]) => name);
  assert.equal(names.length, 21);
  for (const name of names) {
    const text = await help([name, "--help"]);
    const examples = Array.from(text.matchAll(/^ {2}edge (.*)$/gm), ([, line = ""]) => line);
    assert.ok(examples.length > 0, name);
    // The options of an example exist: the help is only printed once they have been parsed.
    for (const example of examples) {
      const [words = ""] = example.replace(/^.*<\(edge (.*)\)/, "$1").split(/ [<>] /);
      const args = Array.from(words.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, word]) => quoted ?? word ?? "");
      assert.equal(args[0], name);
      assert.equal(await help([...args, "--help"]), text);
    }
  }
  const own = ["--url", service.url, "--key", service.key];
  const secure = service.url.replace("http:", "https:");
  for (const [args, reason] of [
    // A script whose variable is empty must not pass.
    [[], general.trimEnd()],
    [["exprot"], 'Unknown command "exprot". Did you mean export? For usage: `edge --help`.'],
    [
      ["xyzzy"],
      `Unknown command "xyzzy". The commands are ${commandNames.join(", ")}. For usage: \`edge --help\`.`,
    ],
    [
      ["diff", "a", "--prnue"],
      "Unknown option '--prnue'. Did you mean --prune? For usage: `edge diff --help`.",
    ],
    [["--url", "x", "whoami"], "Options follow the command: edge COMMAND --url … For usage: `edge --help`."],
    [["apply"], "FILE is missing: edge apply FILE. For usage: `edge apply --help`."],
    [["diff", "a", "b"], '"b" is one argument too many: edge diff FILE. For usage: `edge diff --help`.'],
    [["diff", ""], "An argument is empty. For usage: `edge diff --help`."],
    ...["diff", "export"].map(
      (command) =>
        [
          [command, "-"],
          `A file cannot be -, because the ids of its objects are kept next to it: pass its name. \`edge export\` without FILE prints YAML. For usage: \`edge ${command} --help\`.`,
        ] as const,
    ),
    [["diff", "a", "--yes"], "Unknown option '--yes'. For usage: `edge diff --help`."],
    [["diff", "a"], "No service URL: run `edge login`, pass --url, or set the environment variable API."],
    [
      ["diff", "a", "--url", nowhere.url],
      "No API key: run `edge login`, set the environment variable API_KEY, or pass --key.",
    ],
    [
      ["diff", "a", "--url", "localhost:1", "--key", "k"],
      '"localhost:1" is not a valid service URL: it must start with http:// or https://.',
    ],
    // A key instead of the URL.
    [["diff", "a", "--url", "secret", "--key", "k"], /^The given text is not a valid service URL: /],
    [
      ["diff", "none.yaml", "--url", nowhere.url, "--key", "k"],
      "Cannot read none.yaml: no such file or directory (ENOENT).",
    ],
    [
      ["export", "--url", nowhere.url, "--key", "k"],
      `Cannot reach ${nowhere.url}: nothing listens there (ECONNREFUSED).`,
    ],
    [
      ["export", "--url", service.url, "--key", "wrong-key"],
      /^The service does not accept the API key: .* Check --key, .*\(401 ERR_UNAUTHENTICATED, /,
    ],
    [
      ["export", "--url", service.url, "--key", "secret\nkey"],
      /^The API key contains characters that cannot be part of a key/,
    ],
    [
      ["watch", "--url", service.url, "--key", service.key, "--interval", "0"],
      /^--interval must be a number of seconds/,
    ],
    [["access", "bot_1", "::1", ...own], /^"bot_1" is not an edge id: /],
    [
      ["approve", "edge.yaml", ...own],
      '"edge.yaml" is not the id of a plan (pln_…): edge approve PLAN [FILE]. `edge plans` lists plans.',
    ],
    [
      ["whoami", "--url", secure, "--key", "k"],
      `Cannot reach ${secure}: it does not speak TLS on this port; use another port, or http:// (ERR_SSL_WRONG_VERSION_NUMBER).`,
    ],
  ] as const) {
    const { code, stdout, stderr } = await edge(undefined, [...args]);
    assert.deepEqual([code, stdout], [1, ""]);
    if (typeof reason === "string") assert.equal(stderr, `${reason}\n`);
    else assert.match(stderr, reason);
    assert.equal(/wrong-key|secret/.test(stderr), false);
  }
});

test("an invalid ids file is rejected", async () => {
  const file = write("ids.yaml", ONE_EDGE);
  for (const [text, reason] of [
    ["{", /^ids\.yaml\.ids\.json:1:2: Not valid JSON: the file ends too early\.$/],
    [`{"${service.url}": {"ssh": 1}}`, /^ids\.yaml\.ids\.json:1:\d+: http:.*\.ssh: Expected an id\.$/],
    [`{"${service.url}": []}`, /^ids\.yaml\.ids\.json:1:\d+: http.*: Expected an object of names and ids\.$/],
  ] as const) {
    writeFileSync(pathIn(`${file}.ids.json`), text);
    const { code, stderr } = await edge(service, ["diff", file]);
    assert.equal(code, 1);
    assert.match(stderr.trimEnd(), reason);
  }
});

const json = { "Content-Type": "application/json" };
const foreign: Record<string, [status: number, headers: Record<string, string>, body: string, said: RegExp]> =
  {
    "a page": [
      200,
      { "Content-Type": "text/html" },
      "<html>",
      / is not this service: it returned 200\. Check --url\.$/m,
    ],
    "other JSON": [200, json, "{}", / is not this service: it returned 200\. /],
    "JSON with a BOM": [200, json, "\ufeff{}", / is not this service: /],
    "nothing there": [404, {}, "", / is not this service: it returned 404\. /],
    "a redirect": [
      307,
      { Location: "https://sso.example.com/login?to=x" },
      "",
      / redirects to https:\/\/sso\.example\.com, /,
    ],
    "a broken proxy": [502, {}, "<html>", / returned 502, and the response is not the service's: /],
  };
for (const [what, [status, headers, body, said]] of Object.entries(foreign))
  test(`another server at the URL is named: ${what}`, async () => {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      response.writeHead(status, headers).end(body);
    });
    const url = `http://127.0.0.1:${await listen(server)}`;
    writeFileSync(pathIn("foreign.yaml"), "ip_policies: { office: {} }\n");
    for (const args of [
      ["export"],
      ["whoami"],
      ["problems"],
      ["apply", "foreign.yaml", "--yes", "--create-all"],
    ]) {
      const { code, stderr } = await edge({ url, key: "key" }, args);
      assert.equal(code, 1, stderr);
      assert.match(stderr, said, args.join(" "));
      assert.doesNotMatch(stderr, /\n {4}at /);
    }
    server.close();
    assert.ok(requests.length > 0);
  });

test("two objects of a file with the same id are an error that names both", async () => {
  writeFileSync(pathIn("twins.yaml"), "ip_policies: { first: {}, second: {} }\n");
  const applied = await edge(service, ["apply", "twins.yaml", "--yes", "--create-all"]);
  assert.equal(applied.code, 0, applied.stderr);
  const name = "twins.yaml.ids.json";
  const ids = JSON.parse(textOf(name)) as Record<string, Record<string, string>>;
  const own = ids[service.url] ?? {};
  writeFileSync(pathIn(name), JSON.stringify({ [service.url]: { ...own, second: own["first"] } }));
  for (const command of ["diff", "apply"]) {
    await fails(
      service,
      [command, "twins.yaml"],
      /first and second have the same id, ipp_\w+\. Remove one of the two from twins/,
    );
  }
});

test("access to something that is not an edge says what it is", async () => {
  const { body } = await service.call("POST", "/ip_policies", {});
  const { code, stderr } = await edge(service, ["access", body["id"], "192.0.2.1"]);
  assert.equal(code, 1);
  assert.match(stderr, /^ipp_\w+ is not an edge: its kind is IP policy\. /);

  const { id } = (await service.call("POST", "/edges/tcp", {})).body;
  writeFileSync(
    pathIn("access.yaml.ids.json"),
    JSON.stringify({ [service.url]: { shop: id, office: body["id"] } }),
  );
  for (const [name, code, said] of [
    ["shop", 0, /^allowed/],
    [id, 0, /^allowed/],
    ["shoop", 1, / has no id for "shoop" on .*\. Did you mean shop\?$/m],
    ["other", 1, / has no id for "other" on .*\. Its edges are shop\.$/m],
  ] as const) {
    const found = await edge(service, ["access", name, "192.0.2.1", "--file", "access.yaml"]);
    assert.equal(found.code, code, name);
    assert.match(found.stdout + found.stderr, said);
  }
});
