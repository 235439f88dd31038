// @module-tag thorough
import { beforeEach, describe, expect, test } from "vitest";
import { exampleId } from "../packages/model/src/ids.ts";
import { create, del, get, ORIGIN, patch, put, routes } from "./support/api.ts";
import { contract } from "./support/contract.ts";
import { emptied } from "./support/emptied.ts";
import { accepted, collections } from "./support/examples.ts";
import * as given from "./support/given.ts";
import type { Json } from "./support/json.ts";

/*
 * Lists with one of their filters. test/cost.test.ts asserts that each list reads no more than its page.
 */

/** A list's filter, with an object that it finds by `value`. */
interface Filtered {
  path: string;
  list: string;
  filter: string;
  /** An object that another object refers to, by the filter's name. */
  target: () => Promise<string>;
  /** An object with this `value`. */
  given: (value: string) => Promise<Json>;
  /** An object with another value, and with additional ones. */
  other: (value: string) => Promise<Json>;
}

const idOf = (given: () => Promise<Json>) => async (): Promise<string> => (await given())["id"];

const backendOf = (backend_id: string) => ({ backend: { backend_id } });
const restriction = (...ip_policy_ids: string[]) => ({ ip_restriction: { ip_policy_ids } });
const authorities = (...certificate_authority_ids: string[]) => ({
  mutual_tls: { certificate_authority_ids },
});

let hosts = 0;
const newHostport = async () => `host-${(hosts += 1)}.example.com:443`;
let authoritiesMade = 0;
const newAuthority = async () => `ca_filter${(authoritiesMade += 1)}`;

const edges = [
  { path: "/edges/tcp", list: "tcp_edges", make: given.tcpEdge },
  { path: "/edges/tls", list: "tls_edges", make: given.tlsEdge },
  { path: "/edges/https", list: "https_edges", make: given.httpsEdge },
];
const forwarding = edges.slice(0, 2);
const withMutualTls = edges.slice(1);

const filters: Filtered[] = [
  ...edges.map(({ make, ...at }) => ({
    ...at,
    filter: "hostport",
    target: newHostport,
    given: (value: string) => make({ hostports: ["a.example.com:1", value, "z.example.com:1", value] }),
    other: (value: string) => make({ hostports: [`${value}0`, `x${value}`] }),
  })),
  ...forwarding.map(({ make, ...at }) => ({
    ...at,
    filter: "backend_id",
    target: idOf(given.httpResponse),
    given: (value: string) => make({ backend: { enabled: false, backend_id: value } }),
    other: async () => make(backendOf((await given.httpResponse())["id"])),
  })),
  ...forwarding.map(({ make, ...at }) => ({
    ...at,
    filter: "ip_policy_id",
    target: idOf(given.ipPolicy),
    given: async (value: string) => make(restriction((await given.ipPolicy())["id"], value, value)),
    other: async () => make(restriction((await given.ipPolicy())["id"])),
  })),
  ...withMutualTls.map(({ make, ...at }) => ({
    ...at,
    filter: "certificate_authority_id",
    target: newAuthority,
    given: (value: string) => make(authorities(given.CA, value)),
    other: () => make(authorities(given.CA)),
  })),
  {
    path: "/backends/failover",
    list: "backends",
    filter: "backend_id",
    target: idOf(given.httpResponse),
    given: async (value) => given.failover({ backends: [(await given.httpResponse())["id"], value, value] }),
    other: async (value) => {
      await given.tcpEdge(backendOf(value));
      return given.weighted({ backends: { [value]: 1 } });
    },
  },
  {
    path: "/backends/weighted",
    list: "backends",
    filter: "backend_id",
    target: idOf(given.httpResponse),
    given: async (value) =>
      given.weighted({ backends: { [(await given.httpResponse())["id"]]: 1, [value]: 0 } }),
    other: (value) => given.failover({ backends: [value] }),
  },
  {
    path: "/event_subscriptions",
    list: "event_subscriptions",
    filter: "destination_id",
    target: idOf(given.destination),
    given: async (value) =>
      given.subscription({ destination_ids: [(await given.destination())["id"], value] }),
    other: async () => given.subscription({ destination_ids: [(await given.destination())["id"]] }),
  },
  {
    path: "/ip_policy_rules",
    list: "ip_policy_rules",
    filter: "ip_policy_id",
    target: idOf(given.ipPolicy),
    given: (value) => given.rule({ ip_policy_id: value }),
    other: async () => given.rule({ ip_policy_id: (await given.ipPolicy())["id"] }),
  },
  {
    path: "/api_keys",
    list: "keys",
    filter: "owner_id",
    target: idOf(given.botUser),
    given: (value) => given.key({ owner_id: value }),
    other: async () => given.key({ owner_id: (await given.botUser())["id"] }),
  },
];

