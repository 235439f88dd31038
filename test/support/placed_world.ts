import fc from "fast-check";
import { clock, timestamp } from "../../packages/model/src/clock.ts";
import { placeOf } from "../../packages/model/src/traffic/paths.ts";
import { post } from "./api.ts";
import { certificate, pem } from "./certificates.ts";
import type { Json } from "./json.ts";

/*
 * Random configurations in which everything decides who gets in: edges that claim the same hostports, routes that shadow each
 * other, modules that are set, disabled and broken, rules that end; and random operations on them.
 */

export const CIDRS = [
  "0.0.0.0/0",
  "128.0.0.0/1",
  "10.0.0.0/8",
  "10.0.0.0/9",
  "10.1.0.0/16",
  "192.0.2.7/32",
  "::/0",
  "2001:db8::/32",
  "2001:db8:8000::/33",
  "::ffff:10.0.0.0/104",
];
const HOSTPORTS = [
  ..."a.example.com:443 A.example.com.:443 b.example.com:443 192.0.2.1:443".split(" "),
  ..."[::ffff:192.0.2.1]:443 [::1]:443 a.example.com:8443 db.example.com:8443".split(" "),
];
/** Some are read as the same path. */
const MATCHES = ["/", "/a", "/a/b", "/ab", "/%61", "//a%2F%62"];
/** Paths in every region that the matches can make. */
export const PATHS = ["/", "/x", "/a", "/%61/", "//a///b", "/a/b/c", "/a%62", "/abc"];

const HOUR = 3_600_000;
/** When rules end: instants after the start of the tests, in milliseconds since the Unix epoch. */
export const ENDS = [1, 2, 3].map((hours) => Math.floor(clock.now() / 1000) * 1000 + hours * HOUR);

const one = <T>(...items: T[]) => fc.constantFrom(...items);
const place = fc.nat(2);

const TEXTS: Record<string, string> = {
  empty: "{}",
  deny: JSON.stringify({ deny: true }),
  broken: "not a policy",
};
const DENYING = [{ actions: [{ type: "deny" }] }];
const textFor = (kind: string, name: string): string =>
  name === "deny"
    ? JSON.stringify({ [kind === "route" ? "on_http_request" : "on_tcp_connect"]: DENYING })
    : (TEXTS[name] ?? "{}");

const modules = fc.record({
  restriction: one(null, null, "on", "on", "on", "off"),
  policies: fc.uniqueArray(place, { maxLength: 3 }),
  backend: one(...Array.from({ length: 10 }, () => "leaf"), "failover", "failover", "off", null),
  policy: one(null, null, null, null, null, null, "empty", "empty", "deny", "deny", "broken", "off"),
  agents: one(null, null, "on", "off"),
  mutual: one(null, null, null, null, null, "one", "two", "off"),
});
type Modules = typeof modules extends fc.Arbitrary<infer M> ? M : never;

const route = fc.record({
  type: one<"exact_path" | "path_prefix">("exact_path", "path_prefix"),
  match: one(...MATCHES),
  modules,
});
const edge = fc.record({
  kind: one("tcp", "tls", "https", "https", "https"),
  hostports: fc.uniqueArray(one(...HOSTPORTS), { minLength: 1, maxLength: 2 }),
  modules,
  routes: fc.uniqueArray(route, {
    minLength: 1,
    maxLength: 4,
    selector: ({ type: match_type, match }) => JSON.stringify(placeOf({ match_type, match })),
  }),
});
const rule = fc.record({
  policy: place,
  cidr: one(...CIDRS),
  action: one("allow", "allow", "deny"),
  end: one(null, null, 0, 1, 2),
});
export const placedWorld = fc.record({
  rules: fc.array(rule, { minLength: 2, maxLength: 8 }),
  edges: fc.array(edge, { minLength: 2, maxLength: 5 }),
});
type PlacedWorld = typeof placedWorld extends fc.Arbitrary<infer W> ? W : never;

interface Built {
  policies: string[];
  rules: string[];
  leaf: string;
  failover: string;
  authorities: string[];
  edges: { path: string; kind: string }[];
  routes: string[];
}

