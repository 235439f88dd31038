// @module-tag large
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import * as z from "zod";
import { ITEMS } from "../packages/model/src/values/request_schemas.ts";
import { app } from "../src/app.ts";
import { BODY_BYTES } from "../src/http/body.ts";
import { memberErrors } from "../src/http/member_errors.ts";
import { safeParse } from "../src/http/operation.ts";
import { ORIGIN, requiredHeaders, routes } from "./support/api.ts";
import { contract } from "./support/contract.ts";
import type { Json } from "./support/json.ts";

/*
 * The time to read a request grows linearly with its size, whatever it contains: with a pattern that backtracks, or a
 * list that is copied for each of its items, a single request could keep an isolate busy for minutes. The inputs are
 * taken from the declared operations.
 *
 * Unlike on the platform, the clock advances while code runs here.
 */

/** A string of any length that a pattern may take long to reject. */
interface Family {
  name: string;
  text: (length: number) => string;
}

const family = (head: string, item: string, tail: string): Family => ({
  name: `${JSON.stringify(head)}, ${JSON.stringify(item)} repeated, ${JSON.stringify(tail)}`,
  text: (length) => head + item.repeat(Math.ceil(length / item.length)) + tail,
});

/** Repetitions of each item after each head and before each tail. */
const familiesOf = (heads: string[], items: string[], tails: string[]): Family[] =>
  heads.flatMap((head) => items.flatMap((item) => tails.map((tail) => family(head, item, tail))));

/** A string with every run of letters and digits reduced to one character: "a-a.a:a". */
const patternOf = (text: string): string => text.replace(/[0-9A-Za-z]+/g, "a");

const textsIn = (example: unknown): string[] => {
  if (typeof example === "string") return [example];
  return typeof example === "object" && example !== null ? Object.values(example).flatMap(textsIn) : [];
};

/** The examples of a request's schema. */
const examplesOf = (body: z.ZodType): unknown =>
  z.globalRegistry.get(body instanceof z.ZodLazy ? body.unwrap() : body)?.["examples"];

/** The strings in examples of requests, one for each pattern. */
const examples = new Map(
  routes
    .flatMap(({ operation: { body } }) => (body ? textsIn(examplesOf(body)) : []))
    .concat("2030-01-02T03:04:05.", "192.0.2.1", "2001:db8::1", "[2001:db8::1]:443")
    .map((text) => [patternOf(text), text]),
).values();

const CHARACTERS = [...'.:,/"-_%[]0aA '];
const PAIRS = [...'.:,"-0a '].flatMap((a, _, all) => all.filter((b) => a !== b).map((b) => a + b));

/** Repetitions and alternations with an invalid end, some after the start of a valid string. */
const families: Family[] = [
  ...familiesOf(["", ":", "[", '"'], CHARACTERS, ["", "!", ":1"]),
  ...familiesOf([...examples], [...".:-0a "], ["!"]),
  ...familiesOf([""], PAIRS, ["!"]),
  family("", "a", "\u{d800}"),
];

/**
 * The shortest time worth comparing, in milliseconds. Anything that takes less for the largest request is fast enough.
 */
const NOTICEABLE = 200;
/**
 * The largest ratio of the time for one input to that for four of a quarter its size: about 1 if linear, about 4 if
 * quadratic.
 */
const MOST = 2;
/** Measurements that must all exceed {@link MOST}, because another process can slow down some of them. */
const TIMES = 6;

/** Milliseconds that `work` takes, executed `times` times. */
async function timeOf(work: () => unknown, times = 1): Promise<number> {
  const started = performance.now();
  for (let i = 0; i < times; i++) await work();
  return performance.now() - started;
}

/** True if `work` takes longer than linear time. Sizes ascend, so slow work is detected early. */
async function isWorseThanLinear(
  work: (size: number) => unknown,
  sizes: number[],
  noticeable = NOTICEABLE,
): Promise<boolean> {
  for (const size of sizes) {
    if ((await timeOf(() => work(size))) < noticeable) continue;
    let slow = 0;
    while (slow < TIMES) {
      const quarters = await timeOf(() => work(size / 4), 4);
      if ((await timeOf(() => work(size))) <= MOST * quarters) break;
      slow += 1;
    }
    if (slow === TIMES) return true;
  }
  return false;
}

