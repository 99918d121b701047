-- Version 5: services of two versions run beside each other during an update, and each says who it is. They forget what was changed by
-- its name, not all that they remember (core/store/postgres/metadata/change-log.ts).

-- The oldest version whose services may still write: those before it store nothing more (migrate.ts, core/lab/watch.ts).
ALTER TABLE schema_version ADD COLUMN IF NOT EXISTS oldest_writer integer NOT NULL DEFAULT 1;

-- Its machine and its own folder, for people; null of a service of version 4.
ALTER TABLE service ADD COLUMN IF NOT EXISTS name text;

-- A row for each version that a change made, for the last thousand of them. A version without a row is one of a service of the
-- schema before: what it changed nobody can say.
CREATE TABLE IF NOT EXISTS metadata_change (
  version bigint PRIMARY KEY,
  -- SHA-256 of the API keys and tokens that do not stand for the same any more, one behind the other; null: of any.
  hashes bytea,
  -- Projects of which all tokens do not stand for the same any more.
  projects text[] NOT NULL
);
