import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { allFiles } from "../../../packages/agent/src/map_files.ts";
import type { MapSteps } from "../../../packages/agent/src/map_steps.ts";
import type { Arrangement } from "../../../packages/agent/src/render/arrangement.ts";
import { Known } from "../../../packages/agent/src/render/known.ts";
import { render, type Rendered, type Settings } from "../../../packages/agent/src/render/render.ts";
import { changeBetween } from "../../../packages/agent/src/running_change.ts";
import { compile } from "../../../packages/model/src/policy/compile.ts";
import { type Changes, policiesIn, policyKey } from "../../../packages/model/src/traffic/changes.ts";
import { Replica } from "../../../packages/model/src/traffic/replica.ts";
import { resolve } from "../../../packages/model/src/traffic/resolve.ts";
import type { Edge, Snapshot } from "../../../packages/model/src/traffic/snapshot.ts";
import {
  listsOf,
  noLists,
  noObjects,
  type StoredLists,
} from "../../../packages/model/src/traffic/stored_snapshot.ts";
import { certificate, folder, serve, settings, snapshot, tcpEdge } from "./proxy.ts";
import { authorities, changed, draw, IDS, make, put, SECTIONS } from "./stored_worlds.ts";

/*
 * The agent resolves and renders only what a change concerns. The law: after any changes, the result is that of resolving and
 * rendering everything.
 */

const WORLDS = 100;
const CHANGES = 25;

const isMap = (value: unknown): value is ReadonlyMap<string, unknown> =>
  typeof value === "object" && value !== null && "get" in value && "has" in value;

/** The same in other objects, none of which is derived from another. */
const copied = ({ layout, names, last }: Arrangement): Arrangement =>
  structuredClone({
    layout: {
      places: new Map(Array.from(layout.places, ([map, places]) => [map, new Map(places)])),
      tables: new Map(layout.tables),
      sets: new Map(layout.sets),
      fixed: new Map(layout.fixed),
      challenges: new Map(layout.challenges),
      paths: layout.paths,
    },
    names: { tables: new Map(names.tables), sets: new Map(names.sets) },
    last,
  });

/** As text. The order of maps has no meaning, and neither has that of the lines in map files. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, own: unknown) => {
    if (own instanceof Set) return [...own].toSorted();
    return isMap(own) ? [...own].toSorted(([a], [b]) => (a < b ? -1 : 1)) : own;
  }) ?? "";

const sortedLines = (files: ReadonlyMap<string, string>): Map<string, string[]> =>
  new Map(Array.from(files, ([path, content]) => [path, content.split("\n").toSorted()]));

/** Within a step, the order of tables and sets has no meaning. */
const sortedSteps = (steps: MapSteps) =>
  Object.entries(steps).map(([step, lines]) => [step, lines.map(textOf).toSorted()]);

/** Says where two values begin to differ. */
function assertSame(what: string, actual: unknown, expected: unknown, told: string): void {
  const [is, should] = [textOf(actual), textOf(expected)];
  if (is === should) return;
  let at = 0;
  while (is[at] === should[at]) at++;
  const around = (text: string): string => text.slice(Math.max(0, at - 200), at + 300);
  assert.fail(`${what}:\n${around(is)}\ninstead of:\n${around(should)}\nafter ${told}`);
}

const NAMES = new Map([["upstream.test", ["192.0.2.9"]]]);

