// @module-tag thorough
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { expect, test } from "vitest";
import { type Answer, get, post } from "../support/api.ts";
import { runs } from "../support/effort.ts";
import {
  givenFailover,
  givenHttpResponse,
  givenHttpsEdge,
  givenIpPolicy,
  givenRoute,
  givenRule,
  givenStatic,
  givenTcpEdge,
  givenTlsEdge,
  givenWeighted,
} from "../support/given.ts";
import type { Json } from "../support/json.ts";
import { matches } from "../support/naive_access.ts";
import { empty } from "../support/stored.ts";

/*
 * The effect that a plan shows is what the API shows once the plan is applied: its fields, its problems, and who gets in at
 * the edges of every network.
 */

const CIDRS = [
  "0.0.0.0/0",
  "10.0.0.0/8",
  "10.0.0.0/9",
  "10.1.0.0/16",
  "192.0.2.0/24",
  "192.0.2.128/25",
  "192.0.2.7/32",
  "::/0",
  "2001:db8::/32",
  "2001:db8:8000::/33",
  "2001:db8::1/128",
  "::ffff:10.0.0.0/104",
];
const HOSTPORTS = [
  "a.example.com:443",
  "A.example.com.:443",
  "b.example.com:443",
  "192.0.2.1:443",
  "[::1]:443",
  "a.example.com:8443",
];

const one = <T>(...items: T[]) => fc.constantFrom(...items);
const cidr = one(...CIDRS);
const action = one("allow", "allow", "deny");
const hostports = fc.uniqueArray(one(...HOSTPORTS), { maxLength: 2 });
const place = fc.nat(2);

/** A world of a few objects, each named by its place. */
const world = fc.record({
  rules: fc.array(fc.record({ policy: place, cidr, action, ends: fc.boolean() }), { maxLength: 8 }),
  tcp: fc.array(
    fc.record({ hostports, policies: fc.uniqueArray(place), enabled: fc.boolean(), backend: fc.nat(3) }),
    { maxLength: 2 },
  ),
  tls: fc.array(
    fc.record({ hostports, policies: fc.uniqueArray(place), enabled: fc.boolean(), backend: fc.nat(3) }),
    { maxLength: 2 },
  ),
  https: fc.array(
    fc.record({
      hostports,
      routes: fc.array(fc.record({ policies: fc.uniqueArray(place), backend: fc.nat(3) }), { maxLength: 2 }),
    }),
    {
      maxLength: 2,
    },
  ),
});

/** An operation on objects by their places: undefined if there is no such object. */
type Drawn = {
  verb: string;
  a: number;
  b: number;
  cidr: string;
  action: string;
  hostports: string[];
  flag: boolean;
};
const drawn: fc.Arbitrary<Drawn> = fc.record({
  verb: one(
    "rule",
    "rule",
    "unrule",
    "move",
    "replace",
    "policy",
    "unpolicy",
    "restrict",
    "unrestrict",
    "hostports",
    "edge",
    "unedge",
    "route",
    "unroute",
    "children",
    "backend",
    "unbackend",
    "authority",
  ),
  a: fc.nat(5),
  b: fc.nat(5),
  cidr,
  action,
  hostports,
  flag: fc.boolean(),
});

interface Ids {
  policies: string[];
  rules: string[];
  backends: string[];
  /** Paths of edges and routes. */
  edges: string[];
  routes: string[];
}

const SOON = new Date(Date.now() + 3_600_000).toISOString();

async function build(given: typeof world extends fc.Arbitrary<infer W> ? W : never): Promise<Ids> {
  const policies: string[] = [];
  for (let i = 0; i < 3; i++) policies.push((await givenIpPolicy({ description: `p${i}` }))["id"]);
  const rules: string[] = [];
  for (const { policy, ends, ...rule } of given.rules)
    rules.push(
      (await givenRule({ ip_policy_id: policies[policy], ...rule, ...(ends && { expires_at: SOON }) }))["id"],
    );
  const leaf = (await givenStatic())["id"];
  const informal = (await givenHttpResponse())["id"];
  const weighted = (await givenWeighted({ backends: { [leaf]: 1 } }))["id"];
  const failover = (await givenFailover({ backends: [weighted, informal] }))["id"];
  const backends = [leaf, failover, weighted, informal];
  const modules = ({
    policies: used,
    enabled = true,
    backend,
  }: {
    policies: number[];
    enabled?: boolean;
    backend: number;
  }) => ({
    ip_restriction: { enabled, ip_policy_ids: used.map((i) => policies[i]) },
    ...(backends[backend] !== weighted && backend < 4 && { backend: { backend_id: backends[backend] } }),
  });
  const edges: string[] = [];
  const routes: string[] = [];
  for (const { hostports: at, ...rest } of given.tcp)
    edges.push(`/edges/tcp/${(await givenTcpEdge({ hostports: at, ...modules(rest) }))["id"]}`);
  for (const { hostports: at, ...rest } of given.tls)
    edges.push(`/edges/tls/${(await givenTlsEdge({ hostports: at, ...modules(rest) }))["id"]}`);
  for (const { hostports: at, routes: own } of given.https) {
    const { id: edge_id } = await givenHttpsEdge({ hostports: at });
    edges.push(`/edges/https/${edge_id}`);
    for (const route of own)
      routes.push(
        `/edges/https/${edge_id}/routes/${(await givenRoute({ edge_id, ...modules(route) }))["id"]}`,
      );
  }
  return { policies, rules, backends, edges, routes };
}

