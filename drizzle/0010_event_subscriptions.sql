-- A source is created at a version of its subscription, which is rarely the first.

ALTER TABLE idempotency_records ADD version INTEGER NOT NULL DEFAULT 1;
