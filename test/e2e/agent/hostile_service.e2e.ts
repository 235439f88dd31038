import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { allFiles } from "../../../packages/agent/src/map_files.ts";
import { matching } from "../../../packages/agent/src/matching.ts";
import { render } from "../../../packages/agent/src/render/render.ts";
import { type Snapshot, snapshotSchema } from "../../../packages/model/src/traffic/snapshot.ts";
import { noLists } from "../../../packages/model/src/traffic/stored_snapshot.ts";
import { until } from "../support/wait.ts";
import { body, fixed, serving, world } from "./agent.ts";
import {
  certificate,
  complaints,
  folder,
  freePort,
  serverCertificate,
  settings,
  snapshot,
  tcpEdge,
} from "./proxy.ts";

/*
 * A service that is not the service, or a state directory that was changed: nothing but a valid snapshot is used.
 */

const PEM = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

/** Has every member that there is. */
const full = (): Snapshot =>
  snapshot({
    edges: [
      {
        id: "edgtcp_1",
        kind: "tcp",
        hostports: ["192.0.2.1:5432", "[2001:db8::1]:5432"],
        backend: { backend_id: "bkdfo_1" },
        ip_restriction: { ip_policy_ids: ["ipp_1"] },
        traffic_policy: { value: "x" },
      },
      {
        id: "edgtls_1",
        kind: "tls",
        hostports: ["db.example:443"],
        backend: { backend_id: "bkdwd_1" },
        tls_termination: { min_version: "1.2" },
        mutual_tls: { certificate_authority_ids: ["ca_1"] },
      },
      {
        id: "edghts_1",
        kind: "https",
        hostports: ["x.example:443"],
        tls_termination: { min_version: "1.3" },
        routes: [
          {
            id: "edghtsrt_1",
            match_type: "exact_path",
            match: "/",
            backend: { backend_id: "bkdsc_1" },
            ip_restriction: { ip_policy_ids: ["ipp_1"] },
            circuit_breaker: {
              tripped_duration: 10,
              rolling_window: 10,
              num_buckets: 10,
              volume_threshold: 20,
              error_threshold_percentage: 0.5,
            },
            request_headers: { add: { "x-a": "1" }, remove: ["x-b"] },
            response_headers: { add: { "x-c": "2" }, remove: null },
            compression: {},
            user_agent_filter: { allow: ["a"], deny: ["b"] },
          },
          {
            id: "edghtsrt_2",
            match_type: "path_prefix",
            match: "/ws",
            backend: { backend_id: "bkdsc_1" },
            websocket_tcp_converter: {},
          },
        ],
      },
    ],
    ip_policies: { ipp_1: { allow: ["192.0.2.0/24", "2001:db8::/32"], deny: ["192.0.2.7/32"] } },
    backends: {
      bkdsc_1: { kind: "static", address: "192.0.2.9:80", tls: false },
      bkdsc_2: { kind: "static", address: "up.example:443", tls: true },
      bkdhr_1: { kind: "http_response", status_code: 200, headers: { "x-d": "3" }, body: "hello" },
      bkdwd_1: { kind: "weighted", backends: { bkdsc_1: 1, bkdsc_2: 2 } },
      bkdfo_1: { kind: "failover", backends: ["bkdwd_1", "bkdhr_1"] },
    },
    certificate_authorities: { ca_1: PEM },
    problems: [{ object: "edgtcp_2", code: "backend_not_set", msg: "The edge is not served." }],
  });

const INJECTED = "lua-load /tmp/x.lua";
const NASTY: unknown[] = [
  `\n    ${INJECTED}\n`,
  `1.2\n\nglobal\n    ${INJECTED}`,
  `\r\n${INJECTED}\r\n`,
  `a ${INJECTED}`,
  `'\n${INJECTED}\n'`,
  `"\n${INJECTED}\n"`,
  "../../../../escaped",
  "/escaped",
  "..",
  "",
  "\0",
  "%[env(HOME)]",
  "${HOME}",
  "a b",
  "#",
  "\\",
  "__proto__",
  "constructor",
  "x".repeat(100_000),
  "fe80::1%eth0",
  "[fe80::1%eth0]:80",
  "127.0.0.1:0",
  "127.0.0.1:65536",
  "0177.0.0.1:80",
  "1.2.3.4/33",
  -1,
  1.5,
  1e300,
  Number.POSITIVE_INFINITY,
  null,
  true,
  {},
  [],
  [[]],
  { toString: "x" },
];

type Step = string | number;
const isNode = (value: unknown): value is Record<Step, unknown> =>
  typeof value === "object" && value !== null;

/** Paths of all values within a value. */
function placesIn(value: unknown, path: Step[] = []): Step[][] {
  const inner = isNode(value)
    ? Object.keys(value).flatMap((key) => placesIn(value[key], [...path, key]))
    : [];
  return [path, ...inner];
}

