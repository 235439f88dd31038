import { createHash } from "node:crypto";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { clock } from "../../packages/model/src/clock.ts";
import { coverageOf, type Exception } from "../../packages/model/src/traffic/coverage.ts";
import { create, del, get, patch, put } from "../support/api.ts";
import * as given from "../support/given.ts";
import type { Json } from "../support/json.ts";
import { skipEvents } from "../support/stored.ts";

/*
 * Which edges machines serve, according to what agents report.
 */

const realNow = clock.now;
let key: Json = {};
beforeEach(async () => {
  for (const table of ["tcp_edges", "tls_edges", "https_edges", "https_edge_routes", "agents"])
    await env.DB.prepare(`delete from ${table}`).run();
  await skipEvents();
  key = await given.key({ role: "agent" });
});
afterEach(() => {
  clock.now = realNow;
});

/** Edges on ports of their own, each with a backend. */
async function givenEdges(count: number): Promise<string[]> {
  const { id } = await given.staticBackend();
  const ids: string[] = [];
  for (let port = 4001; port <= 4000 + count; port += 1) {
    const edge = await given.tcpEdge({ hostports: [`tcp.example.com:${port}`], backend: { backend_id: id } });
    ids.push(edge["id"]);
  }
  return ids;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const newest = async (): Promise<number> => (await get("/snapshot")).body["version"];

/** An agent reports that it serves a version of these edges, with exceptions by id. */
async function report(name: string, edges: string[], given: Json = {}, exceptions = {}): Promise<void> {
  const coverage = coverageOf(edges, new Map(Object.entries<Exception>(exceptions)), sha256);
  const status = { applied_version: await newest(), ok: true, proxy: "HAProxy", edges: coverage, ...given };
  const { status: code, text } = await put(`/agents/${name}/status`, status, { token: key["token"] });
  expect(code, text).toBe(200);
}

const serving = async (query = ""): Promise<Json[]> => (await get(`/serving${query}`)).body["serving"];
const ofEdge = async (id: string | undefined): Promise<Json> => {
  const [found] = await serving(`?object_id=${id}`);
  return found ?? {};
};
const codesOf = ({ not_serving }: Json): [string, string][] =>
  not_serving.map(({ agent, code }: Json) => [agent, code]);

const missing: Exception = {
  effect: "not_served",
  code: "certificate_missing",
  msg: "There is no certificate.",
};
const refused: Exception = { effect: "partly", code: "refused_by_haproxy", msg: "A route returns 503." };

test("an edge is served by the agents that serve its version and do not say otherwise", async () => {
  const edges = await givenEdges(3);
  const [a, b, c] = edges;
  await report("lisbon-1", edges);
  await report("lisbon-2", edges, {}, { [`${a}`]: missing, [`${b}`]: refused });
  const listed = await serving();
  expect(listed.map(({ object }) => object.id)).toEqual([c, b, a]);
  expect(listed[0]).toMatchObject({
    hostports: ["tcp.example.com:4003"],
    agents: { serving: 2, of: 2, left_out: 0 },
    not_serving: [],
    partly: [],
  });
  expect(listed[1]).toMatchObject({
    agents: { serving: 2, of: 2, left_out: 0 },
    partly: [{ agent: "lisbon-2", code: "refused_by_haproxy", msg: "A route returns 503." }],
  });
  expect(listed[2]).toMatchObject({
    agents: { serving: 1, of: 2, left_out: 0 },
    not_serving: [{ agent: "lisbon-2", code: "certificate_missing", msg: "There is no certificate." }],
  });
  const incomplete = await get("/serving?incomplete=true&limit=1");
  expect(incomplete.body["serving"].map(({ object }: Json) => object.id)).toEqual([b]);
  const next = await get(incomplete.body["next_page_uri"]);
  expect(next.body["serving"].map(({ object }: Json) => object.id)).toEqual([a]);
  expect(next.body["next_page_uri"]).toBeNull();
});

test("what an agent cannot serve for a common reason is told with the edge's own message, or as another edge's", async () => {
  const edges = await givenEdges(3);
  const [a, b, c] = edges;
  const own = { object: `${b}`, code: "certificate_missing", msg: "b has no certificate." };
  await report(
    "lisbon",
    edges,
    { problems: [own] },
    { [`${a}`]: missing, [`${b}`]: missing, [`${c}`]: missing },
  );
  const messages = (await serving()).map(({ not_serving }) => not_serving[0].msg);
  expect(messages).toEqual([
    "Same reason as for another edge: There is no certificate.",
    "b has no certificate.",
    "There is no certificate.",
  ]);
});

test("an agent that is behind serves what has not changed since", async () => {
  const edges = await givenEdges(2);
  const [a, b] = edges;
  await report("slow", edges);
  const [added] = await givenEdges(1).then(async ([id]) => {
    await patch(`/edges/tcp/${id}`, { hostports: ["tcp.example.com:4009"] });
    return [id];
  });
  await patch(`/edges/tcp/${a}`, { hostports: ["tcp.example.com:4010"] });
  expect(codesOf(await ofEdge(a))).toEqual([["slow", "serving_older"]]);
  expect(codesOf(await ofEdge(b))).toEqual([]);
  expect(codesOf(await ofEdge(added))).toEqual([["slow", "behind"]]);
  await report("slow", [...edges, `${added}`]);
  expect((await serving()).map(codesOf)).toEqual([[], [], []]);
});

test("a change of a policy, a rule, a backend, a route or what a backend contains is one of the edges that use it", async () => {
  const target = await given.staticBackend();
  const backend = await create("/backends/failover", { backends: [target["id"]] });
  const policy = await given.ipPolicy();
  const rule = await given.rule({ ip_policy_id: policy["id"], cidr: "10.0.0.0/8", action: "allow" });
  const edge = await create("/edges/https", { hostports: ["shop.example.com:443"] });
  const other = await create("/edges/https", { hostports: ["other.example.com:443"] });
  const routes: Json[] = [];
  for (const { uri } of [edge, other])
    routes.push(
      await create(`${uri}/routes`.replace(/^https:..api.test/, ""), {
        match_type: "path_prefix",
        match: "/",
        backend: { backend_id: backend["id"] },
        ...(uri === edge["uri"] && { ip_restriction: { ip_policy_ids: [policy["id"]] } }),
      }),
    );
  const edges = [edge["id"], other["id"]];
  const both = [["agent", "serving_older"]];
  for (const { path, body, expected } of [
    { path: `/ip_policy_rules/${rule["id"]}`, body: { cidr: "10.0.0.0/9" }, expected: [both, []] },
    { path: `/ip_policies/${policy["id"]}`, body: { description: "x" }, expected: [both, []] },
    { path: `/backends/failover/${backend["id"]}`, body: { description: "x" }, expected: [both, both] },
    { path: `/backends/static/${target["id"]}`, body: { description: "x" }, expected: [both, both] },
    { path: routes[1]?.["uri"], body: { match: "/x" }, expected: [[], both] },
  ]) {
    await report("agent", edges);
    expect((await patch(path, body)).status).toBe(200);
    expect([codesOf(await ofEdge(edge["id"])), codesOf(await ofEdge(other["id"]))], path).toEqual(expected);
  }
});

test("exceptions of an earlier version are read if the log says which edges it had, and unknown otherwise", async () => {
  const edges = await givenEdges(3);
  const [a, b, c] = edges;
  await report("behind", edges, {}, { [`${b}`]: missing });
  await del(`/edges/tcp/${a}`);
  await givenEdges(1);
  expect(codesOf(await ofEdge(b))).toEqual([["behind", "certificate_missing"]]);
  expect(codesOf(await ofEdge(c))).toEqual([]);
  // Before this change, the edge had other hostports or none: the log does not say.
  await report("behind", [`${b}`], {}, { [`${b}`]: missing });
  expect(codesOf(await ofEdge(c))).toEqual([["behind", "unknown"]]);
});

test("without a version, with an error, from before a restore, or after the log was swept, no edge counts as served", async () => {
  const edges = await givenEdges(1);
  const codes = async (given: Json) => {
    await report("agent", edges, given);
    return codesOf(await ofEdge(edges[0])).map(([, code]) => code);
  };
  expect(await codes({ applied_version: undefined })).toEqual(["behind"]);
  expect(await codes({ ok: false, error: "HAProxy does not run.", proxy: "" })).toEqual(["not_ok"]);
  expect(await codes({ ok: false, error: "Rules that have ended are served." })).toEqual(["not_ok"]);
  expect(await codes({ applied_version: (await newest()) + 1 })).toEqual(["unknown"]);
  const version = await newest();
  await given.ipPolicy();
  await given.ipPolicy();
  expect(await codes({ applied_version: version })).toEqual([]);
  await env.DB.prepare("delete from events where seq = ?")
    .bind(version + 1)
    .run();
  await env.DB.prepare("delete from events where seq <= ?").bind(version).run();
  expect(await codes({ applied_version: version })).toEqual(["far_behind"]);
});

test("an agent that fails to apply the newest version serves what has not changed since", async () => {
  const edges = await givenEdges(2);
  await report("agent", edges);
  const applied_version = await newest();
  await patch(`/edges/tcp/${edges[0]}`, { hostports: ["tcp.example.com:4010"] });
  await report("agent", edges, { applied_version, ok: false, error: "HAProxy rejects it." });
  expect(codesOf(await ofEdge(edges[0]))).toEqual([["agent", "serving_older"]]);
  expect((await ofEdge(edges[0]))["not_serving"][0].msg).toContain("HAProxy rejects it.");
  expect(codesOf(await ofEdge(edges[1]))).toEqual([]);
});

test("the configuration can be the reason, which is listed once", async () => {
  const edge = await given.tcpEdge({ hostports: ["tcp.example.com:4001"] });
  await report("a", []);
  await report("b", []);
  expect(await ofEdge(edge["id"])).toMatchObject({
    agents: { serving: 0, of: 2, left_out: 0 },
    not_serving: [{ agent: null, code: "backend_not_set" }],
  });
});

test("of an agent that does not say which edges it serves, nothing is known", async () => {
  const edges = await givenEdges(1);
  await report("old", edges, { edges: undefined });
  expect((await serving()).map(codesOf)).toEqual([[["old", "unknown"]]]);
});

test("an edge that gets a hostport or a port back from another edge has changed, without an event of its own", async () => {
  const { id: backend_id } = await given.staticBackend();
  const backend = { backend_id };
  for (const { first, change, other } of [
    { first: "same.example.com:4500", change: (path: string) => del(path), other: [] },
    // The log does not tell that the edge was in the snapshot before.
    {
      first: "SAME.example.com:4500",
      change: (path: string) => patch(path, { hostports: [] }),
      other: [["agent", "unknown"]],
    },
    // A TCP edge has the port for itself.
    {
      first: "other.example.com:4500",
      change: (path: string) => patch(path, { hostports: ["x.example.com:4501"] }),
      other: [],
    },
  ]) {
    const older = await create("/edges/tcp", { hostports: [first], backend });
    const newer = await create("/edges/tls", {
      hostports: ["same.example.com:4500", "s.example.com:9000"],
      backend,
    });
    const apart = await create("/edges/tcp", { hostports: ["apart.example.com:4600"], backend });
    const { body } = await get("/snapshot");
    const ids = body["edges"].map(({ id }: Json) => id);
    await report("agent", ids);
    await change(`/edges/tcp/${older["id"]}`);
    expect(codesOf(await ofEdge(newer["id"])), first).toEqual([["agent", "serving_older"]]);
    expect(codesOf(await ofEdge(apart["id"])), first).toEqual(other);
    await del(`/edges/tls/${newer["id"]}`);
    for (const { id } of [older, apart]) await del(`/edges/tcp/${id}`);
  }
});

test("if the log does not say which hostports an edge had, nothing is known of what was served before", async () => {
  const edges = await givenEdges(2);
  await report("agent", edges);
  await patch(`/edges/tcp/${edges[0]}`, { hostports: ["tcp.example.com:4010"] });
  expect(codesOf(await ofEdge(edges[1]))).toEqual([]);
  await env.DB.prepare("delete from events where object_id = ? and type glob '*created*'")
    .bind(edges[0])
    .run();
  expect(codesOf(await ofEdge(edges[1]))).toEqual([["agent", "far_behind"]]);
});

test("what the configuration takes from an edge that is served otherwise is listed, too", async () => {
  const { id: backend_id } = await given.staticBackend();
  await create("/edges/tls", { hostports: ["taken.example.com:4700"], backend: { backend_id } });
  const part = await create("/edges/tls", {
    hostports: ["taken.example.com:4700", "free.example.com:4700"],
    backend: { backend_id },
  });
  const web = await create("/edges/https", { hostports: ["web.example.com:4700"] });
  await create(`/edges/https/${web["id"]}/routes`, { match_type: "path_prefix", match: "/" });
  const { body } = await get("/serving?incomplete=true");
  expect(body["serving"].map(({ object, partly }: Json) => [object.id, partly])).toEqual([
    [part["id"], [expect.objectContaining({ agent: null, code: "hostport_taken" })]],
    [web["id"], [expect.objectContaining({ agent: null, code: "backend_not_set" })]],
  ]);
});

test("agents that leave out an edge on purpose are counted, and listed after agents that cannot serve it", async () => {
  const [edge = ""] = await givenEdges(1);
  const unwanted = { ...missing, code: "not_wanted" };
  for (let i = 10; i < 35; i += 1) {
    // A key reports for at most ten machines.
    if (i % 10 === 0) key = await given.key({ role: "agent" });
    await report(`a-${i}`, [edge], {}, { [edge]: unwanted });
  }
  await report("b", [edge]);
  await report("z", [edge], {}, { [edge]: missing });
  const found = await ofEdge(edge);
  expect(found["agents"]).toEqual({ serving: 1, of: 27, left_out: 25 });
  expect(codesOf(found)).toHaveLength(20);
  expect(codesOf(found)[0]).toEqual(["z", "certificate_missing"]);
});

test("agents that are silent for three minutes do not count", async () => {
  const edges = await givenEdges(1);
  await report("gone", edges);
  const now = realNow();
  clock.now = () => now + 200_000;
  expect((await ofEdge(edges[0]))["agents"]).toEqual({ serving: 0, of: 0, left_out: 0 });
});

test("a status and metrics count the edges; those that are left out on purpose are no fault", async () => {
  const edges = await givenEdges(4);
  const [a, b, c] = edges;
  const unwanted = { ...missing, code: "not_wanted" };
  await report("counted", edges, {}, { [`${a}`]: missing, [`${b}`]: refused, [`${c}`]: unwanted });
  const { body } = await get("/agents/counted");
  expect(body["edges"]).toEqual({ served: 1, partly: 1, not_served: 1, not_wanted: 1 });
  const { text } = await get("/metrics");
  expect(text).toContain('edge_agent_edges_not_served{agent="counted"} 1\n');
  expect(text).toContain('edge_agent_edges_partly_served{agent="counted"} 1\n');
});

test("a report of edges is checked", async () => {
  const send = (edges: Json) => put("/agents/odd/status", { ok: true, edges }, { token: key["token"] });
  const exceptions = [{ ...missing, edges: "not base64" }];
  const { status, body } = await send({ count: 1, digest: "0".repeat(16), exceptions });
  expect(status).toBe(400);
  expect(body["errors"]).toEqual([{ path: "/edges/exceptions/0/edges", msg: "Expected base64." }]);
  for (const { count, digest } of [
    { count: -1, digest: "0".repeat(16) },
    { count: 1, digest: "x" },
    { count: 1, digest: undefined },
  ])
    expect((await send({ count, digest, exceptions: [] })).status).toBe(400);
});

test("10,000 edges with several reasons fit into a status, and are read from it", async () => {
  const edges = await givenEdges(1);
  const ids = Array.from({ length: 9_999 }, (_, index) => `edgtcp_${String(index).padStart(27, "0")}`);
  const exceptions = Object.fromEntries(
    [...ids, ...edges].map((id, index) => [id, { ...missing, code: `reason_${index % 20}` }]),
  );
  await report("full", [...ids, ...edges], {}, exceptions);
  expect((await get("/agents/full")).body["edges"]).toMatchObject({ served: 0, not_served: 10_000 });
  expect(codesOf(await ofEdge(edges[0]))).toEqual([["full", "unknown"]]);
});
