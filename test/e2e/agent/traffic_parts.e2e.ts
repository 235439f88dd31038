import assert from "node:assert/strict";
import { test } from "node:test";
import { type LogLine, readLine } from "../../../packages/agent/src/base/log_line.ts";
import { render } from "../../../packages/agent/src/render/render.ts";
import { Frames } from "../../../packages/agent/src/traffic/frames.ts";
import { Ledger } from "../../../packages/agent/src/traffic/ledger.ts";
import { Losses } from "../../../packages/agent/src/traffic/losses.ts";
import { Tallies } from "../../../packages/agent/src/traffic/tallies.ts";
import { mostFrequent, see, type SourceCounts } from "../../../packages/agent/src/traffic/top.ts";
import { Upstreams } from "../../../packages/agent/src/traffic/upstreams.ts";
import { isLogged, serversIn, statsIn } from "../../../packages/agent/src/traffic/worker_stats.ts";
import { PLACES, type TrafficReport } from "../../../packages/model/src/traffic/counts.ts";
import { fixed } from "./agent.ts";
import { certificate, folder, httpsEdge, serverCertificate, settings, snapshot, tcpEdge } from "./proxy.ts";

/*
 * The parts that count traffic, without HAProxy.
 */

const HOUR = Date.UTC(2031, 0, 2, 3);
const MINUTE = 60_000;
const LINE =
  "r 12 1795920147571 edghts_1 edghtsrt_1 200 -- - 76 3 any 10.0.0.1:80 192.0.2.1 GET /path with spaces";

test("a stream is read in any pieces", () => {
  const stream = Buffer.from(`${LINE.length} ${LINE}3 abc0 ${LINE.length} ${LINE}`);
  for (const size of [1, 2, 7, 100, 1000]) {
    const [frames, found]: [Frames, string[]] = [new Frames(), []];
    for (let at = 0; at < stream.length; at += size)
      frames.push(stream.subarray(at, at + size), (message) => found.push(message));
    assert.deepEqual(found, [LINE, "abc", "", LINE], `${size} bytes at a time`);
  }
});

test("a stream of something else ends", () => {
  for (const text of [
    "GET / HTTP/1.1\r\n",
    " abc",
    "-1 abc",
    "1e3 abc",
    "70000 abc",
    "99999999999999999999 a",
  ])
    assert.throws(() => new Frames().push(Buffer.from(text), () => {}), RangeError, text);
  const frames = new Frames();
  assert.throws(() => {
    for (let count = 0; count < 100; count++) frames.push(Buffer.alloc(1000, "1"), () => {});
  }, RangeError);
});

test("a line is read, whatever a client has sent", () => {
  assert.deepEqual(readLine(`${LINE}\n`), {
    kind: "request",
    pid: 12,
    instant: 1_795_920_147_571,
    edge: "edghts_1",
    place: "edghtsrt_1",
    status: 200,
    state: "--",
    why: undefined,
    bytes: 76,
    duration: 3,
    server: "any",
    address: "10.0.0.1:80",
    source: "192.0.2.1",
    method: "GET",
    rest: "/path with spaces",
  } satisfies LogLine);
  assert.equal(readLine(LINE.replace("10.0.0.1:80", "2001:db8::1:80"))?.address, "[2001:db8::1]:80");
  // `OPTIONS *` has no path.
  assert.equal(readLine(`${LINE.replace("/path with spaces", "")}\n`)?.rest, undefined);
  assert.equal(readLine(`${LINE.replace("/path with spaces", "")}\n`)?.method, "GET");
  const forged = [
    "",
    "Proxy port_443 stopped (cumulated conns: FE: 1, BE: 0).",
    LINE.replace("r 12", "x 12"),
    LINE.replace("r 12", "r -1"),
    LINE.replace("200", "2e400"),
    LINE.replace(" 76 ", " NaN "),
    LINE.replace("edghts_1", 'edghts"1'),
    LINE.replace("edghts_1", "x".repeat(101)),
    LINE.slice(0, 60),
  ];
  for (const line of forged) assert.equal(readLine(line), undefined, line);
});

