CREATE TABLE `traffic` (
	`agent` text NOT NULL,
	`resolution` integer NOT NULL,
	`slot` integer NOT NULL,
	`at` integer NOT NULL,
	`lost` integer NOT NULL,
	`totals` text NOT NULL,
	`other` text,
	`upstreams` text,
	`objects` text NOT NULL,
	PRIMARY KEY(`agent`, `resolution`, `slot`)
) STRICT, WITHOUT ROWID;
