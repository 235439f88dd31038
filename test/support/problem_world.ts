import { env } from "cloudflare:workers";
import fc from "fast-check";
import { call, post } from "./api.ts";
import { certificate, pem } from "./certificates.ts";
import { CA } from "./given.ts";
import type { Json } from "./json.ts";
import { toDelete, toPatch, toPost, toPut } from "./operations.ts";

/*
 * Random changes of everything that problems depend on: objects come, change and go, and refer to what exists or not.
 */

const limit = {
  capacity: 10,
  rate: "60s",
  bucket_key: ["conn.client_ip"],
  algorithm: "sliding_window",
  name: "x",
};
/** Traffic policies: invalid, not enforced, partly enforced, enforced, and enforced unless the route has a circuit breaker. */
const POLICIES = [
  "{",
  '{"on_tcp_connect":[{"expressions":["conn.geo.city == \'Lisbon\'"],"actions":[{"type":"deny"}]}]}',
  '{"on_tcp_connect":[{"actions":[{"type":"log"}]}]}',
  '{"on_http_request":[{"actions":[{"type":"deny"}]}]}',
  JSON.stringify({ on_http_request: [{ actions: [{ type: "rate-limit", config: limit }] }] }),
];
const HOSTPORTS = [
  [],
  ["a.example.com:443"],
  ["A.example.com.:443", "b.example.com:443"],
  ["192.0.2.1:443"],
  ["a.example.com:8443", "a.example.com:443"],
];
const MATCHES = ["/", "/a", "/a/b", "/%61"];

const verbs = [
  "policy",
  "rule",
  "rules",
  "static",
  "response",
  "failover",
  "weighted",
  "authority",
  "tcp",
  "tls",
  "https",
  "tcp",
  "tls",
  "https",
  "route",
  "route",
  "route",
  "describe",
  "hostports",
  "hostports",
  "match",
  "children",
  "weights",
  "address",
  "body",
  "backend",
  "backend",
  "backend",
  "restriction",
  "restriction",
  "mutual_tls",
  "termination",
  "traffic_policy",
  "traffic_policy",
  "circuit_breaker",
  "webhook",
  "compression",
  "unmodule",
  "delete",
  "delete",
  "delete",
  "bot",
  "vanish",
  "vanish",
  "impossible",
  "unreadable",
  "many",
  "describe",
  "describe",
  "forget",
  "forget",
  "forget",
] as const;

/** A change of objects by their places. */
export const problemChange = fc.record({
  verb: fc.constantFrom(...verbs),
  a: fc.nat(30),
  b: fc.nat(30),
  c: fc.nat(30),
  flag: fc.boolean(),
});
type Drawn = typeof problemChange extends fc.Arbitrary<infer D> ? D : never;

/** Kinds of objects that can be made to vanish, as earlier versions allowed, by the prefix of their ids. */
const VANISHING: Record<string, [table: string, kind: string]> = {
  bkdsc: ["static_backends", "static_backend"],
  bkdhr: ["http_response_backends", "http_response_backend"],
  bkdfo: ["failover_backends", "failover_backend"],
  ca: ["certificate_authorities", "certificate_authority"],
};

/** The paths of the objects that were created, some of which are deleted again. */
export class ProblemWorld {
  #paths: string[] = [];

  get paths(): readonly string[] {
    return this.#paths;
  }

