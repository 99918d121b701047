-- Version 3: metadata have a budget of bytes (core/store/metadata/budget.ts), so sums of them are kept up with every change.
-- A row weighs what its line in metadata.json would: itself, its id in quotes, a colon, a comma, a line feed.

ALTER TABLE metadata_state ADD COLUMN IF NOT EXISTS bytes bigint NOT NULL DEFAULT 0;
UPDATE metadata_state
  SET bytes = (SELECT coalesce(sum(octet_length(body) + octet_length(id) + 5), 0)::bigint FROM metadata_row);

CREATE TABLE IF NOT EXISTS metadata_weight (
  project_id text PRIMARY KEY,
  bytes bigint NOT NULL
);
INSERT INTO metadata_weight (project_id, bytes)
  SELECT coalesce(project_id, id), sum(octet_length(body) + octet_length(id) + 5)::bigint FROM metadata_row
    WHERE project_id IS NOT NULL OR kind = 'projects' GROUP BY 1
  ON CONFLICT (project_id) DO UPDATE SET bytes = excluded.bytes;
