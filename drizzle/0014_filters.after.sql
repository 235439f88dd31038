-- To be applied once the code that keeps hostports in uses is deployed: what the code before it wrote since 0013 is brought
-- over, and what it left behind is deleted.

INSERT OR IGNORE INTO uses (target, user) SELECT lower(value), tcp_edges.id FROM tcp_edges, json_each(hostports) WHERE value IS NOT NULL;
INSERT OR IGNORE INTO uses (target, user) SELECT lower(value), tls_edges.id FROM tls_edges, json_each(hostports) WHERE value IS NOT NULL;
INSERT OR IGNORE INTO uses (target, user) SELECT lower(value), https_edges.id FROM https_edges, json_each(hostports) WHERE value IS NOT NULL;
UPDATE uses SET listed = 1 WHERE listed IS NULL AND target GLOB 'ca_*' AND user IN (SELECT id FROM https_edges WHERE created_at IS NOT NULL);

DELETE FROM uses WHERE target GLOB '*:*' AND (target, user) NOT IN (SELECT lower(value), tcp_edges.id FROM tcp_edges, json_each(hostports) WHERE value IS NOT NULL UNION ALL SELECT lower(value), tls_edges.id FROM tls_edges, json_each(hostports) WHERE value IS NOT NULL UNION ALL SELECT lower(value), https_edges.id FROM https_edges, json_each(hostports) WHERE value IS NOT NULL);
