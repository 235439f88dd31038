CREATE TABLE `traffic_hours` (
	`at` integer NOT NULL,
	`object_id` text NOT NULL,
	`agents` integer NOT NULL,
	`complete` integer,
	`lost` integer,
	`counted` text NOT NULL,
	PRIMARY KEY(`at`, `object_id`)
) STRICT, WITHOUT ROWID;
