CREATE TABLE event_subscriptions (
  id TEXT PRIMARY KEY NOT NULL,
  created_at TEXT NOT NULL,
  description TEXT,
  metadata TEXT,
  sources TEXT,
  destination_ids TEXT,
  version INTEGER NOT NULL DEFAULT 1
) STRICT, WITHOUT ROWID;

-- Destinations are looked up a thousand at a time, and their targets may be long: see 0004.

CREATE INDEX event_destinations_ids ON event_destinations (id);

-- A source is created at a version of its subscription, which is rarely the first.

ALTER TABLE idempotency_records ADD version INTEGER NOT NULL DEFAULT 1;
