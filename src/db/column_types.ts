/*
 * The types of the JSON columns in `schema.ts`. A module is stored in its request shape; null means "not set".
 */

export interface StoredBackendModule {
  enabled: boolean;
  backend_id: string;
}

export interface StoredIpRestriction {
  enabled: boolean;
  ip_policy_ids: string[] | null;
}

export interface StoredMutualTls {
  enabled: boolean;
  certificate_authority_ids: string[] | null;
}

export interface StoredTlsTermination {
  enabled: boolean;
  terminate_at: "edge" | "upstream";
  min_version: "1.0" | "1.1" | "1.2" | "1.3" | null;
}

export interface StoredTrafficPolicy {
  enabled: boolean;
  value: string;
}

export interface StoredCircuitBreaker {
  enabled: boolean;
  tripped_duration: number;
  rolling_window: number;
  num_buckets: number;
  volume_threshold: number;
  error_threshold_percentage: number;
}

/** Headers added and removed, in requests or responses. */
export interface StoredHeaders {
  enabled: boolean;
  add: Record<string, string> | null;
  remove: string[] | null;
}

/** A module that is only on or off. */
export interface StoredSwitch {
  enabled: boolean;
}

export interface StoredUserAgentFilter {
  enabled: boolean;
  allow: string[] | null;
  deny: string[] | null;
}

export interface StoredWebhookVerification {
  enabled: boolean;
  provider: string;
  /** Sealed. */
  secret?: string;
}

export interface StoredUpstreamTls {
  enabled: boolean;
}

export type StoredKeyUsage =
  | "digital_signature"
  | "content_commitment"
  | "key_encipherment"
  | "data_encipherment"
  | "key_agreement"
  | "cert_sign"
  | "crl_sign"
  | "encipher_only"
  | "decipher_only";

/** Exactly one field is set. */
export interface StoredCloudAuth {
  role?: { role_arn: string };
  creds?: { cloud_access_key_id: string; cloud_secret_access_key: string };
}

/** Exactly one field is set. */
export interface StoredTarget {
  cloud_delivery_stream?: { auth: StoredCloudAuth; delivery_stream_arn: string };
  cloud_stream?: { auth: StoredCloudAuth; stream_arn: string };
  cloud_logs?: { auth: StoredCloudAuth; log_group_arn: string };
  monitoring_vendor?: { api_key: string; tags?: string | null; service?: string; site?: string };
  logs_ingestion?: {
    tenant_id: string;
    client_id: string;
    client_secret: string;
    logs_ingestion_uri: string;
    data_collection_rule_id: string;
    data_collection_stream_name: string;
  };
  object_storage?: {
    auth: StoredCloudAuth;
    bucket_arn: string;
    region: string;
    /** "" without one. */
    object_prefix: string;
    compression: boolean;
    /** Bytes. */
    max_file_size: number;
    /** Seconds. */
    max_file_age: number;
  };
  webhook?: {
    url: string;
    secret: string;
    /** The start of a digest of the secret: shows whether a new secret is the same. */
    fingerprint?: string;
    /** The previous secret, which also signs events until `until` (milliseconds since the Unix epoch). */
    previous?: { secret: string; until: number };
  };
}

/** An account that a certificate authority knows its customer by (RFC 8555 §7.3.4). */
export interface StoredExternalAccount {
  key_id: string;
  /** Sealed; base64url before that. */
  hmac_key: string;
}

/** When an authority suggests to renew a certificate (RFC 9773). Times are in milliseconds since the Unix epoch. */
export interface StoredRenewalInfo {
  /** Identifies the certificate (§4.1). */
  id: string;
  /** Null until the authority has suggested one. */
  window: { start: number; end: number } | null;
  /** When to ask again. */
  poll_at: number;
  /** No renewal before it. */
  from: number;
}

/** A problem: configuration that an agent cannot serve as written. */
export interface StoredProblem {
  object: string;
  code: string;
  msg: string;
}

/** Who changed an object. */
export interface StoredPrincipal {
  /** Id of a user, a bot user or an API key, `root` or `system`. */
  id: string;
  /** A human-readable name. */
  subject: string;
  /** `Console` for requests with a session, `System` for changes that the service makes on its own. */
  source: "API" | "Console" | "System";
  /** Id of the API key; null for the root key, for a session of a person, and for changes that the service makes on its own. */
  credential: string | null;
  /** The plan whose application made the change. */
  plan_id?: string;
}

/** Why an event was not accepted. */
export interface StoredSendError {
  code: string;
  status: number | null;
  msg: string;
}

/** Why the last attempt failed, and when (milliseconds since the Unix epoch). */
export interface LastError extends StoredSendError {
  at: number;
}

/** What was counted of something. */
export interface StoredTraffic {
  /** The counts, in the order of `PLACES`: see `packages/model/src/traffic/counts.ts`. */
  counts: number[];
  /** Of a minute, the latencies by bucket. */
  latency?: number[];
  /** Of a longer interval, the latencies that 50, 95 and 99 % of the requests did not exceed, in milliseconds. */
  quantiles?: (number | null)[];
  /** Of a minute, the most frequent clients, each with its requests. */
  sources?: [source: string, requests: number][];
}
