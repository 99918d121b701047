import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, type Database } from '#core/store/postgres/connection/connections.ts';
import { migrate } from '#core/store/postgres/schema/migrate.ts';
import { openPostgresRecords } from '#core/store/postgres/records.ts';
import type { RecordStore } from '#core/store/store.ts';
import { hasPostgres } from '../helpers/postgres/postgres.ts';
import { startPair, type Pair } from '../helpers/postgres/standby.ts';

/* A node goes for good, with its disk, and its synchronous standby takes its place. */

const WRITERS = 6;
const DEVICES = ['3f1c', '9a40', 'c7d2'].map((id) => `${id}5a10-6c5b-4c7e-9f0e-5e1c2d3b4a59`);

describe.skipIf(!hasPostgres)('a primary that goes with its disk', () => {
  let pair: Pair;
  let database: Database;
  let store: RecordStore;
  beforeAll(async () => {
    pair = await startPair();
    database = await openDatabase({ url: pair.url });
    store = openPostgresRecords(database, await migrate(database));
  });
  afterAll(async () => {
    await store.close();
    await database.close();
    await pair.stop();
  });

  test('takes nothing with it that was acknowledged; the service finds the standby, and goes on', async () => {
    /** What each writer was told is stored, in the order in which it was told. */
    const acknowledged: { readonly device: string; readonly number: number }[][] = [];
    const stopping = new AbortController();
    let stored = 0;
    const reached = (count: number) =>
      expect.poll(() => stored, { timeout: 50_000, interval: 20 }).toBeGreaterThanOrEqual(count);
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      const mine: { device: string; number: number }[] = [];
      acknowledged.push(mine);
      for (let n = 0; !stopping.signal.aborted; n++) {
        const device = DEVICES[(writer + n) % DEVICES.length] ?? '';
        const number = writer * 1_000_000 + n;
        const record = {
          timestamp: number,
          received: 1_760_000_000_000_000 + n,
          keys: ['n'],
          values: [number],
        };
        // What is not known to be stored is sent again, as a device does.
        for (let sent = false; !sent;) {
          try {
            await store.append(device, [record], { receipt: `r${number}` });
            sent = true;
          } catch (error) {
            expect(error).toMatchObject({
              name: 'StoreError',
              code: expect.stringMatching(/unreachable|read-only/),
            });
          }
        }
        mine.push({ device, number });
        stored++;
      }
    });
    await reached(300);
    await pair.failOver();
    const before = stored;
    await reached(before + 300);
    stopping.abort();
    await Promise.all(writers);

    for (const device of DEVICES) {
      const found: number[] = [];
      for await (const records of store.scan(device))
        found.push(...records.map(({ values }) => Number(values[0])));
      const wanted = acknowledged.flat().filter((one) => one.device === device);
      expect(found.toSorted((a, b) => a - b)).toEqual(
        wanted.map(({ number }) => number).toSorted((a, b) => a - b),
      );
    }
  });
});
