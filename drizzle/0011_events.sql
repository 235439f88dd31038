-- The log of changes. It has a rowid, unlike all other tables: seq is given in the order of commits by the one writer.

CREATE TABLE events (
  seq INTEGER PRIMARY KEY NOT NULL,
  type TEXT NOT NULL,
  object_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  salt BLOB NOT NULL,
  operation_id TEXT NOT NULL,
  principal TEXT NOT NULL,
  origin TEXT NOT NULL,
  object TEXT NOT NULL
) STRICT;

-- Finds what happened to an object.

CREATE INDEX events_object ON events (object_id);

ALTER TABLE event_subscriptions ADD since TEXT;

CREATE TABLE cursors (
  destination_id TEXT PRIMARY KEY NOT NULL,
  position INTEGER NOT NULL,
  holes TEXT,
  lease TEXT,
  leased_until INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  failing_since INTEGER,
  suspended INTEGER NOT NULL DEFAULT 0,
  delivered INTEGER NOT NULL DEFAULT 0,
  lost INTEGER NOT NULL DEFAULT 0,
  last_attempt_at INTEGER,
  last_delivered_at INTEGER,
  last_error TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE dead_letters (
  destination_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  error TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (destination_id, seq)
) STRICT, WITHOUT ROWID;
