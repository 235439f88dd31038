-- Subscriptions that the code before this made, and their destinations: they get every event there is.

UPDATE event_subscriptions SET since = (SELECT json_group_object(value, 0) FROM (SELECT value FROM json_each(sources) UNION ALL SELECT value FROM json_each(destination_ids))) WHERE since IS NULL;

INSERT OR IGNORE INTO cursors (destination_id, position) SELECT DISTINCT target, 0 FROM uses WHERE user GLOB 'esb_*';
