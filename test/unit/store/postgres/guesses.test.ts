import { describe, expect, test } from 'vitest';
import { ownDatabase } from '../../../helpers/postgres/own-postgres.ts';
import { hasPostgres } from '../../../helpers/postgres/postgres.ts';
import { record } from '../../../suites/record-store/harness.ts';
import { openRecords } from './open-records.ts';

/* What is read before its blocks are here is guessed, and read again: nothing of a guess is to be remembered. */

const SECOND = 1_000_000;
const EACH = 600;

describe.skipIf(!hasPostgres)('a device of several segments, each of one block', () => {
  const own = ownDatabase();

  test('has the usual interval of its numbers, not that of its segments', async () => {
    const { store, database, close } = await openRecords(own.url, { tailRows: 8, segmentRows: 1024 });
    const tails = async () => (await database.ask('SELECT seq FROM tail')).length;
    for (let part = 0; part < 3; part++) {
      const records = Array.from({ length: EACH }, (_, i) => record((part * EACH + i) * SECOND, { a: i }));
      await store.append('d', records);
      await expect.poll(tails).toBe(0);
    }
    await close();
    const cold = await openRecords(own.url);
    for (let again = 0; again < 3; again++) expect(await cold.store.intervals('d', ['a'])).toEqual([SECOND]);
    await cold.close();
  });
});