/** Every list with objects that have metadata, and how to create one of these objects. */
const described = [
  ...collections
    .filter(({ path }) => path !== "/bot_users")
    .map(({ path, list }) => ({
      path: async () => path,
      list,
      make: async (_: string, metadata: string) => create(path, { ...(await accepted(path)).body, metadata }),
    })),
  {
    path: async () => `/edges/https/${(await given.httpsEdge())["id"]}/routes`,
    list: "routes",
    make: (path: string, metadata: string) => given.route({ edge_id: path.split("/")[3], metadata }),
  },
];

const idsIn = (objects: Json[]): string[] => objects.map(({ id }) => id);

/** The log's filters can be combined, so their tests are in `resources/events.test.ts`. */
const LOG = "/events";

const documentedFilters = routes.flatMap(({ method, path, operation }) => {
  // Plans are listed by their state: see plans_kept.test.ts.
  if (method !== "GET" || !operation.query || [LOG, "/plans"].includes(path) || operation.tag === "Traffic")
    return [];
  const parameters: Json[] = contract["paths"][path.replace(/:(\w+)/g, "{$1}")].get.parameters;
  return parameters
    .filter(
      (parameter) =>
        parameter["in"] === "query" && !/^(?:limit|before_\w+|after|ip)$/.test(parameter["name"]),
    )
    .map(({ name }) => `${path} ${name}`);
});

/** The lists with the filter `expires_before`. */
const expiring: Record<string, { list: string; make: (fields: Json) => Promise<Json> }> = {
  "/ip_policy_rules": {
    list: "ip_policy_rules",
    make: async (fields) => {
      const { id } = await given.ipPolicy();
      return given.rule({ cidr: "192.0.2.0/24", action: "allow", ip_policy_id: id, ...fields });
    },
  },
  "/api_keys": { list: "keys", make: (fields) => create("/api_keys", fields) },
};

test("every filter in the document has a test here", () => {
  const tried = [
    ...filters.map(({ path, filter }) => `${path} ${filter}`),
    ...collections.filter(({ path }) => path !== "/bot_users").map(({ path }) => `${path} metadata`),
    "/edges/https/:edge_id/routes metadata",
    ...Object.keys(expiring).map((path) => `${path} expires_before`),
  ];
  expect(documentedFilters.toSorted()).toEqual(tried.toSorted());
});

describe.each(filters)("$path by $filter", ({ path, list, filter, target, given, other }) => {
  const asked = (value: string, rest = "") => get(`${path}?${filter}=${encodeURIComponent(value)}${rest}`);

  test("lists the objects that match, newest first, and no others, on any page", async () => {
    const value = await target();
    expect((await asked(value)).body).toEqual({ [list]: [], uri: ORIGIN + path, next_page_uri: null });
    const made: Json[] = [];
    for (let i = 0; i < 3; i++) {
      made.push(await given(value));
      await other(value);
    }
    const { body } = await asked(value);
    const shown = await Promise.all(made.map(async ({ uri }) => (await get(uri)).body));
    expect(body).toEqual({ [list]: shown.toReversed(), uri: ORIGIN + path, next_page_uri: null });
    const first = (await asked(value, "&limit=2")).body;
    const second = (await get(first["next_page_uri"])).body;
    expect([...first[list], ...second[list]], "links repeat the filter").toEqual(body[list]);
    expect(second["next_page_uri"]).toBeNull();
  });
});

