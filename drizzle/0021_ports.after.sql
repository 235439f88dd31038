-- Edges are found by their ports, too, which are in uses beside their hostports. To be applied once the code that keeps them there is
-- deployed. Whatever the table of uses has of hostports is made to agree with the edges.

INSERT OR IGNORE INTO uses (target, user) SELECT lower(value), tcp_edges.id FROM tcp_edges, json_each(hostports) WHERE value IS NOT NULL;
INSERT OR IGNORE INTO uses (target, user) SELECT substr(value, instr(value, ']') + instr(substr(value, instr(value, ']') + 1), ':')), tcp_edges.id FROM tcp_edges, json_each(hostports) WHERE value IS NOT NULL;
INSERT OR IGNORE INTO uses (target, user) SELECT lower(value), tls_edges.id FROM tls_edges, json_each(hostports) WHERE value IS NOT NULL;
INSERT OR IGNORE INTO uses (target, user) SELECT substr(value, instr(value, ']') + instr(substr(value, instr(value, ']') + 1), ':')), tls_edges.id FROM tls_edges, json_each(hostports) WHERE value IS NOT NULL;
INSERT OR IGNORE INTO uses (target, user) SELECT lower(value), https_edges.id FROM https_edges, json_each(hostports) WHERE value IS NOT NULL;
INSERT OR IGNORE INTO uses (target, user) SELECT substr(value, instr(value, ']') + instr(substr(value, instr(value, ']') + 1), ':')), https_edges.id FROM https_edges, json_each(hostports) WHERE value IS NOT NULL;
UPDATE uses SET listed = 1 WHERE listed IS NULL AND target GLOB 'ca_*' AND user IN (SELECT id FROM https_edges WHERE created_at IS NOT NULL);

DELETE FROM uses WHERE target GLOB '?*:*' AND (target, user) NOT IN (SELECT lower(value), tcp_edges.id FROM tcp_edges, json_each(hostports) WHERE value IS NOT NULL UNION ALL SELECT lower(value), tls_edges.id FROM tls_edges, json_each(hostports) WHERE value IS NOT NULL UNION ALL SELECT lower(value), https_edges.id FROM https_edges, json_each(hostports) WHERE value IS NOT NULL);
DELETE FROM uses WHERE target GLOB ':*' AND (target, user) NOT IN (SELECT substr(value, instr(value, ']') + instr(substr(value, instr(value, ']') + 1), ':')), tcp_edges.id FROM tcp_edges, json_each(hostports) WHERE value IS NOT NULL UNION ALL SELECT substr(value, instr(value, ']') + instr(substr(value, instr(value, ']') + 1), ':')), tls_edges.id FROM tls_edges, json_each(hostports) WHERE value IS NOT NULL UNION ALL SELECT substr(value, instr(value, ']') + instr(substr(value, instr(value, ']') + 1), ':')), https_edges.id FROM https_edges, json_each(hostports) WHERE value IS NOT NULL);
