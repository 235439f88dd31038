CREATE TABLE `api_restrictions` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` text NOT NULL,
	`enabled` integer NOT NULL,
	`ip_policy_ids` text NOT NULL,
	`roles` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
) STRICT, WITHOUT ROWID;
