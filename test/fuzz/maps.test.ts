// @module-tag thorough
import Ajv2020 from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wrongJson } from "./breakages.ts";
import { validBody, withIds } from "./values.ts";

/*
 * The fuzzers generate valid and invalid maps from the document alone, whatever their names and values are.
 */

const weights = {
  type: "object",
  propertyNames: { pattern: "^(?:bkdfo_|bkdhr_)[0-9A-Za-z]{1,64}$" },
  additionalProperties: { type: "integer", minimum: 1, maximum: 100 },
  maxProperties: 1_000,
};

const maps = {
  "ids to weights": weights,
  "labels to strings": {
    type: "object",
    propertyNames: { pattern: "^[a-z][a-z0-9-]*$", maxLength: 63 },
    additionalProperties: { type: "string", maxLength: 20 },
    maxProperties: 64,
  },
  "names of a pattern to flags": {
    type: "object",
    patternProperties: { "^x-[a-z]+$": { type: "boolean" } },
    additionalProperties: false,
    maxProperties: 5,
  },
  "options to objects": {
    type: "object",
    propertyNames: { enum: ["a", "b"] },
    additionalProperties: {
      type: "object",
      properties: { weights },
      required: ["weights"],
      additionalProperties: false,
    },
    maxProperties: 2,
  },
};

const choose = (prefixes: string[], pick: number): string => `${prefixes[pick % prefixes.length]}${pick}`;

describe.each(Object.entries(maps))("a map of %s", (_, schema) => {
  const validate = new Ajv2020({ strict: false }).compile(schema);
  const drawn = fc
    .sample(validBody(schema), { numRuns: 100, seed: 1 })
    .map((value) => withIds(value, choose));

  test("is generated according to its schema, sometimes with entries", () => {
    for (const value of drawn) expect(validate(value), JSON.stringify(value)).toBe(true);
    expect(drawn.some((value) => Object.keys(value).length > 0)).toBe(true);
  });

  test("is made invalid in its names, its values and its size", () => {
    const kinds = new Set<string>();
    for (const value of drawn.slice(0, 20))
      for (const { kind, raw, code } of wrongJson(schema, value)) {
        kinds.add(kind.replace(/ with .*/, ""));
        // JSON Schema can express neither bytes nor surrogates.
        if (/lone surrogate|one byte/.test(kind)) continue;
        expect(validate(JSON.parse(raw)), `${kind}: ${raw}`).toBe(code === "ERR_UNKNOWN_REFERENCE");
      }
    for (const kind of ["an invalid name in a map", "a value in a map", "more entries than a map may have"])
      expect([...kinds]).toContain(kind);
    expect([...kinds]).not.toContain("a header name twice in different case");
  });
});

test("a map whose names are ids is also made invalid with an unknown reference", () => {
  const kinds = wrongJson(weights, { bkdhr_1: 1 }).map(({ kind }) => kind);
  expect(kinds).toContain("an invalid name in a map, an unknown reference");
});