const line = (more: Partial<LogLine>): LogLine => ({ ...(readLine(LINE) ?? assert.fail()), ...more });

test("10,000 objects are counted in constant memory, and none is missing in the total", () => {
  const tallies = new Tallies();
  for (let count = 0; count < 30_000; count++)
    tallies.line(
      line({
        edge: `edghts_${count % 10_000}`,
        place: `edghtsrt_${count % 10_000}`,
        source: `192.0.2.${count % 256}`,
      }),
    );
  assert.equal(tallies.objects.size, 2000);
  assert.equal(tallies.total[PLACES.requests], 30_000);
  const own = [...tallies.objects.values()].reduce(
    (sum, { tally }) => sum + (tally[PLACES.requests] ?? 0),
    0,
  );
  // Each request counts for its edge and its route.
  assert.equal(own + (tallies.other.tally[PLACES.requests] ?? 0), 60_000);
  for (const { sources } of tallies.objects.values()) assert.ok(sources.size <= 16);
});

test("the most frequent sources are found among many, and never counted too low", () => {
  const sources: SourceCounts = new Map();
  const real = new Map<string, number>();
  for (let count = 0; count < 20_000; count++) {
    // Half of the requests are of eight sources.
    const source = count % 2 === 0 ? `heavy ${(count / 2) % 8}` : `light ${count % 5000}`;
    see(sources, source);
    real.set(source, (real.get(source) ?? 0) + 1);
  }
  const top = mostFrequent(sources);
  assert.deepEqual(
    top.map(([source]) => source.split(" ")[0]),
    Array(8).fill("heavy"),
  );
  for (const [source, times] of top) assert.ok(times >= (real.get(source) ?? 0), source);
  // The counts of all that are kept add up to what was seen.
  assert.equal(
    [...sources.values()].reduce((sum, times) => sum + times, 0),
    20_000,
  );
});

/** What some lines add, by the names of counts. */
function counted(...lines: Partial<LogLine>[]): Record<string, number> {
  const tallies = new Tallies();
  for (const one of lines) tallies.line(line(one));
  return Object.fromEntries(
    Object.entries(PLACES).flatMap(([name, place]) =>
      tallies.total[place] ? [[name, tallies.total[place]]] : [],
    ),
  );
}

test("a connection whose TLS ends here counts once: outside as a connection, inside with its bytes and how it ended", () => {
  const connection = { kind: "connection", place: undefined, status: 0, bytes: 500 } as const;
  assert.deepEqual(counted({ ...connection, state: "SD" }), {
    connections: 1,
    bytes: 500,
    upstream_errors: 1,
  });
  assert.deepEqual(counted({ ...connection, place: "tls_443", state: "SD" }), { connections: 1 });
  assert.deepEqual(counted({ ...connection, kind: "inner", state: "SD" }), {
    bytes: 500,
    upstream_errors: 1,
  });
  const why = "ip_restriction";
  assert.deepEqual(counted({ ...connection, place: "tls_443", state: "PR", bytes: 0, why }), {
    connections: 1,
    [why]: 1,
  });
  // The client left, or the upstream failed, before a rule could reject it.
  assert.deepEqual(counted({ ...connection, state: "CR", bytes: 0, why }), { connections: 1, aborted: 1 });
});

test("a source is seen once for each request, and for each connection without requests", () => {
  const tallies = new Tallies();
  const connection = { kind: "connection", source: "192.0.2.1", status: 0 } as const;
  tallies.line(line({ ...connection, place: "https_443" }));
  tallies.line(line({ source: "192.0.2.1" }));
  tallies.line(line({ ...connection, place: undefined }));
  assert.deepEqual([...tallies.of("edghts_1").sources], [["192.0.2.1", 2]]);
});