/** Sizes up to `most`, each four times the previous one. */
const upTo = (most: number): number[] => [1024, 256, 64, 16, 4, 1].map((part) => Math.ceil(most / part));

const isOfMany = (schema: unknown): boolean => schema instanceof z.ZodObject || schema instanceof z.ZodArray;

/** Whether a schema is one of many values, or begins with one. */
const isOfParts = (schema: unknown): boolean =>
  isOfMany(schema) || (schema instanceof z.ZodPipe && isOfParts(schema.in));

/** A schema and all schemas within it. */
function partsOf(schema: unknown): z.ZodType[] {
  if (!(schema instanceof z.ZodType)) throw new Error("a schema of an unknown kind");
  if (schema instanceof z.ZodLazy) return partsOf(schema.unwrap());
  if (schema instanceof z.ZodObject) return [schema, ...Object.values(schema.shape).flatMap(partsOf)];
  if (schema instanceof z.ZodArray) return [schema, ...partsOf(schema.element)];
  // The part that reads a list or an object, of a schema that then converts it.
  if (schema instanceof z.ZodPipe && isOfParts(schema.in)) return partsOf(schema.in);
  const isWrapper =
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault;
  return isWrapper ? partsOf(schema.unwrap()) : [schema];
}

/** Every schema that validates a part of a request. */
const parts = new Set(
  routes.flatMap(({ operation: { body, query } }) =>
    [body, query].flatMap((schema) => (schema ? partsOf(schema) : [])),
  ),
);

/** Validates a value as operations do; returns its errors. */
const read = (schema: z.ZodType, value: unknown): unknown => {
  const { error } = safeParse(schema, value);
  return error && memberErrors(error, value, "json");
};

/** Validates values of growing sizes against schemas; returns the name of a slow one, or undefined. */
async function slowReader(
  schemas: z.ZodType[],
  valuesOf: (size: number) => unknown[],
  sizes: number[],
  noticeable?: number,
): Promise<string | undefined> {
  const known = new Map<number, unknown[]>();
  const given = (size: number): unknown[] => {
    const values = known.get(size) ?? valuesOf(size);
    known.set(size, values);
    return values;
  };
  const reading = (some: z.ZodType[]) => (size: number) => {
    for (const schema of some) for (const value of given(size)) read(schema, value);
  };
  if (!(await isWorseThanLinear(reading(schemas), sizes, noticeable))) return undefined;
  for (const schema of schemas)
    if (await isWorseThanLinear(reading([schema]), sizes, noticeable))
      return schema.description ?? schema.type;
  return undefined;
}

/**
 * The longest string that every schema reads, in characters, and the time worth comparing for it. Work that is quadratic takes 64
 * times as long for the largest body, so this notices what takes a few seconds there.
 */
const [STRING, NOTICEABLE_FOR_STRING] = [BODY_BYTES / 8, 50];

// Every schema of the service reads long strings, each several times.
test("every string in a body or query is read in linear time", { timeout: 900_000 }, async () => {
  const leaves = [...parts].filter((schema) => !isOfMany(schema));
  const maps = leaves.filter((schema) => safeParse(schema, {}).success);
  for (const { name, text } of families) {
    const longOf = (size: number) => [text(size)];
    expect(await slowReader(leaves, longOf, upTo(STRING), NOTICEABLE_FOR_STRING), name).toBeUndefined();
    // The JavaScript engine itself is slow with names of a megabyte.
    const mapsOf = (size: number) => [{ a: text(size) }, { [text(size)]: "" }];
    expect(
      await slowReader(maps, mapsOf, upTo(BODY_BYTES / 16), NOTICEABLE_FOR_STRING),
      name,
    ).toBeUndefined();
  }
});