  #at(form: RegExp, place: number): string | undefined {
    const found = this.#paths.filter((path) => form.test(path));
    return found.length === 0 ? undefined : found[place % found.length];
  }

  #id(form: RegExp, place: number): string | undefined {
    return this.#at(form, place)?.split("/").at(-1);
  }

  /** Creates an object of each kind, most of which are served. */
  async begin(): Promise<void> {
    const some = { a: 0, b: 0, c: 1, flag: true };
    for (const verb of ["policy", "static", "response", "failover", "weighted", "authority"] as const)
      await this.send({ ...some, verb });
    for (const verb of ["https", "route", "route", "tcp", "tls"] as const)
      for (const c of [0, 1]) await this.send({ ...some, verb, b: 2 + c, c });
    for (const verb of ["termination", "mutual_tls"] as const)
      for (const a of [0, 1, 2]) await this.send({ ...some, verb, a, c: 10 });
  }

  /** Sends a change. */
  async send(drawn: Drawn): Promise<void> {
    const { verb, a, flag } = drawn;
    if (verb === "vanish") return this.#vanish(a);
    if (verb === "impossible")
      return this.#withEvent(this.#id(/http_response/, a), "http_response_backend_updated", [
        `update http_response_backends set status_code = ${flag ? 101 : 200} where id = ?`,
      ]);
    if (verb === "unreadable") {
      const path = this.#at(/routes/, a);
      const edge = path?.split("/")[3] ?? "";
      return this.#withEvent(
        path?.split("/").at(-1),
        "https_edge_route_updated",
        ["update https_edge_routes set match = '/x/../admin' where id = ?"],
        { edge_id: edge },
      );
    }
    if (verb === "forget") {
      // As the service deletes old events.
      await env.DB.prepare("delete from events where seq < (select max(seq) from events)").run();
      return;
    }
    const operation = this.#operation(drawn);
    if (!operation) return;
    const { status, body } = await call(operation["method"], operation["path"], operation["body"]);
    if (status === 201) this.#paths.push(new URL(body["uri"]).pathname);
  }

  /** Sends changes as one transaction, which may be rejected. */
  async sendTogether(all: Drawn[]): Promise<void> {
    const operations = all
      // Together, they can be rejected as a whole.
      .filter(({ verb }) => verb !== "termination" && verb !== "mutual_tls")
      .flatMap((drawn) => this.#operation(drawn) ?? []);
    if (operations.length === 0) return;
    const { status, body } = await post("/transactions", { operations });
    if (status !== 200) return;
    for (const result of body["results"])
      if (result.status === 201) this.#paths.push(new URL(result.body.uri).pathname);
  }

  async #vanish(place: number): Promise<void> {
    const id = this.#id(/backends|authorities/, place) ?? "";
    const [table, kind] = VANISHING[id.split("_")[0] ?? ""] ?? [];
    if (table !== undefined)
      await this.#withEvent(id, `${kind}_deleted`, [`delete from ${table} where id = ?`]);
  }

  /** Changes a row as no request can, and logs it. */
  async #withEvent(
    id: string | undefined,
    type: string,
    queries: string[],
    object: Json = {},
  ): Promise<void> {
    if (id === undefined) return;
    const event = `insert into events (type, object_id, at, salt, operation_id, principal, origin, object)
      select '${type}.v0', ?, max(at), randomblob(10), 'op', '{}', '', '${JSON.stringify(object)}' from events`;
    await env.DB.batch([...queries, event].map((query) => env.DB.prepare(query).bind(id)));
  }

  #operation({ verb, a, b, c, flag }: Drawn): Json | undefined {
    const policies = [this.#id(/^\/ip_policies/, a), this.#id(/^\/ip_policies/, b)].filter((id) => id);
    const backend = this.#id(/backends/, b);
    const authorities = [this.#id(/authorities/, b) ?? CA, ...(flag ? [] : [CA])];
    const hostports = HOSTPORTS[c % HOSTPORTS.length];
    const modules = {
      ...(backend !== undefined && { backend: { backend_id: backend } }),
      ...(flag && policies.length > 0 && { ip_restriction: { ip_policy_ids: policies } }),
    };
    const children = [backend, this.#id(/backends/, c)].filter((id) => id !== undefined);
    const weights = Object.fromEntries(children.map((id, i) => [id, i + Number(flag)]));
    const edge = this.#at(/edges\/\w+\/[^/]+$/, a);
    const https = this.#at(/edges\/https\/[^/]+$/, a);
    const entrance = this.#at(/edges\/(tcp|tls)|routes/, a);
    const terminating = this.#at(/edges\/(tls|https)\/[^/]+$/, a);
    const route = this.#at(/routes/, a);
    const match = { match_type: flag ? "exact_path" : "path_prefix", match: MATCHES[c % MATCHES.length] };
    const on = (path: string | undefined, make: (path: string) => Json) =>
      path === undefined ? undefined : make(path);
    const set = (path: string | undefined, module: string, body: Json = {}) =>
      on(path, (at) => toPut(`${at}/${module}`, body));
    const any = this.#at(/./, a);
    const made: Partial<Record<Drawn["verb"], Json | undefined>> = {
      policy: toPost("/ip_policies"),
      rule: on(policies[0], (ip_policy_id) =>
        toPost("/ip_policy_rules", { ip_policy_id, cidr: `10.${c}.0.0/16`, action: "allow" }),
      ),
      rules: on(policies[0], (id) => toPut(`/ip_policies/${id}/rules`, { rules: [] })),
      many: on(policies[0], (id) =>
        toPut(`/ip_policies/${id}/rules`, {
          rules: Array.from({ length: 300 }, (_, i) => ({
            cidr: `10.${c}.${i >> 8}.${i & 255}/32`,
            action: "allow",
          })),
        }),
      ),
      static: toPost("/backends/static", { address: `10.0.0.${c}:80` }),
      response: toPost("/backends/http_response", { status_code: 200 + c, body: "x" }),
      failover: toPost("/backends/failover", { backends: children }),
      weighted: toPost("/backends/weighted", { backends: weights }),
      authority: toPost("/certificate_authorities", { ca_pem: pem(certificate()) }),
      tcp: toPost("/edges/tcp", { hostports, ...modules }),
      tls: toPost("/edges/tls", { hostports, ...modules }),
      https: toPost("/edges/https", { hostports }),
      route: on(https, (path) => toPost(`${path}/routes`, { ...match, ...modules })),
      describe: on(any, (path) => toPatch(path, { description: `${c}` })),
      hostports: on(edge, (path) => toPatch(path, { hostports })),
      match: on(route, (path) => toPatch(path, match)),
      children: on(this.#at(/failover/, a), (path) => toPatch(path, { backends: flag ? children : [] })),
      weights: on(this.#at(/weighted/, a), (path) => toPatch(path, { backends: flag ? weights : {} })),
      address: on(this.#at(/static/, a), (path) => toPatch(path, { address: `10.0.1.${c}:80` })),
      body: on(this.#at(/http_response/, a), (path) => toPatch(path, { body: `${c}` })),
      backend: set(entrance, "backend", { backend_id: backend, enabled: flag || c > 5 }),
      restriction: set(entrance, "ip_restriction", { ip_policy_ids: policies }),
      mutual_tls: set(terminating, "mutual_tls", { certificate_authority_ids: authorities, enabled: c > 5 }),
      termination: set(terminating, "tls_termination", {
        ...(terminating?.includes("tls/") && { terminate_at: flag ? "edge" : "upstream" }),
      }),
      traffic_policy: set(entrance, "traffic_policy", { value: POLICIES[c % POLICIES.length] }),
      circuit_breaker: set(route, "circuit_breaker", { enabled: flag }),
      webhook: set(route, "webhook_verification", { provider: "sns", enabled: flag }),
      compression: set(route, "compression"),
      unmodule: on(entrance, (path) =>
        toDelete(`${path}/${["backend", "ip_restriction", "traffic_policy"][c % 3]}`),
      ),
      delete: on(any, toDelete),
      bot: toPost("/bot_users", { name: "x" }),
    };
    return made[verb];
  }
}
