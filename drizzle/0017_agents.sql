CREATE TABLE `agents` (
	`name` text PRIMARY KEY NOT NULL,
	`key_id` text NOT NULL,
	`last_seen` integer NOT NULL,
	`applied_version` integer,
	`ok` integer NOT NULL,
	`error` text,
	`problems` text NOT NULL,
	`proxy` text
) STRICT, WITHOUT ROWID;