const moduleBodies = (kind: string, given: Modules, built: Built): Record<string, Json> => {
  const { restriction, policies, backend, policy, agents, mutual } = given;
  const bodies: Record<string, Json> = {};
  if (kind !== "https") {
    if (restriction !== null)
      bodies["ip_restriction"] = {
        enabled: restriction === "on",
        ip_policy_ids: policies.map((i) => built.policies[i]),
      };
    if (backend !== null)
      bodies["backend"] = {
        enabled: backend !== "off",
        backend_id: backend === "failover" ? built.failover : built.leaf,
      };
    if (policy !== null)
      bodies["traffic_policy"] = { enabled: policy !== "off", value: textFor(kind, policy) };
  }
  if (kind === "route" && agents !== null)
    bodies["user_agent_filter"] = { enabled: agents === "on", deny: ["bad"] };
  if ((kind === "tls" || kind === "https") && mutual !== null)
    bodies["mutual_tls"] = {
      enabled: mutual !== "off",
      certificate_authority_ids: built.authorities.slice(0, mutual === "two" ? 2 : 1),
    };
  if (kind === "tls") bodies["tls_termination"] = { terminate_at: "edge" };
  return bodies;
};

/** Two authorities, which all worlds have. */
const AUTHORITIES = [pem(certificate()), pem(certificate())];

/** Creates the objects of a world, in one transaction. */
export async function buildPlaces({ rules, edges }: PlacedWorld): Promise<Built> {
  const operations: { method: "POST"; path: string; body: Json; name: string }[] = [];
  /** Adds a creation. Returns what later operations refer to it by. */
  const creating = (path: string, body: Json): string => {
    const name = `o${operations.length}`;
    operations.push({ method: "POST", path, body, name });
    return `$${name}`;
  };
  const leaf = creating("/backends/static", { address: "shop.internal:8080" });
  const built: Built = {
    policies: [],
    rules: [],
    leaf,
    failover: creating("/backends/failover", { backends: [leaf] }),
    authorities: AUTHORITIES.map((ca_pem) => creating("/certificate_authorities", { ca_pem })),
    edges: [],
    routes: [],
  };
  for (let i = 0; i < 3; i++) built.policies.push(creating("/ip_policies", { description: "office" }));
  for (const { policy, end, ...rest } of rules)
    built.rules.push(
      creating("/ip_policy_rules", {
        ip_policy_id: built.policies[policy],
        ...rest,
        ...(end !== null && { expires_at: timestamp(ENDS[end] ?? 0) }),
      }),
    );
  for (const { kind, hostports, modules: own, routes } of edges) {
    const id = creating(`/edges/${kind}`, { hostports, ...moduleBodies(kind, own, built) });
    const path = `/edges/${kind}/${id}`;
    built.edges.push({ path, kind });
    if (kind !== "https") continue;
    for (const { type, match, modules: inRoute } of routes) {
      const body = { match_type: type, match, ...moduleBodies("route", inRoute, built) };
      built.routes.push(`${path}/routes/${creating(`${path}/routes`, body)}`);
    }
  }
  const { status, body, text } = await post("/transactions", { operations });
  if (status !== 200) throw new Error(text);
  const ids = new Map(operations.map(({ name }, i) => [`$${name}`, String(body["results"][i].body.id)]));
  const named = (one: string): string => one.replace(/\$o\d+/g, (name) => ids.get(name) ?? "");
  return {
    policies: built.policies.map(named),
    rules: built.rules.map(named),
    leaf: named(leaf),
    failover: named(built.failover),
    authorities: built.authorities.map(named),
    edges: built.edges.map(({ path, kind }) => ({ path: named(path), kind })),
    routes: built.routes.map(named),
  };
}

const VERBS = [
  "rule",
  "rule",
  "unrule",
  "end",
  "end",
  "widen",
  "replace",
  "unpolicy",
  "restrict",
  "unrestrict",
  "hostports",
  "hostports",
  "edge",
  "unedge",
  "unedge",
  "route",
  "unroute",
  "match",
  "match",
  "module",
  "module",
  "module",
  "unmodule",
  "children",
] as const;

/** An operation on objects by their places. */
export const placedChange = fc.record({
  verb: one(...VERBS),
  a: fc.nat(7),
  b: fc.nat(7),
  rule,
  route,
  edge,
  off: fc.boolean(),
});
type PlacedChange = typeof placedChange extends fc.Arbitrary<infer C> ? C : never;

