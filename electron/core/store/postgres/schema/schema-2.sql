-- Version 2: who compares what a device has with what it is sent finds out whether another one stored meanwhile.

-- Goes up with each batch that is committed, and each time that records are removed or put back.
ALTER TABLE device_head ADD COLUMN IF NOT EXISTS revision bigint NOT NULL DEFAULT 0;
