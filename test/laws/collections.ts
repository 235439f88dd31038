import fc from "fast-check";
import { create } from "../api.ts";
import type { Json } from "../json.ts";
import { codePoint } from "./text.ts";

/*
 * The valid bodies of each collection, as fast-check arbitraries. References are to the few objects that `givenWorld`
 * creates.
 */

export interface World {
  backends: string[];
  policies: string[];
  bots: string[];
}

/** Objects that bodies refer to. */
export async function givenWorld(): Promise<World> {
  const made = async (path: string, times: number, body: Json = {}): Promise<string[]> => {
    const ids: string[] = [];
    for (let i = 0; i < times; i++) ids.push((await create(path, body))["id"]);
    return ids;
  };
  return {
    backends: [...(await made("/backends/http_response", 2)), ...(await made("/backends/failover", 1))],
    policies: await made("/ip_policies", 3),
    bots: await made("/bot_users", 2, { name: "bot" }),
  };
}

/** The members of a body: those that POST requires and those that may be left out. PATCH requires none. */
export interface Collection {
  path: string;
  list: string;
  required: Record<string, fc.Arbitrary<unknown>>;
  optional: Record<string, fc.Arbitrary<unknown>>;
  /** Members that PATCH refuses. */
  fixed: string[];
}

/** Well-formed text from all Unicode planes, at most `maxBytes` long in UTF-8. */
const unicode = (maxBytes: number): fc.Arbitrary<string> =>
  fc.string({ unit: codePoint, maxLength: Math.floor(maxBytes / 4) });

const enabled = fc.option(fc.boolean(), { nil: undefined });
const token = fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,20}$/);
const line = fc.string({ unit: codePoint, maxLength: 20 }).map((text) => text.replace(/[\r\n\0]/g, ""));
const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,10}[a-z0-9])?$/);
const hostport = fc
  .tuple(fc.array(label, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 65_535 }))
  .map(([labels, port]) => `${labels.join(".")}:${port}`);
const nonEmpty = unicode(200).filter((text) => text !== "");
const cidr = fc.oneof(
  fc.ipV4().map((ip) => `${ip}/32`),
  fc.ipV4(),
  fc.ipV6().map((ip) => `${ip}/128`),
  fc.integer({ min: 0, max: 255 }).map((octet) => `${octet}.0.0.0/8`),
);

const texts = { description: unicode(255), metadata: unicode(4096) };

const edges = (world: World) => ({
  ...texts,
  hostports: fc.array(hostport, { maxLength: 4 }),
  backend: fc.record({ enabled, backend_id: fc.constantFrom(...world.backends) }),
  ip_restriction: fc.record({ enabled, ip_policy_ids: fc.array(fc.constantFrom(...world.policies)) }),
  traffic_policy: fc.record({ enabled, value: nonEmpty }),
});

const auth = (secret: fc.Arbitrary<string>) =>
  fc.oneof(
    fc.record({ role: fc.record({ role_arn: nonEmpty }) }),
    fc.record({ creds: fc.record({ cloud_access_key_id: nonEmpty, cloud_secret_access_key: secret }) }),
  );

/** Every kind of event target, with secrets from `secret`. */
export const eventTarget = (secret: fc.Arbitrary<string>): fc.Arbitrary<Json> =>
  fc.oneof(
    fc.record({ cloud_delivery_stream: fc.record({ auth: auth(secret), delivery_stream_arn: nonEmpty }) }),
    fc.record({ cloud_stream: fc.record({ auth: auth(secret), stream_arn: nonEmpty }) }),
    fc.record({ cloud_logs: fc.record({ auth: auth(secret), log_group_arn: nonEmpty }) }),
    fc.record({
      monitoring_vendor: fc.record(
        { api_key: secret, tags: unicode(50), service: nonEmpty, site: nonEmpty },
        { requiredKeys: ["api_key"] },
      ),
    }),
    fc.record({
      logs_ingestion: fc.record({
        tenant_id: nonEmpty,
        client_id: nonEmpty,
        client_secret: secret,
        logs_ingestion_uri: nonEmpty,
        data_collection_rule_id: nonEmpty,
        data_collection_stream_name: nonEmpty,
      }),
    }),
  );

/** Every collection, with bodies that refer to `world`. */
export const collections = (world: World): Collection[] => [
  { path: "/edges/tcp", list: "tcp_edges", required: {}, optional: edges(world), fixed: [] },
  {
    path: "/edges/tls",
    list: "tls_edges",
    required: {},
    optional: {
      ...edges(world),
      mutual_tls: fc.record({
        enabled,
        certificate_authority_ids: fc.array(fc.constantFrom("ca_1", "ca_2")),
      }),
      tls_termination: fc.record({ enabled, min_version: fc.constantFrom("1.0", "1.1", "1.2", "1.3", null) }),
    },
    fixed: [],
  },
  { path: "/ip_policies", list: "ip_policies", required: {}, optional: texts, fixed: [] },
  {
    path: "/ip_policy_rules",
    list: "ip_policy_rules",
    required: {
      cidr,
      action: fc.constantFrom("allow", "deny"),
      ip_policy_id: fc.constantFrom(...world.policies),
    },
    optional: texts,
    fixed: ["action", "ip_policy_id"],
  },
  {
    path: "/backends/failover",
    list: "backends",
    required: {},
    optional: {
      description: unicode(2_000),
      metadata: unicode(8_000),
      backends: fc.array(fc.constantFrom(...world.backends)),
    },
    fixed: [],
  },
  {
    path: "/backends/http_response",
    list: "backends",
    required: {},
    optional: {
      description: unicode(2_000),
      metadata: unicode(8_000),
      body: unicode(2_000),
      headers: fc
        .uniqueArray(fc.tuple(token, line), { selector: ([name]) => name.toLowerCase(), maxLength: 5 })
        .map((entries) => Object.fromEntries(entries)),
      status_code: fc.integer({ min: 200, max: 599 }),
    },
    fixed: [],
  },
  {
    path: "/bot_users",
    list: "bot_users",
    required: { name: nonEmpty },
    optional: { active: fc.boolean() },
    fixed: [],
  },
  {
    path: "/event_destinations",
    list: "event_destinations",
    required: { target: eventTarget(nonEmpty) },
    optional: { ...texts, format: fc.constant("json") },
    fixed: [],
  },
  {
    path: "/api_keys",
    list: "keys",
    required: {},
    optional: {
      ...texts,
      owner_id: fc.constantFrom(...world.bots),
      role: fc.constantFrom("viewer", "editor", "admin"),
      expires_at: fc
        .date({ min: new Date("2050-01-01"), max: new Date("2090-01-01"), noInvalidDate: true })
        .map((date) => `${date.toISOString().slice(0, 19)}Z`),
    },
    fixed: ["owner_id", "role", "expires_at"],
  },
];

/** A body that POST accepts. */
export const createBody = ({ required, optional }: Collection): fc.Arbitrary<Json> =>
  fc.record({ ...required, ...optional }, { requiredKeys: Object.keys(required) });

/** A body that PATCH accepts. */
export const patchBody = ({ required, optional, fixed }: Collection): fc.Arbitrary<Json> => {
  const members = Object.entries({ ...required, ...optional }).filter(([name]) => !fixed.includes(name));
  return fc.record(Object.fromEntries(members), { requiredKeys: [] });
};
