-- What only PostgreSQL knows of the tables of a lab, for its owner to run once, after the first service has started:
--   psql postgres://fieldbench@host/fieldbench -f deploy/postgres.sql
-- Nothing depends on it: it saves room and work. It may be run again.

-- The rows that change most: room beside them, so that no index is touched.
ALTER TABLE device_head SET (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02);
-- Entries come and go with each seal: cleaned early, and by their number, not by a share of what there was.
ALTER TABLE tail SET (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0.05
);
-- Blocks are packed already, and read whole: stored apart, and not packed again.
ALTER TABLE block ALTER COLUMN bytes SET STORAGE EXTERNAL;
-- Signs of life, each second.
ALTER TABLE service SET (fillfactor = 50);
ALTER TABLE under_way SET (fillfactor = 50);
ALTER TABLE job SET (fillfactor = 50);
