import { createMemoryRecordStore } from '../../helpers/store/memory-record-store.ts';
import { recordStoreSuite } from '../../suites/record-store.ts';

recordStoreSuite('memory model', {
  open: async () => createMemoryRecordStore(),
  supports: { durable: false, threads: false },
});