test("what a change concerns is resolved and rendered as everything is", (t) => {
  const path = folder(t);
  authorities.push(...["one", "two"].map((name) => readFileSync(certificate(path, [name]).cert, "utf8")));
  const ofHosts = { file: "certificates/a.pem", content: "a", names: ["*.example.com"] };
  const used: Settings = settings({
    certificateFor: (host) => (host.endsWith(".example.com") || host === "192.0.2.7" ? ofHosts : undefined),
    resolve: (name) => NAMES.get(name),
    isUpstreamAllowed: (address) => address !== "192.0.2.2",
    isWanted: (hostport) => hostport !== "b.example.com:8443",
    objectionTo: ({ port }) => (port === 9001 ? { code: "port_refused", msg: "No." } : undefined),
    http: {
      port: 80,
      httpsPort: 443,
      isRedirected: true,
      thumbprintFor: (host) => (host.startsWith("a.") ? "thumbprint" : undefined),
      objectionTo: () => undefined,
    },
  });
  const judge = (value: string, target: Parameters<typeof compile>[1]) => {
    const { verdict, findings, program } = compile(value, target, (range) => range);
    return { verdict, findings, program };
  };
  let [inPlace, reloads, same] = [0, 0, 0];
  for (let world = 0; world < WORLDS; world++) {
    const replica = new Replica();
    let known = new Known();
    const stored = noObjects();
    const first = noLists();
    for (const section of SECTIONS)
      for (const name of draw.some(IDS[section], 0.7)) put(stored, section, first, name);
    let earlier: Snapshot | undefined;
    let before: { rendered: Rendered; arrangement: Arrangement } | undefined;
    for (let version = 1; version <= CHANGES; version++) {
      const changes = version === 1 ? { put: first, rules: [], deleted: [] } : changed(stored);
      const compiled = policiesIn(changes.put).map(({ target, value }) => ({
        target,
        value,
        ...judge(value, target),
      }));
      const distinct = new Map(compiled.map((one) => [policyKey(one.target, one.value), one]));
      replica.apply({
        from: version === 1 ? null : version - 1,
        version,
        next: "",
        ...structuredClone(changes),
        compiled: [...distinct.values()],
      });
      // Several changes can come before a snapshot is taken.
      if (version > 1 && draw.chance(0.2)) continue;
      const told = JSON.stringify({ world, version, changes });
      const resolved = replica.snapshot();
      const whole = resolve(structuredClone({ version, ...listsOf(stored) }), judge);
      assertSame("snapshot", resolved, whole, told);

      // The agent goes back to an earlier snapshot if a new one cannot be served.
      const back = draw.chance(0.1) ? earlier : undefined;
      const given = back ? { ...back, backends: draw.pick([back, resolved]).backends } : resolved;
      if (!earlier || draw.chance(0.3)) earlier = resolved;
      const rendered = render(given, used, before?.arrangement, known);
      const scratch = render(
        back ? structuredClone(given) : whole,
        used,
        before && copied(before.arrangement),
      );
      for (const part of [
        "files",
        "arrangement",
        "named",
        "listeners",
        "conversions",
        "keys",
        "problems",
      ] as const)
        assertSame(part, rendered[part], scratch[part], told);
      assertSame("files", sortedLines(allFiles(rendered)), sortedLines(allFiles(scratch)), told);
      if (before) {
        const change = changeBetween(before.rendered, rendered);
        const wanted = changeBetween(
          { ...before.rendered, arrangement: copied(before.arrangement) },
          scratch,
        );
        assertSame("maps", change && sortedSteps(change.maps), wanted && sortedSteps(wanted.maps), told);
        assertSame("certificates", change?.certificates, wanted?.certificates, told);
        if (!change) reloads++;
        else if (JSON.stringify(change.maps).length < 60) same++;
        else inPlace++;
      }
      // Not everything that is rendered is served.
      if (!before || draw.chance(0.8)) before = { rendered, arrangement: rendered.arrangement };
      if (draw.chance(0.03)) known = new Known();
    }
  }
  t.diagnostic(`${inPlace} changes without a reload, ${reloads} with one, ${same} that change nothing`);
  assert.ok(inPlace >= 100 && reloads >= 400 && same >= 400, `${inPlace} ${reloads} ${same}`);
});

test("a rendering that fails leaves nothing of itself behind", () => {
  let isBroken = false;
  const used = settings({
    isUpstreamAllowed: () => {
      if (isBroken) throw new Error("It fails.");
      return true;
    },
  });
  const known = new Known();
  const edges = [...Array(3).keys()].map((n) =>
    tcpEdge(`edgtcp_${n}`, [`192.0.2.1:${9000 + n}`], `bkdsc_${n}`),
  );
  const at = (port: number) =>
    snapshot({
      edges,
      backends: Object.fromEntries(
        edges.map((_, n) => [`bkdsc_${n}`, { kind: "static", address: `192.0.2.2:${port + n}`, tls: false }]),
      ),
    });
  const [first, second] = [at(80), at(90)];
  const rendered = (of: Snapshot) => allFiles(render(of, used, undefined, known)).get("entries");
  const before = rendered(first);
  isBroken = true;
  assert.throws(() =>
    rendered({
      ...second,
      backends: {
        ...second.backends,
        bkdsc_0: first.backends["bkdsc_0"] ?? { kind: "failover", backends: [] },
      },
    }),
  );
  isBroken = false;
  assert.equal(rendered(second)?.match(/~9\d~/g)?.length, 3);
  assert.equal(rendered(first), before);
});

test("a port that an older edge gives up goes to the next one, which has not changed", () => {
  const known = new Known();
  // They are in different groups, and each has the port.
  const [older, next] = ["edgtcp_22", "edgtcp_33"].map((name) =>
    tcpEdge(name, ["192.0.2.1:9000"], "bkdsc_1"),
  );
  assert.ok(older && next);
  const backends = { bkdsc_1: { kind: "static", address: "192.0.2.2:80", tls: false } } as const;
  const served = (edges: Edge[]) => {
    const { problems, ...rendered } = render(snapshot({ edges, backends }), settings(), undefined, known);
    return [
      allFiles(rendered)
        .get("entries")
        ?.match(/edgtcp_\d+/)?.[0],
      problems.map(({ object, code }) => `${object} ${code}`),
    ];
  };
  assert.deepEqual(served([older, next]), ["edgtcp_22", ["edgtcp_33 port_conflict"]]);
  assert.deepEqual(served([next]), ["edgtcp_33", []]);
  assert.deepEqual(served([older, next]), ["edgtcp_22", ["edgtcp_33 port_conflict"]]);
});

