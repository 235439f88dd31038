ALTER TABLE `certificate_orders` ADD `looks` integer DEFAULT 0 NOT NULL;