/** The same with another value at a place, or with a member renamed. */
function changed(
  place: readonly Step[],
  change: (parent: Record<Step, unknown>, key: Step) => void,
): unknown {
  const root: Record<Step, unknown> = { root: full() };
  const steps = ["root", ...place];
  let parent = root;
  for (const step of steps.slice(0, -1)) {
    const next = parent[step];
    assert.ok(isNode(next));
    parent = next;
  }
  change(parent, steps.at(-1) ?? "");
  return root["root"];
}

const parsed = (value: unknown) => snapshotSchema.safeParse(value);

test("whatever stands anywhere in a snapshot is rejected, or changes nothing around it", (t) => {
  const path = folder(t);
  const { pem } = certificate(path, ["x.example"]);
  const used = settings({
    directory: join(path, "files"),
    sockets: join(path, "s"),
    certificateFor: () => serverCertificate(pem),
    resolve: () => ["192.0.2.8"],
    ignoreTrafficPolicies: true,
  });
  const original = parsed(full());
  assert.ok(original.success, JSON.stringify(original.error));
  assert.deepEqual(original.data, full());
  const names = [...allFiles(render(original.data, used)).keys()].length;
  let [tried, accepted] = [0, 0];
  for (const place of placesIn(full())) {
    const forged = NASTY.flatMap((nasty) => [
      changed(place, (parent, key) => {
        parent[key] = nasty;
      }),
      // JSON.parse makes a member of `__proto__`, as this does.
      changed(place, (parent, key) => {
        if (Array.isArray(parent) || typeof nasty !== "string") return;
        Object.defineProperty(parent, nasty, { value: parent[key], enumerable: true });
        delete parent[key];
      }),
    ]);
    for (const value of forged) {
      tried += 1;
      const result = parsed(value);
      if (!result.success) continue;
      accepted += 1;
      const rendered = render(result.data, used);
      const files = allFiles(rendered);
      assert.ok(files.size <= names);
      for (const [file, content] of files) {
        assert.match(file, /^[\w-]+(?:\/[\w.-]+)*(?:\.cfg)?$/, `${place.join("/")}: ${file}`);
        if (file.startsWith("bodies/")) continue;
        assert.doesNotMatch(content, /^\s*lua-load/m, `${place.join("/")} in ${file}`);
      }
      assert.ok(rendered.listeners.length <= 4);
    }
  }
  t.diagnostic(`${accepted} of ${tried} forged snapshots were harmless and accepted`);
  assert.ok(tried > 5000);
  assert.equal(
    complaints(render(original.data, used), used).includes("ALERT"),
    true,
    "the authority is no certificate",
  );
});

test("says which member is wrong", () => {
  const cases: [place: string, value: unknown][] = [
    ["/version", -1],
    ["/edges/0/id", "edgtcp_../../x"],
    ["/edges/0/hostports/0", "192.0.2.1:80\n"],
    ["/edges/0/hostports/1", "[2001:DB8::1]:5432"],
    ["/edges/0/hostports/1", "[::ffff:127.0.0.1]:5432"],
    ["/edges/0/backend/backend_id", "../../x"],
    ["/edges/1/tls_termination/min_version", "1.2\n"],
    ["/edges/2/routes/0/match", "/ x"],
    ["/edges/2/routes/0/request_headers/add/x-a", "a\r\nb"],
    ["/edges/2/routes/0/circuit_breaker/rolling_window", 0],
    ["/ip_policies/ipp_1/allow/0", "192.0.2.0/24\n;shutdown"],
    ["/backends/bkdhr_1/status_code", "200\n"],
    ["/backends/bkdsc_1/address", "192.0.2.9"],
    ["/certificate_authorities/ca_1", `${PEM}${PEM}`],
    ["/problems/0/msg", 1],
  ];
  for (const [place, value] of cases) {
    const forged = changed(place.split("/").slice(1), (parent, key) => {
      parent[key] = value;
    });
    assert.throws(
      () => matching(snapshotSchema, forged),
      ({ message }: Error) => message.startsWith(`${place}: `),
      place,
    );
  }
  const twice = { ...full(), edges: [...full().edges, ...full().edges] };
  assert.throws(
    () => matching(snapshotSchema, twice),
    /^Error: \/edges\/3\/id: Another item of the list has the same id/,
  );
  const unknown = changed(["edges", "0", "rate_limit"], (parent, key) => {
    parent[key] = {};
  });
  assert.throws(() => matching(snapshotSchema, unknown), /Unknown field "rate_limit". Update the agent/);
  const unprotected = changed(["edges", "1", "tls_termination"], (parent, key) => delete parent[key]);
  assert.throws(() => matching(snapshotSchema, unprotected), /mutual_tls: Cannot be enforced/);
});

