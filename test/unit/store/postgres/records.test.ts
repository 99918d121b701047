import { describe } from 'vitest';
import type { RecordLimits } from '#core/store/postgres/record-limits.ts';
import { overlaid } from '../../../helpers/store/overlaid.ts';
import { ownDatabase } from '../../../helpers/postgres/own-database.ts';
import { hasPostgres } from '../../../helpers/postgres/postgres.ts';
import { recordStoreSuite } from '../../../suites/record-store.ts';
import { openRecords } from './open-records.ts';

describe.skipIf(!hasPostgres)('records in PostgreSQL', () => {
  const own = ownDatabase();

  const suite = (name: string, limits: Partial<RecordLimits>) =>
    recordStoreSuite(name, {
      async open() {
        const opened = await openRecords(own.url, limits);
        // It takes its connections along when it closes.
        return overlaid(opened.store, { close: () => opened.close() });
      },
      renew: () => own.server.empty(own.url),
      supports: { durable: true, threads: false },
    });
  suite('as they are', {});
  suite('that seals and merges all the time', {
    tailRows: 8,
    segmentRows: 256,
    blockBytes: 1,
    knownBytes: 1,
    goneSeconds: 0,
  });
});
