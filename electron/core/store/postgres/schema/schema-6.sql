-- Version 6: a service whose clock is off is known to the others. One of version 5 beside it says it of itself alone.

-- How many ms its clock is ahead of the database's, where that is more than may be (core/lab/server-settings.ts); null where it is right.
ALTER TABLE service ADD COLUMN IF NOT EXISTS ahead_ms bigint;
