// @module-tag thorough
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { type Answer, call, create, del, get, patch, post, put } from "./support/api.ts";
import { inconsistenciesIn } from "./support/consistency.ts";
import { epochNow } from "./support/epoch.ts";
import * as given from "./support/given.ts";
import { intercepted } from "./support/intercepted.ts";
import type { Json } from "./support/json.ts";
import { toPatch, toPost } from "./support/operations.ts";
import { stored } from "./support/stored.ts";

/*
 * Concurrent requests. Requests started together interleave at every await, and the database runs one statement at a
 * time: the outcome must be that of some serial order of the requests.
 */

const ROUNDS = 25;

const statuses = (answers: Answer[]): number[] => answers.map(({ status }) => status);

/** Runs both concurrently. By round, either one starts first, with a head start of 0 to 3 ms. */
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

test("deleting a backend and creating an object that refers to it: only one succeeds, and no dangling reference is left", async () => {
  const seen = new Set<string>();
  const { id: edge_id } = await given.httpsEdge();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [path, body] of [
      [
        `/edges/https/${edge_id}/routes`,
        (id: string) => ({ match_type: "exact_path", match: `/${id}`, backend: { backend_id: id } }),
      ],
      ["/edges/tcp", (id: string) => ({ backend: { backend_id: id } })],
      ["/edges/tls", (id: string) => ({ backend: { backend_id: id } })],
      ["/backends/failover", (id: string) => ({ backends: [id] })],
      ["/backends/weighted", (id: string) => ({ backends: { [id]: 1 } })],
    ] as const) {
      const { id } = await given.httpResponse();
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

test("deleting a backend and making an edge refer to it: only one succeeds", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await given.failover();
    const edge = await given.tcpEdge();
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

test("deleting a backend and giving it a weight: only one succeeds", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { uri, id } = await given.staticBackend();
    const weighted = await given.weighted();
    const [deleted, weighed] = await race(
      round,
      () => del(uri),
      () => patch(weighted.uri, { backends: { [id]: 1 } }),
    );
    expect(["204,400", "409,200"]).toContain(statuses([deleted, weighed]).join());
    expect((await get(weighted.uri)).body.backends === null).toBe((await get(uri)).status === 404);
  }
});

test("deleting a policy and adding a rule to it: no rule is left without its policy", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await given.ipPolicy();
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

test("adding two failover backends to each other: only one succeeds", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [a, b] = [await given.failover(), await given.failover()];
    const answers = await race(
      round,
      () => patch(`/backends/failover/${a.id}`, { backends: [b.id] }),
      () => patch(`/backends/failover/${b.id}`, { backends: [a.id] }),
    );
    expect(statuses(answers).toSorted()).toEqual([200, 400]);
  }
});

test("enabling mutual TLS and setting terminate_at to upstream: only one succeeds", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await given.tlsEdge();
    const answers = await race(
      round,
      () => put(`/edges/tls/${id}/mutual_tls`, {}),
      () => patch(`/edges/tls/${id}`, { tls_termination: { terminate_at: "upstream" } }),
    );
    expect(statuses(answers).toSorted()).toEqual([200, 400]);
  }
});

