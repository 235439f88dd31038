-- An address is looked up in each network that it lies in, and a rule that has ended is not even read. Rules of one policy are
-- listed by the index that there is: this one begins with the network, so that SQLite does not take it for that.

CREATE INDEX ip_policy_rules_matches ON ip_policy_rules (cidr, ip_policy_id, action, ifnull(expires_at, 'never'));