test("of a server that HAProxy checks, the check counts, and not the last connection", () => {
  const snapshotOf = snapshot({
    edges: [tcpEdge("edgtcp_1", [], "bkdsc_1"), tcpEdge("edgtcp_2", [], "bkdfo_1")],
    backends: {
      bkdsc_1: { kind: "static", address: "192.0.2.1:80", tls: false },
      bkdsc_2: { kind: "static", address: "192.0.2.2:80", tls: false },
      bkdfo_1: { kind: "failover", backends: ["bkdsc_1", "bkdsc_2"] },
    },
  });
  const upstreams = new Upstreams(() => snapshotOf);
  const reach = (object: string, isUp: boolean, now: number): void =>
    upstreams.reach(new Map([["", { object, address: "192.0.2.1:80", isUp }]]), now);
  const seen = (): unknown =>
    upstreams.servers.map(({ backend_id, up, since }) => [backend_id, up, since.slice(11, 16)]);
  reach("edgtcp_1", true, HOUR);
  reach("edgtcp_1", true, HOUR + MINUTE);
  // It leads to two backends.
  reach("edgtcp_2", false, HOUR + MINUTE);
  assert.deepEqual(seen(), [["bkdsc_1", true, "03:00"]]);
  reach("edgtcp_1", false, HOUR + 2 * MINUTE);
  assert.deepEqual(seen(), [["bkdsc_1", false, "03:02"]]);
  upstreams.check(
    [{ backend: "bkdsc_1", address: "192.0.2.1:80", isUp: true, since: 60 }],
    HOUR + 5 * MINUTE,
  );
  assert.deepEqual(seen(), [["bkdsc_1", true, "03:04"]]);
  // After a reload, HAProxy counts again.
  upstreams.check([{ backend: "bkdsc_1", address: "192.0.2.1:80", isUp: true, since: 5 }], HOUR + 9 * MINUTE);
  assert.deepEqual(seen(), [["bkdsc_1", true, "03:04"]]);
});

/** Counts of some requests. */
function requests(count: number): Tallies {
  const tallies = new Tallies();
  for (let done = 0; done < count; done++) tallies.line(line({}));
  return tallies;
}

const reports = (ledger: Ledger, resolution = 60): [at: string, requests: number][] =>
  ledger.waiting
    .map(({ body }): TrafficReport => JSON.parse(body))
    .filter((report) => report.resolution === resolution)
    .map(({ at, totals }) => [at.slice(11, 16), totals.requests]);

test("each interval is reported once it is over, and a minute without traffic has zeros", () => {
  const ledger = Ledger.restored(undefined, undefined);
  for (let minute = 0; minute <= 6; minute++)
    ledger.add(requests(minute === 3 ? 0 : minute + 1), 0, HOUR + minute * MINUTE + 5000, () => []);
  assert.deepEqual(reports(ledger), [
    // What was counted until the first step of a minute is of the minute before.
    ["03:00", 1 + 2],
    ["03:01", 3],
    ["03:02", 0],
    ["03:03", 5],
    ["03:04", 6],
    ["03:05", 7],
  ]);
  assert.deepEqual(reports(ledger, 300), [["03:00", 1 + 2 + 3 + 5 + 6]]);
});

test("a service that is down for long gets the last 59 minutes, and a restarted agent goes on", () => {
  const first = Ledger.restored(undefined, undefined);
  for (let minute = 0; minute <= 90; minute++) first.add(requests(1), 0, HOUR + minute * MINUTE, () => []);
  const saved = { workers: {}, open: first.saved };
  const second = Ledger.restored(
    JSON.parse(JSON.stringify(saved)),
    JSON.parse(JSON.stringify(first.waiting)),
  );
  second.add(requests(4), 0, HOUR + 91 * MINUTE, () => []);
  const all = reports(second);
  assert.deepEqual([all.length, all[0], all.at(-1)], [59, ["03:32", 1], ["04:30", 4]]);
  assert.deepEqual(reports(second, 3600), [["03:00", 61]]);
});

