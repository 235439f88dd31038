import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { del, get, ORIGIN, patch, put, outcome } from "../support/api.ts";
import * as given from "../support/given.ts";
import type { Json } from "../support/json.ts";

const refOf = ({ id, uri }: Json): Json => ({ id, uri });
const byId = (refs: Json[]): Json[] => refs.map(refOf).toSorted((a, b) => (a["id"] > b["id"] ? -1 : 1));

const ofBackend = (given: Json, backend_id: string) => ({
  ...given,
  backend: { enabled: false, backend_id },
});
const edges = (backend_id: string) => [
  given.tcpEdge({ backend: { backend_id } }),
  given.tlsEdge(ofBackend({}, backend_id)),
  given.route(ofBackend({}, backend_id)),
];
const restricted = (...ip_policy_ids: string[]) => ({ ip_restriction: { enabled: false, ip_policy_ids } });
const mutual = (id: string) => ({
  mutual_tls: { enabled: false, certificate_authority_ids: [given.CA, id] },
});

/** Every kind of object that others can refer to, and the kinds that can refer to it. */
const used: { kind: string; given: () => Promise<Json>; users: (id: string) => Promise<Json>[] }[] = [
  {
    kind: "an IP policy",
    given: given.ipPolicy,
    users: (id) => [
      given.tcpEdge(restricted(id, id)),
      given.tlsEdge(restricted(id)),
      given.route(restricted(id)),
    ],
  },
  ...[
    { kind: "an HTTP response backend", given: given.httpResponse },
    { kind: "a static backend", given: given.staticBackend },
  ].map((one) => ({
    ...one,
    users: (id: string) => [
      ...edges(id),
      given.failover({ backends: [id, id] }),
      given.weighted({ backends: { [id]: 1 } }),
    ],
  })),
  ...[
    { kind: "a weighted backend", given: given.weighted },
    { kind: "a failover backend", given: given.failover },
  ].map((one) => ({ ...one, users: (id: string) => [...edges(id), given.failover({ backends: [id] })] })),
  {
    kind: "a certificate authority",
    given: given.authority,
    users: (id) => [given.tlsEdge(mutual(id)), given.httpsEdge(mutual(id))],
  },
  {
    kind: "an event destination",
    given: given.destination,
    users: (id) => [
      given.subscription({ destination_ids: [id] }),
      given.subscription({ destination_ids: [id] }),
    ],
  },
  {
    kind: "a bot user",
    given: given.botUser,
    users: (id) => [given.key({ owner_id: id }), given.key({ owner_id: id, role: "viewer" })],
  },
];

describe.each(used)("used_by of $kind", ({ given, users }) => {
  test("names all referrers by descending id, and none once they are deleted", async () => {
    const [{ id, uri }, other] = [await given(), await given()];
    const list = { used_by: [], uri: `${uri}/used_by`, next_page_uri: null };
    expect((await get(`${uri}/used_by`)).body).toEqual(list);
    const all: Json[] = [];
    for (const user of users(id)) all.push(await user);
    await Promise.all(users(other["id"]));
    const { body, cost } = await get(`${uri}/used_by`);
    expect(body).toEqual({ ...list, used_by: byId(all) });
    expect(cost.rowsWritten).toBe(0);
    for (const ref of body.used_by) expect((await get(ref.uri)).body.id).toBe(ref.id);
    for (const ref of byId(all).toReversed()) expect((await del(ref["uri"])).status).toBe(204);
    expect((await get(`${uri}/used_by`)).body).toEqual(list);
  });

  test("has pages", async () => {
    const { id, uri } = await given();
    const all = byId(await Promise.all([...users(id), ...users(id)]));
    for (const limit of [1, 2, all.length - 1, all.length]) {
      const visited: Json[] = [];
      let next: string | null = `${uri}/used_by?limit=${limit}`;
      while (next) {
        const { body, cost }: { body: Json; cost: { rowsRead: number } } = await get(next);
        expect(body["used_by"].length).toBeGreaterThan(0);
        expect(cost.rowsRead).toBeLessThanOrEqual(body["used_by"].length + 3);
        visited.push(...body["used_by"]);
        next = body["next_page_uri"];
        if (next) expect(next).toBe(`${uri}/used_by?before_id=${visited.at(-1)?.["id"]}&limit=${limit}`);
      }
      expect(visited).toEqual(all);
    }
    const { body } = await get(`${uri}/used_by?before_id=${all[0]?.["id"]}`);
    expect(body.used_by).toEqual(all.slice(1));
  });
});

