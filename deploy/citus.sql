-- Spreads a lab over the nodes of a Citus, for its owner to run once on the coordinator, after the first service has
-- started and before there are records. Whatever has a lane lies on the node of its lane; all else is small, and on
-- every node. One PostgreSQL needs none of this (docs/lab.md, "Growth").
CREATE EXTENSION IF NOT EXISTS citus;
SELECT create_distributed_table('device_head', 'lane', shard_count => 32);
SELECT create_distributed_table(name, 'lane', colocate_with => 'device_head')
  FROM unnest('{device_key,tail,segment,segment_key,block,staging,receipt,kept,outcome}'::text[]) AS name;
SELECT create_reference_table(name)
  FROM unnest('{metadata_state,metadata_row,metadata_deletion,vault_key,secret,ticket,service,job,under_way,remembered,key_use,schema_version}'::text[]) AS name;
-- After a node has come (SELECT citus_add_node('host', 5432);), lanes move to it while all goes on:
--   SELECT citus_rebalance_start();
