-- Lists are filtered by indexes. Metadata of backends may be long, and an entry is no longer than 4096 bytes.

CREATE INDEX tcp_edges_metadata ON tcp_edges (metadata) WHERE octet_length(metadata) <= 4096;
CREATE INDEX tls_edges_metadata ON tls_edges (metadata) WHERE octet_length(metadata) <= 4096;
CREATE INDEX https_edges_metadata ON https_edges (metadata) WHERE octet_length(metadata) <= 4096;
CREATE INDEX https_edge_routes_metadata ON https_edge_routes (edge_id, metadata) WHERE octet_length(metadata) <= 4096;
CREATE INDEX ip_policies_metadata ON ip_policies (metadata) WHERE octet_length(metadata) <= 4096;
CREATE INDEX ip_policy_rules_metadata ON ip_policy_rules (metadata) WHERE octet_length(metadata) <= 4096;
CREATE INDEX failover_backends_metadata ON failover_backends (metadata) WHERE octet_length(metadata) <= 4096;
CREATE INDEX http_response_backends_metadata ON http_response_backends (metadata) WHERE octet_length(metadata) <= 4096;
CREATE INDEX weighted_backends_metadata ON weighted_backends (metadata) WHERE octet_length(metadata) <= 4096;
CREATE INDEX static_backends_metadata ON static_backends (metadata) WHERE octet_length(metadata) <= 4096;
CREATE INDEX certificate_authorities_metadata ON certificate_authorities (metadata) WHERE octet_length(metadata) <= 4096;
CREATE INDEX event_destinations_metadata ON event_destinations (metadata) WHERE octet_length(metadata) <= 4096;
CREATE INDEX event_subscriptions_metadata ON event_subscriptions (metadata) WHERE octet_length(metadata) <= 4096;
CREATE INDEX api_keys_metadata ON api_keys (metadata) WHERE octet_length(metadata) <= 4096;

-- What edges are found by is in the table of uses: their hostports, in lower case, are there beside the ids of what they
-- refer to. Edges managed elsewhere, which no list has, refer to the same authorities: an index has only those that lists have.

ALTER TABLE uses ADD listed INTEGER;
CREATE INDEX uses_listed ON uses (target, user) WHERE listed IS NOT NULL;

INSERT OR IGNORE INTO uses (target, user) SELECT lower(value), tcp_edges.id FROM tcp_edges, json_each(hostports) WHERE value IS NOT NULL;
INSERT OR IGNORE INTO uses (target, user) SELECT lower(value), tls_edges.id FROM tls_edges, json_each(hostports) WHERE value IS NOT NULL;
INSERT OR IGNORE INTO uses (target, user) SELECT lower(value), https_edges.id FROM https_edges, json_each(hostports) WHERE value IS NOT NULL;
UPDATE uses SET listed = 1 WHERE listed IS NULL AND target GLOB 'ca_*' AND user IN (SELECT id FROM https_edges WHERE created_at IS NOT NULL);
