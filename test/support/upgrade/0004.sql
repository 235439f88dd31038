PRAGMA defer_foreign_keys=TRUE;
CREATE TABLE IF NOT EXISTS "d1_migrations"(
		id         INTEGER PRIMARY KEY AUTOINCREMENT,
		name       TEXT UNIQUE,
		applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);
INSERT INTO "d1_migrations" ("id","name","applied_at") VALUES(1,'0000_objects.sql','2026-11-21 23:07:17');
INSERT INTO "d1_migrations" ("id","name","applied_at") VALUES(2,'0001_api_keys.sql','2026-11-21 23:07:17');
INSERT INTO "d1_migrations" ("id","name","applied_at") VALUES(3,'0002_versions_and_idempotency.sql','2026-11-21 23:07:17');
INSERT INTO "d1_migrations" ("id","name","applied_at") VALUES(4,'0003_epoch.sql','2026-11-21 23:07:18');
INSERT INTO "d1_migrations" ("id","name","applied_at") VALUES(5,'0004_ids_of_large_rows.sql','2026-11-21 23:07:19');
CREATE TABLE bot_users (
  id TEXT PRIMARY KEY NOT NULL,
  created_at TEXT NOT NULL,
  name TEXT NOT NULL,
  active INTEGER NOT NULL
, version INTEGER NOT NULL DEFAULT 1) STRICT, WITHOUT ROWID;
INSERT INTO "bot_users" ("id","created_at","name","active","version") VALUES('bot_3MR9K1O4exVVAmkYBxiInUIemd8','2026-11-21T23:07:25Z','deploy',1,1);
INSERT INTO "bot_users" ("id","created_at","name","active","version") VALUES('bot_3MR9K1ZeufdRAnigiEsIsEnSO4C','2026-11-21T23:07:25Z','audit',0,1);
INSERT INTO "bot_users" ("id","created_at","name","active","version") VALUES('bot_3MR9OL5DUxP73Z9Owe1Q9WbhMxn','2026-11-21T23:07:59Z',CAST(X'497427732031303020253b202271756f74656422202d2d206e6f74206120636f6d6d656e740a6e657874206c696e65205c6e202f2a20c3bc20f09fa68a202a2f' AS TEXT),1,1);
CREATE TABLE event_destinations (
  id TEXT PRIMARY KEY NOT NULL,
  created_at TEXT NOT NULL,
  description TEXT,
  metadata TEXT,
  format TEXT NOT NULL,
  target TEXT NOT NULL
, version INTEGER NOT NULL DEFAULT 1) STRICT, WITHOUT ROWID;
INSERT INTO "event_destinations" ("id","created_at","description","metadata","format","target","version") VALUES('ed_3MR9K1tSt0NNUKsqLvAkfvP6F86','2026-11-21T23:07:25Z','Events to lake','{"seed":"lake"}','json','{"cloud_delivery_stream":{"auth":{"role":{"role_arn":"arn:aws:iam::123456789012:role/edge-events"}},"delivery_stream_arn":"arn:aws:firehose:eu-west-1:1:edge"}}',1);
INSERT INTO "event_destinations" ("id","created_at","description","metadata","format","target","version") VALUES('ed_3MR9K24a6fiEHtO0pfxd4JsJwvz','2026-11-21T23:07:25Z','Events to stream','{"seed":"stream"}','json','{"cloud_stream":{"auth":{"creds":{"cloud_access_key_id":"AKIAEXAMPLE","cloud_secret_access_key":"sealed.local.PffZHFU1ZQ4SS1/Q3WopGVzmoFUP2SEmtLANobx/nz5T901P9eaxzpbm"}},"stream_arn":"arn:aws:kinesis:eu-west-1:1:stream/edge"}}',1);
INSERT INTO "event_destinations" ("id","created_at","description","metadata","format","target","version") VALUES('ed_3MR9K2IaHws1IISoxHTGvptL38c','2026-11-21T23:07:25Z','Events to logs','{"seed":"logs"}','json','{"cloud_logs":{"auth":{"role":{"role_arn":"arn:aws:iam::123456789012:role/edge-events"}},"log_group_arn":"arn:aws:logs:eu-west-1:1:log-group:edge"}}',1);
INSERT INTO "event_destinations" ("id","created_at","description","metadata","format","target","version") VALUES('ed_3MR9K2UfW8aNhXdxz6HI3sCPz3c','2026-11-21T23:07:25Z','Events to monitoring','{"seed":"monitoring"}','json','{"monitoring_vendor":{"api_key":"sealed.local.vl6E9YPRFxbJsEIqJ/8Rj+azU8GmZFVbsc0ubXYeY0WmV+GsS9il","tags":"team:edge","service":"edge","site":"eu.example.com"}}',1);
INSERT INTO "event_destinations" ("id","created_at","description","metadata","format","target","version") VALUES('ed_3MR9K2flo0O3VSJHwHim0VsFcsk','2026-11-21T23:07:25Z','Events to siem','{"seed":"siem"}','json','{"logs_ingestion":{"tenant_id":"00000000-0000-0000-0000-000000000001","client_id":"00000000-0000-0000-0000-000000000002","client_secret":"sealed.local.AkU4nNdWZeDzGUme4ncQ6TtnINa2z2SQdVFaOmvUP6+59apvRRcwEFkK","logs_ingestion_uri":"https://ingest.example.com","data_collection_rule_id":"dcr-edge","data_collection_stream_name":"Custom-Edge"}}',1);
CREATE TABLE failover_backends (
  id TEXT PRIMARY KEY NOT NULL,
  created_at TEXT NOT NULL,
  description TEXT,
  metadata TEXT,
  backends TEXT, version INTEGER NOT NULL DEFAULT 1,
  CONSTRAINT fits_in_a_row CHECK (octet_length(concat(description, metadata, backends)) <= 1900000)
) STRICT, WITHOUT ROWID;
INSERT INTO "failover_backends" ("id","created_at","description","metadata","backends","version") VALUES('bkdfo_3MR9JzspvFuo2nwcl3DN55NOAEb','2026-11-21T23:07:24Z','Blue, then green','{"seed":"shop"}','["bkdhr_3MR9Jz62tfIJGYpuHc84RX37Cht","bkdhr_3MR9JzLzIjDQYgUOTTQzv7u50Gt"]',1);
INSERT INTO "failover_backends" ("id","created_at","description","metadata","backends","version") VALUES('bkdfo_3MR9K01XFifLKf1crhQB5YyrROQ','2026-11-21T23:07:24Z','The shop, or the maintenance page','{"seed":"shop-or-sorry"}','["bkdfo_3MR9JzspvFuo2nwcl3DN55NOAEb","bkdhr_3MR9JzX63Sqb3gRsOy9MOFedrN4"]',1);
INSERT INTO "failover_backends" ("id","created_at","description","metadata","backends","version") VALUES('bkdfo_3MR9OJ7TtvE6yZASnATQGNddgDq','2026-11-21T23:07:59Z',CAST(X'497427732031303020253b202271756f74656422202d2d206e6f74206120636f6d6d656e740a6e657874206c696e65205c6e202f2a20c3bc20f09fa68a202a2f' AS TEXT),NULL,'["bkdhr_3MR9OIvPLR5q4sAHQgH3HdI6jOv","bkdhr_3MR9OIvPLR5q4sAHQgH3HdI6jOv"]',1);
INSERT INTO "failover_backends" ("id","created_at","description","metadata","backends","version") VALUES('bkdfo_3MR9OJMSX42Lo9NQIOWFHw7Txnl','2026-11-21T23:07:59Z',NULL,NULL,'["bkdfo_3MR9OJ7TtvE6yZASnATQGNddgDq","bkdhr_3MR9OIvPLR5q4sAHQgH3HdI6jOv"]',1);
INSERT INTO "failover_backends" ("id","created_at","description","metadata","backends","version") VALUES('bkdfo_3MR9OJeKjQx5U6odtMEFXvgq0Bj','2026-11-21T23:07:59Z',NULL,NULL,NULL,3);
CREATE TABLE failover_children (
  child TEXT NOT NULL,
  parent TEXT NOT NULL,
  PRIMARY KEY (child, parent)
) STRICT, WITHOUT ROWID;
INSERT INTO "failover_children" ("child","parent") VALUES('bkdfo_3MR9JzspvFuo2nwcl3DN55NOAEb','bkdfo_3MR9K01XFifLKf1crhQB5YyrROQ');
INSERT INTO "failover_children" ("child","parent") VALUES('bkdfo_3MR9OJ7TtvE6yZASnATQGNddgDq','bkdfo_3MR9OJMSX42Lo9NQIOWFHw7Txnl');
INSERT INTO "failover_children" ("child","parent") VALUES('bkdhr_3MR9Jz62tfIJGYpuHc84RX37Cht','bkdfo_3MR9JzspvFuo2nwcl3DN55NOAEb');
INSERT INTO "failover_children" ("child","parent") VALUES('bkdhr_3MR9JzLzIjDQYgUOTTQzv7u50Gt','bkdfo_3MR9JzspvFuo2nwcl3DN55NOAEb');
INSERT INTO "failover_children" ("child","parent") VALUES('bkdhr_3MR9JzX63Sqb3gRsOy9MOFedrN4','bkdfo_3MR9K01XFifLKf1crhQB5YyrROQ');
INSERT INTO "failover_children" ("child","parent") VALUES('bkdhr_3MR9OIvPLR5q4sAHQgH3HdI6jOv','bkdfo_3MR9OJ7TtvE6yZASnATQGNddgDq');
INSERT INTO "failover_children" ("child","parent") VALUES('bkdhr_3MR9OIvPLR5q4sAHQgH3HdI6jOv','bkdfo_3MR9OJMSX42Lo9NQIOWFHw7Txnl');
CREATE TABLE http_response_backends (
  id TEXT PRIMARY KEY NOT NULL,
  created_at TEXT NOT NULL,
  description TEXT,
  metadata TEXT,
  body TEXT,
  headers TEXT,
  status_code INTEGER NOT NULL, version INTEGER NOT NULL DEFAULT 1,
  CONSTRAINT fits_in_a_row CHECK (octet_length(concat(description, metadata, body, headers)) <= 1900000)
) STRICT, WITHOUT ROWID;
INSERT INTO "http_response_backends" ("id","created_at","description","metadata","body","headers","status_code","version") VALUES('bkdhr_3MR9Jz62tfIJGYpuHc84RX37Cht','2026-11-21T23:07:24Z','Shop, blue','{"seed":"blue"}','<!doctype html><title>Shop, blue</title><h1>Shop, blue</h1>','{"content-type":"text/html; charset=utf-8"}',200,1);
INSERT INTO "http_response_backends" ("id","created_at","description","metadata","body","headers","status_code","version") VALUES('bkdhr_3MR9JzLzIjDQYgUOTTQzv7u50Gt','2026-11-21T23:07:24Z','Shop, green','{"seed":"green"}','<!doctype html><title>Shop, green</title><h1>Shop, green</h1>','{"content-type":"text/html; charset=utf-8"}',200,1);
INSERT INTO "http_response_backends" ("id","created_at","description","metadata","body","headers","status_code","version") VALUES('bkdhr_3MR9JzX63Sqb3gRsOy9MOFedrN4','2026-11-21T23:07:24Z','Back in a minute','{"seed":"maintenance"}','<!doctype html><title>Back in a minute</title><h1>Back in a minute</h1>','{"content-type":"text/html; charset=utf-8"}',503,1);
INSERT INTO "http_response_backends" ("id","created_at","description","metadata","body","headers","status_code","version") VALUES('bkdhr_3MR9OIvPLR5q4sAHQgH3HdI6jOv','2026-11-21T23:07:59Z',NULL,NULL,CAST(X'497427732031303020253b202271756f74656422202d2d206e6f74206120636f6d6d656e740a6e657874206c696e65205c6e202f2a20c3bc20f09fa68a202a2f' AS TEXT),'{"x-odd":"it''s"}',204,1);
CREATE TABLE https_edge_routes (
  edge_id TEXT NOT NULL,
  id TEXT NOT NULL,
  circuit_breaker TEXT,
  request_headers TEXT,
  websocket_tcp_converter TEXT, version INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (edge_id, id)
) STRICT, WITHOUT ROWID;
INSERT INTO "https_edge_routes" ("edge_id","id","circuit_breaker","request_headers","websocket_tcp_converter","version") VALUES('edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX','edghtsrt_2fCzyKyxGFFQjbGvSPXiVOWCOkX','{"enabled":true,"tripped_duration":10,"rolling_window":10,"num_buckets":20,"volume_threshold":20,"error_threshold_percentage":0.25}','{"enabled":true,"add":{"X-Edge":"eu-west"},"remove":["X-Debug"]}','{"enabled":false}',3);
INSERT INTO "https_edge_routes" ("edge_id","id","circuit_breaker","request_headers","websocket_tcp_converter","version") VALUES('edghts_elsewhere1','edghtsrt_1','{"enabled":true,"tripped_duration":10,"rolling_window":10,"num_buckets":10,"volume_threshold":20,"error_threshold_percentage":0.5}','{"enabled":true,"add":{"X-A":"1"},"remove":["X-B"]}',NULL,2);
INSERT INTO "https_edge_routes" ("edge_id","id","circuit_breaker","request_headers","websocket_tcp_converter","version") VALUES('edghts_elsewhere2','edghtsrt_1','{"enabled":true,"tripped_duration":10,"rolling_window":10,"num_buckets":10,"volume_threshold":20,"error_threshold_percentage":0.5}',NULL,NULL,3);
CREATE TABLE https_edges (
  id TEXT PRIMARY KEY NOT NULL,
  mutual_tls TEXT
, version INTEGER NOT NULL DEFAULT 1) STRICT, WITHOUT ROWID;
INSERT INTO "https_edges" ("id","mutual_tls","version") VALUES('edghts_2fCzyKyxGFFQjbGvSPXiVOWCOkX','{"enabled":true,"certificate_authority_ids":null}',1);
INSERT INTO "https_edges" ("id","mutual_tls","version") VALUES('edghts_elsewhere1','{"enabled":true,"certificate_authority_ids":["ca_1","ca_3"]}',1);
INSERT INTO "https_edges" ("id","mutual_tls","version") VALUES('edghts_elsewhere2',NULL,2);
CREATE TABLE ip_policies (
  id TEXT PRIMARY KEY NOT NULL,
  created_at TEXT NOT NULL,
  description TEXT,
  metadata TEXT
, version INTEGER NOT NULL DEFAULT 1) STRICT, WITHOUT ROWID;
INSERT INTO "ip_policies" ("id","created_at","description","metadata","version") VALUES('ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','2026-11-21T23:07:23Z','Everybody but special-purpose addresses, which are never a client''s','{"seed":"internet"}',1);
INSERT INTO "ip_policies" ("id","created_at","description","metadata","version") VALUES('ipp_3MR9JnuqXaGlQ5vtd6FBoOwM5j3','2026-11-21T23:07:23Z','Where people work','{"seed":"offices"}',1);
INSERT INTO "ip_policies" ("id","created_at","description","metadata","version") VALUES('ipp_3MR9OHzRYdvXsx5kKL9MoJEVyHy','2026-11-21T23:07:59Z',CAST(X'497427732031303020253b202271756f74656422202d2d206e6f74206120636f6d6d656e740a6e657874206c696e65205c6e202f2a20c3bc20f09fa68a202a2f' AS TEXT),CAST(X'497427732031303020253b202271756f74656422202d2d206e6f74206120636f6d6d656e740a6e657874206c696e65205c6e202f2a20c3bc20f09fa68a202a2f' AS TEXT),1);
INSERT INTO "ip_policies" ("id","created_at","description","metadata","version") VALUES('ipp_3MR9OIGpdUMr5UIxWMSamRj0b0s','2026-11-21T23:07:59Z',CAST(X'497427732031303020253b202271756f74656422202d2d206e6f74206120636f6d6d656e740a6e657874206c696e65205c6e202f2a20c3bc20f09fa68a202a2f' AS TEXT),CAST(X'497427732031303020253b202271756f74656422202d2d206e6f74206120636f6d6d656e740a6e657874206c696e65205c6e202f2a20c3bc20f09fa68a202a2f' AS TEXT),1);
CREATE TABLE ip_policy_rules (
  id TEXT PRIMARY KEY NOT NULL,
  created_at TEXT NOT NULL,
  description TEXT,
  metadata TEXT,
  cidr TEXT NOT NULL,
  ip_policy_id TEXT NOT NULL,
  action TEXT NOT NULL
, version INTEGER NOT NULL DEFAULT 1) STRICT, WITHOUT ROWID;
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JoeFnA1NGuMjLUzvFYH6qtA','2026-11-21T23:07:23Z','Everybody',NULL,'0.0.0.0/0','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','allow',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JorIrbFIOAbASYAsg9T55x8','2026-11-21T23:07:23Z','Everybody',NULL,'::/0','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','allow',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9Jp1RlH1aEzvMD3HbdbCCJzq','2026-11-21T23:07:23Z','"This network"',NULL,'0.0.0.0/8','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JpETnf8yNjwxikeP5kUl8JT','2026-11-21T23:07:23Z','"This host on this network"',NULL,'0.0.0.0/32','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JpPb29pxHYAhLDtrgWwbhMj','2026-11-21T23:07:23Z','Private-Use',NULL,'10.0.0.0/8','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9Jpahw7TQuaHFit6XoswGGin','2026-11-21T23:07:23Z','Shared Address Space',NULL,'100.64.0.0/10','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JpkqtE4jg7BD1pZ8Zv51hun','2026-11-21T23:07:23Z','Loopback',NULL,'127.0.0.0/8','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JpvToF3b9oqvllVdHMKrxsA','2026-11-21T23:07:23Z','Link Local',NULL,'169.254.0.0/16','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9Jq66fKXxQjS4gnmtxAw1sqZ','2026-11-21T23:07:23Z','Private-Use',NULL,'172.16.0.0/12','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JqHhdEvciuJ98b537oSdywL','2026-11-21T23:07:23Z','IETF Protocol Assignments',NULL,'192.0.0.0/24','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JqUG9dmZhbkhaG3cVpMG4EP','2026-11-21T23:07:23Z','IPv4 Service Continuity Prefix',NULL,'192.0.0.0/29','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9Jqdv1i7Wt6ezeT3pTJ5HcNe','2026-11-21T23:07:23Z','IPv4 dummy address',NULL,'192.0.0.8/32','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9Jqo4UM9CeUUEbI4rzLrvWWs','2026-11-21T23:07:23Z','Port Control Protocol Anycast',NULL,'192.0.0.9/32','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JqzB1YgCI6LTRpM0Bc1cwYx','2026-11-21T23:07:23Z','Traversal Using Relays around NAT Anycast',NULL,'192.0.0.10/32','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JrAlfATAfaCfxlBMx4YHvn9','2026-11-21T23:07:23Z','NAT64/DNS64 Discovery',NULL,'192.0.0.170/32','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JrJwxXAztoRjDKvjnnydPw2','2026-11-21T23:07:23Z','NAT64/DNS64 Discovery',NULL,'192.0.0.171/32','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JrU5Tjd1wgyvcEaNON1IE9q','2026-11-21T23:07:23Z','Documentation (TEST-NET-1)',NULL,'192.0.2.0/24','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JrhcIbO5fiqFpSRYhz0cI3W','2026-11-21T23:07:23Z','AS112-v4',NULL,'192.31.196.0/24','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JrsFJ7AgjZB3033iAMxwlEJ','2026-11-21T23:07:23Z','AMT',NULL,'192.52.193.0/24','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9Js5HujhiN8KuxnqJB5kROOh','2026-11-21T23:07:23Z','Deprecated (6to4 Relay Anycast)',NULL,'192.88.99.0/24','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JsKGFxKGHWJLLunKB6bNCZw','2026-11-21T23:07:23Z','6a44-relay anycast address',NULL,'192.88.99.2/32','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JsgTvGhsnb7T7ikhVanLJym','2026-11-21T23:07:23Z','Private-Use',NULL,'192.168.0.0/16','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JsyMO9IsVSdAK4R53H38FqF','2026-11-21T23:07:24Z','Direct Delegation AS112 Service',NULL,'192.175.48.0/24','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9Jt8VEqjB7UW96VS6O4s4d1D','2026-11-21T23:07:24Z','Benchmarking',NULL,'198.18.0.0/15','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JtHgAvpWGWgsr2ThakxLXN5','2026-11-21T23:07:24Z','Documentation (TEST-NET-2)',NULL,'198.51.100.0/24','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JtSJHhsnYXW5EKLhbPahpm4','2026-11-21T23:07:24Z','Documentation (TEST-NET-3)',NULL,'203.0.113.0/24','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9Jtb0XFppngnTNeNbdku2QOG','2026-11-21T23:07:24Z','Reserved',NULL,'240.0.0.0/4','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JtjDSHBGLaVZtS1pqYe6rDz','2026-11-21T23:07:24Z','Limited Broadcast',NULL,'255.255.255.255/32','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JtruEg6y28gEMABP8oXhs74','2026-11-21T23:07:24Z','Loopback Address',NULL,'::1/128','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9Ju0bcS6EZlRhrBE0pR75kfQ','2026-11-21T23:07:24Z','Unspecified Address',NULL,'::/128','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9Ju8KoT45jR4foabRYVEe8Cs','2026-11-21T23:07:24Z','IPv4-mapped Address',NULL,'::ffff:0:0/96','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JuJvMvQymyMdfr7EWNfrLr5','2026-11-21T23:07:24Z','IPv4-IPv6 Translat.',NULL,'64:ff9b::/96','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JuV2kvCbUE2xRVyciOLAfsl','2026-11-21T23:07:24Z','IPv4-IPv6 Translat.',NULL,'64:ff9b:1::/48','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JuehUlpBsLEGpneUhSYsLMU','2026-11-21T23:07:24Z','Discard-Only Address Block',NULL,'100::/64','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9Julx20DAtMUr3BilN0XSfZQ','2026-11-21T23:07:24Z','Dummy IPv6 Prefix',NULL,'100:0:0:1::/64','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JuudlllX0mfeCE5UgEmnJcg','2026-11-21T23:07:24Z','IETF Protocol Assignments',NULL,'2001::/23','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JvFPKOPIhTCp2e89RkIRlUB','2026-11-21T23:07:24Z','TEREDO',NULL,'2001::/32','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JvSSPiW0IwbiBeJCG9pfuLQ','2026-11-21T23:07:24Z','Port Control Protocol Anycast',NULL,'2001:1::1/128','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JvbdDbSaEfpPcfubiBgNtrH','2026-11-21T23:07:24Z','Traversal Using Relays around NAT Anycast',NULL,'2001:1::2/128','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JvmGGN4xYOu7wlEbqnTaYAS','2026-11-21T23:07:24Z','DNS-SD Service Registration Protocol Anycast',NULL,'2001:1::3/128','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JvuxFFub4cmpy3RlTUuXQ1x','2026-11-21T23:07:24Z','Benchmarking',NULL,'2001:2::/48','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9Jw3eVgTe1bkThhPWl93Cb37','2026-11-21T23:07:24Z','AMT',NULL,'2001:3::/32','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JwCpYxzuVjgM5hrLbquJzm4','2026-11-21T23:07:24Z','AS112-v6',NULL,'2001:4:112::/48','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JwNvvgZJwcrpBoxGSB0Q3B9','2026-11-21T23:07:24Z','Deprecated (previously ORCHID)',NULL,'2001:10::/28','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JwbTEZyGwUZg8ewxoTpuiNg','2026-11-21T23:07:24Z','ORCHIDv2',NULL,'2001:20::/28','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JwqRYezTuSsv2frUbGFk8Yv','2026-11-21T23:07:24Z','Drone Remote ID Protocol Entity Tags (DETs) Prefix',NULL,'2001:30::/28','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9Jx5ta9VLRSedTnfSZ10LQtH','2026-11-21T23:07:24Z','Documentation',NULL,'2001:db8::/32','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JxGWdanBzpTQ2Clw16auvvS','2026-11-21T23:07:24Z','6to4',NULL,'2002::/16','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JxdidaGaFt9Yd0uLBhUr2nP','2026-11-21T23:07:24Z','Direct Delegation AS112 Service',NULL,'2620:4f:8000::/48','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9Jxnr3XfslKyw06OTxuBiwNk','2026-11-21T23:07:24Z','Documentation',NULL,'3fff::/20','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JxxWKfCDu6LS9asssylYoeS','2026-11-21T23:07:24Z','Segment Routing (SRv6) SIDs',NULL,'5f00::/16','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9Jy7ezruq20YcVTeypURscnh','2026-11-21T23:07:24Z','Unique-Local',NULL,'fc00::/7','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JyIIPDdfDC37oYWELUy5933','2026-11-21T23:07:24Z','Link-Local Unicast',NULL,'fe80::/10','ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JyXkeThyugGePdAmhzB6bPq','2026-11-21T23:07:24Z','Lisbon',NULL,'198.51.100.0/24','ipp_3MR9JnuqXaGlQ5vtd6FBoOwM5j3','allow',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9JyjLTyyywlieSQHhQkn1SJE','2026-11-21T23:07:24Z','Lisbon, IPv6',NULL,'2001:db8:42::/48','ipp_3MR9JnuqXaGlQ5vtd6FBoOwM5j3','allow',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9OIZfadYVnxQy0r6QDfYFwZr','2026-11-21T23:07:59Z',NULL,CAST(X'497427732031303020253b202271756f74656422202d2d206e6f74206120636f6d6d656e740a6e657874206c696e65205c6e202f2a20c3bc20f09fa68a202a2f' AS TEXT),'2001:db8::/32','ipp_3MR9OHzRYdvXsx5kKL9MoJEVyHy','deny',1);
INSERT INTO "ip_policy_rules" ("id","created_at","description","metadata","cidr","ip_policy_id","action","version") VALUES('ipr_3MR9OIjKyh6spxVir88fGKpXSTi','2026-11-21T23:07:59Z',NULL,NULL,'192.0.2.7/32','ipp_3MR9OIGpdUMr5UIxWMSamRj0b0s','allow',1);
CREATE TABLE tcp_edges (
  id TEXT PRIMARY KEY NOT NULL,
  created_at TEXT NOT NULL,
  description TEXT,
  metadata TEXT,
  hostports TEXT,
  backend TEXT,
  ip_restriction TEXT,
  traffic_policy TEXT, version INTEGER NOT NULL DEFAULT 1,
  CONSTRAINT fits_in_a_row CHECK (octet_length(concat(hostports, ip_restriction, traffic_policy)) <= 1900000)
) STRICT, WITHOUT ROWID;
INSERT INTO "tcp_edges" ("id","created_at","description","metadata","hostports","backend","ip_restriction","traffic_policy","version") VALUES('edgtcp_3MR9K0MJ4sFVUWM27GEfZCOufyD','2026-11-21T23:07:24Z','SSH bastion','{"seed":"bastion"}','["ssh.example.com:22"]','{"enabled":true,"backend_id":"bkdfo_3MR9K01XFifLKf1crhQB5YyrROQ"}','{"enabled":true,"ip_policy_ids":["ipp_3MR9JnuqXaGlQ5vtd6FBoOwM5j3"]}','{"enabled":true,"value":"{\"on_tcp_connect\":[{\"actions\":[{\"type\":\"log\"}]}]}"}',1);
INSERT INTO "tcp_edges" ("id","created_at","description","metadata","hostports","backend","ip_restriction","traffic_policy","version") VALUES('edgtcp_3MR9K0XtlJ4IkjTlFpDn8aTa58f','2026-11-21T23:07:25Z','Reporting database, closed for now','{"seed":"postgres"}','["db.example.com:5432","[2001:db8::5]:5432"]',NULL,'{"enabled":false,"ip_policy_ids":["ipp_3MR9JnuqXaGlQ5vtd6FBoOwM5j3"]}',NULL,1);
INSERT INTO "tcp_edges" ("id","created_at","description","metadata","hostports","backend","ip_restriction","traffic_policy","version") VALUES('edgtcp_3MR9OKD7CMXj3R6oz77zYzjA0so','2026-11-21T23:07:59Z',CAST(X'497427732031303020253b202271756f74656422202d2d206e6f74206120636f6d6d656e740a6e657874206c696e65205c6e202f2a20c3bc20f09fa68a202a2f' AS TEXT),NULL,'["a.example.com:1","[::1]:2"]','{"enabled":false,"backend_id":"bkdfo_3MR9OJMSX42Lo9NQIOWFHw7Txnl"}','{"enabled":true,"ip_policy_ids":["ipp_3MR9OIRwO8eQIQkI1tWXvxfaYQ1","ipp_3MR9OHzRYdvXsx5kKL9MoJEVyHy","ipp_3MR9OIRwO8eQIQkI1tWXvxfaYQ1"]}',NULL,1);
INSERT INTO "tcp_edges" ("id","created_at","description","metadata","hostports","backend","ip_restriction","traffic_policy","version") VALUES('edgtcp_3MR9OKMm6xMkxgnhFxgL20XbLdL','2026-11-21T23:07:59Z',NULL,NULL,NULL,NULL,NULL,NULL,1);
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
  tls_termination TEXT, version INTEGER NOT NULL DEFAULT 1,
  -- Mutual TLS needs the handshake, which passes through when the upstream terminates TLS.
  CONSTRAINT mutual_tls_needs_edge_termination
    CHECK (NOT (tls_termination ->> 'terminate_at' = 'upstream' AND mutual_tls ->> 'enabled')),
  CONSTRAINT fits_in_a_row CHECK (octet_length(concat(hostports, ip_restriction, traffic_policy, mutual_tls)) <= 1900000)
) STRICT, WITHOUT ROWID;
INSERT INTO "tls_edges" ("id","created_at","description","metadata","hostports","backend","ip_restriction","traffic_policy","mutual_tls","tls_termination","version") VALUES('edgtls_3MR9K0v50OXE2sXRrYsAoh4Pklp','2026-11-21T23:07:25Z','Shop front','{"seed":"shop"}','["shop.example.com:443"]','{"enabled":true,"backend_id":"bkdfo_3MR9K01XFifLKf1crhQB5YyrROQ"}','{"enabled":true,"ip_policy_ids":["ipp_3MR9Jna4xhiyw57KUzuhEIzmRQ3"]}','{"enabled":true,"value":"{\"on_tcp_connect\":[{\"actions\":[{\"type\":\"log\"}]}]}"}','{"enabled":true,"certificate_authority_ids":["ca_2fCzyKyxGFFQjbGvSPXiVOWCOkX"]}','{"enabled":true,"terminate_at":"edge","min_version":"1.3"}',1);
INSERT INTO "tls_edges" ("id","created_at","description","metadata","hostports","backend","ip_restriction","traffic_policy","mutual_tls","tls_termination","version") VALUES('edgtls_3MR9K14kJFCBPl1ZcAUgUxOOpll','2026-11-21T23:07:25Z','Payments terminate their own TLS','{"seed":"payments"}','["pay.example.com:443"]','{"enabled":true,"backend_id":"bkdhr_3MR9Jz62tfIJGYpuHc84RX37Cht"}',NULL,NULL,'{"enabled":false,"certificate_authority_ids":null}','{"enabled":true,"terminate_at":"upstream","min_version":null}',1);
INSERT INTO "tls_edges" ("id","created_at","description","metadata","hostports","backend","ip_restriction","traffic_policy","mutual_tls","tls_termination","version") VALUES('edgtls_3MR9OKT3OgGb2QFXLCgV0veZTNq','2026-11-21T23:07:59Z',NULL,CAST(X'497427732031303020253b202271756f74656422202d2d206e6f74206120636f6d6d656e740a6e657874206c696e65205c6e202f2a20c3bc20f09fa68a202a2f' AS TEXT),NULL,'{"enabled":true,"backend_id":"bkdfo_3MR9OJMSX42Lo9NQIOWFHw7Txnl"}','{"enabled":true,"ip_policy_ids":null}','{"enabled":true,"value":"It''s 100 %; \"quoted\" -- not a comment\nnext line \\n /* ü 🦊 */"}','{"enabled":true,"certificate_authority_ids":["ca_1","ca_2","ca_1"]}',NULL,3);
CREATE TABLE api_keys (
  id TEXT PRIMARY KEY NOT NULL,
  created_at TEXT NOT NULL,
  description TEXT,
  metadata TEXT,
  owner_id TEXT,
  role TEXT NOT NULL,
  expires_at TEXT,
  last_used_at TEXT,
  token_sha256 TEXT NOT NULL
, version INTEGER NOT NULL DEFAULT 1) STRICT, WITHOUT ROWID;
INSERT INTO "api_keys" ("id","created_at","description","metadata","owner_id","role","expires_at","last_used_at","token_sha256","version") VALUES('ak_3MR9OLDue2Rtx2ywMcS3narM4NT','2026-11-21T23:07:59Z',CAST(X'497427732031303020253b202271756f74656422202d2d206e6f74206120636f6d6d656e740a6e657874206c696e65205c6e202f2a20c3bc20f09fa68a202a2f' AS TEXT),NULL,'bot_3MR9OL5DUxP73Z9Owe1Q9WbhMxn','viewer',NULL,NULL,'df46f705311ed2801f9db9569fd3881bd28ffb590a4704f9d3b35d32399c9125',1);
INSERT INTO "api_keys" ("id","created_at","description","metadata","owner_id","role","expires_at","last_used_at","token_sha256","version") VALUES('ak_3MR9OLP1LNps9wMAoOhBNgjh0Ft','2026-11-21T23:07:59Z',NULL,NULL,NULL,'admin','2999-01-01T00:00:00Z',NULL,'df59795ea74cf031216607b2344cae0c76ed34045c6e2dfb9ea5753630385b52',1);
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
INSERT INTO "idempotency_records" ("day","key_sha256","request_sha256","created_at","attempt","object_id","response") VALUES(20778,'002e71671246667b234ff3c604c338453e9e0d859186419cd9afa0beeffa8e1e','11544e09994f3a591a58ea764198d1da71d79a0d002caa9157669ae263a2806a',1795302479360,'bc6ee085-af48-4242-a725-246440f0b30b','edgtcp_3MR9OKD7CMXj3R6oz77zYzjA0so','{"id":"edgtcp_3MR9OKD7CMXj3R6oz77zYzjA0so","uri":"http://localhost:8901/edges/tcp/edgtcp_3MR9OKD7CMXj3R6oz77zYzjA0so","created_at":"2026-11-21T23:07:59Z","description":"It''s 100 %; \"quoted\" -- not a comment\nnext line \\n /* ü 🦊 */","hostports":["a.example.com:1","[::1]:2"],"backend":{"enabled":false,"backend":{"id":"bkdfo_3MR9OJMSX42Lo9NQIOWFHw7Txnl","uri":"http://localhost:8901/backends/failover/bkdfo_3MR9OJMSX42Lo9NQIOWFHw7Txnl"}},"ip_restriction":{"enabled":true,"ip_policies":[{"id":"ipp_3MR9OIRwO8eQIQkI1tWXvxfaYQ1","uri":"http://localhost:8901/ip_policies/ipp_3MR9OIRwO8eQIQkI1tWXvxfaYQ1"},{"id":"ipp_3MR9OHzRYdvXsx5kKL9MoJEVyHy","uri":"http://localhost:8901/ip_policies/ipp_3MR9OHzRYdvXsx5kKL9MoJEVyHy"},{"id":"ipp_3MR9OIRwO8eQIQkI1tWXvxfaYQ1","uri":"http://localhost:8901/ip_policies/ipp_3MR9OIRwO8eQIQkI1tWXvxfaYQ1"}]},"traffic_policy":null,"policy":null}');
INSERT INTO "idempotency_records" ("day","key_sha256","request_sha256","created_at","attempt","object_id","response") VALUES(20778,'2013783dc2f7cb1801ce2097f2c5452053b5a62a2da9f99d57ec07639710d54e','9d47af48fc211055ca06f765708110d8cb6fc2a0f41ae8c0daa74099a116c448',1795302479150,'905b5e60-bb20-44e8-a595-2fc190403f70','ipr_3MR9OIZfadYVnxQy0r6QDfYFwZr','{"id":"ipr_3MR9OIZfadYVnxQy0r6QDfYFwZr","uri":"http://localhost:8901/ip_policy_rules/ipr_3MR9OIZfadYVnxQy0r6QDfYFwZr","created_at":"2026-11-21T23:07:59Z","metadata":"It''s 100 %; \"quoted\" -- not a comment\nnext line \\n /* ü 🦊 */","cidr":"2001:db8::/32","ip_policy":{"id":"ipp_3MR9OHzRYdvXsx5kKL9MoJEVyHy","uri":"http://localhost:8901/ip_policies/ipp_3MR9OHzRYdvXsx5kKL9MoJEVyHy"},"action":"deny"}');
CREATE TABLE database_epoch (
  only INTEGER PRIMARY KEY NOT NULL CHECK (only = 1),
  epoch TEXT NOT NULL CHECK (length(epoch) = 8 AND epoch NOT GLOB '*[^0-9a-f]*')
) STRICT, WITHOUT ROWID;
INSERT INTO "database_epoch" ("only","epoch") VALUES(1,'80c3c483');
DELETE FROM sqlite_sequence;
INSERT INTO "sqlite_sequence" ("name","seq") VALUES('d1_migrations',5);
CREATE INDEX ip_policy_rules_ip_policy_id ON ip_policy_rules (ip_policy_id);
CREATE INDEX tcp_edges_backend_id ON tcp_edges (backend ->> 'backend_id') WHERE backend IS NOT NULL;
CREATE INDEX tls_edges_backend_id ON tls_edges (backend ->> 'backend_id') WHERE backend IS NOT NULL;
CREATE INDEX api_keys_owner_id ON api_keys (owner_id) WHERE owner_id IS NOT NULL;
CREATE INDEX failover_backends_ids ON failover_backends (id);
CREATE INDEX http_response_backends_ids ON http_response_backends (id);
CREATE TRIGGER failover_children_insert AFTER INSERT ON failover_backends BEGIN INSERT INTO failover_children (child, parent) SELECT DISTINCT value, NEW.id FROM json_each(NEW.backends); END;
CREATE TRIGGER failover_children_update AFTER UPDATE OF backends ON failover_backends BEGIN DELETE FROM failover_children WHERE child IN (SELECT value FROM json_each(OLD.backends)) AND parent = OLD.id; INSERT INTO failover_children (child, parent) SELECT DISTINCT value, NEW.id FROM json_each(NEW.backends); END;
CREATE TRIGGER failover_children_delete AFTER DELETE ON failover_backends BEGIN DELETE FROM failover_children WHERE child IN (SELECT value FROM json_each(OLD.backends)) AND parent = OLD.id; END;
