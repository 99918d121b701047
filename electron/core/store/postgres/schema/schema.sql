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

-- A device: the only row for which its writers wait on each other. Once there, it stays a while after the device went.
CREATE TABLE IF NOT EXISTS device_head (
  lane smallint NOT NULL,
  device_id text COLLATE "C" NOT NULL,
  -- Another one each time that the device begins anew: what was begun before is void.
  epoch bigint NOT NULL,
  -- The store that refuses what is to be written to it; null for none.
  retired_by uuid,
  dropped boolean NOT NULL DEFAULT false,
  changed timestamptz NOT NULL DEFAULT now(),
  -- Counts what moved between tail and segments: what caches compare.
  version bigint NOT NULL DEFAULT 1,
  -- The order of arrival, of entries and segments alike.
  next_seq bigint NOT NULL DEFAULT 1,
  next_block bigint NOT NULL DEFAULT 1,
  -- Of tail and segments together.
  rows bigint NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  first bigint,
  last bigint,
  tail_rows integer NOT NULL DEFAULT 0,
  -- µs; null for never.
  last_seen bigint,
  purged_at bigint,
  -- Goes up when device_key may lack what it had: who knew its keys looks again.
  key_epoch integer NOT NULL DEFAULT 1,
  PRIMARY KEY (lane, device_id)
);

-- The distinct keys of a device, and maybe some that no record has any more: they are limited.
CREATE TABLE IF NOT EXISTS device_key (
  lane smallint NOT NULL,
  device_id text COLLATE "C" NOT NULL,
  -- UTF-16, the low byte first: a key may hold what no text of a database can.
  key bytea NOT NULL,
  PRIMARY KEY (lane, device_id, key)
);

-- What arrived since the last seal. Kind 1: records as they came, 2: whole blocks (store/blocks/block/record-bytes.ts).
CREATE TABLE IF NOT EXISTS tail (
  lane smallint NOT NULL,
  device_id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  kind smallint NOT NULL,
  entry bytea NOT NULL,
  PRIMARY KEY (lane, device_id, seq)
);

-- A sorted run of blocks; never changed but for its state. 1: live, 2: removed and kept under a name, 3: gone, and its
-- blocks are removed once nobody can read them any more.
CREATE TABLE IF NOT EXISTS segment (
  lane smallint NOT NULL,
  device_id text COLLATE "C" NOT NULL,
  segment_id bigint NOT NULL,
  state smallint NOT NULL,
  kept text COLLATE "C",
  gone_at timestamptz,
  -- Its place in the order of arrival.
  age bigint NOT NULL,
  rows bigint NOT NULL,
  bytes bigint NOT NULL,
  first bigint NOT NULL,
  last bigint NOT NULL,
  received bigint NOT NULL,
  -- Its BlockTable; what that calls an offset is a block_id.
  blocks bytea NOT NULL,
  -- Of one that is gone: the blocks that no other segment has; null for all of them.
  orphans bigint[],
  PRIMARY KEY (lane, device_id, segment_id)
);
CREATE INDEX IF NOT EXISTS segment_gone ON segment (lane, gone_at) WHERE state = 3;

-- What a segment knows of a key, block by block: a KeyTable.
CREATE TABLE IF NOT EXISTS segment_key (
  lane smallint NOT NULL,
  device_id text COLLATE "C" NOT NULL,
  segment_id bigint NOT NULL,
  key bytea NOT NULL,
  cells bigint NOT NULL,
  numeric_cells bigint NOT NULL,
  summary bytea NOT NULL,
  PRIMARY KEY (lane, device_id, segment_id, key)
);

-- Up to 1,024 records as columns, with a checksum (docs/storage-format.md, "Blocks"); never changed.
CREATE TABLE IF NOT EXISTS block (
  lane smallint NOT NULL,
  device_id text COLLATE "C" NOT NULL,
  block_id bigint NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (lane, device_id, block_id)
);

-- Blocks [from_block, to_block) that are being written for segments that are not there yet. Who writes them says so again
-- and again; what was silent for long is removed.
CREATE TABLE IF NOT EXISTS staging (
  lane smallint NOT NULL,
  device_id text COLLATE "C" NOT NULL,
  staging_id uuid NOT NULL,
  from_block bigint NOT NULL,
  to_block bigint NOT NULL,
  seen timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (lane, device_id, staging_id, from_block)
);

-- What was stored with a receipt is not stored again.
CREATE TABLE IF NOT EXISTS receipt (
  lane smallint NOT NULL,
  device_id text COLLATE "C" NOT NULL,
  receipt text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (lane, device_id, receipt)
);

-- What was removed and may come back: the segments of that name. `purged_at`, `purged_before`: of a purge.
CREATE TABLE IF NOT EXISTS kept (
  lane smallint NOT NULL,
  device_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  is_purge boolean NOT NULL,
  purged_at bigint,
  purged_before bigint,
  PRIMARY KEY (lane, device_id, name)
);
