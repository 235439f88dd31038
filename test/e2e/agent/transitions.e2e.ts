import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { allFiles, type MapLine, mapFiles } from "../../../packages/agent/src/map_files.ts";
import { stepsBetween } from "../../../packages/agent/src/map_steps.ts";
import { arrangementOf } from "../../../packages/agent/src/read_maps.ts";
import { arranged, type Arrangement } from "../../../packages/agent/src/render/arrangement.ts";
import {
  type MapEntry,
  keyOfLine,
  type Layout,
  type HostPlace,
  type Table,
} from "../../../packages/agent/src/render/layout.ts";
import { drawn } from "../support/random.ts";

/*
 * A request looks up one line after the other while commands change the maps, so each lookup can be before or after any command.
 * Whatever the moments, the request is handled either as before all commands or as after all of them.
 */

type Maps = ReadonlyMap<string, ReadonlyMap<string, string>>;

const NAMES = ["a", "b", "c"];
const MATCHES = ["/", "/a", "/a/b"];
const PATHS = ["/", "/a", "/a/b", "/x"];
const SOURCES = ["4/1", "4/2"];
const SETS = ["ipp_0", "ipp_1", "ipp_2"];

interface RouteOf {
  isExact: boolean;
  match: string;
  restriction: MapEntry["restriction"];
  target: string;
}

/** What a layout is made of: who owns each name, the routes of two edges, and the rules of each set. */
interface Parts {
  owners: string[];
  routes: RouteOf[][];
  sets: { allow: string[]; deny: string[] }[];
  /** The entry of a TLS edge. */
  tls: RouteOf;
}

const lists = fc.subarray(SOURCES);
const aRoute = fc.record({
  isExact: fc.boolean(),
  match: fc.constantFrom(...MATCHES),
  restriction: fc.oneof(
    fc.constantFrom("open" as const, "nobody" as const),
    fc.uniqueArray(fc.constantFrom(...SETS), { minLength: 1, maxLength: 2 }),
  ),
  target: fc.constantFrom("s", "t"),
});
const owner = fc.constantFrom("edghts_1", "edghts_1", "edghts_2", "edgtls_1", "edgtls_1", "");
const parts: fc.Arbitrary<Parts> = fc.record({
  owners: fc.array(owner, { minLength: 3, maxLength: 3 }),
  routes: fc.array(fc.array(aRoute, { maxLength: 3 }), { minLength: 2, maxLength: 2 }),
  sets: fc.array(fc.record({ allow: lists, deny: lists }), { minLength: 3, maxLength: 3 }),
  tls: aRoute,
});

const replaced = <Item>(items: Item[], at: number, item: Item): Item[] =>
  items.map((each, i) => (i === at % items.length ? item : each));

/** A change of one part. */
const edit: fc.Arbitrary<(old: Parts) => Parts> = fc
  .record({ at: fc.nat(5), i: fc.nat(2), owner, route: aRoute, list: lists, verb: fc.nat(6) })
  .map(({ at, i, owner: to, route, list, verb }) => (old: Parts): Parts => {
    const routes = old.routes[at % 2] ?? [];
    const withRoutes = (all: RouteOf[]) => ({ ...old, routes: replaced(old.routes, at, all) });
    const set = old.sets[at % 3] ?? { allow: [], deny: [] };
    if (verb === 0) return { ...old, owners: replaced(old.owners, at, to) };
    if (verb === 1) return { ...old, sets: replaced(old.sets, at, { ...set, allow: list }) };
    if (verb === 2) return { ...old, sets: replaced(old.sets, at, { ...set, deny: list }) };
    if (verb === 3) return withRoutes([...routes, route]);
    if (verb === 4) return withRoutes(routes.toSpliced(i, 1));
    if (verb === 6) return { ...old, tls: route };
    const kept = routes[i % Math.max(1, routes.length)];
    if (!kept) return withRoutes([route]);
    const { target, restriction } = route;
    return withRoutes(replaced(routes, i, { ...kept, ...(at < 3 ? { target } : { restriction }) }));
  });

