import { openLog } from '#core/store/log/log.ts';
import { recordStoreSuite } from '../../../suites/record-store.ts';

recordStoreSuite('the append log', { open: openLog, supports: { durable: true, threads: true } });

// Limits so small that everything moves to segments all the time, or is carried on in the log.
const limits = {
  walBytes: 4096,
  segmentRows: 256,
  handles: 2,
  blockBytes: 1,
  summaryBytes: 1,
  lateRuns: 2,
  manyDevices: 0,
  fewRows: 20,
  roundFiles: 1,
};
recordStoreSuite('the append log with hardly any memory', {
  open: (options) => openLog({ ...options, limits }),
  supports: { durable: true, threads: true },
});
