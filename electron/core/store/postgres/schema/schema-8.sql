-- Version 8: the audit trail (core/store/postgres/metadata/database-trail.ts). A service of version 7 would change things without telling
-- it: from now on it stores nothing more (migrate.ts, OLDEST_WRITER).

-- A line of JSON each, without its line feed; it holds the SHA-256 of the one before.
CREATE TABLE IF NOT EXISTS audit_line (
  n bigint PRIMARY KEY,
  line text NOT NULL
);

-- Number and SHA-256 of the last one: a line that is gone from the end is missed.
ALTER TABLE metadata_state ADD COLUMN IF NOT EXISTS trail_n bigint NOT NULL DEFAULT 0;
ALTER TABLE metadata_state ADD COLUMN IF NOT EXISTS trail_hash text NOT NULL
  DEFAULT '0000000000000000000000000000000000000000000000000000000000000000';
