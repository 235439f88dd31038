import { describe, expect, test } from "vitest";
import { type Answer, call, create, get, outcome, routes } from "./support/api.ts";
import { accepted, exampleOf, referring } from "./support/examples.ts";
import * as given from "./support/given.ts";
import type { Json } from "./support/json.ts";

/*
 * A request with several errors gets the first of these: 404 for the object in the path, 400 for references, then
 * exclusions, then cycles, 409 for a conflict, 412 for a precondition.
 */

interface Request {
  method: string;
  url: string;
  body?: Json | undefined;
}

const send = ({ method, url, body }: Request, headers: Record<string, string> = {}): Promise<Answer> =>
  call(method, url, body, { headers });

/** The URL of the object that a URL belongs to: for a module, its edge. */
const objectOf = (url: string): string => /^.*\/[a-z]+_[0-9A-Za-z]{27}/.exec(url)?.[0] ?? url;

/** Headers whose conditions the object does not meet. */
async function failing(url: string): Promise<Record<string, string>[]> {
  const current = (await get(objectOf(url))).headers.get("ETag") ?? '"1"';
  return [{ "If-Match": '"99"' }, { "If-Match": '"x"' }, { "If-None-Match": current }];
}

const upstream = { terminate_at: "upstream" };
const nothing = { backend_id: "bkdfo_nothing" };
const nobody = { ip_policy_ids: ["ipp_nothing"] };
const source = { type: "ip_policy_updated.v0" };

const withUpstream = () => given.tlsEdge({ tls_termination: upstream });
const withMutualTls = () => given.tlsEdge({ mutual_tls: {} });
const ofTcp = (id: string) => given.tcpEdge({ backend: { backend_id: id } });
const ofTls = (id: string) => given.tlsEdge({ backend: { backend_id: id } });
const ofRoute = (id: string) => given.route({ backend: { backend_id: id } });
const ofMutualTls = (id: string) => given.tlsEdge({ mutual_tls: { certificate_authority_ids: [id] } });
const ofSubscription = (id: string) => given.subscription({ destination_ids: [id] });
const ofFailover = (id: string) => given.failover({ backends: [id] });
const ofWeighted = (id: string) => given.weighted({ backends: { [id]: 1 } });

const patching = async (object: Promise<Json>, body: Json) => ({
  method: "PATCH",
  url: (await object)["uri"],
  body,
});
const putting = async (object: Promise<Json>, module: string, body: Json) => ({
  method: "PUT",
  url: `${(await object)["uri"]}/${module}`,
  body,
});
const deleting = async (use: (id: string) => Promise<unknown>, given: () => Promise<Json>) => {
  const { id, uri } = await given();
  await use(id);
  return { method: "DELETE", url: uri };
};
/** A change of a failover backend to the children that `of` makes, which is given its id. */
const containing = async (of: (id: string) => Promise<unknown[]>) => {
  const { id, uri } = await given.failover();
  return { method: "PATCH", url: uri, body: { backends: await of(id) } };
};
/** A change of a route to the match of another route of its edge. */
const matching = async (more: Json = {}) => {
  const { edge_id, match } = await given.route();
  return patching(given.route({ edge_id }), { match, ...more });
};
const invalid = "400 ERR_INVALID_REQUEST";
const unknown = "400 ERR_UNKNOWN_REFERENCE";

