CREATE TABLE certificate_authorities (
  id TEXT PRIMARY KEY NOT NULL,
  created_at TEXT NOT NULL,
  description TEXT,
  metadata TEXT,
  ca_pem TEXT NOT NULL,
  subject_common_name TEXT,
  not_before TEXT NOT NULL,
  not_after TEXT NOT NULL,
  key_usages TEXT NOT NULL,
  extended_key_usages TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1
) STRICT, WITHOUT ROWID;
