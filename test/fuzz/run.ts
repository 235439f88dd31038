import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterAll, expect } from "vitest";
import { type Answer, call } from "../support/api.ts";
import { CI_SEED, isThorough } from "../support/effort.ts";
import type { Json } from "../support/json.ts";
import { MARK } from "./values.ts";

/*
 * How a fuzzer runs: how long, from which seed, and what it reports. `npm run fuzz` sets the bindings.
 */

/** The approximate number of requests of all fuzzers together; by default, few enough to take only seconds. */
export const REQUESTS = Number(env.FUZZ_REQUESTS ?? (isThorough ? 1_500 : 500));

const SEED = Number(env.FUZZ_SEED ?? CI_SEED ?? crypto.getRandomValues(new Int32Array(1))[0]);

/** How long the failures of a file are shrunk in total. After that, further failures count as passed. */
const SHRINK_MILLISECONDS = 15_000;
let shrunk = 0;

const SHOWN_CHARACTERS = 4_000;

/** Timeout of a test in milliseconds: many times what `requests` take on an idle machine, plus the time for shrinking. */
export const timeoutFor = (requests: number): number => 3 * SHRINK_MILLISECONDS + 150 * requests;

/**
 * Checks a property with about `requests` requests, `perRun` of them in each run.
 *
 * @param only the name with which `--only` selects this test
 * @throws an error with the seed and path that reproduce the failure
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
      ...reportOf(details.errorInstance),
    ]
      .join("\n")
      // A lone surrogate would break the connection to the test reporter.
      .toWellFormed(),
  );
}

/** The message of a failed expectation, and the values that it compared. */
function reportOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  const compared = ["expected", "actual"].flatMap((name) => {
    const value: unknown = Reflect.get(error, name);
    return value === undefined ? [] : [`${name}: ${fc.stringify(value).slice(0, SHOWN_CHARACTERS)}`];
  });
  return [(error.stack ?? error.message).slice(0, SHOWN_CHARACTERS), ...compared];
}

/** A hash of a string, so that tests with the same seed get different random values. */
const hash = (text: string): number =>
  [...text].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, 0);

const statuses = new Map<string, Map<number, number>>();
const kinds = new Map<string, number>();
const faults: string[] = [];

/** Counts one kind of request. */
export const countKind = (kind: string): void => void kinds.set(kind, (kinds.get(kind) ?? 0) + 1);

interface Sent {
  headers?: Record<string, string | undefined>;
  token?: string;
  raw?: string | Uint8Array;
}

/**
 * Sends one request, counts it for the tested operation, and checks what holds for all requests: what `call` checks,
 * that the response contains no secret, and that no error or secret was logged.
 */
export async function ask(
  about: string,
  method: string,
  path: string,
  body?: Json,
  { headers, token, raw }: Sent = {},
): Promise<Answer> {
  const answer = await call(method, path, body, {
    // Otherwise whatever is set there would shut out the callers of the other requests.
    env: { API_RESTRICTION: "off" },
    ...(headers && { headers }),
    ...(token !== undefined && { token }),
    ...(raw !== undefined && { raw }),
  });
  const seen = statuses.get(about) ?? new Map<number, number>();
  statuses.set(about, seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1));
  expect(answer.text + JSON.stringify([...answer.headers]), "a secret in the response").not.toContain(MARK);
  expect(faults, "the log").toEqual([]);
  return answer;
}

const total = (): number =>
  [...statuses.values()].flatMap((seen) => [...seen.values()]).reduce((a, b) => a + b, 0);

/** A summary of the requests and responses. */
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

/** Must be called first in a file of fuzzers: captures the service's log and prints a summary at the end. */
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
