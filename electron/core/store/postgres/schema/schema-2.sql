-- Version 2: who compares what a device has with what it is sent finds out whether another one stored meanwhile, and who was
-- let in by one service is in at all of them.

-- Goes up with each batch that is committed, and each time that records are removed or put back.
ALTER TABLE device_head ADD COLUMN IF NOT EXISTS revision bigint NOT NULL DEFAULT 0;

-- Who may open the console (core/lab/database-tickets.ts): hashes of what a browser shows.
CREATE TABLE IF NOT EXISTS ticket (
  -- Of a ticket that waits for its use, or of the cookie that it turned into.
  hash bytea PRIMARY KEY,
  -- What came with the cookie; null for a ticket.
  secret bytea,
  made timestamptz NOT NULL,
  until timestamptz NOT NULL
);
