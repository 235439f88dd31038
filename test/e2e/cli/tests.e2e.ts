import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { ACCEPT_ALL, edge, pathIn, type TestService, textOf, withServices } from "./services.ts";

/*
 * The tests of a file: requests that are never sent, and their expected outcome.
 */

let service: TestService;
withServices((started) => (service = started));

const CA = readFileSync("test/support/certificates/ec_with_text.pem", "utf8")
  .replaceAll(/^/gm, "      ")
  .trimEnd();

const OBJECTS = `ip_policies:
  office:
    rules:
      - { action: allow, cidr: 203.0.113.0/24 }
      - { action: deny, cidr: 203.0.113.66/32 }
      - { action: allow, cidr: 192.0.2.0/24, expires_at: "2020-01-01T00:00:00Z" }
certificate_authorities:
  devices:
    ca_pem: |
${CA}
http_response_backends:
  closed: { status_code: 451, body: Not here, headers: { x-why: law } }
static_backends:
  shop: { address: "shop.internal.example.com:8443" }
  spare: { address: "spare.internal.example.com:8443" }
failover_backends:
  both: { backends: [shop, spare] }
weighted_backends:
  mixed: { backends: { shop: 9, spare: 1 } }
tcp_edges:
  db:
    hostports: ["db.example.com:5432"]
    backend: { backend_id: both }
    ip_restriction: { ip_policy_ids: [office] }
  unserved:
    hostports: ["unserved.example.com:5433"]
tls_edges:
  mail:
    hostports: ["mail.example.com:993"]
    backend: { backend_id: mixed }
    traffic_policy: { value: '{"on_tcp_connect": [{"expressions": ["conn.client_ip == ''198.51.100.1''"], "actions": [{"type": "deny"}]}]}' }
  meter:
    hostports: ["meter.example.com:8883"]
    backend: { backend_id: mixed }
    tls_termination: { terminate_at: edge }
    mutual_tls: { certificate_authority_ids: [devices] }
    traffic_policy: { value: '{"on_tcp_connect": [{"expressions": ["conn.tls.client.subject.common_name == ''stolen''"], "actions": [{"type": "deny"}]}]}' }
  open_meter:
    hostports: ["open.example.com:8884"]
    backend: { backend_id: mixed }
    tls_termination: { terminate_at: edge }
    traffic_policy: { value: '{"on_tcp_connect": [{"expressions": ["conn.tls.client.subject.common_name == ''stolen''"], "actions": [{"type": "deny"}]}]}' }
https_edges:
  front:
    hostports: ["shop.example.com:443"]
    routes:
      - match: /
        match_type: path_prefix
        backend: { backend_id: shop }
        request_headers: { add: { x-edge: "1" }, remove: [x-secret] }
        response_headers: { add: { x-edge: "2" }, remove: [server] }
        user_agent_filter: { deny: [BadBot.*] }
        traffic_policy:
          value: |
            on_http_request:
              - name: admins
                expressions: ["req.url.path.startsWith('/admin')"]
                actions: [{ type: deny }]
              - name: before the opening
                expressions: ["timestamp(time.now) < timestamp('2026-01-02T06:00:00Z')"]
                actions: [{ type: custom-response, config: { status_code: 503, body: asleep } }]
      - match: /office
        match_type: path_prefix
        backend: { backend_id: closed }
        ip_restriction: { ip_policy_ids: [office] }
      - match: /exactly
        match_type: exact_path
        backend: { backend_id: closed }
`;

interface Case {
  request: string;
  from?: string;
  more?: string;
  expect: string;
  /** What is said when the opposite, `wrong`, is expected. */
  wrong: [expect: string, message: string];
}

