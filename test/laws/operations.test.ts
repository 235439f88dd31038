// @module-tag thorough
import fc from "fast-check";
import { expect, test } from "vitest";
import { breakagesOf } from "../fuzz/breakages.ts";
import { creationsOf, deref, documented, type Documented, filled, isModule } from "../fuzz/document.ts";
import { fitting, validBody, withIds } from "../fuzz/values.ts";
import { chooseFrom, givenWorld } from "../fuzz/world.ts";
import { type Answer, call, create, get } from "../support/api.ts";
import { runs } from "../support/effort.ts";
import type { Json } from "../support/json.ts";
import { restore, stored, withoutColumns } from "../support/stored.ts";

/*
 * An operation of a transaction does what the same request alone does, and is rejected for the same reasons, whatever
 * the text of its body, its path and its condition are.
 */

const RUNS = runs(6);

const isConfiguration = ({ method, path }: Documented): boolean =>
  method !== "GET" &&
  /^\/(?:edges\/|backends\/|ip_policy_rules|certificate_authorities|certificate_issuers|event_subscriptions|(?:ip_policies|event_destinations)(?:\/\{id\})?$)/.test(
    path,
  );

const world = await givenWorld();

/** Values as JSON text that programs read, copy or write in different ways. */
const FRAGMENTS = [
  ..."1e400 -1e400 -0 0.10e1 1E2 1e21 1e-400 9007199254740993 123456789012345678901234567890 0.1".split(" "),
  ...'"\\ud800" "\\udc00\\ud800" "\\u0061" "a\\u0000b" "\\/" "\\u2028" "" null true [] {} [null] [[]]'.split(
    " ",
  ),
  ...'{"__proto__":1} {"constructor":{"prototype":{}}} {"toJSON":1} {"length":1} {"enabled":1e400}'.split(
    " ",
  ),
  ` [ 1 ,\t2 ] `,
  `${"[".repeat(20)}${"]".repeat(20)}`,
  `${'{"a":'.repeat(20)}null${"}".repeat(20)}`,
];
const NAMES = ["__proto__", "constructor", "toString", "toJSON", "hasOwnProperty", "", "nonsense", "\\ud800"];

/** A change in the text of a valid body: a field is set before the others, or after them. */
const change = fc.record({
  name: fc.oneof(fc.constantFrom(...NAMES), fc.nat(20)),
  fragment: fc.constantFrom(...FRAGMENTS),
  isFirst: fc.boolean(),
});

/** A valid body's text with some fields set again. The last one of a name counts. */
function textOf(
  body: Json,
  known: string[],
  changes: { name: string | number; fragment: string; isFirst: boolean }[],
): string {
  const members = Object.entries(body).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  for (const { name, fragment, isFirst } of changes) {
    const member = `"${typeof name === "string" ? name : (known[name % known.length] ?? "nonsense")}":${fragment}`;
    if (isFirst) members.unshift(member);
    else members.push(member);
  }
  return `{${members.join(", ")}}`;
}

/** The outcome of a response, without what differs from request to request. */
interface Outcome {
  status: number;
  code?: string;
  msg?: string;
  errors?: [path: string, msg: string][];
  details?: Json;
  etag?: string | null;
  made?: unknown;
}

const identified = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value)
      // The key of an account is new for each issuer.
      .replaceAll(/"thumbprint":"[\w-]{43}"/g, '"thumbprint":"any"')
      .replaceAll(/"etag":"[^"]*"/g, "")
      .replaceAll(/_[0-9A-Za-z]{27}/g, "_id")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "then")
      // A webhook secret that the service generated.
      .replaceAll(/whsec_[\w+/=]+/g, "whsec"),
  );
/** The error of a path that no operation of a transaction can have. The path can also be of another resource. */
const NO_PATH: [string, string] = ["path", ""];

/** The outcome of an operation whose body is a list. */
const NOT_AN_OBJECT: Outcome = {
  status: 400,
  code: "ERR_INVALID_REQUEST",
  errors: [["", "The body must be a JSON object."]],
};

