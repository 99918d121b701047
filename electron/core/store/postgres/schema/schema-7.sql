-- Version 7: metadata_row has rows of two further kinds, corrections and correction_history. Nothing is made for them; but a service of
-- version 6 would delete a device, or move it to another project, without them, so it stores nothing more (OLDEST_WRITER of migrate.ts).

SELECT 1;
