// @module-tag thorough
import fc from "fast-check";
import { expect, test } from "vitest";
import { changesSchema } from "../../packages/model/src/traffic/changes.ts";
import { Replica } from "../../packages/model/src/traffic/replica.ts";
import { keeping } from "../../src/resources/traffic/form_cache.ts";
import { type Answer, ORIGIN } from "../support/api.ts";
import { inconsistenciesIn } from "../support/consistency.ts";
import { prefixesIn } from "../support/document.ts";
import { epochNow } from "../support/epoch.ts";
import type { Json } from "../support/json.ts";
import { lasting } from "../support/lasting.ts";
import { matches as isIn } from "../support/naive_access.ts";
import { empty, stored } from "../support/stored.ts";
import { bodyAt, documented, filled, isModule } from "./document.ts";
import {
  type Collection,
  collections,
  conditions,
  type Expected,
  filteredBy,
  Model,
  modules,
  nested,
  ownerOf,
} from "./model.ts";
import { ask, fuzz, report, REQUESTS, timeoutFor } from "./run.ts";
import { fitting, validBody, validQuery, withIds } from "./values.ts";

/*
 * Random sequences of requests over all collections and modules: the service and the model must always agree.
 */

report("The model");

// The numbers of changes restart with each run, so snapshots of different runs can have the same number.
keeping.bytes = 0;

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
  /** The collection of its owner. */
  owner: Collection;
}

const modulePaths: ModulePath[] = documented
  .filter((operation) => operation.method === "PUT" && isModule(operation))
  .flatMap(({ path, body = {} }) => {
    const owner = [...nested, ...collections].find((collection) => path.startsWith(`${collection.path}/{`));
    return owner ? [{ path, name: path.split("/").at(-1) ?? "", body, owner }] : [];
  });

/** The kinds of objects whose users can be listed: the collection, by the path of the list. */
const used = documented
  .filter(({ path }) => path.endsWith("/{id}/used_by"))
  .flatMap(({ path, query }) => {
    const collection = collections.find((one) => path === `${one.path}/{id}/used_by`);
    const before: string = query.find(({ name }) => name === "before_id")?.["schema"].pattern;
    return collection ? [{ path, collection, users: prefixesIn(before) ?? [] }] : [];
  });

/** The objects that support access checks. */
const guarded = documented
  .filter(({ path }) => path.endsWith("/{id}/access"))
  .flatMap(({ path, query }) => {
    const collection = [...nested, ...collections].find((one) => path === `${one.path}/{id}/access`);
    return collection ? [{ path, collection, query }] : [];
  });

const SOURCES = "/event_subscriptions/{subscription_id}/sources";

