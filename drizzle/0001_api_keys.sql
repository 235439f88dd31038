CREATE TABLE api_keys (
  id TEXT PRIMARY KEY NOT NULL,
  created_at TEXT NOT NULL,
  description TEXT,
  metadata TEXT,
  owner_id TEXT,
  role TEXT NOT NULL,
  expires_at TEXT,
  last_used_at TEXT,
  token_sha256 TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX api_keys_owner_id ON api_keys (owner_id) WHERE owner_id IS NOT NULL;