/** Requests that are rejected regardless of the object's version, by what they do, and the expected response. */
const cases: Record<string, [request: () => Promise<Request>, answer: string]> = {
  "PATCH of mutual TLS on an edge with terminate_at upstream": [
    () => patching(withUpstream(), { mutual_tls: {} }),
    `${invalid} /mutual_tls`,
  ],
  "PATCH of terminate_at upstream on an edge with mutual TLS": [
    () => patching(withMutualTls(), { tls_termination: upstream }),
    `${invalid} /tls_termination`,
  ],
  "PATCH of a reference to a missing object, and of terminate_at upstream on an edge with mutual TLS": [
    () => patching(withMutualTls(), { tls_termination: upstream, backend: nothing }),
    `${unknown} /backend/backend_id`,
  ],
  "PUT of mutual TLS on an edge with terminate_at upstream": [
    () => putting(withUpstream(), "mutual_tls", {}),
    invalid,
  ],
  "PUT of terminate_at upstream on an edge with mutual TLS": [
    () => putting(withMutualTls(), "tls_termination", upstream),
    invalid,
  ],
  "PATCH of a failover backend: a reference to a missing object": [
    () => containing(async () => ["bkdhr_nothing"]),
    `${unknown} /backends/0`,
  ],
  "PATCH that adds a failover backend to itself": [
    () => containing(async (id) => [id]),
    `${invalid} /backends`,
  ],
  "PATCH that adds to a failover backend one that contains it": [
    () => containing(async (id) => [(await ofFailover(id))["id"]]),
    `${invalid} /backends`,
  ],
  "PATCH that adds to a failover backend itself and a reference to a missing object": [
    () => containing(async (id) => [id, "bkdhr_nothing"]),
    `${unknown} /backends/1`,
  ],
  "PATCH that adds a weighted backend to a failover backend, and itself": [
    () => containing(async (id) => [(await given.weighted())["id"], id]),
    `${invalid} /backends`,
  ],
  "PATCH of a weighted backend: references to missing objects": [
    async () => {
      const { id } = await given.staticBackend();
      return patching(given.weighted(), { backends: { bkdhr_nothing: 1, [id]: 2, bkdsc_nothing: 0 } });
    },
    `${unknown} /backends/bkdhr_nothing,/backends/bkdsc_nothing`,
  ],
  "PATCH of an event subscription: a reference to a missing object": [
    () => patching(given.subscription(), { destination_ids: ["ed_nothing"] }),
    `${unknown} /destination_ids/0`,
  ],
  "POST of a source that already exists": [
    async () => {
      const { uri } = await given.subscription({ sources: [source] });
      return { method: "POST", url: `${uri}/sources`, body: source };
    },
    "409 ERR_CONFLICT",
  ],
  "PATCH of a route to the match of another route of the edge": [() => matching(), "409 ERR_CONFLICT"],
  "PATCH of a route to a match of another route of the edge, and a reference to a missing object": [
    () => matching({ backend: nothing }),
    `${unknown} /backend/backend_id`,
  ],
};
for (const [kind, make] of [
  ["a TCP edge", given.tcpEdge],
  ["a TLS edge", given.tlsEdge],
  ["a route", given.route],
] as const)
  Object.assign(cases, {
    [`PATCH of ${kind}: a reference to a missing object`]: [
      () => patching(make(), { backend: nothing }),
      `${unknown} /backend/backend_id`,
    ],
    [`PUT of the backend of ${kind}: a reference to a missing object`]: [
      () => putting(make(), "backend", nothing),
      `${unknown} /backend_id`,
    ],
    [`PUT of the IP restriction of ${kind}: a reference to a missing object`]: [
      () => putting(make(), "ip_restriction", nobody),
      `${unknown} /ip_policy_ids/0`,
    ],
  });
for (const [make, uses] of [
  [given.failover, [ofTcp, ofTls, ofRoute, ofFailover]],
  [given.weighted, [ofTcp, ofTls, ofRoute, ofFailover]],
  [given.httpResponse, [ofTcp, ofTls, ofRoute, ofFailover, ofWeighted]],
  [given.staticBackend, [ofTcp, ofTls, ofRoute, ofFailover, ofWeighted]],
  [given.authority, [ofMutualTls]],
  [given.destination, [ofSubscription]],
] as const)
  for (const use of uses)
    cases[`DELETE of an object in use: ${make.name}, ${use.name}`] = [
      () => deleting(use, make),
      "409 ERR_IN_USE",
    ];
const rejected = Object.entries(cases).map(([what, [request, answer]]) => ({ what, request, answer }));

describe.each(rejected)("$what", ({ request: requested, answer }) => {
  test("takes precedence over a failed precondition and changes nothing", async () => {
    const request = await requested();
    const before = (await get(objectOf(request.url))).text;
    expect(outcome(await send(request))).toBe(answer);
    for (const headers of await failing(request.url))
      expect(outcome(await send(request, headers)), JSON.stringify(headers)).toBe(answer);
    expect((await get(objectOf(request.url))).text).toBe(before);
  });

  test("comes after 404 for the object in the path", async () => {
    const { method, url, body } = await requested();
    const missing = objectOf(url).replace(/_\w+$/, "_nothing") + url.slice(objectOf(url).length);
    for (const headers of [{}, { "If-Match": '"99"' }, { "If-None-Match": "*" }])
      expect(outcome(await send({ method, url: missing, body }, headers))).toBe("404 ERR_NOT_FOUND");
  });
});