test("every path of the document without a collection or a module is known here, and the model has every module", () => {
  const known = new Set([
    ...[...collections, ...nested].flatMap(({ path }) => [path, `${path}/{id}`]),
    ...modulePaths.map(({ path }) => path),
    ...used.map(({ path }) => path),
    ...guarded.map(({ path }) => path),
    SOURCES,
    `${SOURCES}/{type}`,
  ]);
  const unknown = documented.filter(({ path }) => !known.has(path)).map(({ id }) => id);
  const others = [
    // The result is checked by a law in test/resources/policy_rules.test.ts.
    "IpPoliciesListRules",
    "IpPoliciesReplaceRules",
    // Deliveries are not configuration.
    "EventDestinationsGetDelivery",
    "EventDestinationsTestDelivery",
    "EventDestinationsReplayDelivery",
    "EventDestinationsResumeDelivery",
    "EventDestinationsListDeadLetters",
    "EventTypesList",
    // The log is compared with the rows after each run: see test/support/replay.ts.
    "EventsList",
    "EventsGet",
    // Who calls is not configuration, nor are people: see test/people.test.ts.
    "WhoamiGet",
    "AuthMethodsGet",
    "AuthKeySignIn",
    "AuthSessionDelete",
    "UsersList",
    "UsersGet",
    "UsersUpdate",
    "UsersDelete",
    "UserSessionsDelete",
    "PersonalKeysCreate",
    "PersonalKeysList",
    "PersonalKeysGet",
    "PersonalKeysDelete",
    // Questions, which change nothing: see test/resources/traffic_policies.test.ts and test/resources/simulations.test.ts.
    "TrafficPolicyCheck",
    "SimulationsCreate",
    // The result is compared with that of its operations one by one, in test/transactions.test.ts.
    "TransactionsCreate",
    // What a plan shows is compared with what applying it does, in test/laws/plans.test.ts.
    "PlansCreate",
    "PreviewsCreate",
    "PlansList",
    "PlansGet",
    "PlansDelete",
    "PlansRefresh",
    "PlansApply",
    // Its contents are compared with the model below.
    "SnapshotGet",
    "SnapshotChangesGet",
    // Not configuration. See test/resources/agents.test.ts and test/metrics.test.ts.
    "MetricsGet",
    "ProblemsList",
    "AgentsReport",
    "AgentsList",
    "AgentsGet",
    "AgentsDelete",
    // See test/resources/traffic.test.ts.
    "AgentsReportTraffic",
    "TrafficGet",
    "TrafficSummary",
    "TrafficServers",
    "CertificateRequestsPut",
    "CertificatesList",
    "CertificatesRenew",
    "IssuingGet",
    "ApiRestrictionDelete",
    "ApiRestrictionGet",
    "ApiRestrictionReplace",
    "HealthGet",
    "OpenApiGet",
    "SealedSecretsReseal",
    "ServingList",
    // Compared with the checks of each edge and route, in test/resources/access.test.ts.
    "AccessList",
  ];
  expect(unknown.toSorted(), "the model does not send these").toEqual(others.toSorted());
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

/** An id with one of `prefixes`: mostly of an existing object, sometimes of a deleted object or of none. */
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
  if (expected.body) expect(lasting(body)).toEqual(expected.body);
  if (expected.begins === undefined) expect(headers.get("ETag")).toBe(expected.etag ?? null);
  const blamed = body["errors"]?.map(({ path }: Json) => path);
  if (expected.blamed) {
    expect(blamed).toHaveLength(Math.min(ERRORS_SHOWN, expected.blamed.length));
    expect(expected.blamed).toEqual(expect.arrayContaining(blamed));
  }
  if (expected.conflict !== undefined) expect(body["details"].conflicts_with).toBe(expected.conflict);
  if (!expected.users) return;
  // Routes managed elsewhere can have the same id in several edges.
  const users: string[] = body["details"].used_by.split(", ");
  expect(users).toHaveLength(Math.min(USERS_NAMED, expected.users.length));
  expect(expected.users).toEqual(expect.arrayContaining(users));
}

/** Checks the ETag of an owner managed elsewhere whose first module was just set, and notes its version. */
function learn(model: Model, { begins }: Expected, { headers }: Answer): void {
  if (begins === undefined) return;
  const [, epoch, version = ""] = /^"([0-9a-f]{8})-(\d+)"$/.exec(headers.get("ETag") ?? "") ?? [];
  expect(epoch).toBe(model.epoch);
  expect(Math.abs(Number(version) - Date.now())).toBeLessThan(10_000);
  model.learn(begins, Number(version));
}

type Run = (model: Model) => Promise<void>;

/** A command without preconditions. Reports show it as `label`, with its random values. */
const command = (label: string, drawn: unknown, run: Run): fc.AsyncCommand<Model, undefined> => ({
  check: () => true,
  run,
  toString: () => `${label} ${fc.stringify(drawn)}`,
});

const pick = fc.nat({ max: 1_000_000 });

/** A filter, mostly none. */
const condition = fc.oneof(
  { weight: 3, arbitrary: fc.constant("none" as const) },
  fc.constantFrom(...conditions),
);

/** A body after a round trip through JSON: -0 becomes 0. */
const carried = (body: Json): Json => JSON.parse(JSON.stringify(body));

async function add(
  model: Model,
  { prefix }: Collection,
  url: string,
  answer: Answer,
  expected: Json,
): Promise<void> {
  const { id, uri, created_at, token, thumbprint, ...rest } = answer.body;
  expect(id).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{27}$`));
  const newest = model.ids.findLast((other) => other.startsWith(prefix)) ?? "";
  expect(id > newest, `${id} after ${newest}`).toBe(true);
  expect(uri).toBe(`${ORIGIN}${url}/${id}`);
  expect(Math.abs(Date.parse(created_at) - Date.now())).toBeLessThan(10_000);
  expect(lasting("token" in answer.body ? { ...rest, token } : rest)).toEqual(expected);
  if (token !== undefined) expect(token).toMatch(/^[0-9A-Za-z]{27}_[0-9A-Za-z]{33}$/);
  if (thumbprint !== undefined) expect(thumbprint).toMatch(/^[\w-]{43}$/);
  model.add({ id, uri, created_at, ...(thumbprint !== undefined && { thumbprint }), ...expected });
}

/** Few matches, so that routes often have the same one. */
const matches = fc.option(fc.constantFrom("/", "//", "/a", "/%61"), { nil: undefined });

/** A body for `collection`. A route's body is not too long, and often has the same match as other routes. */
const bodyFor = (collection: Collection, model: Model, drawn: Json, match: string | undefined): Json => {
  const body = carried(withIds(drawn, choose(model)));
  if (collection.within === undefined) return body;
  return fitting({ ...body, ...("match" in body && match !== undefined && { match }) });
};

/** The edge in the path of a nested collection: mostly that of the object `id`, otherwise any. */
function edgeOf({ within }: Collection, model: Model, which: number, id?: string): string | undefined {
  if (within === undefined) return undefined;
  const own: string | undefined = id === undefined ? undefined : model.objects.get(id)?.["edge_id"];
  return own === undefined || which % 8 === 7 ? choose(model)([within], which) : own;
}

const urlOf = (path: string, ...ids: (string | undefined)[]): string =>
  filled(
    path,
    ids.filter((id) => id !== undefined),
  );

/** A create, sent twice if it has an Idempotency-Key. */
const creation = (collection: Collection) =>
  fc
    .tuple(fc.boolean(), pick, matches, validBody(bodyAt("POST", collection.path)))
    .map(([isKeyed, which, match, drawn]) =>
      command(`POST ${collection.path}`, [isKeyed, which, match, drawn], async (model) => {
        const body = bodyFor(collection, model, drawn, match);
        const edgeId = edgeOf(collection, model, which);
        const url = urlOf(collection.path, edgeId);
        const headers = { "Idempotency-Key": isKeyed ? crypto.randomUUID() : undefined };
        const send = () => service("POST an object")("POST", url, body, headers);
        const answer = await send();
        const { id } = answer.body;
        const expected =
          edgeId === undefined
            ? model.create(collection, body, id)
            : model.createRoute(collection, edgeId, body, id);
        const { body: object, ...rest } = expected;
        agree(answer, rest);
        if (object) await add(model, collection, url, answer, object);
        if (!isKeyed) return;
        const again = await send();
        agree(again, rest);
        if (!object) return;
        expect(again.headers.get("Idempotent-Replayed")).toBe("true");
        expect(again.body).toEqual(lasting(answer.body));
      }),
    );

const change = (collection: Collection) =>
  fc
    .tuple(pick, condition, matches, validBody(bodyAt("PATCH", `${collection.path}/{id}`)))
    .map(([which, when, match, drawn]) =>
      command(`PATCH ${collection.path}`, [which, when, match, drawn], async (model) => {
        const id = choose(model)([collection.prefix], which);
        const edgeId = edgeOf(collection, model, which, id);
        const body = bodyFor(collection, model, drawn, match);
        const headers = { "If-Match": model.ifMatch(id, when) };
        const expected = model.patch(collection, id, body, when, edgeId);
        const url = urlOf(`${collection.path}/{id}`, edgeId, id);
        agree(await service("PATCH an object")("PATCH", url, body, headers), expected);
      }),
    );

const reading = (collection: Collection) =>
  pick.map((which) =>
    command(`GET ${collection.path}`, which, async (model) => {
      const id = choose(model)([collection.prefix], which);
      const edgeId = edgeOf(collection, model, which, id);
      const url = urlOf(`${collection.path}/{id}`, edgeId, id);
      agree(await service("GET an object")("GET", url), model.read(id, edgeId));
    }),
  );

const removal = (collection: Collection) =>
  fc.tuple(pick, condition).map(([which, when]) =>
    command(`DELETE ${collection.path}`, [which, when], async (model) => {
      const id = choose(model)([collection.prefix], which);
      const edgeId = edgeOf(collection, model, which, id);
      const headers = { "If-Match": model.ifMatch(id, when) };
      const expected = model.remove(id, when, edgeId);
      const url = urlOf(`${collection.path}/{id}`, edgeId, id);
      agree(await service("DELETE an object")("DELETE", url, undefined, headers), expected);
    }),
  );

/** The longest metadata that a filter accepts, in bytes. */
const METADATA_BYTES = 4_096;
const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength;

/** One of the filters of a list, with a value that an object of the collection has. Undefined if no object has any. */
function filterFor(collection: Collection, model: Model, which: number): [string, string] | undefined {
  const parameters = documented.find(
    ({ method, path }) => method === "GET" && path === collection.path,
  )?.query;
  const names = (parameters ?? [])
    .map(({ name }) => name)
    .filter((name) => !/^(?:limit$|after$|before_)/.test(name));
  const name = names[which % names.length];
  if (name === undefined) return undefined;
  const values = [...model.objects.values()]
    .filter(({ id }) => id.startsWith(collection.prefix))
    .flatMap((object) => filteredBy(name, object))
    .filter((value) => name !== "metadata" || bytesOf(value) <= METADATA_BYTES);
  const value = values[Math.floor(which / names.length) % values.length];
  return value === undefined ? undefined : [name, value];
}

const listing = (collection: Collection) =>
  fc
    .tuple(
      fc.option(fc.constantFrom(1, 2, 3, 100), { nil: undefined }),
      fc.option(pick, { nil: undefined }),
      fc.option(pick, { nil: undefined }),
    )
    .map(([limit, which, filtered]) =>
      command(`GET ${collection.path} with`, [limit, which, filtered], async (model) => {
        const filter = filtered === undefined ? undefined : filterFor(collection, model, filtered);
        const before = which === undefined ? undefined : choose(model)([collection.prefix], which);
        const edgeId = edgeOf(collection, model, which ?? 0, before);
        const query = [
          ...(limit === undefined ? [] : [`limit=${limit}`]),
          ...(before === undefined ? [] : [`before_id=${before}`]),
          ...(filter === undefined ? [] : [`${filter[0]}=${encodeURIComponent(filter[1])}`]),
        ].join("&");
        const url = urlOf(collection.path, edgeId);
        const answer = await service("GET a list")("GET", `${url}${query && "?"}${query}`);
        agree(answer, model.list(collection, limit ?? 100, before, edgeId, filter));
      }),
    );

const userListing = ({ path, collection, users }: (typeof used)[number]) =>
  fc
    .tuple(pick, fc.constantFrom(1, 2, 3, 100), fc.option(pick, { nil: undefined }))
    .map(([which, limit, from]) =>
      command(`GET ${path}`, [which, limit, from], async (model) => {
        const id = choose(model)([collection.prefix], which);
        const before = from === undefined ? undefined : choose(model)(users, from);
        const start = before === undefined ? "" : `&before_id=${before}`;
        const ask = service("GET used_by");
        const answer = await ask("GET", `${urlOf(path, id)}?limit=${limit}${start}`);
        const expected = model.usedBy(id, limit, before);
        agree(answer, expected);
        const next: string | null | undefined = expected.body?.["next_page_uri"];
        if (!next) return;
        const { searchParams, pathname, search } = new URL(next);
        const edge = searchParams.get("before_edge_id");
        const last = searchParams.get("before_id") ?? "";
        agree(
          await ask("GET", pathname + search),
          model.usedBy(id, limit, edge === null ? last : `${edge}/${last}`),
        );
      }),
    );

/** Checks the access of a drawn address, or of an address in a rule's network. */
const asking = ({ path, collection, query }: (typeof guarded)[number]) =>
  fc.tuple(pick, validQuery(query), fc.option(pick, { nil: undefined })).map(([which, drawn, rule]) =>
    command(`GET ${path}`, [which, drawn, rule], async (model) => {
      const isElsewhere = collection.within !== undefined && which % 4 === 3;
      const id = isElsewhere ? `${collection.prefix}${which % 3}` : choose(model)([collection.prefix], which);
      const edgeId = isElsewhere ? `${collection.within}${which % 2}` : edgeOf(collection, model, which, id);
      const rules = [...model.objects.values()].filter(({ ip_policy }) => ip_policy);
      const { cidr = "" } = rules[(rule ?? 0) % rules.length] ?? {};
      const ip = rule === undefined || cidr === "" ? (drawn["ip"] ?? "") : cidr.split("/")[0];
      const answer = await service("GET access")(
        "GET",
        `${urlOf(path, edgeId, id)}?ip=${encodeURIComponent(ip)}`,
      );
      const { body, ...expected } = model.access(id, ip, edgeId);
      agree(answer, expected);
      if (body) expect(answer.body).toEqual({ ...body, ip: expect.any(String) });
    }),
  );

/**
 * Reads the snapshot. An edge with hostports is in it completely, or a problem names the edge or its backends. Its
 * restrictions admit exactly the addresses that access checks admit. What an agent resolves from the stored form is the same.
 */
const snapshotReading = () =>
  fc.tuple(fc.ipV4(), pick).map(([drawn, rule]) =>
    command("GET /snapshot", [drawn, rule], async (model) => {
      const { status, body } = await service("GET the snapshot")("GET", "/snapshot");
      expect(status).toBe(200);
      const replica = new Replica();
      const { body: changes } = await service("GET what is stored")("GET", "/snapshot/changes");
      replica.apply(changesSchema.parse(changes));
      expect(replica.snapshot()).toEqual(body);
      const reported = new Set(body["problems"].map(({ object }: Json) => object));
      const served: Map<string, Json> = new Map(body["edges"].map((edge: Json) => [edge["id"], edge]));
      const rules = [...model.objects.values()].filter(({ ip_policy }) => ip_policy);
      const ip = rules[rule % rules.length]?.["cidr"].split("/")[0] ?? drawn;
      const lets = ({ ip_restriction }: Json): boolean => {
        if (!ip_restriction) return true;
        const policies = ip_restriction.ip_policy_ids.map((id: string) => body["ip_policies"][id]);
        const matched = (action: string) =>
          policies.some((policy: Json) => policy[action].some((cidr: string) => isIn(cidr, ip)));
        return matched("allow") && !matched("deny");
      };
      for (const { id, hostports, edge_id } of model.objects.values()) {
        const edge = served.get(edge_id ?? id);
        if (hostports) {
          const all = new Set(hostports.map((one: string) => one.toLowerCase().replace(/\.:/, ":")));
          if (edge?.["hostports"].length !== all.size)
            expect(reported, `no problem names ${id}`).toContain(id);
        }
        if (!edge || (edge["kind"] === "https") === !edge_id) continue;
        const entry = edge_id ? edge["routes"].find((route: Json) => route["id"] === id) : edge;
        expect(lets(entry), `${ip} at ${id}`).toBe(model.access(id, ip, edge_id).body?.["allowed"]);
      }
    }),
  );

/** Where a module is: an object of this service, or an object that is managed elsewhere. */
interface Place {
  url: string;
  id: string;
  /** For a route of this service, the edge in the path. */
  edgeId: string | undefined;
  /** True if the edge in the path, or the edge that has the module, is assumed to be managed elsewhere. */
  isElsewhere: boolean;
}

function placeOf({ path, owner }: ModulePath, model: Model, which: number): Place {
  const isOfHttps = path.startsWith("/edges/https/");
  const few = isOfHttps && which % 4 === 3;
  const id = few ? `${owner.prefix}${which % 3}` : choose(model)([owner.prefix], which);
  const edgeId = few && owner.within ? `${owner.within}${which % 2}` : edgeOf(owner, model, which, id);
  const isElsewhere = isOfHttps && !model.objects.has(edgeId ?? id);
  return { url: urlOf(path, edgeId, id), id, edgeId, isElsewhere };
}

const moduleReplacement = (module: ModulePath) =>
  fc.tuple(pick, condition, validBody(module.body)).map(([which, when, drawn]) =>
    command(`PUT ${module.path}`, [which, when, drawn], async (model) => {
      const { url, id, edgeId, isElsewhere } = placeOf(module, model, which);
      const full = carried(withIds(drawn, choose(model)));
      const body: Json = module.owner.within ? fitting({ full })["full"] : full;
      const headers = { "If-Match": model.ifMatch(isElsewhere ? ownerOf(url) : id, when) };
      const expected = isElsewhere
        ? model.putHttpsModule(url, module.name, body, when)
        : model.putModule(id, module.name, body, when, edgeId);
      const answer = await service("PUT a module")("PUT", url, body, headers);
      agree(answer, expected);
      learn(model, expected, answer);
    }),
  );

const moduleReading = (module: ModulePath) =>
  pick.map((which) =>
    command(`GET ${module.path}`, which, async (model) => {
      const { url, id, edgeId, isElsewhere } = placeOf(module, model, which);
      const expected = isElsewhere ? model.readHttpsModule(url) : model.readModule(id, module.name, edgeId);
      agree(await service("GET a module")("GET", url), expected);
    }),
  );

const moduleRemoval = (module: ModulePath) =>
  fc.tuple(pick, condition).map(([which, when]) =>
    command(`DELETE ${module.path}`, [which, when], async (model) => {
      const { url, id, edgeId, isElsewhere } = placeOf(module, model, which);
      const headers = { "If-Match": model.ifMatch(isElsewhere ? ownerOf(url) : id, when) };
      const expected = isElsewhere
        ? model.removeHttpsModule(url, when)
        : model.removeModule(id, module.name, when, edgeId);
      agree(await service("DELETE a module")("DELETE", url, undefined, headers), expected);
    }),
  );

/** Few types, so that a source often exists already. */
const sourceType = fc.constantFrom("api_key_created.v0", "tcp_edge_updated.v0", "vault_deleted.v0");

/** An operation on the sources of an event subscription, with an Idempotency-Key and sent twice if `keyed`. */
const sourceCommand = fc
  .tuple(fc.constantFrom("POST", "LIST", "GET", "PATCH", "DELETE"), pick, condition, sourceType, fc.boolean())
  .map(([what, which, when, drawn, isKeyed]) =>
    command(`${what} a source`, [which, when, drawn, isKeyed], async (model) => {
      const id = choose(model)(["esb_"], which);
      const [stored] = model.objects.get(id)?.["sources"] ?? [];
      const type: string = what === "POST" ? drawn : (stored?.type ?? drawn);
      const url = SOURCES.replace("{subscription_id}", id);
      const headers = { "If-Match": model.ifMatch(id, when) };
      if (what === "LIST") return agree(await service("LIST sources")("GET", url), model.listSources(id));
      if (what === "GET")
        return agree(
          await service("GET a source")("GET", `${url}/${type}`, undefined, headers),
          model.readSource(id, type, when),
        );
      if (what === "PATCH")
        return agree(
          await service("PATCH a source")("PATCH", `${url}/${type}`, {}, headers),
          model.readSource(id, type, when),
        );
      if (what === "DELETE") {
        const answer = await service("DELETE a source")("DELETE", `${url}/${type}`, undefined, headers);
        return agree(answer, model.removeSource(id, type, when));
      }
      const keyed = { ...headers, "Idempotency-Key": isKeyed ? crypto.randomUUID() : undefined };
      const send = () => service("POST a source")("POST", url, { type }, keyed);
      const expected = model.addSource(id, type, when);
      agree(await send(), expected);
      if (isKeyed && expected.status === 201) agree(await send(), expected);
    }),
  );

const prefixes = collections.map(({ prefix }) => prefix);

const anyOf = <T>(arbitraries: fc.Arbitrary<T>[]): fc.Arbitrary<T> => fc.oneof(...arbitraries);

/** Collections with rules between objects or fields, which take several commands to reach. */
const intricate = [
  ...collections.filter(({ path }) => path === "/backends/failover" || path === "/edges/tls"),
  ...nested,
];
const all = [...collections, ...nested];

const commands = fc.commands(
  [
    anyOf(all.map(creation)),
    anyOf(intricate.map(creation)),
    anyOf(all.map(change)),
    anyOf(intricate.map(change)),
    anyOf(all.map(removal)),
    anyOf(all.map(reading)),
    anyOf(all.map(listing)),
    anyOf(used.map(userListing)),
    anyOf(guarded.map(asking)),
    anyOf(modulePaths.map(moduleReplacement)),
    anyOf(modulePaths.map(moduleReading)),
    anyOf(modulePaths.map(moduleRemoval)),
    sourceCommand,
    snapshotReading(),
  ],
  { maxCommands: COMMANDS, size: "max" },
);

test("the service and the model agree", { timeout: timeoutFor(requests) }, async () => {
  const start = fc.tuple(...all.map(creation));
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
      expect(inconsistenciesIn(await stored(), prefixes)).toEqual([]);
    },
  );
});