test("a body with millions of wrong members costs no more than the first of them", () => {
  const wrong: unknown[] = Array.from({ length: 3_000_000 }, () => 0);
  const many = Object.fromEntries(wrong.slice(0, 300_000).map((_, index) => [`x${index}`, 0]));
  const begin = process.cpuUsage();
  for (const forged of [
    { ...full(), edges: wrong },
    { ...full(), problems: wrong },
    { ...full(), ip_policies: { ipp_1: { allow: wrong, deny: [] } } },
    { ...full(), backends: many },
    { ...full(), ...many },
  ])
    assert.throws(
      () => matching(snapshotSchema, forged),
      ({ message }: Error) => message.length < 400,
    );
  const { user } = process.cpuUsage(begin);
  assert.ok(user < 5_000_000, `${user} µs`);
});

test("a forged snapshot is rejected as a whole and reported, and what is served stays", async (t) => {
  const { here, port, status: before } = await serving(t, "true");
  const pids = await here.pids();

  const answers: [name: string, answer: (response: ServerResponse) => void, told: RegExp][] = [
    [
      "an injected section",
      (response) => {
        const forged = {
          ...here.service.snapshot,
          version: 9,
          certificate_authorities: { ca_1: `x\n${INJECTED}` },
        };
        response.end(JSON.stringify(forged));
      },
      /rejected as a whole\. \/certificate_authorities\/ca_1: Expected exactly one PEM certificate/,
    ],
    ["no JSON", (response) => response.end("<html>"), /rejected as a whole.*is not valid JSON/],
    [
      "another version 9",
      (response) => response.end('{"version":9}'),
      /rejected as a whole\. \/edges: Expected a list/,
    ],
    ["deep JSON", (response) => response.end("[".repeat(20_000_000)), /more lists, objects and fields/],
    [
      "an endless body",
      (response) => {
        const piece = Buffer.alloc(1024 * 1024, " ");
        const more = (): void => {
          while (!response.destroyed && response.write(piece));
        };
        response.on("drain", more);
        more();
      },
      /larger than \d+ bytes/,
    ],
  ];
  for (const [name, answer, told] of answers) {
    const before = here.log().length;
    here.service.fault = (request, response) => {
      if (request.url === "/snapshot") {
        response.writeHead(200, { etag: '"9"' });
        answer(response);
      } else here.service.take(request, response);
    };
    await until(name, () => told.test(here.log().slice(before)));
    assert.equal(await body(port), "true", name);
    assert.deepEqual(await here.pids(), pids, name);
  }
  assert.equal(here.agent?.exitCode, null);
  const status = here.service.statuses.at(-1);
  assert.equal(status?.ok, false);
  assert.equal(status.applied_version, before.applied_version);
  assert.match(status.error ?? "", /rejected as a whole/);

  here.service.fault = undefined;
  const next = here.service.publish({ backends: { bkdhr_1: fixed("next") } });
  const recovered = await here.service.reported(({ applied_version }) => applied_version === next);
  assert.deepEqual([recovered.ok, recovered.error], [true, null]);
  assert.equal(await body(port), "next");
});

test("files of the state directory that were changed are not used", async (t) => {
  const { here, port } = await serving(t, "true");
  await here.end("SIGKILL");
  await here.service.stop();

  const change = (name: string, edit: (value: Record<string, unknown>) => unknown) => {
    const file = join(here.state, name);
    writeFileSync(
      file,
      JSON.stringify(edit(JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>)),
    );
  };
  change("snapshot.json", (kept) => ({
    ...kept,
    snapshot: { ...snapshot({ version: 7 }), edges: [tcpEdge("../../x", [`127.0.0.1:${port}`], "bkdhr_1")] },
  }));
  change("applied.json", (kept) => ({ ...kept, listeners: [{ address: "x", port: 1 }] }));
  writeFileSync(join(here.state, "names.json"), JSON.stringify({ "x.example": ["192.0.2.1\n"] }));
  change("haproxy.json", () => ({ pid: -1 }));
  here.start();
  await until("it has tried the service", () => here.log().includes("Cannot reach"));
  for (const name of ["snapshot.json", "applied.json", "names.json"])
    assert.match(here.log(), new RegExp(`${name} in \\S+ is ignored: /`));
  assert.equal(await body(port), "true", "HAProxy goes on");
  await here.service.start();
  const next = here.service.publish({ backends: { bkdhr_1: fixed("next") } });
  await here.service.applied(next);
  assert.equal(await body(port), "next");
});

