import { openLog } from '#core/store/log/log.ts';
import { recordStoreSuite } from '../../../suites/record-store.ts';

recordStoreSuite('the append log', (directory) => openLog({ directory }));

// Limits so small that everything moves to segments all the time.
recordStoreSuite('the append log with hardly any memory', (directory) =>
  openLog({
    directory,
    limits: { walBytes: 4096, segmentRows: 256, handles: 2, blockBytes: 1, summaryBytes: 1, lateRuns: 2 },
  }),
);