let matched = 0;

/** The operations that are drawn, as requests; those that need an object that does not exist are left out. */
function requested(all: Drawn[], { policies, rules, backends, edges, routes }: Ids): Json[] {
  const at = (list: string[], i: number): string | undefined => list[i % Math.max(1, list.length)];
  return all.flatMap(({ verb, a, b, cidr: range, action: does, hostports: where, flag }): Json[] => {
    const policy = at(policies, a) ?? "";
    const rule = at(rules, a);
    const entrance = at([...edges.filter((path) => !path.includes("https")), ...routes], a);
    const edge = at(edges, a);
    const https = edges.find((path) => path.includes("https"));
    const route = at(routes, a);
    const backend = at(backends, b);
    const restriction = { enabled: flag, ip_policy_ids: [policy, at(policies, b)] };
    const table: Record<string, Json | undefined> = {
      rule: {
        method: "POST",
        path: "/ip_policy_rules",
        body: { ip_policy_id: policy, cidr: range, action: does, ...(flag && { expires_at: SOON }) },
      },
      unrule: rule === undefined ? undefined : { method: "DELETE", path: `/ip_policy_rules/${rule}` },
      move:
        rule === undefined
          ? undefined
          : { method: "PATCH", path: `/ip_policy_rules/${rule}`, body: { cidr: range } },
      policy: { method: "PATCH", path: `/ip_policies/${policy}`, body: { description: "changed" } },
      unpolicy: { method: "DELETE", path: `/ip_policies/${policy}` },
      restrict:
        entrance === undefined
          ? undefined
          : { method: "PUT", path: `${entrance}/ip_restriction`, body: restriction },
      unrestrict:
        entrance === undefined ? undefined : { method: "DELETE", path: `${entrance}/ip_restriction` },
      hostports: edge === undefined ? undefined : { method: "PATCH", path: edge, body: { hostports: where } },
      edge: {
        method: "POST",
        path: flag ? "/edges/tcp" : "/edges/tls",
        body: {
          hostports: where,
          ip_restriction: restriction,
          ...(backend !== undefined && !backend.startsWith("bkdwd") && { backend: { backend_id: backend } }),
        },
      },
      unedge: edge === undefined ? undefined : { method: "DELETE", path: edge },
      route:
        https === undefined
          ? undefined
          : {
              method: "POST",
              path: `${https}/routes`,
              body: { match_type: "exact_path", match: `/new/${matched++}`, ip_restriction: restriction },
            },
      unroute: route === undefined ? undefined : { method: "DELETE", path: route },
      children: {
        method: "PATCH",
        path: `/backends/failover/${backends[1]}`,
        body: { backends: flag ? [] : [backends[0]] },
      },
      backend:
        entrance === undefined || backend === undefined || backend.startsWith("bkdwd")
          ? undefined
          : { method: "PUT", path: `${entrance}/backend`, body: { backend_id: backend, enabled: flag } },
      unbackend: entrance === undefined ? undefined : { method: "DELETE", path: `${entrance}/backend` },
      authority:
        edge === undefined || edge.includes("tcp")
          ? undefined
          : {
              method: "PUT",
              path: `${edge}/mutual_tls`,
              body: { certificate_authority_ids: ["ca_nothing"] },
            },
    };
    const found = table[verb];
    return found ? [found] : [];
  });
}

const SCALE = { ipv4: 32, ipv6: 128 } as const;

/** The first and the last address of a network, and those around it. */
function edgesOf(network: string): string[] {
  const [address, length] = ipaddr.parseCIDR(network);
  const bits = SCALE[address.kind()];
  const number = address.toByteArray().reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const last = number + (1n << BigInt(bits - length)) - 1n;
  return [number - 1n, number, last, last + 1n]
    .filter((one) => one >= 0n && one < 1n << BigInt(bits))
    .map((one) => {
      const bytes = Array.from({ length: bits / 8 }, (_, i) =>
        Number((one >> BigInt(bits - 8 * (i + 1))) & 255n),
      );
      return ipaddr.fromByteArray(bytes).toString();
    });
}

const allowedAt = async (path: string, ip: string): Promise<boolean> => {
  const { status, body } = await get(`${path}/access?ip=${ip}`);
  return status === 200 && body["allowed"] === true;
};

