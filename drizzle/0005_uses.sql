-- Which object refers to which, maintained in the batch that changes the referring object. It replaces an index for each
-- kind of edge, and a table with triggers for failover backends. These stay until the code that needs them is gone.

CREATE TABLE uses (
  target TEXT NOT NULL,
  user TEXT NOT NULL,
  edge_id TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (target, user, edge_id)
) STRICT, WITHOUT ROWID;

INSERT OR IGNORE INTO uses (target, user) SELECT value, failover_backends.id FROM failover_backends, json_each(backends);
INSERT OR IGNORE INTO uses (target, user) SELECT backend ->> 'backend_id', id FROM tcp_edges WHERE backend IS NOT NULL;
INSERT OR IGNORE INTO uses (target, user) SELECT value, tcp_edges.id FROM tcp_edges, json_each(ip_restriction, '$.ip_policy_ids') WHERE value IS NOT NULL;
INSERT OR IGNORE INTO uses (target, user) SELECT backend ->> 'backend_id', id FROM tls_edges WHERE backend IS NOT NULL;
INSERT OR IGNORE INTO uses (target, user) SELECT value, tls_edges.id FROM tls_edges, json_each(ip_restriction, '$.ip_policy_ids') WHERE value IS NOT NULL;
INSERT OR IGNORE INTO uses (target, user) SELECT value, tls_edges.id FROM tls_edges, json_each(mutual_tls, '$.certificate_authority_ids') WHERE value IS NOT NULL;
INSERT OR IGNORE INTO uses (target, user) SELECT value, https_edges.id FROM https_edges, json_each(mutual_tls, '$.certificate_authority_ids') WHERE value IS NOT NULL;