describe.each(described)("the list of $list by metadata", ({ path: pathOf, list, make }) => {
  const found = async (path: string, metadata: string): Promise<string[]> =>
    idsIn((await get(`${path}?metadata=${encodeURIComponent(metadata)}`)).body[list]);

  test("only lists objects with exactly this metadata", async () => {
    const path = await pathOf();
    const unique = crypto.randomUUID();
    const texts = ["a", "A", "a ", "a\0", "a\0b", "&limit=1", "%61", "+", "é", "😀", '{"team":"shop"}'];
    for (const text of texts.map((text) => unique + text)) {
      const [first, second] = [await make(path, text), await make(path, text)];
      expect(await found(path, text), JSON.stringify(text)).toEqual([second["id"], first["id"]]);
      const page = (await get(`${path}?metadata=${encodeURIComponent(text)}&limit=1`)).body;
      expect(idsIn((await get(page.next_page_uri)).body[list])).toEqual([first["id"]]);
    }
    expect(await found(path, unique)).toEqual([]);
    const { uri, id } = await make(path, `${unique}b`);
    await patch(uri, { metadata: `${unique}c` });
    expect([await found(path, `${unique}b`), await found(path, `${unique}c`)]).toEqual([[], [id]]);
    await patch(uri, { metadata: "" });
    expect(await found(path, `${unique}c`)).toEqual([]);
  });

  test("can be found by up to 4096 bytes of UTF-8", async () => {
    const path = await pathOf();
    const longest = "€".repeat(1_365) + "a";
    const { id } = await make(path, longest);
    expect(await found(path, longest)).toContain(id);
  });
});

describe("one filter at a time:", () => {
  test("the error names those that were sent, of which one can stay", async () => {
    const { status, body } = await get("/edges/tcp?metadata=a&ip_policy_id=ipp_1&limit=1&hostport=a:1");
    const msg = "Only one filter is accepted at a time: send one of hostport, ip_policy_id and metadata.";
    const errors = ["hostport", "ip_policy_id", "metadata"].map((path) => ({ path, msg }));
    expect([status, body.errors]).toEqual([400, errors]);
  });

  test("the error is reported together with others", async () => {
    const { body } = await get("/edges/tcp?hostport=a&backend_id=x&limit=0&nonsense=1");
    const paths = body.errors.map((error: Json) => error["path"]);
    expect(paths.toSorted()).toEqual(
      ["backend_id", "backend_id", "hostport", "hostport", "limit", "nonsense"].toSorted(),
    );
  });
});

describe("rules and keys are found by expiry", () => {
  beforeEach(emptied);

  /** An expiry on a day of a month that is far in the future. */
  const at = (day: number): string => `2050-01-${String(day).padStart(2, "0")}T00:00:00Z`;
  test.each(Object.entries(expiring))(
    "%s: soonest first, page by page, even if the last object of a page is deleted",
    async (path, { list, make }) => {
      const ids: string[] = [];
      for (const day of [3, 1, 2, 2, 5]) ids.push((await make({ expires_at: at(day) }))["id"]);
      await make({});
      const [third, first, ...rest] = ids;
      const [twice, again] = rest.toSorted();
      const page = await get(`${path}?expires_before=2050-01-05T01:00:00%2B01:00&limit=2`);
      expect(idsIn(page.body[list])).toEqual([first, twice]);
      expect((await del(`${path}/${twice}`)).status).toBe(204);
      const next = await get(page.body.next_page_uri);
      expect(idsIn(next.body[list])).toEqual([again, third]);
      expect(next.body.next_page_uri).toBeNull();
    },
  );

  test("the list is not ordered by creation", async () => {
    const { status, body } = await get(
      `/ip_policy_rules?expires_before=${at(1)}&before_id=${exampleId("ip_policy_rule")}`,
    );
    const msg = "In a list by expiry, send after instead.";
    expect([status, body.errors]).toEqual([400, [{ path: "before_id", msg }]]);
  });

  test("a page starts at an expiry and an id", async () => {
    const id = exampleId("ip_policy_rule");
    for (const [query, msg] of [
      [`after=${at(1)},${id}`, "Only accepted with expires_before: otherwise, send before_id."],
      [
        `expires_before=${at(1)}&after=${id}`,
        "Expected the expiry and the id of an object, separated by a comma: use the value in next_page_uri.",
      ],
      [
        `expires_before=${at(1)}&after=${at(1)},${exampleId("api_key")}`,
        "Expected the expiry and the id of an object, separated by a comma: use the value in next_page_uri.",
      ],
    ]) {
      const { status, body } = await get(`/ip_policy_rules?${query}`);
      expect([status, body.errors]).toEqual([400, [{ path: "after", msg }]]);
    }
  });
});

