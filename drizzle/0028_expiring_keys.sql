CREATE INDEX `api_keys_expires_at` ON `api_keys` (`expires_at`) WHERE expires_at is not null;
