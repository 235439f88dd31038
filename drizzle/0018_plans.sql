CREATE TABLE `plans` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`description` text,
	`state` text NOT NULL,
	`expires_at` text NOT NULL,
	`created_by` text NOT NULL,
	`maker` text NOT NULL,
	`applied_by` text,
	`operation_id` text,
	`deleted_at` integer NOT NULL,
	`operations` text NOT NULL,
	`sealed` text,
	`effect` text NOT NULL,
	`reads` text NOT NULL,
	`response` text
) STRICT, WITHOUT ROWID;

CREATE INDEX `plans_deleted_at` ON `plans` (`deleted_at`);
CREATE INDEX `plans_maker` ON `plans` (`maker`,`state`);
CREATE INDEX `plans_sealed` ON `plans` (`id`) WHERE sealed is not null;
CREATE INDEX `plans_state` ON `plans` (`state`,`id`);
