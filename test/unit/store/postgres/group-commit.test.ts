import { describe, expect, test } from 'vitest';
import { ownDatabase } from '../../../helpers/postgres/own-database.ts';
import { hasPostgres } from '../../../helpers/postgres/postgres.ts';
import { pageOfN, record } from '../../../suites/record-store/harness.ts';
import { openRecords } from './open-records.ts';

const devices = (count: number) => Array.from({ length: count }, (_, n) => `device-${n}`);

describe.skipIf(!hasPostgres)('a group commit', () => {
  const own = ownDatabase();

  test('of several nodes stores all records of a lane by few statements, each once', async () => {
    const asked: string[] = [];
    const { store, close } = await openRecords(
      own.url,
      {},
      { before: ({ sql }) => void asked.push(sql) },
      { isSpread: true, lanes: 1 },
    );
    const some = devices(100);
    await Promise.all(some.map((device) => store.append(device, [record(0)])));
    asked.length = 0;
    const receipted = await Promise.all(
      some.map((device, n) => store.append(device, [record(1 + n)], n % 3 ? { receipt: 'r' } : {})),
    );
    expect(receipted).toEqual(some.map(() => 'stored'));
    expect(asked.filter((sql) => sql.startsWith('UPDATE device_head'))).toHaveLength(1);
    expect(asked.filter((sql) => sql.startsWith('INSERT INTO tail')).length).toBeLessThan(8);
    expect(asked.filter((sql) => sql.startsWith('INSERT INTO receipt')).length).toBeLessThan(8);
    const again = some.map((device, n) =>
      store.append(device, [record(2 + n)], n % 3 ? { receipt: n % 2 ? 'r' : 'other' } : {}),
    );
    const isAgain = (n: number) => n % 3 > 0 && n % 2 > 0;
    expect(await Promise.all(again)).toEqual(some.map((_, n) => (isAgain(n) ? 'duplicate' : 'stored')));
    for (const [n, device] of some.entries())
      expect(await pageOfN(store, device)).toEqual(isAgain(n) ? [1 + n, 0] : [2 + n, 1 + n, 0]);
    await close();
  });
});
