-- On its way to a primary key SQLite reads whole rows, and these may be 1.9 MB long. Children are looked up by these instead.

CREATE INDEX failover_backends_ids ON failover_backends (id);
CREATE INDEX http_response_backends_ids ON http_response_backends (id);
