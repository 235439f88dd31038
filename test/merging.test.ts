import { expect, test } from "vitest";
import { conflicts, mergeRules, remaining, ruleConflicts } from "../packages/console/src/changes/merge.ts";
import { refersTo, withId } from "../packages/console/src/changes/references.ts";

/*
 * How the console merges pending changes with somebody else's changes, and removes references to new objects.
 */

const restriction = (...ids: string[]) => ({
  enabled: true,
  ip_policies: ids.map((id) => ({ id, uri: id })),
});
const requested = (...ids: string[]) => ({ enabled: true, ip_policy_ids: ids });

test.each([
  ["another value", { description: "a" }, { description: "b" }, { description: "c" }, ["description"]],
  ["the same value", { description: "a" }, { description: "b" }, { description: "b" }, []],
  ["what only I changed", { description: "a" }, { description: "a" }, { description: "b" }, []],
  [
    "the same module, in the shape of requests",
    { ip_restriction: null },
    { ip_restriction: restriction("b", "a") },
    { ip_restriction: requested("a", "b") },
    [],
  ],
  [
    "another module",
    { ip_restriction: null },
    { ip_restriction: restriction("a") },
    { ip_restriction: requested("b") },
    ["ip_restriction"],
  ],
  [
    "keys in another order, and nulls",
    { backend: null },
    { backend: { backend: { id: "b", uri: "b" }, enabled: true, more: null } },
    { backend: { backend_id: "b", enabled: true } },
    [],
  ],
  ["the same removal", { backend: { enabled: true } }, { backend: null }, { backend: null }, []],
])("conflicts: %s", (_, base, theirs, mine, expected) => {
  expect(conflicts(base, theirs, mine)).toEqual(expected);
  if (expected.length === 0 && JSON.stringify(base) !== JSON.stringify(theirs))
    expect(remaining(theirs, mine)).toEqual({});
});

const rule = (cidr: string, description = "") => ({ cidr, action: "allow" as const, description });
const [one, two] = ["10.1.0.0/16", "10.2.0.0/16"];

test.each([
  ["mine edited, theirs removed", [rule(one)], [], [rule(one, "mine")], [`${one} allow`]],
  ["mine removed, theirs edited", [rule(one)], [rule(one, "theirs")], [], [`${one} allow`]],
  ["both edited", [rule(one)], [rule(one, "theirs")], [rule(one, "mine")], [`${one} allow`]],
  ["both added", [], [rule(one, "theirs")], [rule(one, "mine")], [`${one} allow`]],
  ["both edited alike", [rule(one)], [rule(one, "both")], [rule(one, "both")], []],
  ["both removed", [rule(one)], [], [], []],
  ["different rules", [rule(one), rule(two)], [rule(one)], [rule(one, "mine"), rule(two)], []],
])("conflicts of rules: %s", (_, base, theirs, mine, expected) => {
  expect(ruleConflicts(base, theirs, mine)).toEqual(expected);
  expect(mergeRules(base, theirs, mine, expected)).toEqual(expected.length > 0 ? theirs : expect.anything());
});

test("merged rules have both changes", () => {
  expect(mergeRules([rule(one), rule(two)], [rule(one)], [rule(one, "mine"), rule(two)])).toEqual([
    rule(one, "mine"),
  ]);
});

test("what both changed of a rule is merged by field, and only a field that both changed is a conflict", () => {
  const plain = rule(one, "Porto");
  const theirs = { ...plain, expires_at: "2027-01-01T00:00:00Z" };
  const described = rule(one, "mine");
  expect(ruleConflicts([plain], [theirs], [described])).toEqual([]);
  expect(mergeRules([plain], [theirs], [described])).toEqual([{ ...theirs, description: "mine" }]);
  const both = { ...theirs, description: "theirs" };
  expect(ruleConflicts([plain], [both], [described])).toEqual([`${one} allow`]);
  // Even if mine is chosen, the end that only they have set stays.
  expect(mergeRules([plain], [both], [described])).toEqual([{ ...both, description: "mine" }]);
  expect(mergeRules([plain], [both], [described], [`${one} allow`])).toEqual([both]);
});

test("references are found and replaced in paths, values, lists and keys", () => {
  expect(refersTo({ path: "/edges/https/$n1/routes" }, "n1")).toBe(true);
  expect(refersTo({ path: "/edges/https/$n12/routes", body: { description: "for $n1" } }, "n1")).toBe(false);
  expect(withId({ "/e/$n1/r n2": ["/e/$n1/r"], a: "$n1", c: { $n1: 1 }, d: "$n12" }, "n1", "id")).toEqual({
    "/e/id/r n2": ["/e/id/r"],
    a: "id",
    c: { id: 1 },
    d: "$n12",
  });
});
