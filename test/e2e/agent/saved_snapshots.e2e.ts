import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { SavedSnapshots } from "../../../packages/agent/src/saved_snapshots.ts";
import type { Fetched } from "../../../packages/agent/src/service.ts";
import { State } from "../../../packages/agent/src/state.ts";
import { derivedRecord } from "../../../packages/model/src/traffic/derived.ts";
import type { Edge, Policy, Snapshot } from "../../../packages/model/src/traffic/snapshot.ts";
import { drawn } from "../support/random.ts";
import { folder, snapshot, tcpEdge } from "./proxy.ts";

/*
 * The snapshots that an agent saves are those that the next agent reads, whenever the first one is killed.
 */

const draw = drawn();

const idOf = (kind: string, n: number): string =>
  `${kind}_2tGaAbFG7mQ6WZkLxNcuYb${String(n).padStart(5, "0")}`;
const edge = (n: number): Edge => ({
  ...tcpEdge(idOf("edgtcp", n), [`192.0.2.1:${draw.below(60_000) + 1}`], idOf("bkdsc", draw.below(900))),
  ip_restriction: { ip_policy_ids: [idOf("ipp", draw.below(900))] },
});
const policy = (): Policy => ({ allow: [`10.${draw.below(256)}.0.0/16`], deny: [] });
const backend = () =>
  ({ kind: "static", address: `192.0.2.2:${draw.below(60_000) + 1}`, tls: false }) as const;
const records = <Value>(kind: string, make: () => Value) =>
  Object.fromEntries(Array.from({ length: 900 }, (_, n) => [idOf(kind, n), make()]));

/** A snapshot in which a few objects are others, gone or new. */
function changed(now: Snapshot): Snapshot {
  const id = idOf("bkdsc", draw.below(1_000));
  const { [id]: gone, ...rest } = now.backends;
  const others = draw.pick<() => Partial<Snapshot>>([
    () => {
      const at = draw.below(now.edges.length);
      return { edges: now.edges.map((one, index) => (index === at ? { ...edge(0), id: one.id } : one)) };
    },
    () => ({ edges: now.edges.filter(() => draw.chance(0.999)) }),
    () => ({ edges: [...now.edges, edge(10_000 + now.version)] }),
    () => ({
      ip_policies: derivedRecord(now.ip_policies, new Map([[idOf("ipp", draw.below(900)), policy()]])),
    }),
    () => ({ backends: gone ? rest : { ...rest, [id]: backend() } }),
    () => ({ problems: draw.chance(0.5) ? [] : [{ object: "x", code: "y", msg: `${draw.below(10)}` }] }),
    () => ({ certificate_authorities: draw.chance(0.5) ? {} : { [idOf("ca", 1)]: pem } }),
    // Everything is read again: nothing is the same object.
    () => structuredClone(now),
  ])();
  return { ...now, ...others, version: now.version + 1 };
}
const pem = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";

test("what an agent saves is what the next one reads, after each step", (t) => {
  const directory = join(folder(t), "state");
  let [whole, differences] = [0, 0];
  let now = snapshot({
    edges: Array.from({ length: 800 }, (_, n) => edge(n)),
    ip_policies: records("ipp", policy),
    backends: records("bkdsc", backend),
  });
  const state = new State(directory);
  let saved = new SavedSnapshots(state);
  let [good, next]: (Fetched | undefined)[] = [undefined, undefined];
  const read = (): SavedSnapshots => {
    const other = new SavedSnapshots(new State(directory));
    other.load();
    return other;
  };
  const plain = (fetched: Fetched | undefined) =>
    fetched && { snapshot: fetched.snapshot, etag: fetched.etag };
  const check = (): void => {
    const other = read();
    assert.ok(isDeepStrictEqual(plain(other.good), good), `good, step ${now.version}`);
    assert.ok(isDeepStrictEqual(plain(other.next), next), `next, step ${now.version}`);
  };
  for (let step = 0; step < 120; step++) {
    now = changed(now);
    next = { snapshot: now, etag: draw.chance(0.5) ? null : `"${step}"` };
    saved.keep(next);
    const { size } = statSync(join(directory, "next.json"));
    if (size > 100_000) whole++;
    else differences++;
    check();
    // Some cannot be applied.
    if (draw.chance(0.8)) {
      saved.succeeded(next);
      [good, next] = [next, undefined];
      check();
    }
    if (draw.chance(0.03)) {
      saved = read();
      [good, next] = [plain(saved.good), plain(saved.next)];
      now = (saved.next ?? saved.good)?.snapshot ?? now;
      if (saved.next && draw.chance(0.5)) {
        saved.succeeded(saved.next);
        [good, next] = [next, undefined];
        check();
      }
    }
  }
  t.diagnostic(`${whole} whole, ${differences} differences`);
  assert.ok(whole >= 10 && differences >= 50, `${whole} ${differences}`);
});

test("a difference from another base is not used, and one that gives no snapshot is ignored", (t) => {
  const directory = join(folder(t), "state");
  const state = new State(directory);
  const saved = new SavedSnapshots(state);
  const first = {
    snapshot: snapshot({ edges: Array.from({ length: 2_000 }, (_, n) => edge(n)) }),
    etag: null,
  };
  saved.keep(first);
  saved.succeeded(first);
  const second = { snapshot: { ...first.snapshot, version: 2 }, etag: null };
  saved.keep(second);
  saved.succeeded(second);
  const good = join(directory, "good.json");
  assert.ok(existsSync(good));
  const text = readFileSync(good, "utf8");
  const versionRead = (): number | undefined => {
    const other = new SavedSnapshots(state);
    other.load();
    return other.good?.snapshot.version;
  };
  assert.equal(versionRead(), 2);
  const { base } = Object(JSON.parse(text));
  writeFileSync(good, text.replace(base, "another"));
  assert.equal(versionRead(), 1);
  writeFileSync(good, text.replace('"edges":[[', '"edges":[{"id":"../../x"},['));
  assert.equal(versionRead(), 1);
});