function layoutOf({ owners, routes, sets, tls }: Parts): Layout {
  const places = new Map<string, HostPlace>();
  for (const [i, edge] of owners.entries())
    if (edge !== "") places.set(NAMES[i] ?? "", { edge, listener: "https_443" });
  const tables = new Map<string, Table>();
  const used = new Set<string>();
  for (const [i, edge] of ["edghts_1", "edghts_2"].entries()) {
    const own = routes[i] ?? [];
    const hosts = [...places].filter(([, place]) => place.edge === edge).map(([name]) => `/443/${name}`);
    if (hosts.length === 0) continue;
    const lines = new Map<string, MapEntry | undefined>(
      hosts.map((host) => [keyOfLine("hosts", host), undefined]),
    );
    for (const { match, isExact, restriction, target } of own) {
      const key = keyOfLine(isExact ? "routes/exact" : "routes/prefix", match);
      if (lines.has(key)) continue;
      lines.set(key, { owner: `${edge}${match}`, restriction, target });
      if (typeof restriction !== "string") for (const set of restriction) used.add(set);
    }
    tables.set(edge, { isNamed: true, lines });
  }
  if (owners.includes("edgtls_1")) {
    const { restriction, target } = tls;
    if (typeof restriction !== "string") for (const set of restriction) used.add(set);
    const entry = { owner: "edgtls_1", restriction, target };
    tables.set("edgtls_1", { isNamed: true, lines: new Map([[keyOfLine("entries", ""), entry]]) });
  }
  return {
    places: new Map([["names/443", places]]),
    tables,
    sets: new Map(
      SETS.flatMap((name, i) => (used.has(name) ? [[name, sets[i] ?? { allow: [], deny: [] }]] : [])),
    ),
    fixed: new Map(),
    challenges: new Map(),
    paths: [
      "entries",
      "fixed",
      "hosts",
      "names/443",
      "nets/allow",
      "nets/deny",
      "routes/exact",
      "routes/prefix",
    ],
  };
}

/** The maps as HAProxy loads them. */
const loaded = (arrangement: Arrangement): Maps =>
  new Map(
    Array.from(mapFiles(arrangement), ([path, { text }]) => [
      path,
      new Map(
        text
          .split("\n")
          .filter((line) => line !== "")
          .map((line): [string, string] => {
            const [key = "", value = ""] = line.split(" ");
            return [key, value];
          }),
      ),
    ]),
  );

/** The maps after each command, from none to all. */
function moments(before: Maps, commands: (MapLine & { isDeleted: boolean })[]): Maps[] {
  const all = [before];
  for (const { map, key, value, isDeleted } of commands) {
    const last = all.at(-1) ?? before;
    const lines = new Map(last.get(map));
    if (isDeleted) assert.ok(lines.delete(key), `deletes ${map} ${key}`);
    else lines.set(key, value);
    all.push(new Map([...last, [map, lines]]));
  }
  return all;
}

/** A lookup, and what the request does with what it finds: another lookup, or an end. */
type Step = {
  map: string;
  key: string;
  isPrefix?: boolean;
  next: (value: string | undefined) => Step | string;
};

const found = (maps: Maps, { map, key, isPrefix }: Step): string | undefined => {
  const lines = maps.get(map);
  if (isPrefix !== true) return lines?.get(key);
  const [longest] = [...(lines?.keys() ?? [])]
    .filter((each) => key.startsWith(each))
    .toSorted((a, b) => b.length - a.length);
  return longest === undefined ? undefined : lines?.get(longest);
};

