ALTER TABLE `cursors` ADD `rejected` integer DEFAULT 0 NOT NULL;
ALTER TABLE `cursors` ADD `rejected_in_a_row` integer DEFAULT 0 NOT NULL;
