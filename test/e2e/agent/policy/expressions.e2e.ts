// Random expressions on odd requests: HAProxy's verdicts, the evaluator's, and those of an independent evaluator of CEL.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Conditions } from "../../../../packages/agent/src/policy/conditions.ts";
import { type Both, Writer } from "../../../../packages/agent/src/policy/writer.ts";
import { patternOf } from "../../../../packages/model/src/policy/base/patterns.ts";
import type { Bool, Phase } from "../../../../packages/model/src/policy/base/program.ts";
import { Wrong } from "../../../../packages/model/src/policy/base/wrong.ts";
import { holds } from "../../../../packages/model/src/policy/evaluate.ts";
import { compileCondition } from "../../../../packages/model/src/policy/expressions/check.ts";
import { parse } from "../../../../packages/model/src/policy/expressions/parse.ts";
import { linesOf } from "../../../../packages/model/src/policy/size.ts";
import { Random } from "../../support/random.ts";
import { folder, freePort } from "../proxy.ts";
import { oracle } from "./oracle.ts";
import { overHttp1, overHttp2, start, upstream } from "./proxy.ts";
import { type Expression, Expressions, type OddRequest } from "./random.ts";
import { rangeOf, situationOf } from "./situations.ts";

const SEED = Number(process.env["POLICY_SEED"] ?? 1);
const BATCHES = Number(process.env["POLICY_BATCHES"] ?? 4);
const EXPRESSIONS = 50;
const REQUESTS = 60;

const scope = (phase: Phase) => ({
  phase,
  vars: new Map(),
  kept: new Set<never>(),
  needs: new Set<never>(),
  addPattern: (source: string) => patternOf(source).text,
  addLines: () => {},
  parse,
});

interface Compiled extends Expression {
  phase: Phase;
  bool: Bool;
}

/** Lines that keep a verdict: T, F, or E for an error. */
function verdictLines(writer: Writer, name: string, { yes, no }: Both): void {
  writer.add(`set-var(${name}) str(E)`);
  for (const conditions of no) writer.add(`set-var(${name}) str(F)`, conditions);
  // Both hold for no request: that would be a mistake of the translation.
  for (const conditions of yes)
    writer.add(`set-var(${name}) str(B)`, [...conditions, `{ var(${name}) -m str F }`]);
  for (const conditions of yes)
    writer.add(`set-var(${name}) str(T)`, [...conditions, `{ var(${name}) -m str E }`]);
}

function compiledExpressions(random: Random): Compiled[] {
  const all: Compiled[] = [];
  while (all.length < EXPRESSIONS) {
    const ofResponse = all.length % 2 === 1;
    const phase = ofResponse ? "on_http_response" : "on_http_request";
    const expression = new Expressions(random, ofResponse).condition();
    try {
      all.push({ ...expression, phase, bool: compileCondition(expression.text, scope(phase), rangeOf) });
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
    }
  }
  return all;
}

/** The lines that an expression takes at most. */
const estimated = (bool: Bool): number =>
  linesOf({
    needs: [],
    rules: {
      on_tcp_connect: [],
      on_http_request: [{ name: null, expressions: [bool], actions: [] }],
      on_http_response: [],
    },
  });

/** The configuration that responds with the verdicts of all expressions. */
function configuration(all: Compiled[], ports: number[], upstreamPort: number): string[] {
  const names = { used: 0 };
  const request = new Writer("http-request", "p", names);
  const response = new Writer("http-response", "p", names);
  for (const [index, { phase, bool }] of all.entries()) {
    const writer = phase === "on_http_request" ? request : response;
    const before = request.lines.length + response.lines.length;
    const both = new Conditions(writer, request).bool(bool);
    const added = request.lines.length + response.lines.length - before;
    assert.ok(
      added <= estimated(bool),
      `${added} lines, estimated ${estimated(bool)}: ${JSON.stringify(bool)}`,
    );
    verdictLines(writer, `txn.r${index}`, both);
  }
  return [
    "global",
    "  maxconn 200",
    "  tune.bufsize 65536",
    "defaults",
    "  mode http",
    "  timeout connect 2s",
    "  timeout client 5s",
    "  timeout server 5s",
    "frontend f",
    `  bind 127.0.0.1:${ports[0]}`,
    `  bind 127.0.0.1:${ports[1]} proto h2`,
    "  default_backend b",
    "backend b",
    ...[...request.lines, ...response.lines].map((line) => `  ${line}`),
    `  http-after-response set-header x-verdicts "${all.map((_, index) => `%[var(txn.r${index})]`).join("")}"`,
    `  server u 127.0.0.1:${upstreamPort}`,
  ];
}

const letter = (verdict: boolean | undefined): string => (verdict === undefined ? "E" : verdict ? "T" : "F");

for (let batch = 0; batch < BATCHES; batch++)
  test(`HAProxy, the evaluator and CEL agree: batch ${batch}`, async (t) => {
    const random = new Random(SEED * 1000 + batch);
    const all = compiledExpressions(random);
    const requests: OddRequest[] = Array.from({ length: REQUESTS }, () =>
      new Expressions(random, false).request(),
    );
    const { port: upstreamPort } = await upstream(
      t,
      (number) => requests[number]?.response ?? { status: 200, headers: [] },
    );
    const ports = [await freePort(), await freePort()];
    const stop = await start(t, folder(t), configuration(all, ports, upstreamPort), ports[0] ?? 0);
    const tally = { cases: 0, T: 0, F: 0, E: 0, refused: 0, stricter: 0, gaveUp: 0 };
    const wrong: string[] = [];
    for (const [index, send] of [overHttp1, overHttp2].entries())
      for (const [number, request] of requests.entries()) {
        const more: [string, string][] = [["x-number", String(number)]];
        const port = ports[index] ?? 0;
        const answer = await send(port, request, more);
        const verdicts = answer?.headers.find(([name]) => name === "x-verdicts")?.[1];
        if (verdicts === undefined) {
          tally.refused++;
          continue;
        }
        const situation = situationOf(request, port, more);
        for (const [place, { bool, text, oracle: other, phase }] of all.entries()) {
          const seen = verdicts[place] ?? "?";
          const own = letter(holds(situation, bool));
          const independent = letter(oracle(other, situation));
          tally.cases++;
          if (own === "T" || own === "F" || own === "E") tally[own]++;
          // Where CEL has a value, section "Errors" of docs/policies.md names every other error.
          const isStricter = own === "E" && independent !== "E";
          if (isStricter) tally.stricter++;
          // Where a pattern takes too many steps, HAProxy has an error.
          const gaveUp = seen === "E" && JSON.stringify(bool).includes('"matches"');
          if (gaveUp && own !== "E") tally.gaveUp++;
          if (seen !== own && !gaveUp)
            wrong.push(
              `HAProxy ${seen}, evaluator ${own}, CEL ${independent} (${phase}): ${text}\n  ${JSON.stringify(request)}`,
            );
          else if (own !== independent && !isStricter)
            wrong.push(
              `evaluator ${own}, CEL ${independent} (${phase}): ${text}\n  ${JSON.stringify(request)}`,
            );
        }
      }
    await stop();
    t.diagnostic(JSON.stringify(tally));
    assert.deepEqual({ wrong: wrong.length, first: wrong.slice(0, 5) }, { wrong: 0, first: [] });
    assert.ok(tally.cases > 0.6 * EXPRESSIONS * REQUESTS * 2, `only ${tally.cases} cases`);
    assert.ok(tally.gaveUp < tally.cases / 100);
    assert.ok(tally.T > 100 && tally.F > 100 && tally.E > 100);
  });
