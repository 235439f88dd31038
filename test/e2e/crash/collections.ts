import { readFileSync } from "node:fs";
import { certificate, commonName, name, pem } from "../../support/certificates.ts";
import {
  bodySchema,
  type Collection as Documented,
  collectionsOf,
  isAnyText,
} from "../../support/document.ts";
import type { Json } from "../../support/json.ts";

/*
 * Bodies for the writers. They repeat a nonce in several fields, so that a partial write would be visible.
 */

export type { Json };

/** The ids that a body can refer to, and a source of random numbers. */
export interface Surroundings {
  /** Objects created by the same writer, so that it knows what is deleted with them. */
  policies: string[];
  bots: string[];
  /** Objects of all writers: one writer may delete an object that another is about to refer to. */
  backends: string[];
  destinations: string[];
  /** An integer from 0 to `n` - 1. */
  below: (n: number) => number;
}

export interface Collection extends Documented {
  /** A body for POST; undefined if the objects it needs do not exist yet. */
  body: (nonce: string, around: Surroundings) => Json | undefined;
  /** Fields that PATCH rejects. */
  fixed: string[];
  /** The field with the id of the owner. Deleting the owner deletes this object. */
  deletedWith?: string;
  /** For a collection within other objects, the prefix of their ids. */
  within?: string;
}

const texts = (nonce: string): Json => ({ description: nonce, metadata: nonce });

/** Occasionally so long that the write needs many database pages. */
const long = (nonce: string, { below }: Surroundings): string =>
  nonce.repeat(below(8) === 0 ? 1 + below(5_000) : 1);

function some(ids: string[], upTo: number, { below }: Surroundings): string[] {
  if (ids.length === 0) return [];
  const picked = Array.from({ length: 1 + below(upTo) }, () => ids[below(ids.length)] ?? "");
  return [...new Set(picked)];
}

function edge(nonce: string, around: Surroundings): Json {
  const [backend_id] = some(around.backends, 1, around);
  const ip_policy_ids = some(around.policies, 3, around);
  return {
    ...texts(nonce),
    hostports: [`${nonce}.example.com:443`, `${nonce}.example.org:443`],
    ...(backend_id !== undefined && { backend: { backend_id } }),
    ...(ip_policy_ids.length > 0 && { ip_restriction: { ip_policy_ids } }),
    traffic_policy: { value: long(nonce, around) },
  };
}

const ROUTES = "/edges/https/{edge_id}/routes";

/** The initial sources of event subscriptions. {@link ADDED_SOURCE} is added and removed. */
const SOURCES = ["tcp_edge_created.v0", "tcp_edge_updated.v0", "api_key_deleted.v0"];
export const ADDED_SOURCE = "ip_policy_created.v0";

/** Collections whose fields are not only strings and flags. */
const peculiar: Record<string, Pick<Collection, "body" | "deletedWith" | "within">> = {
  "/edges/tcp": { body: edge },
  "/edges/tls": {
    body: (nonce, around) => ({
      ...edge(nonce, around),
      mutual_tls: { certificate_authority_ids: [`ca_${nonce}`] },
      tls_termination: { terminate_at: "edge", min_version: `1.${around.below(4)}` },
    }),
  },
  "/edges/https": {
    body: (nonce, around) => ({
      ...texts(nonce),
      hostports: [`${nonce}.example.com:443`],
      mutual_tls: { certificate_authority_ids: [`ca_${nonce}`] },
      tls_termination: { terminate_at: "edge", min_version: `1.${around.below(4)}` },
    }),
  },
  [ROUTES]: {
    body: (nonce, around) => {
      const { hostports: _, traffic_policy: __, ...common } = edge(nonce, around);
      return {
        ...common,
        match_type: "path_prefix",
        match: `/${nonce}`,
        compression: {},
        request_headers: { add: { "X-Nonce": nonce }, remove: [nonce] },
        // A route has at most 64 KB.
        traffic_policy: { value: nonce.repeat(1 + around.below(1_000)) },
        user_agent_filter: { deny: [nonce] },
        webhook_verification: { provider: "github", secret: nonce },
      };
    },
    deletedWith: "edge_id",
    within: "edghts_",
  },
  "/ip_policy_rules": {
    body: (nonce, around) => {
      const [ip_policy_id] = some(around.policies, 1, around);
      const cidr = `10.${around.below(256)}.${around.below(256)}.0/24`;
      return ip_policy_id === undefined ? undefined : { ...texts(nonce), cidr, action: "deny", ip_policy_id };
    },
    deletedWith: "ip_policy_id",
  },
  "/backends/failover": {
    body: (nonce, around) => {
      const backends = some(around.backends, 5, around);
      return { ...texts(nonce), ...(backends.length > 0 && { backends }) };
    },
  },
  "/backends/weighted": {
    body: (nonce, around) => {
      const leaves = around.backends.filter((id) => /^bkd(?:hr|sc)_/.test(id));
      const weights = some(leaves, 5, around).map((id) => [id, 1 + around.below(10_000)]);
      return { ...texts(nonce), ...(weights.length > 0 && { backends: Object.fromEntries(weights) }) };
    },
  },
  "/backends/static": {
    // `asRequested` omits `enabled`, so it is not sent.
    body: (nonce) => ({ ...texts(nonce), address: `${nonce}.example.com:443`, tls: {} }),
  },
  "/certificate_authorities": {
    body: (nonce) => ({ ...texts(nonce), ca_pem: pem(certificate({ subject: name(commonName(nonce)) })) }),
  },
  "/certificate_issuers": {
    body: (nonce, { below }) => ({
      ...texts(nonce),
      directory_url: `https://${nonce}.example.com/directory`,
      contact: [`mailto:${nonce}@example.com`],
      terms_of_service_agreed: true,
      hosts: [`${nonce}.example.com`, `*.${nonce}.example.com`],
      agents: [nonce],
      ...(below(2) === 0 && {
        external_account: { key_id: nonce, hmac_key: btoa(nonce).replaceAll("=", "") },
      }),
    }),
  },
  "/backends/http_response": {
    body: (nonce, around) => ({
      ...texts(nonce),
      body: long(nonce, around),
      headers: { "x-nonce": nonce },
      status_code: 200 + around.below(300),
    }),
  },
  "/event_destinations": {
    body: (nonce, { below }) => ({
      ...texts(nonce),
      format: "json",
      target:
        below(2) === 0
          ? { monitoring_vendor: { api_key: nonce, service: nonce, site: nonce, tags: nonce } }
          : { webhook: { url: `https://${nonce}.example.com/`, secret: `whsec_${btoa(nonce.padEnd(24))}` } },
    }),
  },
  "/event_subscriptions": {
    body: (nonce, around) => {
      const destination_ids = some(around.destinations, 3, around);
      return {
        ...texts(nonce),
        sources: some(SOURCES, 3, around).map((type) => ({ type })),
        ...(destination_ids.length > 0 && { destination_ids }),
      };
    },
  },
  "/api_keys": {
    body: (nonce, around) => {
      const [owner_id] = some(around.bots, 1, around);
      return owner_id === undefined ? undefined : { ...texts(nonce), owner_id, role: "viewer" };
    },
    deletedWith: "owner_id",
  },
};

