import fc from "fast-check";
import * as given from "./given.ts";
import type { Json } from "./json.ts";
import { toDelete, toPatch, toPost, toPut } from "./operations.ts";

/*
 * Random configurations of a few objects, and random operations on them.
 */

const CIDRS = [
  ..."0.0.0.0/0 10.0.0.0/8 10.0.0.0/9 10.1.0.0/16 192.0.2.0/24 192.0.2.128/25 192.0.2.7/32".split(" "),
  ..."::/0 2001:db8::/32 2001:db8:8000::/33 2001:db8::1/128 ::ffff:10.0.0.0/104".split(" "),
];
const HOSTPORTS = [
  ..."a.example.com:443 A.example.com.:443 b.example.com:443 192.0.2.1:443 [::1]:443".split(" "),
  ..."a.example.com:8443".split(" "),
];

const one = <T>(...items: T[]) => fc.constantFrom(...items);
const cidr = one(...CIDRS);
const action = one("allow", "allow", "deny");
const hostports = fc.uniqueArray(one(...HOSTPORTS), { maxLength: 2 });
const place = fc.nat(2);

/** A world of a few objects, each named by its place. */
export const world = fc.record({
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
export const drawn: fc.Arbitrary<Drawn> = fc.record({
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

/** Creates the objects of a world. */
export async function build(wanted: typeof world extends fc.Arbitrary<infer W> ? W : never): Promise<Ids> {
  const policies: string[] = [];
  for (let i = 0; i < 3; i++) policies.push((await given.ipPolicy({ description: `p${i}` }))["id"]);
  const rules: string[] = [];
  for (const { policy, ends, ...rule } of wanted.rules)
    rules.push(
      (await given.rule({ ip_policy_id: policies[policy], ...rule, ...(ends && { expires_at: SOON }) }))[
        "id"
      ],
    );
  const leaf = (await given.staticBackend())["id"];
  const informal = (await given.httpResponse())["id"];
  const weighted = (await given.weighted({ backends: { [leaf]: 1 } }))["id"];
  const failover = (await given.failover({ backends: [weighted, informal] }))["id"];
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
  for (const { hostports: at, ...rest } of wanted.tcp)
    edges.push(`/edges/tcp/${(await given.tcpEdge({ hostports: at, ...modules(rest) }))["id"]}`);
  for (const { hostports: at, ...rest } of wanted.tls)
    edges.push(`/edges/tls/${(await given.tlsEdge({ hostports: at, ...modules(rest) }))["id"]}`);
  for (const { hostports: at, routes: own } of wanted.https) {
    const { id: edge_id } = await given.httpsEdge({ hostports: at });
    edges.push(`/edges/https/${edge_id}`);
    for (const route of own)
      routes.push(
        `/edges/https/${edge_id}/routes/${(await given.route({ edge_id, ...modules(route) }))["id"]}`,
      );
  }
  return { policies, rules, backends, edges, routes };
}

let matched = 0;

/** The operations that are drawn, as requests; those that need an object that does not exist are left out. */
export function requested(all: Drawn[], { policies, rules, backends, edges, routes }: Ids): Json[] {
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
      rule: toPost("/ip_policy_rules", {
        ip_policy_id: policy,
        cidr: range,
        action: does,
        ...(flag && { expires_at: SOON }),
      }),
      unrule: rule === undefined ? undefined : toDelete(`/ip_policy_rules/${rule}`),
      move: rule === undefined ? undefined : toPatch(`/ip_policy_rules/${rule}`, { cidr: range }),
      policy: toPatch(`/ip_policies/${policy}`, { description: "changed" }),
      unpolicy: toDelete(`/ip_policies/${policy}`),
      restrict: entrance === undefined ? undefined : toPut(`${entrance}/ip_restriction`, restriction),
      unrestrict: entrance === undefined ? undefined : toDelete(`${entrance}/ip_restriction`),
      hostports: edge === undefined ? undefined : toPatch(edge, { hostports: where }),
      edge: toPost(flag ? "/edges/tcp" : "/edges/tls", {
        hostports: where,
        ip_restriction: restriction,
        ...(backend !== undefined && !backend.startsWith("bkdwd") && { backend: { backend_id: backend } }),
      }),
      unedge: edge === undefined ? undefined : toDelete(edge),
      route:
        https === undefined
          ? undefined
          : toPost(`${https}/routes`, {
              match_type: "exact_path",
              match: `/new/${matched++}`,
              ip_restriction: restriction,
            }),
      unroute: route === undefined ? undefined : toDelete(route),
      children: toPatch(`/backends/failover/${backends[1]}`, { backends: flag ? [] : [backends[0]] }),
      backend:
        entrance === undefined || backend === undefined || backend.startsWith("bkdwd")
          ? undefined
          : toPut(`${entrance}/backend`, { backend_id: backend, enabled: flag }),
      unbackend: entrance === undefined ? undefined : toDelete(`${entrance}/backend`),
      authority:
        edge === undefined || edge.includes("tcp")
          ? undefined
          : toPut(`${edge}/mutual_tls`, { certificate_authority_ids: ["ca_nothing"] }),
    };
    const found = table[verb];
    return found ? [found] : [];
  });
}
