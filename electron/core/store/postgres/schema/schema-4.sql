-- Version 4: the notes of changes lie in parts by the hour, each of which is emptied whole (upkeep/old-notes.ts); upkeep is of one
-- service at a time.

DROP TABLE IF EXISTS outcome;
-- What was made of a change whose answer was lost: the row of a change that was made says so. Who looks for it writes the same
-- row, as not stored, into each part: a change that had not been made then meets it, and never will be. A row is needed for less
-- than an hour (connection/in-doubt.ts).
CREATE TABLE outcome (
  lane smallint NOT NULL,
  -- The hour in which the change began, by the database's clock.
  part smallint NOT NULL DEFAULT (floor(extract(epoch FROM now()) / 3600)::bigint % 3),
  id uuid NOT NULL,
  stored boolean NOT NULL,
  PRIMARY KEY (lane, part, id)
) PARTITION BY LIST (part);
CREATE TABLE outcome_0 PARTITION OF outcome FOR VALUES IN (0);
CREATE TABLE outcome_1 PARTITION OF outcome FOR VALUES IN (1);
CREATE TABLE outcome_2 PARTITION OF outcome FOR VALUES IN (2);

-- Leases of upkeep, by its name: whose it is, and until when.
CREATE TABLE IF NOT EXISTS upkeep (
  name text PRIMARY KEY,
  holder uuid NOT NULL,
  until timestamptz NOT NULL
);

CREATE INDEX IF NOT EXISTS device_head_dropped ON device_head (lane, changed) WHERE dropped;
