import fc from "fast-check";
import { expect, test } from "vitest";
import { type Answer, ORIGIN } from "../api.ts";
import { epochNow } from "../epoch.ts";
import type { Json } from "../json.ts";
import { empty } from "../stored.ts";
import { bodyAt, documented } from "./document.ts";
import { type Collection, collections, conditions, type Expected, Model, modules, ownerOf } from "./model.ts";
import { ask, fuzz, report, REQUESTS, timeoutFor } from "./run.ts";
import { validBody, withIds } from "./values.ts";

/*
 * Random sequences of requests over all collections and modules: the service and the model must always agree.
 */

report("The model");

const COMMANDS = 120;
/** The average number of requests in a run; this file sends a third of all requests. */
const PER_RUN = 75;
const requests = REQUESTS / 3;

/** A module, by its path. */
interface ModulePath {
  /** `/edges/tcp/{id}/backend`. */
  path: string;
  name: string;
  body: Json;
  /** The collection of its owner; undefined when that is managed elsewhere. */
  owner: Collection | undefined;
}

const modulePaths: ModulePath[] = documented
  .filter(({ method }) => method === "PUT")
  .map(({ path, body = {} }) => ({
    path,
    name: path.split("/").at(-1) ?? "",
    body,
    owner: collections.find((collection) => path.startsWith(`${collection.path}/{`)),
  }));

test("every path of the document that has no collection or module is known, and the model has every module", () => {
  const known = new Set([
    ...collections.flatMap(({ path }) => [path, `${path}/{id}`]),
    ...modulePaths.map(({ path }) => path),
  ]);
  const unknown = documented.filter(({ path }) => !known.has(path)).map(({ id }) => id);
  expect(unknown, "the model does not send these").toEqual([
    "HealthGet",
    "OpenApiGet",
    "SealedSecretsReseal",
  ]);
  const names = modulePaths.map(({ name }) => name);
  expect(
    names.filter((name) => !(name in modules)),
    "add these to `modules` in test/fuzz/model.ts",
  ).toEqual([]);
});

/** Sends a request to the service. */
type Service = (
  method: string,
  path: string,
  body?: Json,
  headers?: Record<string, string | undefined>,
) => Promise<Answer>;

const service =
  (about: string): Service =>
  (method, path, body, headers = {}) =>
    ask(about, method, path, body, { headers });

/** An id with one of `prefixes`: mostly of an existing object, sometimes of a deleted one or of none. */
const choose =
  (model: Model) =>
  (prefixes: string[], pick: number): string => {
    const isOf = (id: string) => prefixes.some((prefix) => id.startsWith(prefix));
    const never = `${prefixes[pick % prefixes.length]}0`;
    if (pick % 16 === 15) return never + (pick % 3);
    const ids = pick % 16 === 14 ? model.ids.filter(isOf) : [...model.objects.keys()].filter(isOf);
    return ids[Math.floor(pick / 16) % ids.length] ?? never;
  };

/** The most entries that an error lists. */
const ERRORS_SHOWN = 50;
const USERS_NAMED = 10;

/** Checks one response against what the model expects. */
function agree({ status, body, text, headers }: Answer, expected: Expected): void {
  expect(`${status} ${body["error_code"] ?? ""}`, text).toBe(`${expected.status} ${expected.code ?? ""}`);
  if (expected.body) expect(body).toEqual(expected.body);
  expect(headers.get("ETag")).toBe(expected.etag ?? null);
  const blamed = body["errors"]?.map(({ path }: Json) => path);
  if (expected.blamed) {
    expect(blamed).toHaveLength(Math.min(ERRORS_SHOWN, expected.blamed.length));
    expect(expected.blamed).toEqual(expect.arrayContaining(blamed));
  }
  if (!expected.users) return;
  const users: string[] = body["details"].used_by.split(", ");
  expect(new Set(users).size).toBe(Math.min(USERS_NAMED, expected.users.length));
  expect(expected.users).toEqual(expect.arrayContaining(users));
}

type Run = (model: Model) => Promise<void>;