/** The operation that is drawn, as a request; undefined if it needs an object that does not exist. */
export function placedOperation(drawn: PlacedChange, built: Built): Json | undefined {
  const { verb, a, b, off } = drawn;
  const at = <T>(list: T[], i: number): T | undefined => list[i % Math.max(1, list.length)];
  const policy = at(built.policies, a) ?? "";
  const ruleBody = ({ cidr, action, end }: PlacedChange["rule"]): Json => ({
    cidr,
    action,
    ...(end !== null && { expires_at: timestamp(ENDS[end] ?? 0) }),
  });
  const ofRule = at(built.rules, a);
  const entrances = [
    ...built.edges.map(({ path, kind }) => ({ path, kind })),
    ...built.routes.map((path) => ({ path, kind: "route" })),
  ];
  const entrance = at(entrances, a);
  const restricted = at(
    entrances.filter(({ kind }) => kind !== "https"),
    a,
  );
  const edgeAt = at(built.edges, a);
  const https = at(
    built.edges.filter(({ kind }) => kind === "https"),
    a,
  );
  const routeAt = at(built.routes, a);
  const to = (path: string | undefined, method: string, suffix: string, body?: Json): Json | undefined =>
    path === undefined ? undefined : { method, path: `${path}${suffix}`, ...(body && { body }) };
  const moduleOf = (): Json | undefined => {
    if (!entrance) return undefined;
    const bodies = Object.entries(moduleBodies(entrance.kind, drawn.route.modules, built)).filter(
      ([name]) => name !== "tls_termination",
    );
    const [name = "", body] = bodies[b % Math.max(1, bodies.length)] ?? [];
    return name === "" ? undefined : to(entrance.path, "PUT", `/${name}`, body);
  };
  switch (verb) {
    case "rule":
      return to("/ip_policy_rules", "POST", "", { ip_policy_id: policy, ...ruleBody(drawn.rule) });
    case "unrule":
      return to(ofRule && `/ip_policy_rules/${ofRule}`, "DELETE", "");
    case "end":
      return to(ofRule && `/ip_policy_rules/${ofRule}`, "PATCH", "", {
        expires_at: off ? "" : timestamp(ENDS[b % 3] ?? 0),
      });
    case "widen":
      return to(ofRule && `/ip_policy_rules/${ofRule}`, "PATCH", "", { cidr: drawn.rule.cidr });
    case "replace":
      return to(`/ip_policies/${policy}/rules`, "PUT", "", { rules: [ruleBody(drawn.rule)] });
    case "unpolicy":
      return to(`/ip_policies/${policy}`, "DELETE", "");
    case "restrict":
      return to(restricted?.path, "PUT", "/ip_restriction", {
        enabled: !off,
        ip_policy_ids: drawn.edge.modules.policies.map((i) => built.policies[i]),
      });
    case "unrestrict":
      return to(restricted?.path, "DELETE", "/ip_restriction");
    case "hostports":
      return to(edgeAt?.path, "PATCH", "", { hostports: off ? [] : drawn.edge.hostports });
    case "edge": {
      const { kind, hostports, modules: given } = drawn.edge;
      return to(`/edges/${kind}`, "POST", "", { hostports, ...moduleBodies(kind, given, built) });
    }
    case "unedge":
      return to(edgeAt?.path, "DELETE", "");
    case "route": {
      const { type, match, modules: given } = drawn.route;
      return to(https?.path, "POST", "/routes", {
        match_type: type,
        match,
        ...moduleBodies("route", given, built),
      });
    }
    case "unroute":
      return to(routeAt, "DELETE", "");
    case "match":
      return to(routeAt, "PATCH", "", { match: drawn.route.match, match_type: drawn.route.type });
    case "module":
      return moduleOf();
    case "unmodule":
      return to(
        entrance?.path,
        "DELETE",
        `/${entrance?.kind === "https" ? "mutual_tls" : off ? "traffic_policy" : "backend"}`,
      );
    case "children":
      return to(`/backends/failover/${built.failover}`, "PATCH", "", { backends: off ? [] : [built.leaf] });
  }
}

/** Those of some operations that are accepted one after another. */
export async function acceptedOf(drawn: PlacedChange[], built: Built): Promise<Json[]> {
  const accepted: Json[] = [];
  for (const each of drawn) {
    const operation = placedOperation(each, built);
    if (!operation) continue;
    const { status } = await post("/transactions", { operations: [...accepted, operation], dry_run: true });
    if (status === 200) accepted.push(operation);
  }
  return accepted;
}
