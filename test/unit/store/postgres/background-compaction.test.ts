import { describe, expect, test } from 'vitest';
import { Lost } from '#core/store/postgres/connection/database-errors.ts';
import { ownDatabase } from '../../../helpers/postgres/own-database.ts';
import { hasPostgres } from '../../../helpers/postgres/postgres.ts';
import { PATIENTLY } from '../../../helpers/patiently.ts';
import { record } from '../../../suites/record-store/harness.ts';
import { openRecords } from './open-records.ts';

/** What a seal asks first: all of the tail. */
const SEALED = /FROM tail WHERE lane = \$1 AND device_id = \$2 ORDER/;

describe.skipIf(!hasPostgres)('what is done in the background', () => {
  const own = ownDatabase();

  test('is tried again where it failed, also for devices that store nothing more', async () => {
    let failed = 0;
    let isAway = true;
    const before = ({ sql }: { readonly sql: string }) => {
      if (!isAway || !SEALED.test(sql)) return;
      failed++;
      throw new Lost('the database went');
    };
    const { store, database, close } = await openRecords(
      own.url,
      { tailRows: 4 },
      // As long as a connection may take on a busy machine.
      { before, patienceMs: 3000 },
    );
    const devices = ['a', 'b', 'c'];
    for (const device of devices)
      await store.append(
        device,
        [1, 2, 3, 4, 5].map((n) => record(n, { n })),
      );
    await expect.poll(() => failed, PATIENTLY).toBeGreaterThan(3);
    isAway = false;
    const tails = async () => {
      const rows = await database.ask<{ n: number }>('SELECT count(*) AS n FROM tail');
      return rows[0]?.n;
    };
    await expect.poll(tails, PATIENTLY).toBe(0);
    for (const device of devices) expect(await store.count(device)).toBe(5);
    await close();
  });
});
