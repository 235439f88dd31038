-- Rules may end. The index finds those that have, and has no others.

ALTER TABLE ip_policy_rules ADD expires_at TEXT;
CREATE INDEX ip_policy_rules_expires_at ON ip_policy_rules (expires_at) WHERE expires_at IS NOT NULL;
