-- Version 1: what the record store keeps. Plain SQL of the wire family of PostgreSQL: no trigger, no extension, no
-- sequence. Whatever has a lane lies, under Citus, on the node of that lane; every primary key begins with it.
-- What only PostgreSQL or Citus knows (storage, autovacuum, distribution) is in deploy/.

-- What was made of a change whose answer was lost. The row of a change that was made says so; one that was not yet made
-- when somebody looked never will be: it would meet the row that says that.
CREATE TABLE IF NOT EXISTS outcome (
  lane smallint NOT NULL,
  id uuid NOT NULL,
  stored boolean NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (lane, id)
);

-- A device: the only row for which its writers wait on each other.
CREATE TABLE IF NOT EXISTS device_head (
  lane smallint NOT NULL,
  device_id text COLLATE "C" NOT NULL,
  retired boolean NOT NULL DEFAULT false,
  -- Counts removals of everything: what has another generation is not there.
  generation integer NOT NULL DEFAULT 1,
  -- Counts what moved between tail and segments: what caches compare.
  version bigint NOT NULL DEFAULT 1,
  -- The order of arrival, of entries and segments alike.
  next_seq bigint NOT NULL DEFAULT 1,
  rows bigint NOT NULL DEFAULT 0,
  tail_rows integer NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  -- µs; null for never.
  last_seen bigint,
  purged_at bigint,
  PRIMARY KEY (lane, device_id)
);

-- What arrived since the last seal: an entry is a payload of the write-ahead log (docs/storage-format.md).
CREATE TABLE IF NOT EXISTS tail (
  lane smallint NOT NULL,
  device_id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  generation integer NOT NULL,
  rows integer NOT NULL,
  entry bytea NOT NULL,
  PRIMARY KEY (lane, device_id, seq)
);

-- A run of blocks, oldest record first; never changed once it is live. A generation of 0 is a batch that is not committed.
CREATE TABLE IF NOT EXISTS segment (
  lane smallint NOT NULL,
  device_id text COLLATE "C" NOT NULL,
  segment_id uuid NOT NULL,
  generation integer NOT NULL,
  -- Its place in the order of arrival.
  age bigint NOT NULL,
  batch_id uuid,
  rows bigint NOT NULL,
  bytes bigint NOT NULL,
  first bigint NOT NULL,
  last bigint NOT NULL,
  -- The table of its blocks; what it calls an offset is the number of the block in the segment.
  blocks bytea NOT NULL,
  PRIMARY KEY (lane, device_id, segment_id)
);

-- What a segment knows of a key, block by block.
CREATE TABLE IF NOT EXISTS segment_key (
  lane smallint NOT NULL,
  device_id text COLLATE "C" NOT NULL,
  segment_id uuid NOT NULL,
  -- UTF-16, little end first: a key may hold what no text of a database can.
  key bytea NOT NULL,
  summary bytea NOT NULL,
  PRIMARY KEY (lane, device_id, segment_id, key)
);

CREATE TABLE IF NOT EXISTS block (
  lane smallint NOT NULL,
  device_id text COLLATE "C" NOT NULL,
  segment_id uuid NOT NULL,
  number integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (lane, device_id, segment_id, number)
);

-- What was stored with a receipt is not stored again.
CREATE TABLE IF NOT EXISTS receipt (
  lane smallint NOT NULL,
  device_id text COLLATE "C" NOT NULL,
  receipt text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (lane, device_id, receipt)
);
