// @module-tag thorough
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  encodedPath,
  matchFault,
  placeOf,
  readMatch,
  readTarget,
} from "../../packages/model/src/traffic/paths.ts";
import { sql } from "../../src/db/statements.ts";
import { readingOf } from "../../src/resources/edges/match_statements.ts";
import { runs } from "../support/effort.ts";
import { oddMatch, oddPath, oddRoute, oddTarget, respelled } from "../support/odd_paths.ts";

const hexOf = (bytes: string): string =>
  Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")).join("");

test("SQL reads a match as the model does", async () => {
  let readable = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(oddMatch, { minLength: 50, maxLength: 50 }), async (matches) => {
      const { text, params } =
        sql`select json_group_array(${readingOf(sql`value`)}) as readings from json_each(${JSON.stringify(matches)})`;
      const row = await env.DB.prepare(text)
        .bind(...params)
        .first<{ readings: string }>();
      const readings: unknown = JSON.parse(row?.readings ?? "[]");
      const expected = matches.map((match) => {
        const read = readMatch({ match_type: "path_prefix", match });
        return read === undefined ? undefined : hexOf(read);
      });
      readable += expected.filter((each) => each !== undefined).length;
      // Dot segments and NUL are for the model alone: the service rejects them before it compares matches.
      expect(Array.isArray(readings) && readings.map((each, i) => expected[i] && each)).toEqual(expected);
      // What cannot be decoded has no value that something decoded has.
      for (const [i, match] of matches.entries())
        if (/%(?![0-9A-Fa-f]{2})/.test(match))
          expect(Array.isArray(readings) && readings[i]).not.toMatch(/^(?:[0-9A-F]{2})*$/);
    }),
    runs(40),
  );
  expect(readable).toBeGreaterThan(100);
});

test("a reading of a reading, encoded, is the same; and prefixes stay prefixes", () => {
  fc.assert(
    fc.property(oddTarget, oddPath, (target, other) => {
      const path = readTarget(target);
      const start = readTarget(other);
      fc.pre(path !== undefined && start !== undefined);
      expect(readTarget(`/${encodedPath(path.slice(1))}`)).toBe(path);
      expect(encodedPath(path).startsWith(encodedPath(start))).toBe(path.startsWith(start));
    }),
    runs(4000),
  );
});

test("a match that can be read matches the requests that are written like it", () => {
  fc.assert(
    fc.property(
      oddRoute.chain((route) => fc.tuple(fc.constant(route), respelled(route.match))),
      ([route, target]) => {
        const fault = matchFault(route);
        const read = readMatch(route);
        expect(read === undefined).toBe(fault !== undefined);
        const path = readTarget(target);
        // Whatever a match that cannot be read would have matched is rejected, unless it ends within an escape.
        if (read === undefined && placeOf(route) === undefined)
          expect(path === undefined || !target.startsWith(route.match)).toBe(true);
        if (read !== undefined && path !== undefined) expect(path.startsWith(read)).toBe(true);
      },
    ),
    runs(4000),
  );
});

test.each([
  ["/x/../admin", undefined],
  ["//admin", "/admin"],
  ["/./admin", undefined],
  ["/%61dmin", "/admin"],
  ["/%2561dmin", "/%61dmin"],
  ["/a%2Fb?c=%zz", "/a/b"],
  ["/%2Fx", "/x"],
  ["/%FF", "/\u00ff"],
  ["/\u00fc", undefined],
  ["/a\u007f", undefined],
  ["/a?\u0080", undefined],
  ["/a b", undefined],
  ["*", undefined],
  ["", undefined],
  ["/..;/a+b\\", "/..;/a+b\\"],
  ["/...", "/..."],
  ["/%00", undefined],
  ["/%0a", undefined],
  ["/%0D", undefined],
  ["/%", undefined],
  ["/%4", undefined],
  ["/%zz", undefined],
  ["/.", undefined],
  ["/a/..", undefined],
])("the target %j is read as %j", (target, path) => {
  expect(readTarget(target)).toBe(path);
});