test("every list and map in a body is read in linear time", async () => {
  const list = (size: number) => Array.from({ length: size }, () => "");
  const map = (size: number) => Object.fromEntries(list(size).map((item, i) => [`a${i}`, item]));
  const slow = await slowReader([...parts], (size) => [list(size), map(size)], upTo(ITEMS));
  expect(slow).toBeUndefined();
});

beforeEach(() => {
  vi.spyOn(console, "info").mockReturnValue();
});

/** Sends a request that is answered without a query. */
async function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
): Promise<void> {
  const response = await app.request(
    ORIGIN + path,
    { method, headers, body: body ?? null },
    { ...env, KEY_LIMIT: undefined, FAILED_AUTHENTICATION_LIMIT: undefined },
    createExecutionContext(),
  );
  await response.text();
  expect(response.status).toBeLessThan(500);
}

/** The platform's limit for all headers together. */
const HEADER_BYTES = 131_072;

const headerFamilies: Family[] = [
  ...familiesOf(["", '"1",', "Bearer "], [...'.:,"a; '], ["!", '"']),
  ...familiesOf([""], PAIRS, ["!"]),
];

/** One operation for each set of headers that operations accept, with those headers. */
const operationsByHeaders = new Map(
  routes.map(({ method, path, operation }) => {
    const { parameters } = contract["paths"][path.replace(/:(\w+)/g, "{$1}")][method.toLowerCase()];
    const names: string[] = parameters
      .map(({ $ref = "" }: Json) => contract["components"].parameters[$ref.split("/").at(-1)]?.name)
      .filter((name?: string) => name !== undefined && name !== "Service-Version");
    return [names.join(), { method, path, names, hasBody: operation.body !== undefined }];
  }),
).values();

test("every header is read in linear time", async () => {
  const beforeAll = ["Authorization", "Content-Type", "Service-Version"].map((name) => ({
    method: "POST",
    path: "/ip_policies",
    names: [name],
    hasBody: true,
  }));
  const requests = [...operationsByHeaders, ...beforeAll];
  for (const { name, text } of headerFamilies)
    for (const { method, path, names, hasBody } of requests) {
      const ask = (size: number) => {
        const given = [...names, "CF-Connecting-IP", "Origin"].map((header) => [header, text(size)]);
        const headers = {
          "Content-Type": "application/json",
          ...requiredHeaders,
          ...Object.fromEntries(given),
        };
        return send(method, path, headers, hasBody ? '{"?":1}' : undefined);
      };
      const isSlow = await isWorseThanLinear(ask, upTo(HEADER_BYTES).slice(3));
      expect(isSlow, `${names.join(", ")} given ${name}`).toBe(false);
    }
});

test("every path and query is read in linear time", async () => {
  const lists = routes.filter(({ operation }) => operation.query !== undefined);
  const parametersOf = (method: string, path: string): Json[] =>
    contract["paths"][path.replace(/:(\w+)/g, "{$1}")][method.toLowerCase()].parameters;
  const names: string[] = lists.flatMap(({ method, path }) =>
    parametersOf(method, path).flatMap(({ name }) => name ?? []),
  );
  const [list] = lists;
  const repeated = (item: string) => (size: number) => item.repeat(size / item.length);
  const queries = [
    ...["&", "=&", "a&", "%61=%&", "+&", ...new Set(names.map((name) => `${name}=1&`))].map(repeated),
    (size: number) => Array.from({ length: size / 8 }, (_, i) => `a${i}`).join("&"),
  ];
  const ends = ["/", "a/", "a", ":", ".", "%", "%61"].map(repeated);
  const urls = [
    ...["/health?", `${list?.path}?`].flatMap((path) =>
      queries.map((query) => (size: number) => path + query(size)),
    ),
    ...["/", "/ip_policies/", "/edges/https/", "/edges/https/edghts_1/routes/"].flatMap((path) =>
      ends.map((end) => (size: number) => path + end(size)),
    ),
  ];
  for (const url of urls) {
    const ask = (size: number) => send("GET", url(size), requiredHeaders);
    expect(await isWorseThanLinear(ask, upTo(BODY_BYTES / 2)), url(32)).toBe(false);
  }
});