test("no interval is reported twice after the clock was set back, and none is left out after it was set forward", () => {
  const ledger = Ledger.restored(undefined, undefined);
  const at = (minute: number, count: number): void =>
    ledger.add(requests(count), 0, HOUR + minute * MINUTE, () => []);
  at(0, 1);
  at(1, 2);
  at(0, 4);
  at(1, 8);
  at(2, 16);
  assert.deepEqual(reports(ledger), [
    ["03:00", 3],
    ["03:01", 4 + 8 + 16],
  ]);
  at(30, 32);
  assert.deepEqual(reports(ledger).at(-1), ["03:02", 32]);
  // Set forward, and back to what was not reported.
  at(50, 64);
  at(31, 128);
  at(32, 256);
  assert.deepEqual(reports(ledger).slice(-2), [
    ["03:30", 64],
    ["03:31", 128 + 256],
  ]);
  // The clock was a day ahead for some minutes.
  const wrong = Ledger.restored(undefined, undefined);
  const during = (...minutes: number[]): unknown => {
    for (const minute of minutes) wrong.add(requests(1), 0, HOUR + minute * MINUTE, () => []);
    return reports(wrong);
  };
  const DAY = 24 * 60;
  assert.deepEqual(during(0, DAY, DAY + 1), [["03:00", 1]]);
  // Reports go on at once.
  assert.deepEqual(during(1, 2, 3), [
    ["03:00", 1],
    ["03:01", 2],
    ["03:02", 1],
  ]);
  // A day later, the minute that was reported then is not reported again.
  assert.deepEqual(during(DAY, DAY + 1, DAY + 2), [
    ["03:00", 1],
    ["03:01", 1],
  ]);
  // Set back by more: to what an earlier agent has reported.
  const next = Ledger.restored({ workers: {}, open: ledger.saved }, []);
  next.add(requests(512), 0, HOUR + 10 * MINUTE, () => []);
  next.add(requests(1024), 0, HOUR + 33 * MINUTE, () => []);
  assert.deepEqual(reports(next), [["03:32", 512 + 1024]]);
});

test("a line that is on its way is not lost, and one that does not arrive is counted as lost once", () => {
  const losses = new Losses();
  const stats = (lines: number, rejected: [string, number][] = []) =>
    new Map([[7, { lines, open: 0, rejected: new Map(rejected) }]]);
  const arrived = (all: number, untilCut: number) => new Map([[7, { all, untilCut }]]);
  losses.note(new Map(), () => false);
  assert.equal(losses.settle(arrived(10, 0), true), 0);
  assert.deepEqual(
    losses.note(stats(12, [["edgtcp_1", 3]]), () => true),
    new Map([["edgtcp_1", 3]]),
  );
  // Two of five had been written before HAProxy was asked.
  assert.equal(losses.settle(arrived(5, 2), true), 0);
  assert.deepEqual(
    losses.note(stats(20, [["edgtcp_1", 4]]), () => true),
    new Map([["edgtcp_1", 1]]),
  );
  assert.equal(losses.settle(arrived(4, 1), true), 4);
  losses.note(stats(24), () => true);
  assert.equal(losses.settle(arrived(0, 0), true), 1);
  losses.note(stats(24), () => true);
  assert.equal(losses.settle(arrived(0, 0), true), 0);
});

test("what a process said last is compared after it has ended, even if it was asked twice in a row", () => {
  const losses = new Losses();
  losses.note(new Map(), () => false);
  losses.note(new Map([[7, { lines: 20, open: 0, rejected: new Map() }]]), () => true);
  // Too early: some of the lines can be on their way.
  assert.equal(losses.settle(new Map([[7, { all: 12, untilCut: 12 }]]), false), 0);
  losses.note(new Map(), () => false);
  assert.equal(losses.settle(new Map([[7, { all: 5, untilCut: 2 }]]), true), 3);
  losses.note(new Map(), () => false);
  assert.equal(losses.settle(new Map(), true), 0);
  assert.deepEqual(losses.saved, {});
});

test("what an earlier agent has counted of a process that goes on is not counted again", () => {
  const losses = new Losses();
  losses.restore({ 7: { lines: 100, lost: 5, rejected: { edgtcp_1: 3 } } });
  const stats = new Map([
    [7, { lines: 110, open: 0, rejected: new Map([["edgtcp_1", 4]]) }],
    [8, { lines: 1000, open: 0, rejected: new Map([["edgtcp_1", 50]]) }],
  ]);
  // Nobody knows what an unknown process has written before.
  assert.deepEqual(
    losses.note(stats, () => true),
    new Map([["edgtcp_1", 1]]),
  );
  assert.equal(losses.settle(new Map([[7, { all: 5, untilCut: 0 }]]), false), 0);
  losses.note(stats, () => true);
  assert.equal(losses.settle(new Map(), true), 0);
});

