// The language's own conformance cases: whatever the checker accepts has the result that the specification of CEL gives it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { tests } from "@bufbuild/cel-spec/testdata/conformance.js";
import { compile } from "../../../../packages/model/src/policy/compile.ts";
import { runPhase } from "../../../../packages/model/src/policy/run.ts";
import { rangeOf, situationOf } from "./situations.ts";

type Suite = typeof tests;
type Case = NonNullable<Suite["tests"]>[number]["original"];

const casesIn = ({ tests: own = [], suites = [] }: Suite): Case[] => [
  ...own.map(({ original }) => original),
  ...suites.flatMap(casesIn),
];

/** A value that an expression is compared with, in CEL; undefined for values that policies do not have. */
function literalOf(value: unknown): string | undefined {
  const { boolValue, int64Value, stringValue } = Object(value);
  if (stringValue !== undefined) return JSON.stringify(stringValue);
  return boolValue === undefined && int64Value === undefined ? undefined : String(boolValue ?? int64Value);
}

/** Expressions, and their results; undefined for an error. */
const conditions = casesIn(tests).flatMap((one): [text: string, result: boolean | undefined][] => {
  if (one["bindings"] || one["typeEnv"] || one["container"]) return [];
  if (one["evalError"]) return ["", " == 1", " == ''"].map((end) => [`(${one.expr})${end}`, undefined]);
  const literal = literalOf(one["value"]);
  if (literal === undefined) return [];
  if (/^(?:true|false)$/.test(literal)) return [[one.expr, literal === "true"]];
  return [[`(${one.expr}) == ${literal}`, true]];
});

/** Everything that is accepted by chance and not by design would be fewer. */
const LEAST_ACCEPTED = 150;

test("what is accepted has the result of the specification", () => {
  const request = {
    method: "GET",
    target: "/",
    headers: [],
    source: "127.0.0.1",
    body: "",
    response: { status: 200, headers: [] },
  };
  let accepted = 0;
  for (const [text, result] of conditions) {
    const policy = { on_http_request: [{ expressions: [text], actions: [{ type: "deny" }] }] };
    const { program } = compile(JSON.stringify(policy), "https_edge_route", rangeOf);
    if (!program) continue;
    accepted++;
    const { steps } = runPhase(program, "on_http_request", situationOf(request, 443, []), {
      counts: {},
      signatures: true,
      sha256: (bytes) => bytes,
      note: () => {},
    });
    assert.equal(steps[0]?.expressions[0], result, text);
  }
  assert.ok(accepted >= LEAST_ACCEPTED, `${accepted} of ${conditions.length}`);
});
