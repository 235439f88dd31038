ALTER TABLE `agents` ADD `edges` text;
