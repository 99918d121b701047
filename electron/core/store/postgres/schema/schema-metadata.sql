-- Version 1: accounts, projects, devices, keys and what belongs to them (core/store/postgres/metadata/).
-- A row is JSON in the form of core/store/metadata/metadata-schema.ts; the columns beside it are what it is found by.

CREATE TABLE IF NOT EXISTS metadata_state (
  one smallint PRIMARY KEY,
  installation_id text NOT NULL,
  default_account_id text NOT NULL,
  -- The sequence of the next row made. Whoever changes metadata holds this row: changes are made one after the other.
  next_sequence bigint NOT NULL,
  -- Goes up with every change: what was read of one version holds as long as this is the same.
  version bigint NOT NULL DEFAULT 1
);

CREATE TABLE IF NOT EXISTS metadata_row (
  kind text NOT NULL,
  id text NOT NULL,
  sequence bigint NOT NULL,
  account_id text,
  project_id text,
  devices text[] NOT NULL,
  role text,
  hash text,
  body text NOT NULL,
  PRIMARY KEY (kind, id)
);
CREATE INDEX IF NOT EXISTS metadata_row_account ON metadata_row (kind, account_id, sequence);
CREATE INDEX IF NOT EXISTS metadata_row_project ON metadata_row (kind, project_id, sequence);
CREATE INDEX IF NOT EXISTS metadata_row_hash ON metadata_row (hash, kind);
CREATE INDEX IF NOT EXISTS metadata_row_devices ON metadata_row USING gin (devices);

CREATE TABLE IF NOT EXISTS metadata_deletion (
  place bigint PRIMARY KEY,
  kind text NOT NULL,
  project_id text NOT NULL,
  device_id text,
  body text NOT NULL
);

-- Secrets, sealed by a key that no database holds (core/lab/database-vault.ts).
CREATE TABLE IF NOT EXISTS vault_key (
  one smallint PRIMARY KEY,
  -- Null where the key comes from a file.
  salt bytea,
  cost int,
  -- A known text, sealed: what opens it is the right key.
  sealed bytea NOT NULL
);

CREATE TABLE IF NOT EXISTS secret (
  name text COLLATE "C" PRIMARY KEY,
  sealed bytea NOT NULL
);

-- Services that are up, and what they have under way (core/lab/heartbeat.ts, core/lab/database-work.ts). Times are the database's.
CREATE TABLE IF NOT EXISTS service (
  id text PRIMARY KEY,
  seen timestamptz NOT NULL
);

CREATE TABLE IF NOT EXISTS job (
  id text PRIMARY KEY,
  service_id text NOT NULL,
  started timestamptz NOT NULL,
  body text NOT NULL,
  cancelled boolean NOT NULL DEFAULT false
);

-- Work that is under way, for not doing it twice.
CREATE TABLE IF NOT EXISTS under_way (
  name text NOT NULL,
  service_id text NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (name, service_id)
);

-- Lines that all services remember together (core/lab/database-lines.ts).
CREATE TABLE IF NOT EXISTS remembered (
  name text NOT NULL,
  line int NOT NULL,
  version int NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (name, line)
);

CREATE TABLE IF NOT EXISTS key_use (
  key_id text PRIMARY KEY,
  used bigint NOT NULL
);
