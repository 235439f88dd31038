-- HTTPS edges and their routes become objects of this service. A row without created_at has, as before, the modules of an
-- edge or route that is managed elsewhere.

ALTER TABLE https_edges ADD created_at TEXT;
ALTER TABLE https_edges ADD description TEXT;
ALTER TABLE https_edges ADD metadata TEXT;
ALTER TABLE https_edges ADD hostports TEXT;
ALTER TABLE https_edges ADD tls_termination TEXT;
ALTER TABLE https_edges ADD routes_bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE https_edges ADD routes_refs INTEGER NOT NULL DEFAULT 0;

CREATE INDEX https_edges_objects ON https_edges (id) WHERE created_at IS NOT NULL;

ALTER TABLE https_edge_routes ADD description TEXT;
ALTER TABLE https_edge_routes ADD metadata TEXT;
ALTER TABLE https_edge_routes ADD match_type TEXT;
ALTER TABLE https_edge_routes ADD match TEXT;
ALTER TABLE https_edge_routes ADD backend TEXT;
ALTER TABLE https_edge_routes ADD ip_restriction TEXT;
ALTER TABLE https_edge_routes ADD traffic_policy TEXT;
ALTER TABLE https_edge_routes ADD response_headers TEXT;
ALTER TABLE https_edge_routes ADD compression TEXT;
ALTER TABLE https_edge_routes ADD user_agent_filter TEXT;
ALTER TABLE https_edge_routes ADD webhook_verification TEXT;
-- GET of an edge shows up to 100 routes, so each is small. Modules of routes managed elsewhere only have to fit in a row.
ALTER TABLE https_edge_routes ADD created_at TEXT CONSTRAINT route_fits CHECK (octet_length(concat(description, metadata, match, backend, circuit_breaker, compression, ip_restriction, request_headers, response_headers, traffic_policy, user_agent_filter, webhook_verification, websocket_tcp_converter)) <= iif(created_at IS NULL, 1900000, 65536));

-- Resealing goes through the secrets of all routes, and reads no others.
CREATE INDEX https_edge_routes_webhooks ON https_edge_routes (edge_id, id) WHERE webhook_verification IS NOT NULL;