test("HAProxy's counts are read by the names of its columns", () => {
  const stats = `# pxname,svname,scur,stot,mode,dcon,hrsp_1xx,hrsp_2xx,hrsp_3xx,hrsp_4xx,hrsp_5xx,hrsp_other,
port_443,FRONTEND,2,10,tcp,0,,,,,,,
https_443,FRONTEND,9,99,http,0,0,5,1,2,3,4,
metrics,FRONTEND,0,7,http,0,0,7,0,0,0,0,

# pxname,svname,scur,stot,mode,dcon,hrsp_1xx,hrsp_2xx,hrsp_3xx,hrsp_4xx,hrsp_5xx,hrsp_other,
tcp,edgtcp_1,0,3,tcp,2,,,,,,,
tcp,edgtcp_1,0,3,tcp,1,,,,,,,
`;
  assert.deepEqual(statsIn(stats), { lines: 8 + 15, open: 11, rejected: new Map([["edgtcp_1", 3]]) });
  assert.deepEqual(statsIn("No such proxy.\n"), { lines: 0, open: 0, rejected: new Map() });
  const servers = `# pxname,svname,status,lastchg,addr,
http_bkdfo_1,bkdsc_1,UP,60,10.0.0.1:80,
tcp_bkdfo_1,bkdsc_1,DOWN,5,10.0.0.1:80,
http_bkdfo_1,bkdsc_2__2,DOWN 1/2,7,[2001:db8::1]:80,
http_any,any,no check,0,0.0.0.0:0,
http_bkdfo_1,bkdhr_1,UP,9,unix,
`;
  assert.deepEqual(serversIn(servers), [
    { backend: "bkdsc_1", address: "10.0.0.1:80", isUp: true, since: 60 },
    { backend: "bkdsc_2", address: "[2001:db8::1]:80", isUp: false, since: 7 },
  ]);
});

test("it is known of each frontend whether it logs", (t) => {
  const pem = serverCertificate(certificate(folder(t), ["a.example.com"]).pem, ["a.example.com"]);
  const route = {
    id: "edghtsrt_1",
    match_type: "path_prefix",
    match: "/",
    backend: { backend_id: "bkdhr_1" },
  } as const;
  const websocket = { ...route, id: "edghtsrt_2", match: "/ws", websocket_tcp_converter: {} };
  const { files } = render(
    snapshot({
      edges: [
        tcpEdge("edgtcp_1", ["192.0.2.1:5000"], "bkdhr_1"),
        {
          ...tcpEdge("edgtls_1", ["a.example.com:444"], "bkdhr_1"),
          kind: "tls",
          tls_termination: { min_version: "1.2" },
        },
        httpsEdge("edghts_1", ["a.example.com:443"], [route, websocket]),
      ],
      backends: { bkdhr_1: fixed("text") },
    }),
    settings({
      certificateFor: () => pem,
      metrics: { address: "127.0.0.1", port: 9000 },
      log: { socket: "/tmp/log", addresses: false, paths: false },
      http: {
        port: 80,
        httpsPort: 443,
        isRedirected: true,
        thumbprintFor: undefined,
        objectionTo: () => undefined,
      },
    }),
  );
  const sections = (files.get("haproxy.cfg") ?? "")
    .split(/^(?=\S)/m)
    .filter((text) => text.startsWith("frontend "));
  const logging = sections.map((text): [string, boolean] => [
    text.split(" ")[1] ?? "",
    text.includes("log ring@"),
  ]);
  assert.deepEqual(logging.map(([name]) => name).toSorted(), [
    "bkdhr_1",
    "http",
    "https_443",
    "metrics",
    "port_443",
    "port_444",
    "tcp",
    "tls_444",
    "wsup_edghtsrt_2",
  ]);
  for (const [name, isLogging] of logging) assert.equal(isLogged(name), isLogging, name);
});
