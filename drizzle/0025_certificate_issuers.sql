CREATE TABLE `certificate_issuers` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` text NOT NULL,
	`description` text,
	`metadata` text,
	`directory_url` text NOT NULL,
	`contact` text,
	`terms_of_service_agreed` integer NOT NULL,
	`hosts` text NOT NULL,
	`agents` text NOT NULL,
	`external_account` text,
	`account_key` text NOT NULL,
	`thumbprint` text NOT NULL,
	`account_uri` text,
	`caa_identities` text,
	`last_error` text,
	`version` integer DEFAULT 1 NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX `certificate_issuers_metadata` ON `certificate_issuers` (`metadata`) WHERE octet_length(metadata) <= 4096;
CREATE TABLE `certificate_orders` (
	`agent` text NOT NULL,
	`host` text NOT NULL,
	`issuer_id` text NOT NULL,
	`csr` text NOT NULL,
	`key_id` text NOT NULL,
	`state` text NOT NULL,
	`asked_at` integer NOT NULL,
	`order_url` text,
	`looks` integer DEFAULT 0 NOT NULL,
	`lease` text,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer,
	`last_error` text,
	`serial` text,
	`not_before` integer,
	`not_after` integer,
	`renews_at` integer,
	`ari` text,
	`replaces` text,
	`chain` text,
	PRIMARY KEY(`agent`, `host`)
) STRICT, WITHOUT ROWID;

CREATE INDEX `certificate_orders_issuer_id` ON `certificate_orders` (`issuer_id`,`host`);
CREATE INDEX `certificate_orders_next_attempt_at` ON `certificate_orders` (`next_attempt_at`);