/** The versions of objects managed elsewhere start at the current time. */
const tagOf = (etag: string | null): string | null => etag?.replace(/\d{13}/, "time") ?? null;

function outcomeAlone({ status, body, headers }: Answer, method: string): Outcome {
  if (status < 300)
    return { status, etag: tagOf(headers.get("ETag")), made: method === "POST" ? identified(body) : null };
  const { error_code: code, msg, errors, details } = body;
  const { operation_id: _, ...rest } = details;
  const listed = errors?.map((one: Json) => [one["path"], one["msg"]]);
  if (code === "ERR_INVALID_REQUEST") return { status, code, errors: listed ?? [["", msg]] };
  // In a transaction, the path and the method are fields of the request.
  if (code === "ERR_NO_SUCH_PATH") return { status: 400, code: "ERR_INVALID_REQUEST", errors: [NO_PATH] };
  if (code === "ERR_METHOD_NOT_ALLOWED")
    return { status: 400, code: "ERR_INVALID_REQUEST", errors: [["method", msg]] };
  return { status, code, msg, details: identified(rest), ...(listed && { errors: listed }) };
}

function outcomeWithin({ status, body }: Answer): Outcome {
  if (status < 300) {
    const [result] = body["results"];
    return { status: result.status, etag: tagOf(result.etag), made: identified(result.body) };
  }
  const { error_code: code, msg, errors, details } = body;
  const { operation_id: _, operation, ...rest } = details;
  const listed = errors?.map((one: Json) => {
    const path: string = one["path"].replace(/^\/operations\/0\/(?:body)?/, "");
    if (path === "path") return NO_PATH;
    return [path === "if_match" ? "If-Match" : path, one["msg"]];
  });
  if (code === "ERR_INVALID_REQUEST") return { status, code, errors: listed ?? [["", msg]] };
  expect(operation).toBe("0");
  const own = msg.replace(/^Operation 0: /, "").replaceAll("/operations/0/body", "");
  return { status, code, msg: own, details: identified(rest), ...(listed && { errors: listed }) };
}

