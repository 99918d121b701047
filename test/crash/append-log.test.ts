import { fileURLToPath } from 'node:url';
import { openLog } from '#core/store/log/log.ts';
import { fullDiskSuite } from './full-disk-suite.ts';
import { killSuite } from './kill-suite.ts';

killSuite('append log, killed while it stores', {
  module: fileURLToPath(new URL('open-small-log.ts', import.meta.url)),
  name: 'openSmallLog',
});

// A write-ahead log in proportion to the disk: else all records would be in it, and a purge would free nothing at once.
fullDiskSuite('append log', (directory) => openLog({ directory, limits: { walBytes: 1 << 18 } }));