test("edges and routes that are managed elsewhere count", async () => {
  const [policy, backend, authority] = [
    await given.ipPolicy(),
    await given.httpResponse(),
    await given.authority(),
  ];
  const edge = "edghts_ofelsewhere";
  const route = "edghtsrt_ofelsewhere";
  const at = `/edges/https/${edge}/routes/${route}`;
  await put(`${at}/ip_restriction`, { ip_policy_ids: [policy["id"]] });
  await put(`${at}/backend`, { backend_id: backend["id"] });
  await put(`/edges/https/${edge}/mutual_tls`, { certificate_authority_ids: [authority["id"]] });
  for (const { uri } of [policy, backend])
    expect((await get(`${uri}/used_by`)).body.used_by).toEqual([{ id: route, uri: ORIGIN + at }]);
  expect((await get(`${authority["uri"]}/used_by`)).body.used_by).toEqual([
    { id: edge, uri: `${ORIGIN}/edges/https/${edge}` },
  ]);
});

test("routes with the same id in several edges, which routes managed elsewhere can have, are each on one page", async () => {
  const { id, uri } = await given.ipPolicy();
  const paths = ["a", "c", "b", "d"].map((edge) => `/edges/https/edghts_same${edge}/routes/edghtsrt_same`);
  for (const path of paths) await put(`${path}/ip_restriction`, { ip_policy_ids: [id] });
  const own = await given.route(restricted(id));
  const all = [
    ...paths
      .toSorted()
      .toReversed()
      .map((path) => ({ id: "edghtsrt_same", uri: ORIGIN + path })),
    refOf(own),
  ];
  for (const limit of [1, 2, 3]) {
    const visited: Json[] = [];
    let next: string | null = `${uri}/used_by?limit=${limit}`;
    while (next) {
      const { body }: { body: Json } = await get(next);
      visited.push(...body["used_by"]);
      next = body["next_page_uri"];
    }
    expect(visited).toEqual(all);
  }
  const { body } = await get(`${uri}/used_by?before_id=edghtsrt_same`);
  expect(body.used_by).toEqual([refOf(own)]);
});

test.each(["before_edge_id=edghts_1", "before_edge_id=edghts_1&before_id=edgtcp_1"])(
  "%s is rejected: it belongs to the id of a route",
  async (query) => {
    const { uri } = await given.ipPolicy();
    const { status, body } = await get(`${uri}/used_by?${query}`);
    expect([status, body.errors]).toEqual([
      400,
      [{ path: "before_edge_id", msg: "Send this only if before_id is the id of a route." }],
    ]);
  },
);

test("a deleted policy has no list of its users, although edges still refer to it", async () => {
  const { id, uri } = await given.ipPolicy();
  await given.tcpEdge(restricted(id));
  await del(uri);
  expect(outcome(await get(`${uri}/used_by`))).toBe("404 ERR_NOT_FOUND");
  expect((await get(`/edges/tcp?ip_policy_id=${id}`)).body.tcp_edges).toHaveLength(1);
});

test("the hostports of an edge do not affect the users of its backend", async () => {
  const { id, uri } = await given.httpResponse();
  const edge = await given.tcpEdge({ hostports: ["a:1"], backend: { backend_id: id } });
  expect((await get(`${uri}/used_by`)).body.used_by).toEqual([refOf(edge)]);
  await patch(edge["uri"], { hostports: ["b:1"] });
  expect((await get(`${uri}/used_by`)).body.used_by).toEqual([refOf(edge)]);
});

test("a page reads its users, one more and the object, however many there are", async () => {
  const { id, uri } = await given.ipPolicy();
  const numbers = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)";
  await env.DB.prepare(
    `${numbers} insert into uses (target, user) select ?, printf('edgtcp_%027d', i) from n`,
  )
    .bind(id)
    .run();
  for (const query of ["limit=10", "limit=10&before_id=edgtcp_000000000000000000000010000"]) {
    const { body, cost } = await get(`${uri}/used_by?${query}`);
    expect(body.used_by).toHaveLength(10);
    expect(cost.rowsRead).toBeLessThanOrEqual(13);
  }
  await env.DB.prepare("delete from uses where target = ?").bind(id).run();
});
