CREATE TABLE `agent_certificates` (
	`agent` text PRIMARY KEY NOT NULL,
	`digest` text NOT NULL,
	`left_out` integer NOT NULL,
	`ends_at` integer,
	`ending_from` integer,
	`certificates` text NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX `agent_certificates_ending_from` ON `agent_certificates` (`ending_from`) WHERE ending_from is not null;
CREATE TABLE `certificate_notices` (
	`not_after` text NOT NULL,
	`host` text NOT NULL,
	`serial` text NOT NULL,
	`days` integer NOT NULL,
	PRIMARY KEY(`not_after`, `host`, `serial`, `days`)
) STRICT, WITHOUT ROWID;
