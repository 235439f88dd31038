import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { stepsBetween } from "../../../packages/agent/src/map_steps.ts";
import { type Arrangement, arranged, nothing } from "../../../packages/agent/src/render/arrangement.ts";
import { keyOfLine } from "../../../packages/agent/src/render/layout.ts";
import type { Edge, Route, Snapshot } from "../../../packages/model/src/traffic/snapshot.ts";
import { drawn } from "../support/random.ts";
import { eventually } from "../support/wait.ts";
import { fixed, world, type World } from "./agent.ts";
import { certificate, folder, freePort, httpsEdge, tcpEdge } from "./proxy.ts";

/*
 * After any changes in a running HAProxy, its memory has the maps and certificates that a fresh start loads, and nothing of earlier
 * ones.
 */

const MAPS = ["nets/allow", "nets/deny", "entries", "routes/exact", "routes/prefix", "hosts"];

const linesOf = (text: string): Map<string, string> =>
  new Map(
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const space = line.indexOf(" ");
        return [line.slice(0, space), line.slice(space + 1)];
      }),
  );

/** The lines of each map in the memory of HAProxy's worker, and how many there are with those of versions that are not used. */
async function inMemory(here: World, paths: readonly string[]) {
  const listed = await here.master("@1 show map");
  const all = new Map<string, { lines: Map<string, string>; shown: number; kept: number }>();
  for (const path of paths) {
    const line = listed.split("\n").find((one) => one.includes(`/${path}) `)) ?? "";
    const [, id] = /^(\d+) /.exec(line) ?? [];
    const [, kept] = /entry_cnt=(\d+)/.exec(line) ?? [];
    assert.ok(id !== undefined && kept !== undefined, `${path}: ${listed}`);
    const said = await here.master(`@1 show map #${id}`);
    const shown = [...said.matchAll(/^0x\w+ (\S+) (\S+)$/gm)];
    const lines = new Map(shown.map(([, key = "", value = ""]) => [key, value]));
    all.set(path, { lines, shown: shown.length, kept: Number(kept) });
  }
  return all;
}

/** The certificates and the lines of lists in the memory of HAProxy's worker, and those on disk. */
async function certificates(here: World) {
  const directory = realpathSync(join(here.state, "current"));
  const paths = (name: string) =>
    readdirSync(join(directory, name)).map((file) => join(directory, name, file));
  const known = (await here.master("@1 show ssl cert")).split("\n").filter((line) => line.startsWith("/"));
  const fingerprint = async (path: string): Promise<string> =>
    /^SHA1 FingerPrint: (\w+)/m.exec(await here.master(`@1 show ssl cert ${path}`))?.[1] ?? "";
  const [memory, disk] = [new Map<string, unknown>(), new Map<string, unknown>()];
  for (const path of known) memory.set(path, await fingerprint(path));
  for (const path of paths("certificates"))
    disk.set(path, new X509Certificate(readFileSync(path)).fingerprint.replaceAll(":", ""));
  const lines = (text: string) =>
    text
      .split("\n")
      .filter((line) => line.startsWith("/"))
      .map((line) => line.replace(/ \[.*\]/, "").replace(/:\d+ /, " "))
      .toSorted();
  for (const path of paths("lists")) {
    memory.set(path, lines(await here.master(`@1 show ssl crt-list -n ${path}`)));
    disk.set(path, lines(readFileSync(path, "utf8")));
  }
  return { memory, disk };
}

/** The table or the set that a key belongs to. */
const nameIn = (key: string): string => key.split("/", 1)[0] ?? "";

const onDisk = (here: World, path: string) =>
  linesOf(readFileSync(join(here.state, "current", path), "utf8"));

const draw = drawn();

const POLICIES = ["ipp_1", "ipp_2", "ipp_3", "ipp_4", "ipp_5", "ipp_6"];
/** The last ones cannot be written in commands. */
const PATHS = [
  "/",
  "/a",
  "/a/b",
  "/%41",
  "/~|~",
  "/a,b",
  "/!*()",
  "/;quit",
  "/b\\",
  "/<<",
  "/'\"",
  "/$x",
  "/é",
];
const cidr = (): string =>
  draw.pick([
    () => `10.${draw.below(256)}.0.0/${draw.pick([15, 16, 17, 24])}`,
    () => `2001:db8:${draw.below(65_536).toString(16)}::/${draw.pick([47, 48, 50])}`,
  ])();
