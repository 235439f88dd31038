-- To be applied once the code that maintains `uses` is deployed: what the code before it wrote since 0005 is brought over,
-- and what only that code needed is dropped.

INSERT OR IGNORE INTO uses (target, user) SELECT value, failover_backends.id FROM failover_backends, json_each(backends);
INSERT OR IGNORE INTO uses (target, user) SELECT backend ->> 'backend_id', id FROM tcp_edges WHERE backend IS NOT NULL;
INSERT OR IGNORE INTO uses (target, user) SELECT value, tcp_edges.id FROM tcp_edges, json_each(ip_restriction, '$.ip_policy_ids') WHERE value IS NOT NULL;
INSERT OR IGNORE INTO uses (target, user) SELECT backend ->> 'backend_id', id FROM tls_edges WHERE backend IS NOT NULL;
INSERT OR IGNORE INTO uses (target, user) SELECT value, tls_edges.id FROM tls_edges, json_each(ip_restriction, '$.ip_policy_ids') WHERE value IS NOT NULL;
INSERT OR IGNORE INTO uses (target, user) SELECT value, tls_edges.id FROM tls_edges, json_each(mutual_tls, '$.certificate_authority_ids') WHERE value IS NOT NULL;
INSERT OR IGNORE INTO uses (target, user) SELECT value, https_edges.id FROM https_edges, json_each(mutual_tls, '$.certificate_authority_ids') WHERE value IS NOT NULL;

DELETE FROM uses WHERE user GLOB 'bkdfo_*' AND (target, user) NOT IN (SELECT value, failover_backends.id FROM failover_backends, json_each(backends));
DELETE FROM uses WHERE user GLOB 'edgtcp_*' AND (target, user) NOT IN (SELECT backend ->> 'backend_id', id FROM tcp_edges WHERE backend IS NOT NULL UNION ALL SELECT value, tcp_edges.id FROM tcp_edges, json_each(ip_restriction, '$.ip_policy_ids') WHERE value IS NOT NULL);
DELETE FROM uses WHERE user GLOB 'edgtls_*' AND (target, user) NOT IN (SELECT backend ->> 'backend_id', id FROM tls_edges WHERE backend IS NOT NULL UNION ALL SELECT value, tls_edges.id FROM tls_edges, json_each(ip_restriction, '$.ip_policy_ids') WHERE value IS NOT NULL UNION ALL SELECT value, tls_edges.id FROM tls_edges, json_each(mutual_tls, '$.certificate_authority_ids') WHERE value IS NOT NULL);
DELETE FROM uses WHERE user GLOB 'edghts_*' AND (target, user) NOT IN (SELECT value, https_edges.id FROM https_edges, json_each(mutual_tls, '$.certificate_authority_ids') WHERE value IS NOT NULL);

DROP TRIGGER failover_children_insert;
DROP TRIGGER failover_children_update;
DROP TRIGGER failover_children_delete;
DROP TABLE failover_children;
DROP INDEX tcp_edges_backend_id;
DROP INDEX tls_edges_backend_id;
