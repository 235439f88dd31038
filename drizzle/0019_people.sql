CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` text NOT NULL,
	`token_sha256` text NOT NULL,
	`user_id` text,
	`key_id` text,
	`root_sha256` text,
	`role` text,
	`expires_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX `sessions_user_id` ON `sessions` (`user_id`) WHERE user_id is not null;
CREATE INDEX `sessions_expires_at` ON `sessions` (`expires_at`);
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` text NOT NULL,
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`email` text,
	`name` text,
	`role` text,
	`provider_role` text,
	`active` integer NOT NULL,
	`last_seen_at` text NOT NULL,
	`keys_expire_at` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX `users_issuer_subject` ON `users` (`issuer`,`subject`);
CREATE TABLE `hourly_counts` (
	`name` text PRIMARY KEY NOT NULL,
	`hour` integer NOT NULL,
	`count` integer NOT NULL
) STRICT, WITHOUT ROWID;