const rules = (most: number) => [...new Set(Array.from({ length: draw.below(most) }, cidr))];

/** Changes one part of a snapshot. */
function change(now: Snapshot, hosts: readonly string[], port: number): Partial<Snapshot> {
  const restriction = () =>
    draw.chance(0.3) ? {} : { ip_restriction: { ip_policy_ids: draw.some(POLICIES, 0.6) } };
  const route = (edge: string, match: string): Route => ({
    id: `edghtsrt_${edge}x${Buffer.from(match).toString("hex")}`,
    match_type: draw.pick(["exact_path", "path_prefix"]),
    match,
    backend: { backend_id: draw.pick(["bkdsc_1", "bkdsc_2"]) },
    ...restriction(),
  });
  const https = (host: string): Edge =>
    httpsEdge(
      `edghts_${host.slice(0, 1)}`,
      [`${host}:${port}`],
      draw.some(PATHS, 0.3).map((match) => route(host.slice(0, 1), match)),
    );
  /** Another rule, or none of the last ones, or many others. */
  const policy = (old: Snapshot["ip_policies"][string] = { allow: [], deny: [] }) =>
    draw.pick([
      () => ({ ...old, allow: [...new Set([...old.allow, cidr()])] }),
      () => ({ ...old, deny: [...new Set([...old.deny, cidr()])] }),
      () => ({ allow: old.allow.slice(0, -2), deny: old.deny.slice(0, -1) }),
      () => ({ allow: rules(80), deny: rules(50) }),
    ])();
  const ofHttps = (edges: Edge[]): Edge[] => [...now.edges.filter(({ kind }) => kind !== "https"), ...edges];
  return draw.pick<() => Partial<Snapshot>>([
    () => {
      const id = draw.pick(["ipp_1", ...POLICIES]);
      return { ip_policies: { ...now.ip_policies, [id]: policy(now.ip_policies[id]) } };
    },
    () => {
      const id = draw.pick(["ipp_1", ...POLICIES]);
      return { ip_policies: { ...now.ip_policies, [id]: policy(now.ip_policies[id]) } };
    },
    () => ({ ip_policies: Object.fromEntries(draw.some(Object.entries(now.ip_policies), 0.9)) }),
    () => ({
      backends: {
        ...now.backends,
        bkdsc_1: { kind: "static", address: `192.0.2.${draw.below(250) + 1}:80`, tls: false },
      },
    }),
    () => ({
      edges: now.edges.map((edge) => {
        if (edge.kind === "https") return edge;
        const { ip_restriction: _old, ...rest } = edge;
        return { ...rest, ...restriction() };
      }),
    }),
    () => ({
      edges: ofHttps(
        draw
          .some(hosts.slice(1), 0.5)
          .concat(hosts[0] ?? [])
          .map(https),
      ),
    }),
    () => ({
      edges: now.edges.map((edge) =>
        edge.kind === "https" && draw.chance(0.5) ? https(edge.hostports[0]?.split(":")[0] ?? "") : edge,
      ),
    }),
  ])();
}

/** A certificate for a host: one of several with the same names, or with another name more. */
const own = (path: string, host: string, n: number): string =>
  certificate(path, n === 0 ? [host, `also.${host}`] : [host]).pem;

/** Renews the first certificate, or adds, renews or removes another one. */
function changeCertificate(directory: string, made: readonly string[][]): void {
  const index = draw.below(made.length);
  const file = join(directory, `${index}.pem`);
  const pem = made[index]?.[draw.below(3)] ?? "";
  if (index > 0 && draw.chance(0.3)) rmSync(file, { force: true });
  else {
    // The agent may look at any time, and would see half of a copy.
    const copy = join(directory, "copy");
    copyFileSync(pem, copy);
    renameSync(copy, file);
  }
}