// Plans, people and the API restriction have tests of their own.
const changes = routes.filter(
  ({ operation, path }) =>
    operation.conditional === "change" && !/^\/(?:plans|users|api_restriction)\b/.test(path),
);

test("every error that an operation declares has a case above", async () => {
  const tried = new Set<string>();
  for (const { request, answer } of rejected) {
    const { method, url } = await request();
    const path = new URL(url).pathname
      .replace(/^(.*)\/edghts_[0-9A-Za-z]{27}\/routes/, "$1/:edge_id/routes")
      .replace(/\/\w+_[0-9A-Za-z]{27}/, url.includes("/sources") ? "/:subscription_id" : "/:id");
    tried.add(`${method} ${path} ${answer.split(" ")[1]}`);
  }
  const declared = changes.flatMap(({ method, path, operation }) =>
    (operation.errors ?? []).map((code) => `${method} ${path} ${code}`),
  );
  expect(declared.length).toBeGreaterThan(5);
  // What the API restriction rejects has tests of its own.
  const isOfRestriction = (rejection: string) =>
    rejection.endsWith("ERR_LOCK_OUT") || rejection === "DELETE /ip_policies/:id ERR_IN_USE";
  const untried = declared.filter((rejection) => !tried.has(rejection) && !isOfRestriction(rejection));
  expect(untried, "add one for each to `cases`, above").toEqual([]);
});

describe.each(changes)("an otherwise valid $method $path", ({ method, path }) => {
  test("gets 412 if its precondition fails, but 404 first if the object does not exist", async () => {
    const [, collection = "", module] = /^(.*?)\/:(?:subscription_)?id(?:.*\/:?(\w+))?$/.exec(path) ?? [];
    const isRoute = collection.endsWith("/routes");
    const isOfSource = collection === "/event_subscriptions" && module !== undefined;
    const { body, change } = isRoute
      ? { body: {}, change: { description: "x" } }
      : isOfSource
        ? { body: { sources: [source] }, change: method === "POST" ? { type: "ip_policy_deleted.v0" } : {} }
        : await accepted(collection);
    const { id, edge_id } = isRoute ? await given.route() : await create(collection, body);
    const url = path
      .replace(":edge_id", edge_id)
      .replace(/:(?:subscription_)?id/, id)
      .replace(":type", source.type);
    const value = module && !isOfSource ? await referring(exampleOf("PUT", path)) : change;
    const sent = method === "DELETE" ? undefined : value;
    if (module && !isOfSource) await call("PUT", url, value);
    const request = { method, url, body: sent };
    // The rules of a policy cannot be read as a whole. Their condition is that of the policy.
    const read = path === "/ip_policies/:id/rules" ? `${collection}/${id}` : url;
    const current = (await get(read)).headers.get("ETag") ?? "none";
    for (const headers of [
      { "If-Match": '"99"' },
      { "If-None-Match": current },
      { "If-None-Match": "*" },
      { "If-Match": current, "If-None-Match": current },
    ]) {
      expect(outcome(await send(request, headers)), JSON.stringify(headers)).toBe(
        "412 ERR_PRECONDITION_FAILED",
      );
      // For a module of an HTTPS edge that may be managed elsewhere, only the form of the id is checked.
      const isKept = module !== undefined && collection === "/edges/https";
      const missing = url.replace(id, isKept ? "nothing" : `${id.split("_")[0]}_nothing`);
      expect(outcome(await send({ ...request, url: missing }, headers))).toBe("404 ERR_NOT_FOUND");
    }
    expect((await get(read)).headers.get("ETag")).toBe(current);
    expect((await send(request, { "If-Match": current })).status).toBeLessThan(300);
  });
});

test("a body whose fields exclude each other is rejected before any lookup", async () => {
  const body = { mutual_tls: {}, tls_termination: upstream, backend: nothing };
  for (const url of ["/edges/tls/edgtls_nothing", (await given.tlsEdge()).uri])
    expect(outcome(await send({ method: "PATCH", url, body }, { "If-Match": '"99"' }))).toBe(
      "400 ERR_INVALID_REQUEST /mutual_tls",
    );
});

test("deleting a policy in use fails only because of its precondition", async () => {
  const { id, uri } = await given.ipPolicy();
  await given.tcpEdge({ ip_restriction: { ip_policy_ids: [id] } });
  expect(outcome(await send({ method: "DELETE", url: uri }, { "If-Match": '"99"' }))).toBe(
    "412 ERR_PRECONDITION_FAILED",
  );
});