const contract: Json = JSON.parse(readFileSync("packages/contract/openapi.json", "utf8"));

/** The fields of the body that `method` accepts at `path`, and their schemas. */
const membersOf = (method: string, path: string): [name: string, schema: Json][] =>
  Object.entries(bodySchema(contract, method, path)?.["properties"] ?? {});

/** A value for a field that is a flag or accepts any text; undefined for other fields. */
function valueOf(schema: Json, nonce: string, { below }: Surroundings): unknown {
  if (schema["type"] === "boolean") return below(2) === 0;
  return isAnyText(schema) ? nonce : undefined;
}

/** Every collection in the document, including the routes of HTTPS edges. */
export const collections: Collection[] = [
  ...collectionsOf(contract),
  { path: ROUTES, prefix: "edghtsrt_", list: "routes" },
].map((collection) => {
  const members = membersOf("POST", collection.path);
  const changeable = new Set(membersOf("PATCH", `${collection.path}/{id}`).map(([name]) => name));
  return {
    ...collection,
    body: (nonce, around) =>
      Object.fromEntries(
        members
          .map(([name, schema]) => [name, valueOf(schema, nonce, around)])
          .filter(([, value]) => value !== undefined),
      ),
    fixed: members.map(([name]) => name).filter((name) => !changeable.has(name)),
    ...peculiar[collection.path],
  };
});

/** Fields that are in responses, but not in this program's requests. */
const added = new Set([
  "id",
  "uri",
  "created_at",
  "policy",
  "token",
  "enabled",
  "routes",
  "subject_common_name",
  "not_before",
  "not_after",
  "key_usages",
  "extended_key_usages",
  "thumbprint",
  "account_uri",
  "caa",
  "last_error",
]);
/** Fields that are only in requests. */
const secret = new Set(["api_key", "secret", "hmac_key"]);

const isSource = (value: unknown): value is { type: string } =>
  typeof value === "object" && value !== null && "type" in value && "uri" in value;

const isRef = (value: unknown): value is { id: string } =>
  typeof value === "object" && value !== null && "id" in value && "uri" in value;

/** A request's fields in the form that `asRequested` returns, without secrets. */
export function asShown(request: Json): Json {
  return JSON.parse(JSON.stringify(request), (name, value) => (secret.has(name) ? undefined : value));
}

/**
 * Converts a response back to a request: ids replace Refs, and nulls and fields added by the service are removed.
 */
export function asRequested(response: Json): Json {
  const entries = Object.entries(response).flatMap(([name, value]): [string, unknown][] => {
    if (added.has(name) || value === null) return [];
    if (isRef(value)) return [[`${name}_id`, value.id]];
    if (Array.isArray(value) && value.length > 0 && value.every(isSource))
      return [[name, value.map(({ type }) => ({ type }))]];
    if (Array.isArray(value))
      return value.every(isRef) && value.length > 0
        ? [
            [
              name.endsWith("ies") ? name.replace(/ies$/, "y_ids") : name.replace(/s$/, "_ids"),
              value.map(({ id }) => id),
            ],
          ]
        : [[name, value]];
    return [[name, typeof value === "object" ? asRequested(value) : value]];
  });
  return Object.fromEntries(entries);
}