const DAY = `at: "2026-01-02T12:00:00Z"`;
const BROWSER = "User-Agent: Firefox";
const cases: Record<string, Case> = {
  "a rule of a traffic policy": {
    request: "GET https://shop.example.com/admin",
    more: `${DAY}, headers: { ${BROWSER} }`,
    expect: "edge: front, route: /, status: 403, rule: admins",
    wrong: [
      "status: 200, rule: before the opening",
      "status: expected 200, not 403|rule: expected before the opening, not admins",
    ],
  },
  "the time": {
    request: "https://shop.example.com/",
    more: `at: "2026-01-02T03:00:00Z", headers: { ${BROWSER} }`,
    expect: "status: 503, rule: before the opening",
    wrong: ["status: 403", "status: expected 403, not 503"],
  },
  "headers and a backend": {
    request: "POST https://shop.example.com/?q=1",
    more: `${DAY}, headers: { ${BROWSER}, X-Secret: s, x-kept: k }, response: { status: 201, headers: { Server: s } }`,
    expect:
      "status: 201, upstream: shop, request_headers: { X-Edge: '1', x-secret: null, x-kept: k }, response_headers: { x-edge: '2', server: null }",
    wrong: [
      "upstream: spare, request_headers: { x-edge: '2', x-kept: null }, response_headers: { server: s }",
      'upstream: expected spare, not shop, shop.internal.example.com:8443|request_headers.x-edge: expected "2", not "1"|request_headers.x-kept: expected none, not "k"|response_headers.server: expected "s", not none',
    ],
  },
  "an address of an upstream": {
    request: "tcp://db.example.com:5432",
    from: "203.0.113.7",
    expect: "edge: db, upstream: 'spare.internal.example.com:8443', closed: false",
    wrong: ["edge: mail", "edge: expected mail, not db"],
  },
  "a user agent": {
    request: "GET https://shop.example.com/",
    more: `${DAY}, headers: { User-Agent: BadBot/1.0 }`,
    expect: "status: 403",
    wrong: ["upstream: shop", "upstream: expected shop, not none"],
  },
  "a fixed response": {
    request: "GET https://shop.example.com/office/x",
    from: "203.0.113.7",
    expect: "route: /office, status: 451, response_headers: { x-why: law }",
    wrong: ["route: /exactly", "route: expected /exactly, not /office"],
  },
  "an address that is denied": {
    request: "GET https://shop.example.com/office",
    from: "203.0.113.66",
    expect: "status: 403",
    wrong: ["closed: true", "closed: expected true, not false"],
  },
  "a rule that has expired": {
    request: "tcp://db.example.com:5432",
    from: "192.0.2.7",
    expect: "closed: true",
    wrong: ["upstream: both", "upstream: expected both, but the connection is closed"],
  },
  "a policy of a TLS edge": {
    request: "tls://mail.example.com:993",
    from: "198.51.100.1",
    expect: "edge: mail, closed: true",
    wrong: ["upstream: mixed", "upstream: expected mixed, but the connection is closed"],
  },
  "a client's certificate": {
    request: "tls://meter.example.com:8883",
    more: "client_certificate: { common_name: meter-1 }",
    expect: "edge: meter, upstream: mixed",
    wrong: ["closed: true", "closed: expected true, not false"],
  },
  "a client's certificate that a policy rejects": {
    request: "tls://meter.example.com:8883",
    more: "client_certificate: { common_name: stolen }",
    expect: "edge: meter, closed: true",
    wrong: ["status: 200", "status: expected 200, but the connection is closed"],
  },
  "a client without the certificate that an edge requires": {
    request: "tls://meter.example.com:8883",
    expect: "edge: meter, closed: true",
    wrong: ["upstream: mixed", "upstream: expected mixed, but the connection is closed"],
  },
  "a policy that needs mutual TLS on an edge without it": {
    request: "tls://open.example.com:8884",
    more: "client_certificate: { common_name: stolen }",
    expect: "edge: open_meter, closed: false",
    wrong: ["status: 200", "status: expected 200, but it is not served"],
  },
  "an exact path": {
    request: "GET https://shop.example.com/exactly",
    expect: "route: /exactly, status: 451",
    wrong: ["route: /", "route: expected /, not /exactly"],
  },
};

const testsOf = (pick: (one: Case) => string): string =>
  `tests:\n${Object.entries(cases)
    .map(
      ([name, one]) =>
        `  - { name: ${name}, request: "${one.request}", from: ${one.from ?? "198.51.100.7"}, ${one.more === undefined ? "" : `${one.more}, `}expect: { ${pick(one)} } }\n`,
    )
    .join("")}`;