/** The stored data, without what differs from request to request. */
async function state(): Promise<string> {
  const names = new Map<string, string>();
  return withoutColumns(await stored(), "salt")
    .replaceAll(/(\\*"thumbprint\\*":\\*")[\w-]{43}/g, "$1")
    .replaceAll(/[a-z]+_[0-9A-Za-z]{27}/g, (id) => {
      if (!names.has(id)) names.set(id, `id ${names.size}`);
      return names.get(id) ?? "";
    })
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "then")
    .replaceAll(/\b\d{13}\b/g, "time")
    .replaceAll(/sealed\.[\w.+/=-]+/g, "sealed")
    .replaceAll(/(\\*"fingerprint\\*":\\*")[0-9a-f]+/g, "$1");
}

const CONDITIONS = ["*", '"x"', "", "current", "x".repeat(8_193), '"x",'.repeat(101)];
const PATHS = ["/", "//", "/x", "?", "?dry_run=true", "?nonsense", "#", "#x", "?#"];

const mostlyNull = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

/** The number of levels in a JSON text, at least. */
const isDeep = (text: string): boolean => /(?:[[{][^\]}]*){28}/.test(text);

test.each(documented.filter(isConfiguration).map((operation) => [operation.id, operation] as const))(
  "%s",
  async (_, operation) => {
    const { method, path, body: schema } = operation;
    const ids: string[] = [];
    for (const creation of creationsOf(operation)) {
      const required: string[] = deref(creation.body ?? {})["required"] ?? [];
      const drawn = fc.sample(validBody(creation.body ?? {}), { numRuns: 1, seed: 1 })[0] ?? {};
      const whole = withIds(drawn, chooseFrom(world));
      const least = Object.fromEntries(required.map((name) => [name, whole[name]]));
      const made = await create(filled(creation.path, ids), least);
      ids.push(made["id"] ?? made["type"]);
    }
    const url = filled(path, ids);
    const before = await stored();
    const unchanged = await state();
    const owner = url.split("/").slice(0, 4).join("/");
    const etag =
      ids.length > 0 ? ((await get(isModule(operation) ? owner : url)).headers.get("ETag") ?? "") : "";
    const known = Object.keys(deref(schema ?? {})["properties"] ?? {});
    const drawn = fc.record({
      body: (schema ? validBody(schema) : fc.constant<Json>({ description: "ignored" })).map((body) =>
        fitting(withIds(body, chooseFrom(world))),
      ),
      changes: mostlyNull(fc.array(change, { minLength: 1, maxLength: 2 })),
      isLeftOut: fc.nat(9).map((n) => n === 0),
      broken: mostlyNull(fc.nat(1_000_000)),
      condition: mostlyNull(fc.constantFrom(...CONDITIONS)),
      end: mostlyNull(fc.constantFrom(...PATHS)),
    });
    await fc.assert(
      fc.asyncProperty(drawn, async ({ body, changes, isLeftOut, broken, condition, end }) => {
        const valid = { operation, path: url, body, tokens: { viewer: "", editor: "" }, isManaged: true };
        const ways =
          schema && broken !== null ? breakagesOf(valid).filter(({ status }) => status === 400) : [];
        const way = ways.length > 0 ? ways[(broken ?? 0) % ways.length]?.draft().raw : undefined;
        // Some spellings are not JSON, or too long for a transaction.
        const isUsable = typeof way === "string" && way.length < 100_000 && isJson(way);
        const text = isUsable ? way : textOf(body, known, changes ?? []);
        const ifMatch = condition === "current" ? etag : condition;
        // In a transaction, a body of `null` counts as left out, like `null` anywhere else.
        const sent = isLeftOut || text.trim() === "null" ? undefined : text;
        const target = url + (end ?? "");

        const alone = await call(method, target, undefined, {
          ...(sent !== undefined && { raw: sent }),
          ...(ifMatch !== null && { headers: { "If-Match": ifMatch } }),
        });
        const after = await state();
        if (after !== unchanged) await restore(before);

        const one = [
          `"method":"${method}","path":${JSON.stringify(target)}`,
          ...(sent === undefined ? [] : [`"body":${sent}`]),
          ...(ifMatch === null ? [] : [`"if_match":${JSON.stringify(ifMatch)}`]),
        ];
        const transact = (more = "") =>
          call("POST", "/transactions", undefined, { raw: `{${more}"operations":[{${one.join()}}]}` });
        const tried = await transact('"dry_run":true,');
        expect(await state(), "a dry run").toBe(unchanged);
        const within = await transact();
        const afterwards = await state();
        if (afterwards !== unchanged) await restore(before);

        // The path of an operation has no query, not even an empty one.
        if (/[?#]/.test(target)) {
          expect([within.status, within.body["error_code"]]).toEqual([400, "ERR_INVALID_REQUEST"]);
          expect(afterwards).toBe(unchanged);
          return;
        }
        const what = `${method} ${target} ${sent?.slice(0, 1_000)}\n${alone.text}\n${within.text}`;
        // A transaction rejects a list as a body before it looks up the path of the operation.
        const isUnknown = ["ERR_NO_SUCH_PATH", "ERR_METHOD_NOT_ALLOWED"].includes(alone.body?.["error_code"]);
        const expected = isUnknown && /^\s*\[/.test(sent ?? "") ? NOT_AN_OBJECT : outcomeAlone(alone, method);
        expect(outcomeWithin(within), what).toEqual(expected);
        expect(afterwards, what).toBe(after);
        expect(tried.status, what).toBe(within.status);
        if (within.status >= 400) expect(outcomeWithin(tried), what).toEqual(outcomeWithin(within));
        else expect(tried.body["results"][0].status).toBe(alone.status);
      }),
      RUNS,
    );
  },
);

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "object" && !isDeep(text);
  } catch {
    return false;
  }
}