/** A command without preconditions; reports show it as `told` with its random values. */
const command = (told: string, drawn: unknown, run: Run): fc.AsyncCommand<Model, undefined> => ({
  check: () => true,
  run,
  toString: () => `${told} ${fc.stringify(drawn)}`,
});

const pick = fc.nat({ max: 1_000_000 });

/** Mostly none. */
const condition = fc.oneof(
  { weight: 3, arbitrary: fc.constant("none" as const) },
  fc.constantFrom(...conditions),
);

/** A body after a round trip through JSON: -0 becomes 0. */
const carried = (body: Json): Json => JSON.parse(JSON.stringify(body));

async function add(
  model: Model,
  { prefix, path }: Collection,
  answer: Answer,
  expected: Json,
): Promise<void> {
  const { id, uri, created_at, token, ...rest } = answer.body;
  expect(id).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{27}$`));
  const newest = model.ids.findLast((other) => other.startsWith(prefix)) ?? "";
  expect(id > newest, `${id} after ${newest}`).toBe(true);
  expect(uri).toBe(`${ORIGIN}${path}/${id}`);
  expect(Math.abs(Date.parse(created_at) - Date.now())).toBeLessThan(10_000);
  const shown = "token" in answer.body ? { ...rest, token: null } : rest;
  expect(shown).toEqual(expected);
  if (token !== undefined) expect(token).toMatch(/^[0-9A-Za-z]{27}_[0-9A-Za-z]{33}$/);
  model.add({ id, uri, created_at, ...expected });
}

/** A creation, sent twice if it has an Idempotency-Key. */
const creation = (collection: Collection) =>
  fc.tuple(fc.boolean(), validBody(bodyAt("POST", collection.path))).map(([isKeyed, drawn]) =>
    command(`POST ${collection.path}`, [isKeyed, drawn], async (model) => {
      const body = carried(withIds(drawn, choose(model)));
      const expected = model.create(collection, body);
      const headers = { "Idempotency-Key": isKeyed ? crypto.randomUUID() : undefined };
      const send = () => service("POST an object")("POST", collection.path, body, headers);
      const answer = await send();
      const { body: object, ...rest } = expected;
      agree(answer, rest);
      if (object) await add(model, collection, answer, object);
      if (!isKeyed) return;
      const again = await send();
      agree(again, rest);
      if (!object) return;
      expect(again.headers.get("Idempotent-Replayed")).toBe("true");
      expect(again.body).toEqual("token" in answer.body ? { ...answer.body, token: null } : answer.body);
    }),
  );

const change = (collection: Collection) =>
  fc
    .tuple(pick, condition, validBody(bodyAt("PATCH", `${collection.path}/{id}`)))
    .map(([which, when, drawn]) =>
      command(`PATCH ${collection.path}`, [which, when, drawn], async (model) => {
        const id = choose(model)([collection.prefix], which);
        const body = carried(withIds(drawn, choose(model)));
        const headers = { "If-Match": model.ifMatch(id, when) };
        const expected = model.patch(collection, id, body, when);
        agree(await service("PATCH an object")("PATCH", `${collection.path}/${id}`, body, headers), expected);
      }),
    );

const reading = ({ path, prefix }: Collection) =>
  pick.map((which) =>
    command(`GET ${path}`, which, async (model) => {
      const id = choose(model)([prefix], which);
      agree(await service("GET an object")("GET", `${path}/${id}`), model.read(id));
    }),
  );

const removal = ({ path, prefix }: Collection) =>
  fc.tuple(pick, condition).map(([which, when]) =>
    command(`DELETE ${path}`, [which, when], async (model) => {
      const id = choose(model)([prefix], which);
      const headers = { "If-Match": model.ifMatch(id, when) };
      const expected = model.remove(id, when);
      agree(await service("DELETE an object")("DELETE", `${path}/${id}`, undefined, headers), expected);
    }),
  );

const listing = (collection: Collection) =>
  fc
    .tuple(fc.option(fc.constantFrom(1, 2, 3, 100), { nil: undefined }), fc.option(pick, { nil: undefined }))
    .map(([limit, which]) =>
      command(`GET ${collection.path} with`, [limit, which], async (model) => {
        const { path, prefix } = collection;
        const before = which === undefined ? undefined : choose(model)([prefix], which);
        const query = [
          ...(limit === undefined ? [] : [`limit=${limit}`]),
          ...(before === undefined ? [] : [`before_id=${before}`]),
        ].join("&");
        const answer = await service("GET a list")("GET", `${path}${query && "?"}${query}`);
        agree(answer, model.list(collection, limit ?? 100, before));
      }),
    );

/** The owner and URL of a module: an object of this service, or one of a few that are managed elsewhere. */
function placeOf({ path, owner }: ModulePath, model: Model, which: number): { id: string; url: string } {
  if (!owner) {
    const url = path.replace("{edge_id}", `edghts_${which % 2}`);
    return {
      id: "",
      url: url.replace("{id}", url.includes("/routes/") ? `edghtsrt_${which % 3}` : `edghts_${which % 3}`),
    };
  }
  const id = choose(model)([owner.prefix], which);
  return { id, url: path.replace("{id}", id) };
}

const moduleReplacement = (module: ModulePath) =>
  fc.tuple(pick, condition, validBody(module.body)).map(([which, when, drawn]) =>
    command(`PUT ${module.path}`, [which, when, drawn], async (model) => {
      const { id, url } = placeOf(module, model, which);
      const body = carried(withIds(drawn, choose(model)));
      const headers = { "If-Match": model.ifMatch(module.owner ? id : ownerOf(url), when) };
      const expected = module.owner
        ? model.putModule(id, module.name, body, when)
        : model.putHttpsModule(url, module.name, body, when);
      agree(await service("PUT a module")("PUT", url, body, headers), expected);
    }),
  );

const moduleReading = (module: ModulePath) =>
  pick.map((which) =>
    command(`GET ${module.path}`, which, async (model) => {
      const { id, url } = placeOf(module, model, which);
      const expected = module.owner ? model.readModule(id, module.name) : model.readHttpsModule(url);
      agree(await service("GET a module")("GET", url), expected);
    }),
  );

const moduleRemoval = (module: ModulePath) =>
  fc.tuple(pick, condition).map(([which, when]) =>
    command(`DELETE ${module.path}`, [which, when], async (model) => {
      const { id, url } = placeOf(module, model, which);
      const headers = { "If-Match": model.ifMatch(module.owner ? id : ownerOf(url), when) };
      const expected = module.owner
        ? model.removeModule(id, module.name, when)
        : model.removeHttpsModule(url, when);
      agree(await service("DELETE a module")("DELETE", url, undefined, headers), expected);
    }),
  );

const anyOf = <T>(arbitraries: fc.Arbitrary<T>[]): fc.Arbitrary<T> => fc.oneof(...arbitraries);

/** Collections with rules between objects or members, which take several commands to reach. */
const intricate = collections.filter(({ path }) => path === "/backends/failover" || path === "/edges/tls");

const commands = fc.commands(
  [
    anyOf(collections.map(creation)),
    anyOf(intricate.map(creation)),
    anyOf(collections.map(change)),
    anyOf(intricate.map(change)),
    anyOf(collections.map(removal)),
    anyOf(collections.map(reading)),
    anyOf(collections.map(listing)),
    anyOf(modulePaths.map(moduleReplacement)),
    anyOf(modulePaths.map(moduleReading)),
    anyOf(modulePaths.map(moduleRemoval)),
  ],
  { maxCommands: COMMANDS, size: "max" },
);

test("the service and the model agree", { timeout: timeoutFor(requests) }, async () => {
  const start = fc.tuple(...collections.map(creation));
  await fuzz(
    "the service and the model agree",
    requests,
    PER_RUN,
    fc.tuple(start, commands),
    async ([first, drawn]) => {
      await empty();
      const model = new Model(await epochNow());
      await fc.asyncModelRun(() => ({ model, real: undefined }), first);
      await fc.asyncModelRun(() => ({ model, real: undefined }), drawn);
      for (const collection of collections) {
        const { body } = await service("GET a list")("GET", collection.path);
        expect(body).toEqual(model.list(collection, 100).body);
      }
    },
  );
});
