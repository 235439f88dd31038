// @module-tag thorough
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { clock, timestamp } from "../../packages/model/src/clock.ts";
import { ksuid, stamp } from "../../packages/model/src/ids.ts";
import { create, get } from "../support/api.ts";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const realNow = clock.now;

afterEach(() => {
  clock.now = realNow;
});

/** The 20 bytes of an id as a number, decoded independently of the service. */
const numberOf = (id: string): bigint =>
  [...id].reduce((sum, digit) => sum * 62n + BigInt(DIGITS.indexOf(digit)), 0n);

test("ids ascend in string order, whatever the clock does", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1_700_000_000_000, max: 1_800_000_000_000 })), (times) => {
      const ids = times.map((now) => ksuid(now));
      expect(ids).toEqual(ids.toSorted());
      expect(new Set(ids).size).toBe(ids.length);
    }),
  );
});

test("an id is 27 base62 digits: seconds since 1400000000, fraction of the second, 14 random bytes", () => {
  const later = 1_900_000_000_250;
  const id = ksuid(later);
  expect(id).toMatch(/^[0-9A-Za-z]{27}$/);
  const value = numberOf(id);
  expect(Number(value >> 128n)).toBe(500_000_000);
  expect(Number((value >> 112n) & 0xffffn)).toBe(65_536 / 4);
  const random = Array.from({ length: 64 }, () => numberOf(ksuid(later)) & ((1n << 112n) - 1n));
  const seen = random.reduce((bits, value) => bits | value, 0n);
  expect(seen).toBe((1n << 112n) - 1n);
});

test("ids ascend even if the clock is stopped, and an object's id and created_at have the same instant", () => {
  clock.now = () => Date.UTC(2033, 0, 2, 3, 4, 5, 678);
  const stamps = Array.from({ length: 1_000 }, () => stamp("bot_user"));
  expect(stamps.map(({ id }) => id)).toEqual(stamps.map(({ id }) => id).toSorted());
  for (const { created_at } of stamps) expect(created_at).toBe("2033-01-02T03:04:05Z");
});

test("timestamps are UTC with whole seconds", () => {
  expect(timestamp(0)).toBe("1970-01-01T00:00:00Z");
  expect(timestamp(Date.UTC(2026, 0, 2, 3, 4, 5, 999))).toBe("2026-01-02T03:04:05Z");
});

test("objects created while the clock is stopped are listed in the order of their creation", async () => {
  const now = Date.now();
  clock.now = () => now;
  const ids: unknown[] = [];
  for (let i = 0; i < 5; i++) ids.push((await create("/ip_policies"))["id"]);
  const { body } = await get("/ip_policies?limit=5");
  expect(body.ip_policies.map(({ id }: { id: string }) => id)).toEqual(ids.toReversed());
});