test("the service cannot be replaced by an edge on its port", async (t) => {
  const here = await world(t);
  const { port: own } = here.service;
  const other = await freePort();
  // HAProxy would answer the agent with a snapshot of the editor's.
  const forged = fixed(JSON.stringify(snapshot({ version: 1000 })));
  const edges = [
    `127.0.0.1:${own}`,
    `0.0.0.0:${own}`,
    `[::]:${own}`,
    `[::1]:${own}`,
    `localhost:${own}`,
    `x.example:${own}`,
  ];
  const version = here.service.publish({
    edges: [
      ...edges.map((hostport, index) => tcpEdge(`edgtcp_${index}`, [hostport], "bkdhr_1")),
      tcpEdge("edgtcp_9", [`127.0.0.1:${other}`], "bkdhr_2"),
    ],
    backends: { bkdhr_1: forged, bkdhr_2: fixed("other") },
  });
  here.start();
  const status = await here.service.applied(version);
  assert.deepEqual(
    status.problems.map(({ object, code }) => `${object} ${code}`),
    edges.map((_, index) => `edgtcp_${index} service_port`),
  );
  await here.service.stop();
  await until("it has tried the service", () => here.log().includes("Cannot reach"));
  await here.end("SIGTERM");
  here.start();
  await until("it serves again", async () => (await body(other)) === "other");
  assert.equal(await body(own), "", "nobody listens in place of the service");
});

test("forged changes are rejected, the live configuration stays, and changes that do not fit are read again", async (t) => {
  const here = await world(t);
  const port = await freePort();
  const nothing = noLists();
  const edge = {
    id: "edgtcp_1",
    hostports: [`127.0.0.1:${port}`],
    backend: { enabled: true, backend_id: "bkdhr_1" },
    ip_restriction: null,
    traffic_policy: null,
  };
  const response = (text: string) => ({
    id: "bkdhr_1",
    kind: "http_response",
    status_code: 200,
    headers: null,
    body: text,
  });
  const whole = (version: number, text: string) => ({
    from: null,
    version,
    next: `e-stored-2-${version}`,
    put: { ...nothing, tcp: [edge], backends: [response(text)] },
    rules: [],
    deleted: [],
    compiled: [],
  });
  const since = (given: object) => ({
    ...whole(1, ""),
    from: 1,
    version: 2,
    next: "x",
    put: nothing,
    ...given,
  });
  let [everything, changed]: [object, object | undefined] = [whole(1, "one"), undefined];
  let wholes = 0;
  here.service.fault = (request, answer) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://x");
    if (pathname !== "/snapshot/changes") return here.service.take(request, answer);
    const isWhole = !searchParams.has("since");
    wholes += isWhole ? 1 : 0;
    const none = { ...since({ version: 1, next: searchParams.get("since") }) };
    return void answer.end(JSON.stringify(isWhole ? everything : (changed ?? none)));
  };
  here.start();
  await here.service.applied(1);
  assert.equal(await body(port), "one");
  const pids = await here.pids();

  const forged: [name: string, answer: object, told: RegExp][] = [
    [
      "an injected line",
      since({ put: { ...nothing, tcp: [{ ...edge, hostports: [`127.0.0.1:${port}\n${INJECTED}`] }] } }),
      /rejected as a whole\. \/put\/tcp\/0\/hostports\/0/,
    ],
    [
      "an unknown module",
      since({ put: { ...nothing, tcp: [{ ...edge, firewall: { enabled: true } }] } }),
      /Unknown field "firewall"/,
    ],
    [
      "a certificate that is none",
      since({ put: { ...nothing, authorities: [{ id: "ca_1", ca_pem: `x\n${INJECTED}` }] } }),
      /\/put\/authorities\/0\/ca_pem: Expected exactly one PEM certificate/,
    ],
    ["no changes", { version: 2 }, /rejected as a whole\. \/from/],
  ];
  for (const [name, answer, told] of forged) {
    const before = here.log().length;
    changed = answer;
    await until(name, () => told.test(here.log().slice(before)));
    assert.equal(await body(port), "one", name);
    assert.deepEqual(await here.pids(), pids, name);
  }
  assert.match(here.service.statuses.at(-1)?.error ?? "", /rejected as a whole/);

  const rules = [
    { policy: "ipp_1", allow: { add: ["10.0.0.0/8"], remove: [] }, deny: { add: [], remove: [] } },
  ];
  const policy = { enabled: true, value: "on_tcp_connect: []" };
  const misfits: [string, object][] = [
    ["changes after another version", since({ from: 0 })],
    ["rules of an unknown policy", since({ rules })],
    [
      "a policy that is not compiled",
      since({ put: { ...nothing, tcp: [{ ...edge, traffic_policy: policy }] } }),
    ],
  ];
  for (const [index, [name, answer]] of misfits.entries()) {
    const [before, version, text] = [wholes, index + 10, `whole ${index}`];
    [everything, changed] = [whole(version, text), answer];
    await until(name, () => wholes > before);
    changed = undefined;
    await until(name, async () => (await body(port)) === text);
  }
  await until("its status is good again", () => here.service.statuses.at(-1)?.ok === true);
});