const problemsNow = async (): Promise<Json[]> => (await get("/problems")).body["problems"];
const inOrder = (problems: Json[]): string[] => problems.map((one) => JSON.stringify(one)).toSorted();

const pathOf = ({ id, uri }: Json, ids: Map<string, string>): string => {
  const known = uri ?? ids.get(id) ?? "";
  return new URL(known).pathname;
};

/** The result of each operation whose effect the plan shows by `$N`, by that label. */
const createdIn = (applied: Answer): Map<string, string> =>
  new Map(
    applied.body["results"].flatMap(({ body }: Json, i: number) => (body ? [[`$${i}`, body.uri]] : [])),
  );

test("what a plan shows is what the API shows once the plan is applied", async () => {
  let plans = 0;
  await fc.assert(
    fc.asyncProperty(world, fc.array(drawn, { minLength: 1, maxLength: 5 }), async (given, all) => {
      await empty("events");
      const ids = await build(given);
      const operations = requested(all, ids);
      fc.pre(operations.length > 0);
      const previewed = await post("/previews", { operations });
      const made = await post("/plans", { operations });
      const tried = await post("/transactions", { operations, dry_run: true });
      if (made.status !== 201) {
        for (const { status, body } of [made, previewed])
          expect([status, body["error_code"], body["msg"]]).toEqual([
            tried.status,
            tried.body["error_code"],
            tried.body["msg"],
          ]);
        // Another world is drawn.
        fc.pre(false);
      }
      plans++;
      const { access, problems, changes, later, truncated }: Json = made.body;
      expect(previewed.body).toEqual({ access, problems, changes, later, truncated });
      const problemsBefore = await problemsNow();
      const networks: string[] = access.flatMap(({ newly_allowed, newly_refused }: Json) => [
        ...newly_allowed,
        ...newly_refused,
      ]);
      const probes = [
        ...new Set([...networks.slice(0, 8).flatMap(edgesOf), "10.1.2.3", "192.0.2.200", "2001:db8::1"]),
      ];
      const entrances = [
        ...ids.edges.filter((path) => !path.includes("https")),
        ...ids.routes,
        ...ids.policies.map((id) => `/ip_policies/${id}`),
      ];
      const look = async (paths: string[]) =>
        new Map(
          await Promise.all(
            paths.map(
              async (path) => [path, await Promise.all(probes.map((ip) => allowedAt(path, ip)))] as const,
            ),
          ),
        );
      const before = await look(entrances);
      const applied = await post(`/plans/${made.body["id"]}/apply`, undefined, {
        headers: { "If-Match": made.headers.get("ETag") ?? "" },
      });
      expect(applied.status, applied.text).toBe(200);

      const gone = new Set(inOrder(problems.removed));
      const kept = inOrder(problemsBefore).filter((one) => !gone.has(one));
      const labels = createdIn(applied);
      const named = (text: string) =>
        text.replace(/\$\d+/g, (label) => labels.get(label)?.split("/").at(-1) ?? label);
      expect([...kept, ...inOrder(problems.added).map(named)].toSorted()).toEqual(
        inOrder(await problemsNow()),
      );

      const shown = new Map<string, Json>(access.map((item: Json) => [pathOf(item.object, labels), item]));
      const paths = [...new Set([...entrances, ...shown.keys()])];
      const after = await look(paths);
      for (const path of paths)
        for (const [i, ip] of probes.entries()) {
          const was = before.get(path)?.[i] ?? false;
          const is = after.get(path)?.[i] ?? false;
          const item = shown.get(path);
          const isIn = (list: string[] = []) => list.some((network) => matches(network, ip));
          const listed = [isIn(item?.["newly_allowed"]), isIn(item?.["newly_refused"])];
          // Of a long list, only the first 50 networks are shown.
          if (item?.["truncated"] && !listed.includes(true)) {
            expect(Math.max(item["newly_allowed"].length, item["newly_refused"].length)).toBe(50);
            continue;
          }
          expect([path, ip, ...listed]).toEqual([path, ip, is && !was, was && !is]);
        }

      const ownersDeleted = changes.some(
        ({ method, path }: Json) => method === "DELETE" && /^\/(?:ip_policies|edges\/https)\/\w+$/.test(path),
      );
      const last = new Map<string, Json>(
        changes.flatMap((change: Json) => (change.object ? [[pathOf(change.object, labels), change]] : [])),
      );
      for (const [path, { after: fields, before: old }] of last) {
        const { status, body } = await get(path);
        // Rules and routes are deleted with what they belong to.
        if (status === 404 && ownersDeleted && /rule|route/.test(path)) continue;
        expect(status, path).toBe(fields === null ? 404 : 200);
        if (fields !== null && old !== undefined)
          expect(body).toMatchObject(JSON.parse(named(JSON.stringify(fields))));
      }
    }),
    runs(40),
  );
  expect(plans).toBeGreaterThan(5);
});