test("edges that come one by one are in as many groups as edges that come together", () => {
  const grown = new Known();
  const all = Array.from({ length: 400 }, (_, n) =>
    tcpEdge(`edgtcp_${String(n).padStart(4, "0")}`, [`192.0.2.1:${9000 + n}`], "bkdsc_1"),
  );
  const backends = { bkdsc_1: { kind: "static", address: "192.0.2.2:80", tls: false } } as const;
  for (let count = 1; count <= all.length; count++)
    render(snapshot({ edges: all.slice(0, count), backends }), settings(), undefined, grown);
  const fresh = new Known();
  render(snapshot({ edges: all, backends }), settings(), undefined, fresh);
  assert.equal(grown.groups.size, fresh.groups.size);
});

test("of 10,000 edges, one that changes costs a tenth of all at most", (t) => {
  const COUNT = 10_000;
  const numbered = (kind: string, n: number): string =>
    `${kind}_2tGaAbFG7mQ6WZkLxN${String(n).padStart(9, "0")}`;
  const put = noLists();
  const route = (n: number, backend: number) => ({
    ...make.routes(numbered("edghtsrt", n)),
    edge_id: numbered("edghts", n),
    match_type: "path_prefix" as const,
    match: "/",
    backend: { enabled: true, backend_id: numbered("bkdsc", backend) },
    ip_restriction: { enabled: true, ip_policy_ids: [numbered("ipp", n)] },
    traffic_policy: null,
    websocket_tcp_converter: null,
  });
  const plain = { mutual_tls: null, tls_termination: null };
  for (let n = 0; n < COUNT; n++) {
    put.https.push({ id: numbered("edghts", n), hostports: [`e${n}.example.com:443`], ...plain });
    put.routes.push(route(n, n));
    const allow = Array.from({ length: 10 }, (_, host) => `10.${n >> 8}.${n & 255}.${host}/32`);
    put.policies.push({ id: numbered("ipp", n), allow, deny: [] });
    const address = `192.0.2.${n % 250}:80`;
    put.backends.push({ id: numbered("bkdsc", n), kind: "static", address, tls: null });
  }
  const ofHosts = { file: "certificates/a.pem", content: "a", names: ["*.example.com"] };
  const used = settings({ certificateFor: () => ofHosts });
  const replica = new Replica();
  const known = new Known();
  let rendered: Rendered | undefined;
  /** CPU milliseconds until it is known what changes in HAProxy. */
  const cost = (from: number | null, given: StoredLists, rules: Changes["rules"] = []): number => {
    const begin = process.cpuUsage();
    const version = (from ?? 0) + 1;
    replica.apply({ from, version, next: "", put: given, rules, deleted: [], compiled: [] });
    const next = render(replica.snapshot(), used, rendered?.arrangement, known);
    if (rendered) assert.ok(changeBetween(rendered, next));
    rendered = next;
    const { user, system } = process.cpuUsage(begin);
    return (user + system) / 1000;
  };
  const all = cost(null, put);
  const median = (costs: number[]): number => costs.toSorted((a, b) => a - b)[costs.length >> 1] ?? 0;
  let version = 1;
  const costs = (change: (n: number) => StoredLists): number =>
    median(Array.from({ length: 9 }, (_, n) => cost(version++, change(n))));
  const found = {
    upstream: costs((n) => ({ ...noLists(), routes: [route(7, n)] })),
    address: costs((n) => {
      const backend = {
        id: numbered("bkdsc", 5),
        kind: "static",
        address: `192.0.2.251:${n + 81}`,
        tls: null,
      } as const;
      return { ...noLists(), backends: [backend] };
    }),
    edge: costs((n) => {
      const edge = { id: numbered("edghts", COUNT + n), hostports: [`new${n}.example.com:443`], ...plain };
      return { ...noLists(), https: [edge] };
    }),
    rules: costs((n) => ({
      ...noLists(),
      policies: [{ id: numbered("ipp", 9), allow: [`192.0.2.${n}/32`], deny: [] }],
    })),
  };
  t.diagnostic(`all ${all.toFixed(0)} ms, ${JSON.stringify(found)}`);
  for (const [what, cost] of Object.entries(found))
    assert.ok(cost < all / 10, `${what}: ${cost} of ${all} ms`);
});

test("the same snapshot gives the same bytes, and nothing at all a valid configuration", async (t) => {
  await serve(t, {});
  const given = snapshot({
    edges: [tcpEdge("edgtcp_1", ["a.example:1000", "b.example:1000"], "bkdsc_1")],
    backends: { bkdsc_1: { kind: "static", address: "192.0.2.1:80", tls: false } },
  });
  assert.deepEqual(render(given, settings()), render(structuredClone(given), settings()));
});
