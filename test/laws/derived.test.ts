// @module-tag thorough
import fc from "fast-check";
import { expect, test } from "vitest";
import { Merged } from "../../packages/agent/src/base/merged.ts";
import { derivedMap, differingKeys } from "../../packages/model/src/traffic/derived.ts";
import { runs } from "../support/effort.ts";

const key = fc.integer({ min: 0, max: 400 }).map((n) => `k${n}`);
const fewKeys = fc.integer({ min: 0, max: 30 }).map((n) => `k${n}`);
const value = fc.integer({ min: 0, max: 2 });
const entries = fc.array(fc.tuple(key, value), { maxLength: 300 });
const changes = fc.array(fc.tuple(key, fc.option(value, { nil: undefined })), { maxLength: 60 });

const sorted = <Value>(map: Iterable<readonly [string, Value]>) =>
  [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));

test("a derived map is what a copy with the same changes is", () => {
  fc.assert(
    fc.property(entries, fc.array(changes, { maxLength: 12 }), (first, steps) => {
      const plain = new Map(first);
      let derived: ReadonlyMap<string, number> = new Map(first);
      const all = [derived];
      for (const step of steps) {
        for (const [name, value] of step)
          if (value === undefined) plain.delete(name);
          else plain.set(name, value);
        derived = derivedMap(derived, new Map(step));
        all.push(derived);
        expect(sorted(derived)).toEqual(sorted(plain));
        expect([...derived.keys()]).toEqual(Array.from(derived, ([name]) => name));
        expect([...derived.values()]).toEqual(Array.from(derived, ([, value]) => value));
        expect(derived.size).toBe(plain.size);
        const told: unknown[] = [];
        derived.forEach((value, name) => told.push([name, value]));
        expect(told).toEqual([...derived]);
        for (let n = 0; n <= 400; n++) {
          expect(derived.get(`k${n}`)).toBe(plain.get(`k${n}`));
          expect(derived.has(`k${n}`)).toBe(plain.has(`k${n}`));
        }
      }
      for (const before of all.slice(-4)) {
        const names = new Set([...before.keys(), ...derived.keys()]);
        const differing = [...names].filter((name) => before.get(name) !== derived.get(name));
        expect(differingKeys(before, derived).toSorted()).toEqual(differing.toSorted());
      }
    }),
    runs(60),
  );
});

test("merged maps are what merging all of them is", () => {
  let conflicts = 0;
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.tuple(fewKeys, value), { maxLength: 8 }), { minLength: 1, maxLength: 8 }),
      fc.array(fc.array(fc.nat({ max: 7 }), { maxLength: 8 }), { maxLength: 10 }),
      fc.boolean(),
      (lists, steps, isAlike) => {
        // Parts have different values for a key, unless they are alike.
        const parts = lists.map(
          (list, n) =>
            new Map(
              list.map(([name, value]) => [name, { n: isAlike ? Number(name.slice(1)) : 10 * n + value }]),
            ),
        );
        const merged = new Merged<{ n: number }>((a, b) => a.n === b.n);
        for (const step of steps) {
          const chosen = [...new Set(step)].flatMap((n) => parts[n] ?? []);
          const expected = new Map<string, { n: number }>();
          for (const part of chosen)
            for (const [name, value] of part) {
              if (expected.has(name)) conflicts++;
              else expected.set(name, value);
            }
          const last = merged.of(chosen);
          expect(sorted(last)).toEqual(sorted(expected));
          // Other parts that say the same change nothing.
          if (isAlike) expect(merged.of(chosen.map((part) => structuredClone(part)))).toBe(last);
        }
      },
    ),
    runs(400),
  );
  expect(conflicts).toBeGreaterThan(50);
});
