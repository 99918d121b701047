-- Version 5: services of two versions run beside each other during an update, and each says who it is.

-- The oldest version whose services may still write: those before it store nothing more (migrate.ts, core/lab/watch.ts).
ALTER TABLE schema_version ADD COLUMN IF NOT EXISTS oldest_writer integer NOT NULL DEFAULT 1;

-- Its machine and its own folder, for people; null of a service of version 4.
ALTER TABLE service ADD COLUMN IF NOT EXISTS name text;
