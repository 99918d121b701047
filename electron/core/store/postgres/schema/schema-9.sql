-- Version 9: blocks may have columns of hexadecimal texts (core/store/blocks/block/text-writer.ts), which a service of version 8
-- takes for damage: from now on it stores nothing more (migrate.ts, OLDEST_WRITER). The tables are the same.
SELECT 1;
