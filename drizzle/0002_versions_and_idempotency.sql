CREATE TABLE idempotency_records (
  day INTEGER NOT NULL,
  key_sha256 TEXT NOT NULL,
  request_sha256 TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  attempt TEXT NOT NULL,
  object_id TEXT NOT NULL,
  response TEXT NOT NULL,
  PRIMARY KEY (day, key_sha256),
  -- Refs make a response longer than its row: one that D1 could not hold is refused by name.
  CONSTRAINT response_fits_in_a_row CHECK (octet_length(response) <= 1900000)
) STRICT, WITHOUT ROWID;

ALTER TABLE api_keys ADD version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE bot_users ADD version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE event_destinations ADD version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE failover_backends ADD version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE http_response_backends ADD version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE https_edge_routes ADD version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE https_edges ADD version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE ip_policies ADD version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE ip_policy_rules ADD version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE tcp_edges ADD version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE tls_edges ADD version INTEGER NOT NULL DEFAULT 1;