describe("edges are found by hostport", () => {
  beforeEach(emptied);

  const found = async (hostport: string): Promise<string[]> =>
    idsIn((await get(`/edges/tcp?hostport=${encodeURIComponent(hostport)}`)).body.tcp_edges);

  test("in any case of its letters", async () => {
    const { id } = await given.tcpEdge({ hostports: ["Shop.EXAMPLE.com:443", "[2001:DB8::A]:1"] });
    for (const hostport of ["shop.example.com:443", "SHOP.example.COM:443", "[2001:db8::a]:1"])
      expect(await found(hostport)).toEqual([id]);
    const { body } = await get("/edges/tcp?limit=1&hostport=SHOP.example.com:443");
    expect(body.tcp_edges[0].hostports).toEqual(["Shop.EXAMPLE.com:443", "[2001:DB8::A]:1"]);
  });

  test("as the hostports of an edge change", async () => {
    const { uri, id } = await given.tcpEdge({ hostports: ["a:1", "b:1"] });
    await patch(uri, { hostports: ["b:1", "C:1"] });
    expect([await found("a:1"), await found("b:1"), await found("c:1")]).toEqual([[], [id], [id]]);
    await patch(uri, { hostports: ["B:1"], description: "x" });
    expect([await found("b:1"), await found("c:1")]).toEqual([[id], []]);
    await patch(uri, { hostports: [] });
    expect(await found("b:1")).toEqual([]);
  });

  test("as one of ten thousand in an edge", async () => {
    const many = (start: number) => Array.from({ length: 10_000 }, (_, i) => `h${start + i}.example.com:443`);
    const { uri, id } = await given.tcpEdge({ hostports: many(0) });
    expect([await found("h0.example.com:443"), await found("h9999.example.com:443")]).toEqual([[id], [id]]);
    const { cost } = await patch(uri, { hostports: many(5_000) });
    // The edge, and its event.
    expect(cost.rowsWritten).toBe(10_000 + 1 + 2);
    expect([await found("h0.example.com:443"), await found("h14999.example.com:443")]).toEqual([[], [id]]);
    expect((await del(uri)).status).toBe(204);
    expect(await found("h14999.example.com:443")).toEqual([]);
  });
});

test("edges are found by the references in their modules, as these change", async () => {
  const [a, b] = [await given.httpResponse(), await given.httpResponse()];
  const { uri, id } = await given.tcpEdge(backendOf(a["id"]));
  const found = async (backend: Json) =>
    idsIn((await get(`/edges/tcp?backend_id=${backend["id"]}`)).body.tcp_edges);
  await put(`${uri}/backend`, { backend_id: b["id"] });
  expect([await found(a), await found(b)]).toEqual([[], [id]]);
  await del(`${uri}/backend`);
  expect(await found(b)).toEqual([]);
});

test("edges are still found by a deleted policy that they refer to", async () => {
  const policy = await given.ipPolicy();
  const { id } = await given.tlsEdge(restriction(policy["id"]));
  await del(policy["uri"]);
  const { body } = await get(`/edges/tls?ip_policy_id=${policy["id"]}`);
  expect(idsIn(body.tls_edges)).toEqual([id]);
});

test("HTTPS edges managed elsewhere are in no list, whatever they refer to", async () => {
  await put(`/edges/https/${given.HTTPS_EDGE}/mutual_tls`, { certificate_authority_ids: ["ca_shared"] });
  const { id } = await given.httpsEdge(authorities("ca_shared"));
  await put("/edges/https/edghts_zzzz/mutual_tls", { certificate_authority_ids: ["ca_shared"] });
  const { body } = await get("/edges/https?certificate_authority_id=ca_shared");
  expect(idsIn(body.https_edges)).toEqual([id]);
  expect(body.next_page_uri).toBeNull();
});

test("HTTPS edges found by a filter have their routes", async () => {
  const { id } = await given.httpsEdge({ hostports: ["routed.example.com:443"] });
  const route = await given.route({ edge_id: id });
  await given.route();
  const { body } = await get("/edges/https?hostport=routed.example.com:443");
  expect(body.https_edges).toMatchObject([{ id, routes: [route] }]);
});