test("after random changes, HAProxy has the maps and certificates of a fresh start, and nothing of earlier versions", async (t) => {
  const here = await world(t);
  const [tcp, port] = [await freePort(), await freePort()];
  const hosts = ["a", "b", "c", "d"].map((name) => `${name}.example.com`);
  const backend = (address: string) => ({ kind: "static", address, tls: false }) as const;
  const two = { ip_restriction: { ip_policy_ids: ["ipp_1", "ipp_2"] } };
  here.service.publish({
    edges: [{ ...tcpEdge("edgtcp_1", [`127.0.0.1:${tcp}`], "bkdsc_1"), ...two }],
    backends: { bkdsc_1: backend("192.0.2.1:80"), bkdsc_2: backend("192.0.2.2:81"), bkdhr_1: fixed("x") },
  });
  here.start();
  const paths = [...MAPS, `names/${port}`];
  /** The maps that the configuration uses: without a restriction or an HTTPS edge, it needs fewer. */
  const used = (): string[] => {
    const configuration = readFileSync(join(here.state, "current", "haproxy.cfg"), "utf8");
    return paths.filter((map) => new RegExp(`/${map}\\b`).test(configuration));
  };
  const made = [
    Array.from({ length: 3 }, () => certificate(folder(t), ["*.example.com"]).pem),
    ...hosts.map((host) => Array.from({ length: 3 }, (_, n) => own(folder(t), host, n))),
  ];
  copyFileSync(made[0]?.[0] ?? "", join(here.certificates, "0.pem"));
  const seen = new Set<string>();
  let listed = 0;
  for (let round = 0; round < 60; round++) {
    const given = change(here.service.snapshot, hosts, port);
    if (draw.chance(0.5)) changeCertificate(here.certificates, made);
    await here.service.applied(here.service.publish(given));
    // The agent looks at certificates every two seconds, and may change HAProxy while the check reads. What stays wrong is a fault.
    await eventually(async () => {
      for (const [map, { lines, shown, kept }] of await inMemory(here, used())) {
        seen.add(map);
        const wanted = onDisk(here, map);
        // Lines of names that nothing leads to any more are deleted later, or by the next reload.
        const names = new Set(Array.from(wanted.keys(), nameIn));
        const living = new Map([...lines].filter(([key]) => wanted.has(key) || names.has(nameIn(key))));
        assert.deepEqual(living, wanted, `${map} after ${JSON.stringify(given)}`);
        assert.equal(shown, lines.size, `${map}: a key is there twice`);
        assert.equal(kept, lines.size, `${map}: lines of other versions are kept`);
      }
      if (!existsSync(join(here.state, "current/lists"))) return;
      const { memory, disk } = await certificates(here);
      assert.deepEqual(memory, disk);
      listed = Math.max(listed, disk.size);
    });
  }
  assert.ok(listed > 3, `${listed} certificates and lists`);
  const runtime = here.log().match(/updated \d+/g)?.length ?? 0;
  t.diagnostic(`${runtime} of 60 changes without a reload`);
  assert.ok(runtime >= 8, here.log());
  assert.doesNotMatch(here.log(), /Cannot change the running HAProxy/);

  assert.deepEqual(seen, new Set(paths));
  const before = new Map(used().map((map) => [map, onDisk(here, map)]));
  await here.end("SIGTERM");
  rmSync(here.state, { recursive: true });
  here.service.statuses.length = 0;
  here.start();
  await here.service.applied(here.service.snapshot.version);
  const after = await inMemory(here, [...before.keys()]);
  for (const [map, lines] of before) assert.equal(after.get(map)?.lines.size, lines.size, map);
});

/** An arrangement of one edge with a route. */
const oneRoute = (match: string, target: string): Arrangement => {
  const entry = { owner: "r", restriction: "open", target } as const;
  const table = { isNamed: true, lines: new Map([[keyOfLine("routes/exact", match), entry]]) };
  const places = new Map([
    ["names/443", new Map([["a.example", { edge: "edghts_1", listener: "https_443" }]])],
  ]);
  const layout = {
    places,
    tables: new Map([["edghts_1", table]]),
    sets: new Map(),
    fixed: new Map(),
    challenges: new Map(),
    paths: [],
  };
  return arranged(layout, nothing());
};

test("what would end a command, or means something in one, is not written in commands", () => {
  const stepsTo = (match: string, target: string) => {
    const before = oneRoute("/", "x");
    return stepsBetween(before, arranged(oneRoute(match, target).layout, before));
  };
  assert.ok(stepsTo("/a", "x"));
  for (let code = 1; code < 0x180; code++) {
    const text = String.fromCharCode(code);
    if (/[\w.:/~|%@=&+,!*()\s-]/.test(text)) continue;
    assert.equal(stepsTo(`/a${text}b`, "x"), undefined, `key with ${code}`);
    assert.equal(stepsTo("/", `x${text}`), undefined, `value with ${code}`);
  }
});