test("concurrent PATCHes of different fields all take effect", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await given.tlsEdge();
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

describe("routes of one HTTPS edge", () => {
  const root = { match_type: "path_prefix", match: "/" };

  test("created with the same match: one succeeds, and the others get a conflict that names it", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { uri } = await given.httpsEdge();
      const answers = await Promise.all(Array.from({ length: 4 }, () => post(`${uri}/routes`, root)));
      expect(statuses(answers).toSorted()).toEqual([201, 409, 409, 409]);
      const { body } = await get(uri);
      expect(body.routes).toHaveLength(1);
      for (const { status, body: error } of answers)
        if (status === 409) expect(error.details.conflicts_with).toBe(body.routes[0].id);
    }
  });

  test("changed to the same match, one by its type and one by its path: only one succeeds", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id: edge_id, uri } = await given.httpsEdge();
      const one = await given.route({ edge_id, match_type: "exact_path", match: "/" });
      const other = await given.route({ edge_id, match_type: "path_prefix", match: "/a" });
      const answers = await race(
        round,
        () => patch(one.uri, { match_type: "path_prefix" }),
        () => patch(other.uri, { match: "/" }),
      );
      expect(statuses(answers).toSorted()).toEqual([200, 409]);
      const { body } = await get(uri);
      expect(new Set(body.routes.map((route: Json) => route["match_type"] + route["match"])).size).toBe(2);
    }
  });

  test("created while the edge is deleted: none is left without the edge", async () => {
    const seen = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      const { uri } = await given.httpsEdge();
      const { id: backend_id } = await given.httpResponse();
      const body = { ...root, backend: { backend_id } };
      const answers = await race(
        round,
        () => del(uri),
        () => post(`${uri}/routes`, body),
      );
      seen.add(statuses(answers).join());
      // The route's references are released.
      expect((await del(`/backends/http_response/${backend_id}`)).status).toBe(204);
    }
    expect([...seen].filter((outcome) => !["204,201", "204,404"].includes(outcome))).toEqual([]);
    expect(seen.size).toBe(2);
    expect(inconsistenciesIn(await stored(), [])).toEqual([]);
  });

  test("never exceed 100, however many are created concurrently", async () => {
    const { uri } = await given.httpsEdge();
    const create = (i: number) => post(`${uri}/routes`, { ...root, match: `/${i}` });
    for (let i = 0; i < 96; i += 8) await Promise.all(Array.from({ length: 8 }, (_, j) => create(i + j)));
    const last = await Promise.all(Array.from({ length: 10 }, (_, j) => create(96 + j)));
    expect(statuses(last).toSorted()).toEqual([201, 201, 201, 201, 409, 409, 409, 409, 409, 409]);
    expect((await get(uri)).body.routes).toHaveLength(100);
  });

  test("changed concurrently: the edge's version moves with each, and its measures are right", async () => {
    const { id: edge_id, uri } = await given.httpsEdge();
    const routes = await Promise.all(Array.from({ length: 5 }, () => given.route({ edge_id })));
    const answers = await Promise.all(
      routes.flatMap((route, i) => [
        patch(route.uri, { description: "x".repeat(i) }),
        put(`${route.uri}/user_agent_filter`, { deny: ["bot".repeat(i + 1)] }),
        del(`${route.uri}/user_agent_filter`),
        ...(i === 4 ? [del(route.uri)] : []),
      ]),
    );
    const moves = answers.filter(({ status }) => status < 300).length;
    const version = Number(/-(\d+)"$/.exec((await get(uri)).headers.get("ETag") ?? "")?.[1]);
    // A DELETE of a module can find the module unset, and then moves nothing.
    expect(version).toBeLessThanOrEqual(1 + routes.length + moves);
    expect(version).toBeGreaterThanOrEqual(1 + routes.length + moves - routes.length);
    expect(inconsistenciesIn(await stored(), [])).toEqual([]);
  });
});

test("one of many concurrent deletes succeeds", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await create("/ip_policies");
    const answers = await Promise.all(Array.from({ length: 5 }, () => del(`/ip_policies/${id}`)));
    expect(statuses(answers).toSorted()).toEqual([204, 404, 404, 404, 404]);
  }
});

test("deleting a destination and making an event subscription refer to it: only one succeeds", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await given.destination();
    const { uri } = await given.subscription();
    const [deleted, changed] = await race(
      round,
      () => del(`/event_destinations/${id}`),
      () => patch(uri, { destination_ids: [id] }),
    );
    expect(["204,400", "409,200"]).toContain(statuses([deleted, changed]).join());
  }
});

