import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterAll, expect } from "vitest";
import { type Answer, call } from "../api.ts";
import type { Json } from "../json.ts";
import { MARK } from "./values.ts";

/*
 * How a fuzzer runs: how long, from which seed, and what it tells afterwards. `npm run fuzz` sets the bindings.
 */

/** Requests that all fuzzers send together, more or less; as many as take some seconds when nobody says. */
export const REQUESTS = Number(env.FUZZ_REQUESTS ?? 1_500);

const SEED = Number(env.FUZZ_SEED ?? crypto.getRandomValues(new Int32Array(1))[0]);

/** Failures of a file are made smaller for this long in all: after that, what would fail counts as passed. */
const SHRINK_MILLISECONDS = 15_000;
let shrunk = 0;

const SHOWN_CHARACTERS = 4_000;

/** Milliseconds that a test may take: ten times what it takes to send `requests`, and the time to shrink. */
export const timeoutFor = (requests: number): number => 3 * SHRINK_MILLISECONDS + 30 * requests;

/**
 * Runs a property on about `requests` requests, `perRun` of them in each run.
 *
 * @param only what `--only` selects this test with
 * @throws with the seed and path that run it again
 */
export async function fuzz<T>(
  only: string,
  requests: number,
  perRun: number,
  arbitrary: fc.Arbitrary<T>,
  predicate: (value: T) => Promise<void>,
): Promise<void> {
  let failed = Number.POSITIVE_INFINITY;
  const property = fc.asyncProperty(arbitrary, async (value) => {
    if (Date.now() - failed > SHRINK_MILLISECONDS - shrunk) return;
    try {
      await predicate(value);
    } catch (error) {
      failed = Math.min(failed, Date.now());
      throw error;
    }
  });
  const details = await fc.check(property, {
    seed: SEED ^ hash(only),
    numRuns: Math.max(1, Math.round(requests / perRun)),
    ...(env.FUZZ_PATH !== undefined && { path: env.FUZZ_PATH }),
  });
  if (!details.failed) return;
  shrunk += Date.now() - failed;
  const [run] = details.counterexamplePath?.split(":") ?? [];
  throw new Error(
    [
      `Run again: npm run fuzz -- --seed ${SEED} --path ${run} --only "${only}"`,
      fc.stringify(details.counterexample).slice(0, SHOWN_CHARACTERS),
      ...told(details.errorInstance),
    ]
      .join("\n")
      // Half a character would break the connection that reports go over.
      .toWellFormed(),
  );
}

/** What a failed expectation says, and what it compared. */
function told(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  const compared = ["expected", "actual"].flatMap((name) => {
    const value: unknown = Reflect.get(error, name);
    return value === undefined ? [] : [`${name}: ${fc.stringify(value).slice(0, SHOWN_CHARACTERS)}`];
  });
  return [(error.stack ?? error.message).slice(0, SHOWN_CHARACTERS), ...compared];
}

/** A number of a text, so that tests of one seed do not all draw the same. */
const hash = (text: string): number =>
  [...text].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, 0);

const statuses = new Map<string, Map<number, number>>();
const kinds = new Map<string, number>();
const faults: string[] = [];

/** Counts one way of breaking a request. */
export const countKind = (kind: string): void => void kinds.set(kind, (kinds.get(kind) ?? 0) + 1);

interface Sent {
  headers?: Record<string, string | undefined>;
  token?: string;
  raw?: string | Uint8Array;
}

/**
 * Sends one request, counts it under the operation that it is about, and checks what holds for all: what `call` checks,
 * and that the answer has no secret that was sent and that nothing was logged as a fault.
 */
export async function ask(
  about: string,
  method: string,
  path: string,
  body?: Json,
  { headers, token, raw }: Sent = {},
): Promise<Answer> {
  const answer = await call(method, path, body, {
    ...(headers && { headers }),
    ...(token !== undefined && { token }),
    ...(raw !== undefined && { raw }),
  });
  const seen = statuses.get(about) ?? new Map<number, number>();
  statuses.set(about, seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1));
  expect(answer.text + JSON.stringify([...answer.headers]), "a secret in the answer").not.toContain(MARK);
  expect(faults, "the log").toEqual([]);
  return answer;
}

const total = (): number =>
  [...statuses.values()].flatMap((seen) => [...seen.values()]).reduce((a, b) => a + b, 0);

/** What was sent and answered, for people. */
function summary(title: string): string {
  const width = Math.max(...[...statuses.keys()].map((id) => id.length));
  const rows = [...statuses].map(([id, seen]) => {
    const all = [...seen].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
    return `${id.padEnd(width)} ${String([...seen.values()].reduce((a, b) => a + b, 0)).padStart(6)}   ${all.join("  ")}`;
  });
  const broken = [...kinds]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, count]) => `${kind}: ${count}`);
  return [`${title}: seed ${SEED}, ${total()} requests`, ...rows, ...broken].join("\n");
}

/** To be called first in a file of fuzzers: keeps the service's log still, and tells what was done when all is. */
export function report(title: string): void {
  const { info, error } = console;
  console.info = (line: string) => line.includes(MARK) && faults.push(line);
  console.error = (line: string) => faults.push(line);
  afterAll(() => {
    console.info = info;
    console.error = error;
    if (env.FUZZ_REQUESTS !== undefined) console.log(summary(title));
  });
}