const right = testsOf(({ expect }) => expect);
const wrong = testsOf(({ wrong: [expect] }) => expect);
/** The lines about each test, by its name. */
const linesOf = (stdout: string): Map<string, string[]> =>
  new Map(
    stdout
      .split(/^(?=ok |FAIL )/m)
      .map((part) => part.split("\n").map((line) => line.trim()))
      .map(([first = "", ...rest]) => [first.replace(/^\w+ +/, ""), rest]),
  );

test("tests run on a file alone, and on the service that has it, with the same results", async () => {
  writeFileSync(pathIn("edge.yaml"), OBJECTS + right);
  const alone = await edge(undefined, ["test", "edge.yaml"]);
  assert.deepEqual(
    [alone.code, alone.stderr],
    [0, "Note: office: the rule allow 192.0.2.0/24 expired at 2020-01-01T00:00:00Z and is left out.\n"],
    alone.stdout,
  );
  assert.match(alone.stdout, new RegExp(`^${Object.keys(cases).length} tests, all passed\\.$`, "m"));
  const early = await edge(service, ["test", "edge.yaml", "--live"]);
  assert.deepEqual([early.code, /edge\.yaml\.ids\.json does not exist/.test(early.stderr)], [1, true]);

  const applied = await edge(service, ["apply", "edge.yaml", "--yes", ACCEPT_ALL]);
  assert.equal(applied.code, 3, applied.stderr);
  assert.ok(applied.stdout.startsWith(alone.stdout), applied.stdout);
  assert.equal((await edge(service, ["test", "edge.yaml", "--live"])).stdout, alone.stdout);

  writeFileSync(pathIn("edge.yaml"), OBJECTS + wrong);
  const failed = await edge(undefined, ["test", "edge.yaml"]);
  assert.equal(failed.code, 2);
  assert.match(failed.stdout, new RegExp(`^${Object.keys(cases).length} tests, \\d+ failed\\.$`, "m"));
  const lines = linesOf(failed.stdout);
  for (const [name, one] of Object.entries(cases)) {
    const [place = "", ...rest] = lines.get(name) ?? [];
    assert.match(place, /^edge\.yaml:\d+:\d+$/, name);
    const reasons = rest.filter((line) => / expected /.test(` ${line}`));
    assert.equal(reasons.join("|"), one.wrong[1], name);
  }
  assert.equal((await edge(service, ["test", "edge.yaml", "--live"])).stdout, failed.stdout);
});

test("what has no edge, and what is not served, fails", async () => {
  writeFileSync(
    pathIn("gone.yaml"),
    `${OBJECTS}tests:
  - { name: nobody, request: "GET https://nobody.example.com/", from: 198.51.100.7, expect: { status: 200 } }
  - { name: unserved, request: "tcp://unserved.example.com:5433", from: 198.51.100.7, expect: { upstream: shop } }
`,
  );
  const { code, stdout } = await edge(undefined, ["test", "gone.yaml"]);
  assert.equal(code, 2);
  assert.match(stdout, /^FAIL nobody\n.*\n +No edge has nobody\.example\.com:443\.$/m);
  assert.match(
    stdout,
    /^FAIL unserved\n.*\n +upstream: expected shop, but it is not served\n +unserved → not served: /m,
  );
});

test("apply runs the tests first, and changes nothing if one fails", async () => {
  const file =
    "ip_policies: { fresh: {} }\ntests:\n  - { name: no, request: 'tcp://db.example.com:5432', from: 192.0.2.1, expect: { closed: true } }\n";
  writeFileSync(pathIn("fresh.yaml"), file);
  const count = async (): Promise<number> =>
    (await service.call("GET", "/ip_policies")).body["ip_policies"].length;
  const before = await count();
  const rejected = await edge(service, ["apply", "fresh.yaml", "--yes", "--create-all"]);
  assert.deepEqual([rejected.code, await count()], [1, before], rejected.stdout);
  assert.match(rejected.stderr, /^Nothing was changed, because tests failed\. .*--skip-tests\.$/m);
  const skipped = await edge(service, ["apply", "fresh.yaml", "--yes", "--create-all", "--skip-tests"]);
  assert.deepEqual([skipped.code, await count()], [0, before + 1], skipped.stderr);
});