test("sources added concurrently: all types are there, each added once", async () => {
  const types = ["tcp_edge_created.v0", "tcp_edge_updated.v0", "tcp_edge_deleted.v0", "tls_edge_created.v0"];
  for (let round = 0; round < ROUNDS; round++) {
    const { uri } = await given.subscription();
    const headers = () => (round % 2 === 0 ? {} : { "Idempotency-Key": crypto.randomUUID() });
    const add = (type: string) => post(`${uri}/sources`, { type }, { headers: headers() });
    const answers = await Promise.all([...types, ...types].map(add));
    expect(statuses(answers).toSorted()).toEqual([201, 201, 201, 201, 409, 409, 409, 409]);
    const { body, headers: shown } = await get(uri);
    expect(body.sources.map(({ type }: Json) => type).toSorted()).toEqual(types.toSorted());
    expect(shown.get("ETag")).toMatch(/-5"$/);
  }
});

test("sources added and removed concurrently: nothing else is lost", async () => {
  const [kept, removed, added] = [
    "tcp_edge_created.v0",
    "tcp_edge_updated.v0",
    "tcp_edge_deleted.v0",
  ] as const;
  for (let round = 0; round < ROUNDS; round++) {
    const { uri } = await given.subscription({ sources: [{ type: removed }, { type: kept }] });
    const remove = () => del(`${uri}/sources/${removed}`);
    const answers = await Promise.all([
      remove(),
      post(`${uri}/sources`, { type: added }),
      remove(),
      patch(uri, { description: "x" }),
    ]);
    expect(statuses(answers).toSorted()).toEqual([200, 201, 204, 404]);
    const { body } = await get(uri);
    expect(body.sources.map(({ type }: Json) => type)).toEqual([kept, added]);
  }
});

test("an editor cannot redirect a destination once an admin has subscribed it to events of API keys", async () => {
  const { token } = await given.key({ role: "editor" });
  const target = { monitoring_vendor: { api_key: "x", service: "editor" } };
  for (let round = 0; round < ROUNDS; round++) {
    const destination = await given.destination();
    const { uri } = await given.subscription({ destination_ids: [destination["id"]] });
    const etag = (await get(destination["uri"])).headers.get("ETag");
    const [redirected, added] = await race(
      round,
      () => patch(destination["uri"], { target }, { token }),
      () => post(`${uri}/sources`, { type: "api_key_created.v0" }),
    );
    expect(added.status).toBe(201);
    expect([200, 403]).toContain(redirected.status);
    if (redirected.status === 403) expect((await get(destination["uri"])).headers.get("ETag")).toBe(etag);
    expect((await patch(destination["uri"], { target }, { token })).status).toBe(403);
  }
});

describe("operations that take effect as a whole, in a race:", () => {
  const FEW = 8;
  const transact = (operations: Json[]) => post("/transactions", { operations });
  const made = toPost("/ip_policies", { description: "made in a race" });
  const countMade = async () =>
    (await stored(["ip_policies"]))["ip_policies"]?.filter(
      ({ description }) => description === "made in a race",
    ).length ?? 0;
  const change = (path: string, if_match: string | null, description: string) =>
    toPatch(path, { description }, { if_match });
  const setUp = async () => {
    const { uri } = await given.ipPolicy();
    return { uri, path: new URL(uri).pathname, etag: (await get(uri)).headers.get("ETag") };
  };

  test("of two transactions with the same condition, one takes effect", async () => {
    for (let round = 0; round < FEW; round++) {
      const { path, etag, uri } = await setUp();
      const before = await countMade();
      const answers = await race(
        round,
        () => transact([made, change(path, etag, "one")]),
        () => transact([made, change(path, etag, "other")]),
      );
      expect(statuses(answers).toSorted()).toEqual([200, 412]);
      const winner = answers[0].status === 200 ? "one" : "other";
      expect([(await get(uri)).body.description, await countMade()]).toEqual([winner, before + 1]);
    }
  });

  test("of a transaction and a change with the same condition, one takes effect", async () => {
    for (let round = 0; round < FEW; round++) {
      const { path, etag, uri } = await setUp();
      const before = await countMade();
      const answers = await race(
        round,
        () => transact([made, change(path, etag, "one")]),
        () => patch(uri, { description: "other" }, { headers: { "If-Match": etag ?? "" } }),
      );
      expect(statuses(answers).toSorted()).toEqual([200, 412]);
      const isFirst = answers[0].status === 200;
      expect([(await get(uri)).body.description, await countMade()]).toEqual([
        isFirst ? "one" : "other",
        before + (isFirst ? 1 : 0),
      ]);
    }
  });

  test("concurrent changes by transactions and by single requests: none is lost", async () => {
    const { path, uri } = await setUp();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        i % 2 ? patch(uri, { description: "x" }) : transact([made, change(path, "*", "y"), made]),
      ),
    );
    expect(new Set(statuses(answers))).toEqual(new Set([200]));
    expect((await get(uri)).headers.get("ETag")).toMatch(/-13"$/);
  });

  test("of a deletion and a transaction that refers to the deleted object, one takes effect", async () => {
    for (let round = 0; round < FEW; round++) {
      const { id, uri } = await given.httpResponse();
      const before = await countMade();
      const [deleted, referred] = await race(
        round,
        () => del(uri),
        () => transact([made, toPost("/edges/tcp", { backend: { backend_id: id } })]),
      );
      expect(["204,400", "409,200", "503,200"]).toContain(statuses([deleted, referred]).join());
      expect(await countMade()).toBe(before + (referred.status === 200 ? 1 : 0));
    }
    expect(inconsistenciesIn(await stored(), [])).toEqual([]);
  });

  const rulesOf = (from: number, description: string) => ({
    rules: Array.from({ length: 20 }, (_, i) => ({
      cidr: `10.${from + i}.0.0/16`,
      action: "allow",
      description,
    })),
  });
  const cidrsOf = async (uri: string) => {
    const id = uri.split("/").at(-1) ?? "";
    const { ip_policy_rules: rules } = (await get(`/ip_policy_rules?ip_policy_id=${id}`)).body;
    return rules.map(({ cidr, description }: Json) => `${cidr} ${description}`).toSorted();
  };
  const textsOf = ({ rules }: ReturnType<typeof rulesOf>) =>
    rules.map(({ cidr, description }) => `${cidr} ${description}`).toSorted();

  test("rules replaced twice concurrently are those of one request; with a condition, one request is rejected", async () => {
    for (let round = 0; round < FEW; round++) {
      const { uri, etag } = await setUp();
      const [one, other] = [rulesOf(0, "one"), rulesOf(10, "other")];
      const headers: Record<string, string> = round % 2 ? { "If-Match": etag ?? "" } : {};
      const answers = await race(
        round,
        () => put(`${uri}/rules`, one, { headers }),
        () => put(`${uri}/rules`, other, { headers }),
      );
      const found = await cidrsOf(uri);
      expect(statuses(answers).toSorted()).toEqual([200, round % 2 ? 412 : 200]);
      if (round % 2) expect(found).toEqual(textsOf(answers[0].status === 200 ? one : other));
      else expect([textsOf(one), textsOf(other)]).toContainEqual(found);
    }
  });

  test("rules replaced while their policy is deleted: none is left", async () => {
    for (let round = 0; round < FEW; round++) {
      const { uri } = await setUp();
      const answers = await race(
        round,
        () => put(`${uri}/rules`, rulesOf(0, "x")),
        () => del(uri),
      );
      expect(["200,204", "404,204"]).toContain(statuses(answers).join());
      expect(await cidrsOf(uri)).toEqual([]);
    }
    expect(inconsistenciesIn(await stored(), [])).toEqual([]);
  });
});

