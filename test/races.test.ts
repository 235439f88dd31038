import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { type Answer, create, del, get, patch, post, put } from "./api.ts";
import { givenFailover, givenHttpResponse, givenIpPolicy, givenTcpEdge, givenTlsEdge } from "./given.ts";

/*
 * Two requests at once. Requests started together interleave at every await, the database runs one statement at a
 * time: whatever the order, the outcome is one that some order of whole requests gives.
 */

const ROUNDS = 25;

const statuses = (answers: Answer[]): number[] => answers.map(({ status }) => status);

/** Runs both at once: in turn one first, the other first, and with a head start of 0 to 3 ms. */
async function race(
  round: number,
  one: () => Promise<Answer>,
  other: () => Promise<Answer>,
): Promise<[Answer, Answer]> {
  const after = async (start: () => Promise<Answer>): Promise<Answer> => {
    await scheduler.wait(round % 4);
    return start();
  };
  return round % 8 < 4 ? Promise.all([one(), after(other)]) : Promise.all([after(one), other()]);
}

test("deleting a backend against creating what refers to it: one of both wins, no reference to nothing is left", async () => {
  const seen = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [path, body] of [
      ["/edges/tcp", (id: string) => ({ backend: { backend_id: id } })],
      ["/edges/tls", (id: string) => ({ backend: { backend_id: id } })],
      ["/backends/failover", (id: string) => ({ backends: [id] })],
    ] as const) {
      const { id } = await givenHttpResponse();
      const [deleted, created] = await race(
        round,
        () => del(`/backends/http_response/${id}`),
        () => post(path, body(id)),
      );
      const outcome = statuses([deleted, created]).join();
      expect(["204,400", "409,201", "503,201"]).toContain(outcome);
      seen.add(outcome);
      if (created.status === 201) expect((await get(`/backends/http_response/${id}`)).status).toBe(200);
    }
  }
  expect(seen.size).toBeGreaterThan(1);
});

test("deleting a backend against pointing an edge to it", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await givenFailover();
    const edge = await givenTcpEdge();
    const [deleted, pointed] = await race(
      round,
      () => del(`/backends/failover/${id}`),
      () => put(`/edges/tcp/${edge.id}/backend`, { backend_id: id }),
    );
    expect(["204,400", "409,200"]).toContain(statuses([deleted, pointed]).join());
    const exists = (await get(`/backends/failover/${id}`)).status === 200;
    expect((await get(`/edges/tcp/${edge.id}`)).body.backend === null).toBe(!exists);
  }
});

test("deleting a policy against adding a rule to it: no rule outlives its policy", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await givenIpPolicy();
    const rule = { cidr: "192.0.2.0/24", action: "deny", ip_policy_id: id };
    const answers = await Promise.all([
      post("/ip_policy_rules", rule),
      del(`/ip_policies/${id}`),
      post("/ip_policy_rules", rule),
    ]);
    expect(answers[1].status).toBe(204);
    for (const { status, body } of [answers[0], answers[2]])
      if (status === 201) expect((await get(`/ip_policy_rules/${body.id}`)).status).toBe(404);
      else expect(body.error_code).toBe("ERR_UNKNOWN_REFERENCE");
  }
});

test("two failover backends put into each other at once: at most one gets in", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [a, b] = [await givenFailover(), await givenFailover()];
    const answers = await race(
      round,
      () => patch(`/backends/failover/${a.id}`, { backends: [b.id] }),
      () => patch(`/backends/failover/${b.id}`, { backends: [a.id] }),
    );
    expect(statuses(answers).toSorted()).toEqual([200, 400]);
  }
});

test("mutual TLS against terminate_at upstream at once: at most one gets in", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await givenTlsEdge();
    const answers = await race(
      round,
      () => put(`/edges/tls/${id}/mutual_tls`, {}),
      () => patch(`/edges/tls/${id}`, { tls_termination: { terminate_at: "upstream" } }),
    );
    expect(statuses(answers).toSorted()).toEqual([200, 400]);
  }
});

test("PATCHes of different members at once are both kept", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await givenTlsEdge();
    await Promise.all([
      patch(`/edges/tls/${id}`, { description: "a" }),
      patch(`/edges/tls/${id}`, { metadata: "b" }),
      put(`/edges/tls/${id}/traffic_policy`, { value: "c" }),
      patch(`/edges/tls/${id}`, { mutual_tls: { enabled: false } }),
    ]);
    expect((await get(`/edges/tls/${id}`)).body).toMatchObject({
      description: "a",
      metadata: "b",
      traffic_policy: { value: "c" },
      mutual_tls: { enabled: false },
    });
  }
});

test("of many deletes at once, one finds the object", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await create("/ip_policies");
    const answers = await Promise.all(Array.from({ length: 5 }, () => del(`/ip_policies/${id}`)));
    expect(statuses(answers).toSorted()).toEqual([204, 404, 404, 404, 404]);
  }
});

test("the index over children always says what the lists say", async () => {
  const leaves = await Promise.all(Array.from({ length: 4 }, () => givenHttpResponse()));
  const ids: string[] = leaves.map(({ id }) => id);
  const parents = await Promise.all(Array.from({ length: 6 }, () => givenFailover()));
  await Promise.all(
    parents.flatMap(({ id }, i) => [
      patch(`/backends/failover/${id}`, { backends: [ids[i % 4], ids[(i + 1) % 4], ids[i % 4]] }),
      patch(`/backends/failover/${id}`, { backends: ids.slice(i % 3) }),
      ...(i === 5 ? [del(`/backends/failover/${id}`)] : []),
    ]),
  );
  const indexed = await env.DB.prepare(
    "select parent, child from failover_children order by parent, child",
  ).all();
  const listed = await env.DB.prepare(
    "select distinct failover_backends.id as parent, value as child from failover_backends, json_each(backends) order by 1, 2",
  ).all();
  expect(indexed.results).toEqual(listed.results);
  expect(indexed.results.length).toBeGreaterThan(5);
});
