-- One row of D1 holds 2 MB. A request holds 1 MiB, so only objects whose members can add up to more are checked
-- (fits_in_a_row): here, by name, rather than by an error that only the deployed database gives.

CREATE TABLE bot_users (
  id TEXT PRIMARY KEY NOT NULL,
  created_at TEXT NOT NULL,
  name TEXT NOT NULL,
  active INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE event_destinations (
  id TEXT PRIMARY KEY NOT NULL,
  created_at TEXT NOT NULL,
  description TEXT,
  metadata TEXT,
  format TEXT NOT NULL,
  target TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE failover_backends (
  id TEXT PRIMARY KEY NOT NULL,
  created_at TEXT NOT NULL,
  description TEXT,
  metadata TEXT,
  backends TEXT,
  CONSTRAINT fits_in_a_row CHECK (octet_length(concat(description, metadata, backends)) <= 1900000)
) STRICT, WITHOUT ROWID;

CREATE TABLE failover_children (
  child TEXT NOT NULL,
  parent TEXT NOT NULL,
  PRIMARY KEY (child, parent)
) STRICT, WITHOUT ROWID;

-- failover_children is an index over the lists in failover_backends.backends, which these triggers keep. Each stands on
-- one line: D1 splits a migration into statements by itself, and is reported to cut triggers at their line breaks.

CREATE TRIGGER failover_children_insert AFTER INSERT ON failover_backends BEGIN INSERT INTO failover_children (child, parent) SELECT DISTINCT value, NEW.id FROM json_each(NEW.backends); END;

CREATE TRIGGER failover_children_update AFTER UPDATE OF backends ON failover_backends BEGIN DELETE FROM failover_children WHERE child IN (SELECT value FROM json_each(OLD.backends)) AND parent = OLD.id; INSERT INTO failover_children (child, parent) SELECT DISTINCT value, NEW.id FROM json_each(NEW.backends); END;

CREATE TRIGGER failover_children_delete AFTER DELETE ON failover_backends BEGIN DELETE FROM failover_children WHERE child IN (SELECT value FROM json_each(OLD.backends)) AND parent = OLD.id; END;

CREATE TABLE http_response_backends (
  id TEXT PRIMARY KEY NOT NULL,
  created_at TEXT NOT NULL,
  description TEXT,
  metadata TEXT,
  body TEXT,
  headers TEXT,
  status_code INTEGER NOT NULL,
  CONSTRAINT fits_in_a_row CHECK (octet_length(concat(description, metadata, body, headers)) <= 1900000)
) STRICT, WITHOUT ROWID;

CREATE TABLE https_edge_routes (
  edge_id TEXT NOT NULL,
  id TEXT NOT NULL,
  circuit_breaker TEXT,
  request_headers TEXT,
  websocket_tcp_converter TEXT,
  PRIMARY KEY (edge_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE https_edges (
  id TEXT PRIMARY KEY NOT NULL,
  mutual_tls TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE ip_policies (
  id TEXT PRIMARY KEY NOT NULL,
  created_at TEXT NOT NULL,
  description TEXT,
  metadata TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE ip_policy_rules (
  id TEXT PRIMARY KEY NOT NULL,
  created_at TEXT NOT NULL,
  description TEXT,
  metadata TEXT,
  cidr TEXT NOT NULL,
  ip_policy_id TEXT NOT NULL,
  action TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX ip_policy_rules_ip_policy_id ON ip_policy_rules (ip_policy_id);

CREATE TABLE tcp_edges (
  id TEXT PRIMARY KEY NOT NULL,
  created_at TEXT NOT NULL,
  description TEXT,
  metadata TEXT,
  hostports TEXT,
  backend TEXT,
  ip_restriction TEXT,
  traffic_policy TEXT,
  CONSTRAINT fits_in_a_row CHECK (octet_length(concat(hostports, ip_restriction, traffic_policy)) <= 1900000)
) STRICT, WITHOUT ROWID;

CREATE INDEX tcp_edges_backend_id ON tcp_edges (backend ->> 'backend_id') WHERE backend IS NOT NULL;

CREATE TABLE tls_edges (
  id TEXT PRIMARY KEY NOT NULL,
  created_at TEXT NOT NULL,
  description TEXT,
  metadata TEXT,
  hostports TEXT,
  backend TEXT,
  ip_restriction TEXT,
  traffic_policy TEXT,
  mutual_tls TEXT,
  tls_termination TEXT,
  -- Mutual TLS needs the handshake, which passes through when the upstream terminates TLS.
  CONSTRAINT mutual_tls_needs_edge_termination
    CHECK (NOT (tls_termination ->> 'terminate_at' = 'upstream' AND mutual_tls ->> 'enabled')),
  CONSTRAINT fits_in_a_row CHECK (octet_length(concat(hostports, ip_restriction, traffic_policy, mutual_tls)) <= 1900000)
) STRICT, WITHOUT ROWID;

CREATE INDEX tls_edges_backend_id ON tls_edges (backend ->> 'backend_id') WHERE backend IS NOT NULL;
