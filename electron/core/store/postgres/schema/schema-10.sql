-- Version 10: metadata_row has rows of a further kind, alarms, which are found by their rule, too; a function may have no device. A service of
-- version 9 would delete a device, or move it to another project, without its alarms, so it stores nothing more (OLDEST_WRITER of
-- migrate.ts).

ALTER TABLE metadata_row ADD COLUMN IF NOT EXISTS function_id text;
CREATE INDEX IF NOT EXISTS metadata_row_function ON metadata_row (function_id, sequence) WHERE function_id IS NOT NULL;
