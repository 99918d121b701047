import { afterAll, beforeAll, describe } from 'vitest';
import type { RecordLimits } from '#core/store/postgres/records.ts';
import type { RecordStore } from '#core/store/store.ts';
import { hasPostgres, startPostgres, type Postgres } from '../../../helpers/postgres.ts';
import { recordStoreSuite } from '../../../suites/record-store.ts';
import { openRecords } from './open-records.ts';

describe.skipIf(!hasPostgres)('records in PostgreSQL', () => {
  let server: Postgres;
  let url: string;
  beforeAll(async () => {
    server = await startPostgres();
    url = await server.database();
  });
  afterAll(() => server.stop());

  const suite = (name: string, limits: Partial<RecordLimits>) =>
    recordStoreSuite(name, {
      async open() {
        const opened = await openRecords(url, limits);
        return withClose(opened.store, () => opened.close());
      },
      renew: () => server.empty(url),
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

/** The store, which takes its connections along when it closes. */
function withClose(store: RecordStore, close: () => Promise<void>): RecordStore {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'close') return close;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