/** A request as the rules of a listener treat it: see `render/https.ts` and `render/restriction.ts`. */
function request(sni: string, host: string, path: string, source: string): Step {
  const end = (entry: string, isIn: boolean): string => {
    const [owner = "", , target = ""] = entry.split("~");
    return isIn ? `${owner} ${target}` : "403";
  };
  const checked = (entry: string, sets: string[], isIn: boolean): Step | string => {
    const [set, ...others] = sets;
    if (set === undefined) return end(entry, isIn);
    return {
      map: "nets/deny",
      key: `${set}/${source}`,
      isPrefix: true,
      next: (denied) =>
        denied !== undefined
          ? "403"
          : {
              map: "nets/allow",
              key: `${set}/${source}`,
              isPrefix: true,
              next: (allowed) => checked(entry, others, isIn || allowed !== undefined),
            },
    };
  };
  const entered = (entry: string): Step | string => {
    const [, restriction = ""] = entry.split("~");
    if (restriction === "open") return end(entry, true);
    return checked(entry, restriction === "nobody" ? [] : restriction.split("|"), false);
  };
  return {
    map: "names/443",
    key: sni,
    next: (place) => {
      const [edge, , table = ""] = place?.split("~") ?? [];
      if (place === undefined) return "closed";
      if (edge === "edgtls_1")
        return {
          map: "entries",
          key: table,
          next: (entry) => (entry === undefined ? "closed" : entered(entry)),
        };
      return {
        map: "hosts",
        key: `${table}/443/${host}`,
        next: (own) =>
          own === undefined
            ? "421"
            : {
                map: "routes/exact",
                key: `${table}${path}`,
                next: (exact) =>
                  exact !== undefined
                    ? entered(exact)
                    : {
                        map: "routes/prefix",
                        key: `${table}${path}`,
                        isPrefix: true,
                        next: (prefix) => (prefix === undefined ? "404" : entered(prefix)),
                      },
              },
      };
    },
  };
}

/** All ends of a request whose lookups are at any moments, in order. */
function ends(step: Step | string, all: Maps[], from = 0): Set<string> {
  if (typeof step === "string") return new Set([step]);
  const reached = new Set<string>();
  let last: string | undefined | null = null;
  for (let at = from; at < all.length; at++) {
    const value = found(all[at] ?? new Map(), step);
    // From a later moment, the same value leads to fewer ends.
    if (value === last) continue;
    last = value;
    for (const end of ends(step.next(value), all, at)) reached.add(end);
  }
  return reached;
}

test("a request is handled by the maps before a change or by those after it, whenever it looks up each line", () => {
  let [inPlace, renamed] = [0, 0];
  fc.assert(
    fc.property(
      parts,
      fc.array(fc.array(edit, { minLength: 1, maxLength: 4 }), { maxLength: 3 }),
      (first, changes) => {
        let now = first;
        let before = arranged(layoutOf(now));
        for (const edits of changes) {
          now = edits.reduce((old, change) => change(old), now);
          const after = arranged(layoutOf(now), before);
          const steps = stepsBetween(before, after);
          assert.ok(steps);
          const commands = [
            ...steps.added.map((line) => ({ ...line, isDeleted: false })),
            ...steps.set.map((line) => ({ ...line, isDeleted: false })),
            ...steps.deleted.map((line) => ({ ...line, isDeleted: true })),
          ];
          const all = moments(loaded(before), commands);
          const [was, is] = [loaded(before), loaded(after)];
          for (const sni of NAMES)
            for (const host of NAMES)
              for (const path of PATHS)
                for (const source of SOURCES) {
                  const asked = request(sni, host, path, source);
                  const [[old], [next]] = [[...ends(asked, [was])], [...ends(asked, [is])]];
                  for (const end of ends(asked, all))
                    assert.ok(
                      end === old || end === next,
                      `${sni} ${host}${path} ${source}: ${end}, not ${old} or ${next}`,
                    );
                }
          // What is unreferenced is gone a second later: then the maps are those of a fresh start.
          const unreferenced = steps.unreferenced.map((line) => ({ ...line, isDeleted: true }));
          assert.deepEqual(moments(all.at(-1) ?? was, unreferenced).at(-1), is);
          if (steps.unreferenced.length > 0) renamed++;
          else inPlace++;
          assert.deepEqual(
            loaded(
              arrangementOf(allFiles({ files: new Map(), named: new Map(), arrangement: after }), after.last),
            ),
            is,
          );
          before = after;
        }
      },
    ),
    { numRuns: 6_000, seed: drawn().below(2 ** 31) },
  );
  assert.ok(inPlace > 100 && renamed > 1_000, `${inPlace} in place, ${renamed} with new names`);
});
