import { describe, expect, test } from 'vitest';
import { openDatabase } from '#core/store/postgres/connection/connections.ts';
import { LANES, placeOf } from '#core/store/postgres/rows/place.ts';
import { ownDatabase } from '../../../helpers/postgres/own-database.ts';
import { hasPostgres } from '../../../helpers/postgres/postgres.ts';
import { counting, scanned } from '../../../suites/record-store/harness.ts';
import { openRecords } from './open-records.ts';

/* A database whose versions go down, or that turns out to be of another history, in the middle of work. */

describe.skipIf(!hasPostgres)('a database that goes back in time', () => {
  const own = ownDatabase();

  test('is found out once by all who read at that moment, and what it has now is told', async () => {
    const { store, database, close } = await openRecords(own.url);
    const devices = Array.from({ length: 30 }, (_, n) => `back ${n}`);
    for (const device of devices) {
      await store.append(device, counting(0, 3));
      expect(await store.count(device)).toBe(3);
    }
    await database.ask("UPDATE device_head SET next_seq = 1, rows = 0 WHERE device_id LIKE 'back %'", []);
    await database.ask("DELETE FROM tail WHERE device_id LIKE 'back %'", []);
    expect(new Set(await Promise.all(devices.map((device) => store.count(device))))).toEqual(new Set([0]));
    expect(database.history).toBe(1);
    await close();
  });

  test('takes no import whose blocks may have been lost with it', async () => {
    const { store, database, close } = await openRecords(own.url);
    await store.append('import', counting(0, 10));
    const batch = await store.batch('import');
    // So many that some of its blocks are there by now.
    await batch.add(counting(100, 150_000));
    database.hasGoneBack();
    await expect(batch.commit()).rejects.toMatchObject({ name: 'StoreError', code: 'closed' });
    await batch.abort();
    expect(await scanned(store, 'import')).toEqual(counting(0, 10));
    await close();
  });

  test('is not taken for gone where one row alone is locked for long', async () => {
    const { store, close } = await openRecords(own.url, {}, { patienceMs: 2000 });
    await store.append('free', counting(0, 3));
    await store.append('locked', counting(0, 3));
    const other = await openDatabase({ url: own.url });
    await other.change(async (holder) => {
      const { lane } = placeOf('locked', LANES);
      const sql = 'SELECT 1 FROM device_head WHERE lane = $1 AND device_id = $2 FOR UPDATE';
      await holder.ask(sql, [lane, 'locked']);
      const waiting = { isOver: false };
      const refused = expect(store.append('locked', counting(3, 1)))
        .rejects.toMatchObject({ name: 'StoreError' })
        .finally(() => (waiting.isOver = true));
      while (!waiting.isOver) expect(await store.count('free')).toBe(3);
      await refused;
    });
    expect(await store.count('free')).toBe(3);
    await other.close();
    await close();
  });
});