test("`uses` always lists the objects' references", async () => {
  const leaves = await Promise.all(Array.from({ length: 4 }, () => given.httpResponse()));
  const policies = await Promise.all(Array.from({ length: 3 }, () => given.ipPolicy()));
  const ids: string[] = leaves.map(({ id }) => id);
  const parents = await Promise.all(Array.from({ length: 6 }, () => given.failover()));
  const edges = await Promise.all(Array.from({ length: 6 }, () => given.tlsEdge()));
  const weighted = await Promise.all(Array.from({ length: 6 }, () => given.weighted()));
  const weights = (some: string[]) => Object.fromEntries(some.map((id, i) => [id, i + 1]));
  const restriction = (i: number) => ({ ip_policy_ids: policies.slice(i % 3).map(({ id }) => id) });
  await Promise.all([
    ...parents.flatMap(({ id }, i) => [
      patch(`/backends/failover/${id}`, { backends: [ids[i % 4], ids[(i + 1) % 4], ids[i % 4]] }),
      patch(`/backends/failover/${id}`, { backends: ids.slice(i % 3) }),
      ...(i === 5 ? [del(`/backends/failover/${id}`)] : []),
    ]),
    ...weighted.flatMap(({ uri }, i) => [
      patch(uri, { backends: weights(ids.slice(i % 4)) }),
      patch(uri, { backends: weights(ids.toReversed().slice(i % 3)) }),
      ...(i > 3 ? [patch(uri, { backends: {} })] : []),
      ...(i === 5 ? [del(uri)] : []),
    ]),
    ...edges.flatMap(({ id }, i) => [
      patch(`/edges/tls/${id}`, { backend: { backend_id: ids[i % 4] }, ip_restriction: restriction(i) }),
      put(`/edges/tls/${id}/backend`, { backend_id: ids[(i + 1) % 4] }),
      patch(
        `/edges/tls/${id}`,
        { mutual_tls: { certificate_authority_ids: [given.CA] } },
        { headers: { "If-Match": '"no"' } },
      ),
      ...(i > 2 ? [del(`/edges/tls/${id}/${i === 3 ? "backend" : "ip_restriction"}`)] : []),
      ...(i === 5 ? [del(`/edges/tls/${id}`)] : []),
    ]),
  ]);
  const rows = await stored();
  expect(inconsistenciesIn(rows, [])).toEqual([]);
  expect(rows["uses"]?.length).toBeGreaterThan(20);
});

