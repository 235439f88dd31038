-- Both kinds of rows may be 1.9 MB long, so ids are looked up by an index on the id alone, as in 0004.

CREATE TABLE weighted_backends (
  id TEXT PRIMARY KEY NOT NULL,
  created_at TEXT NOT NULL,
  description TEXT,
  metadata TEXT,
  backends TEXT,
  version INTEGER NOT NULL DEFAULT 1,
  CONSTRAINT fits_in_a_row CHECK (octet_length(concat(description, metadata, backends)) <= 1900000)
) STRICT, WITHOUT ROWID;

CREATE INDEX weighted_backends_ids ON weighted_backends (id);

CREATE TABLE static_backends (
  id TEXT PRIMARY KEY NOT NULL,
  created_at TEXT NOT NULL,
  description TEXT,
  metadata TEXT,
  address TEXT NOT NULL,
  tls TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  CONSTRAINT fits_in_a_row CHECK (octet_length(concat(description, metadata)) <= 1900000)
) STRICT, WITHOUT ROWID;

CREATE INDEX static_backends_ids ON static_backends (id);
