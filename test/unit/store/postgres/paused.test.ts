import { describe, expect, test } from 'vitest';
import type { Block } from '#core/store/blocks/block/block.ts';
import { Lru } from '#core/store/blocks/query/lru.ts';
import type { Database, Statement } from '#core/store/postgres/connection/connections.ts';
import { collectGarbage } from '#core/store/postgres/upkeep/garbage-collection.ts';
import { DeviceCache } from '#core/store/postgres/reading/device-cache.ts';
import { mergeSegments } from '#core/store/postgres/upkeep/merging.ts';
import { LANES, placeOf } from '#core/store/postgres/rows/place.ts';
import { ownDatabase } from '../../../helpers/postgres/own-database.ts';
import { hasPostgres } from '../../../helpers/postgres/postgres.ts';
import { counting, scanned } from '../../../suites/record-store/harness.ts';
import { openRecords } from './open-records.ts';

const AT_ONCE = { goneSeconds: 0, silentSeconds: 0 };

/* A process that stands still in the middle of its work for as long as it takes others to give it up, and then goes on. */
describe.skipIf(!hasPostgres)('a process that was paused', () => {
  const own = ownDatabase();

  /** A store that does `meanwhile` before the first statement that begins so. */
  async function pausedBefore(beginning: string, meanwhile: () => Promise<unknown>) {
    let isDone = false;
    return openRecords(
      own.url,
      {},
      {
        before: async ({ sql }: Statement) => {
          if (isDone || !sql.startsWith(beginning)) return;
          isDone = true;
          await meanwhile();
        },
      },
    );
  }

  const blocksOf = async (database: Database) =>
    (await database.ask<{ n: number }>('SELECT count(*) AS n FROM block'))[0]?.n;

  test('in an import finds that it was given up, and nothing of it is left', async () => {
    const other = await openRecords(own.url);
    await other.store.append('import', counting(0, 10));
    const before = await blocksOf(other.database);
    for (const beginning of ['UPDATE staging', 'DELETE FROM staging']) {
      const paused = await pausedBefore(beginning, () => collectGarbage(other.database, AT_ONCE, () => true));
      const batch = await paused.store.batch('import');
      await batch.add(counting(100, 5000));
      await expect(batch.commit()).rejects.toMatchObject({ name: 'StoreError', code: 'closed' });
      await batch.abort();
      expect(await scanned(other.store, 'import')).toEqual(counting(0, 10));
      expect(await blocksOf(other.database)).toBe(before);
      await paused.close();
    }
    await other.close();
  });

  test('in a merge finds that another one did it, and swaps nothing', async () => {
    const other = await openRecords(own.url);
    for (let n = 0; n < 5; n++) {
      const batch = await other.store.batch('merge');
      await batch.add(counting(n * 10, 600));
      await batch.commit();
    }
    const merge = (database: Database) =>
      mergeSegments(
        {
          database,
          devices: new DeviceCache(database, 1),
          cache: new Lru<string, Block>(1),
          segmentRows: 1 << 20,
          isClosing: () => false,
        },
        placeOf('merge', LANES),
      );
    const before = await scanned(other.store, 'merge');
    expect(before).toHaveLength(3000);
    const paused = await pausedBefore('UPDATE segment SET state = 3', () => merge(other.database));
    await merge(paused.database);
    expect(await scanned(paused.store, 'merge')).toEqual(before);
    const [live] = await other.database.ask<{ n: number }>(
      'SELECT sum(rows)::bigint AS n FROM segment WHERE device_id = $1 AND state = 1',
      ['merge'],
    );
    expect(live?.n).toBe(3000);
    await collectGarbage(other.database, AT_ONCE, () => true);
    expect(await scanned(other.store, 'merge')).toEqual(before);
    expect((await other.store.check('merge')).findings).toEqual([]);
    await paused.close();
    await other.close();
  });
});
