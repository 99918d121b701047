-- Spreads a lab over the nodes of a Citus, for its owner to run once on the coordinator, after the first service has
-- started and postgres.sql was run, and before there are records. Start it again afterwards: a service looks at its start whether
-- it is on Citus. One PostgreSQL needs none of this (docs/lab.md, "Growth").
-- Before it, each node has the database and in it the extension, and on the coordinator a superuser has named them all:
--   SELECT citus_set_coordinator_host('coordinator');
--   SELECT citus_add_node('worker-1', 5432), citus_add_node('worker-2', 5432);
-- Each node has the role of the services, too (createuser fieldbench, the same password), lets the others in by its pg_hba.conf, and
-- finds the password for them in ~/.pgpass of the user postgres. (Nodes that were tried trusted one another.)
-- What was acknowledged while a node went is seen once Citus has looked for it, which it does each minute:
--   ALTER SYSTEM SET citus.recover_2pc_interval = '1s'; SELECT pg_reload_conf();
CREATE EXTENSION IF NOT EXISTS citus;
-- Whatever has a lane lies on the node of its lane. Lanes are numbered so that each of 32 shards has eight of them
-- (core/store/postgres/rows/place.ts). What comes for a shard meanwhile is committed together: keep their number.
SELECT create_distributed_table('device_head', 'lane', shard_count => 32);
SELECT create_distributed_table(name, 'lane', colocate_with => 'device_head')
  FROM unnest('{device_key,tail,segment,segment_key,block,staging,receipt,kept,outcome}'::text[]) AS name;
-- All else is small, and stays on the coordinator, where Citus knows of it: a change of it and of a lane is made on both
-- nodes or on none. As copies on all nodes, each sign of life would be a change of every node, and fail while one is away.
SELECT citus_add_local_table_to_metadata(name)
  FROM unnest('{metadata_state,audit_line,metadata_row,metadata_change,metadata_weight,metadata_deletion,vault_key,secret,ticket,service,job,under_way,remembered,key_use,upkeep,schema_version}'::text[]) AS name;
-- After a node has come (SELECT citus_add_node('host', 5432);), lanes move to it while all goes on:
--   SELECT citus_rebalance_start();