/**
 * A write that is prevented by an obstacle that another request removes right after: the request, and the functions
 * that create and remove the obstacle.
 */
interface Race {
  request: { method: string; url: string; body?: Json; headers?: Record<string, string> };
  obstruct: () => Promise<unknown>;
  clear: () => Promise<unknown>;
}

const run = (query: string, ...values: unknown[]) =>
  env.DB.prepare(query)
    .bind(...values)
    .run();

const races: { what: string; status: number; rejection: string; setUp: () => Promise<Race> }[] = [
  {
    what: "DELETE of a backend that an edge stops using",
    status: 204,
    rejection: "409 ERR_IN_USE",
    setUp: async () => {
      const { id, uri } = await given.httpResponse();
      return {
        request: { method: "DELETE", url: uri },
        obstruct: () => run("insert or ignore into uses (target, user) values (?, 'edgtcp_raced')", id),
        clear: () => run("delete from uses where target = ?", id),
      };
    },
  },
  ...[false, true].map((isKeyed) => ({
    what: `POST that refers to an object created a moment later (with an Idempotency-Key: ${isKeyed})`,
    status: 201,
    rejection: "400 ERR_UNKNOWN_REFERENCE",
    setUp: async () => ({
      request: {
        method: "POST",
        url: "/edges/tcp",
        body: { ip_restriction: { ip_policy_ids: ["ipp_raced"] } },
        headers: isKeyed ? { "Idempotency-Key": crypto.randomUUID() } : {},
      },
      obstruct: () => run("delete from ip_policies where id = 'ipp_raced'"),
      clear: () => run("insert into ip_policies (id, created_at) values ('ipp_raced', '')"),
    }),
  })),
  ...[
    { method: "PATCH", module: "", body: { backend: { backend_id: "bkdfo_raced" } } },
    { method: "PUT", module: "/backend", body: { backend_id: "bkdfo_raced" } },
  ].map(({ method, module, body }) => ({
    what: `${method} ${module} that refers to an object created a moment later`,
    status: 200,
    rejection: "400 ERR_UNKNOWN_REFERENCE",
    setUp: async () => ({
      request: { method, url: `${(await given.tlsEdge()).uri}${module}`, body },
      obstruct: () => run("delete from failover_backends where id = 'bkdfo_raced'"),
      clear: () => run("insert into failover_backends (id, created_at) values ('bkdfo_raced', '')"),
    }),
  })),
  ...[
    { method: "PATCH", module: "", body: { description: "x" }, status: 200 },
    { method: "DELETE", module: "", status: 204 },
    { method: "PUT", module: "/traffic_policy", body: { value: "x" }, status: 200 },
  ].map(({ method, module, status, ...rest }) => ({
    what: `${method} ${module} with the ETag of a state reached a moment later`,
    status,
    rejection: "412 ERR_PRECONDITION_FAILED",
    setUp: async () => {
      const { id, uri } = await given.tcpEdge({ traffic_policy: { value: "x" } });
      const headers = { "If-Match": `"${await epochNow()}-5"` };
      return {
        request: { method, url: uri + module, headers, ...rest },
        obstruct: () => run("update tcp_edges set version = 4 where id = ?", id),
        clear: () => run("update tcp_edges set version = 5 where id = ?", id),
      };
    },
  })),
  ...[false, true].map((isKeyed) => ({
    what: `POST of a route whose match becomes free a moment later (with an Idempotency-Key: ${isKeyed})`,
    status: 201,
    rejection: "409 ERR_CONFLICT",
    setUp: async () => {
      const { edge_id, id, match, match_type } = await given.route();
      return {
        request: {
          method: "POST",
          url: `/edges/https/${edge_id}/routes`,
          body: { match, match_type },
          headers: isKeyed ? { "Idempotency-Key": crypto.randomUUID() } : {},
        },
        obstruct: () => run("update https_edge_routes set match = ? where id = ?", match, id),
        clear: () => run("update https_edge_routes set match = '/free' where id = ?", id),
      };
    },
  })),
  ...[false, true].map((isKeyed) => ({
    what: `POST of a source that is removed a moment later (with an Idempotency-Key: ${isKeyed})`,
    status: 201,
    rejection: "409 ERR_CONFLICT",
    setUp: async () => {
      const { id, uri } = await given.subscription();
      const type = "tcp_edge_created.v0";
      const set = (sources: string | null) => () =>
        run("update event_subscriptions set sources = ? where id = ?", sources, id);
      return {
        request: {
          method: "POST",
          url: `${uri}/sources`,
          body: { type },
          headers: isKeyed ? { "Idempotency-Key": crypto.randomUUID() } : {},
        },
        obstruct: set(JSON.stringify([type])),
        clear: set(null),
      };
    },
  })),
  {
    what: "DELETE of a source that is added a moment later",
    status: 204,
    rejection: "404 ERR_NOT_FOUND",
    setUp: async () => {
      const { id, uri } = await given.subscription();
      const type = "tcp_edge_created.v0";
      const set = (sources: string | null) => () =>
        run("update event_subscriptions set sources = ? where id = ?", sources, id);
      return {
        request: { method: "DELETE", url: `${uri}/sources/${type}` },
        obstruct: set(null),
        clear: set(JSON.stringify([type])),
      };
    },
  },
  {
    what: "PUT of a module with If-None-Match: * that is unset a moment later",
    status: 200,
    rejection: "412 ERR_PRECONDITION_FAILED",
    setUp: async () => {
      const url = "/edges/https/edghts_raced/mutual_tls";
      await put(url, {});
      return {
        request: { method: "PUT", url, body: {}, headers: { "If-None-Match": "*" } },
        obstruct: () => run("update https_edges set mutual_tls = '{}' where id = 'edghts_raced'"),
        clear: () => run("update https_edges set mutual_tls = null where id = 'edghts_raced'"),
      };
    },
  },
  {
    what: "PATCH that adds a child to a failover backend which stops containing that backend",
    status: 200,
    rejection: "400 ERR_INVALID_REQUEST",
    setUp: async () => {
      const { id, uri } = await given.failover();
      const other = await given.failover();
      return {
        request: { method: "PATCH", url: uri, body: { backends: [other.id] } },
        obstruct: () => run("insert or ignore into uses (target, user) values (?, ?)", id, other.id),
        clear: () => run("delete from uses where target = ? and user = ?", id, other.id),
      };
    },
  },
];

describe.each(races)("$what", ({ setUp, status, rejection }) => {
  test("is decided when it is written: rejected in one round trip, and accepted if it is sent again", async () => {
    const { request, obstruct, clear } = await setUp();
    const { method, url, body, headers = {} } = request;
    let calls = 0;
    const DB = intercepted(env.DB, async ({ send }) => {
      calls += 1;
      if (calls > 1) return send();
      await obstruct();
      return send().finally(clear);
    });
    const first = await call(method, url, body, { headers, env: { DB } });
    expect([`${first.status} ${first.body.error_code}`, calls], first.text).toEqual([rejection, 1]);
    const second = await call(method, url, body, { headers, env: { DB } });
    expect([second.status, calls], second.text).toEqual([status, 2]);
  });
});