test("an export keeps the tests of a file, in YAML and in JSON", async () => {
  const cases = [
    { name: "no", request: "tcp://db.example.com:5432", from: "192.0.2.1", expect: { closed: true } },
  ];
  for (const name of ["kept.yaml", "kept.json"]) {
    writeFileSync(pathIn(name), JSON.stringify({ ip_policies: {}, tests: cases }));
    const { code, stderr } = await edge(service, ["export", name]);
    assert.equal(code, 0, stderr);
    assert.match(textOf(name), /fresh|ipp_|ip_policy/);
    const kept = JSON.stringify(cases[0]?.request);
    assert.ok(
      textOf(name).includes(name.endsWith("json") ? kept : "tcp://db.example.com:5432"),
      textOf(name),
    );
  }
});

const invalid: Record<string, [tests: string, message: RegExp]> = {
  "no list": ["tests: {}", /^f\.yaml:1:8: tests: Expected a list\.$/m],
  "an unknown field": [
    "tests:\n  - { name: a, request: 'GET https://a/', from: 192.0.2.1, expect: { status: 200 }, form: 1 }",
    /^f\.yaml:2:85: tests\.0\.form: Unknown; accepted: name, request, from, headers, client_certificate, response, at, counts, jwt_signatures, expect\.$/m,
  ],
  "missing fields": ["tests:\n  - {}", /^f\.yaml:2:5: tests\.0: name is missing\.$[^]*expect is missing\.$/m],
  "two of a name": [
    "tests:\n  - { name: a, request: 'https://a/', from: 192.0.2.1, expect: { status: 200 } }\n  - { name: a, request: 'https://a/', from: 192.0.2.1, expect: { status: 200 } }",
    /f\.yaml:3:13: tests\.1\.name: There is already a test with this name\./,
  ],
  "no URL": [
    "tests: [{ name: a, request: GET /, from: 192.0.2.1, expect: { status: 200 } }]",
    /^f\.yaml:1:29: tests\.0\.request: Expected a method and a URL, such as GET https:\/\/host\/path/m,
  ],
  "no address": [
    "tests: [{ name: a, request: 'https://a/', from: example.com, expect: { status: 200 } }]",
    /tests\.0\.from: Expected an IPv4 or IPv6 address\.$/m,
  ],
  "no time": [
    "tests: [{ name: a, request: 'https://a/', from: '::1', at: tomorrow, expect: { status: 200 } }]",
    /tests\.0\.at: Expected a time such as 2026-01-02T03:04:05Z\.$/m,
  ],
  "no expectation": [
    "tests: [{ name: a, request: 'https://a/', from: '::1', expect: {} }]",
    /tests\.0\.expect: Expected at least one of edge, route, status, closed, rule, upstream, request_headers, response_headers\.$/m,
  ],
  "an unknown edge": [
    "tests: [{ name: a, request: 'https://a/', from: '::1', expect: { edge: b } }]",
    /tests\.0\.expect\.edge: Unknown name\. Expected a name in tcp_edges, tls_edges, https_edges, or an id\.$/m,
  ],
  "a status that no response has": [
    "tests: [{ name: a, request: 'https://a/', from: '::1', expect: { status: 99 } }]",
    /tests\.0\.expect\.status: Expected a number from 100 to 599\.$/m,
  ],
};
for (const [what, [text, message]] of Object.entries(invalid))
  test(`invalid tests are rejected with their place: ${what}`, async () => {
    writeFileSync(pathIn("f.yaml"), `${text}\n`);
    const { code, stderr } = await edge(undefined, ["test", "f.yaml"]);
    assert.equal(code, 1, stderr);
    assert.match(stderr, message);
  });

test("a file without tests says so", async () => {
  writeFileSync(pathIn("none.yaml"), "ip_policies: {}\n");
  const { code, stderr } = await edge(undefined, ["test", "none.yaml"]);
  assert.deepEqual([code, stderr], [1, "none.yaml has no tests.\n"]);
  assert.equal(readFileSync(pathIn("none.yaml"), "utf8"), "ip_policies: {}\n");
});
