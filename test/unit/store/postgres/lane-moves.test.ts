import { describe, expect, test } from 'vitest';
import { openDatabase } from '#core/store/postgres/connection/connections.ts';
import { lockHead, revised, writeHead } from '#core/store/postgres/rows/head.ts';
import { LANES, placeOf } from '#core/store/postgres/rows/place.ts';
import { ownDatabase } from '../../../helpers/postgres/own-database.ts';
import { hasPostgres } from '../../../helpers/postgres/postgres.ts';
import { counting, record, scanned } from '../../../suites/record-store/harness.ts';
import { openRecords } from './open-records.ts';

/* A lane that moves to another node of Citus takes no row lock with it: what was locked there may be changed here by another. */

describe.skipIf(!hasPostgres)('a lane that moves in the middle of a change', () => {
  const own = ownDatabase();

  test('lets nobody write a head that another one has changed meanwhile', async () => {
    const { store, database, close } = await openRecords(own.url);
    const place = placeOf('moved', LANES);
    await store.append('moved', counting(0, 3));
    const locked = await database.change((transaction) => lockHead(transaction, place));
    await store.append('moved', counting(3, 4));
    const impatient = await openDatabase({ url: own.url, patienceMs: 3000 });
    await expect(
      impatient.change((transaction) => writeHead(transaction, place, { ...revised(locked), rows: 0 })),
    ).rejects.toMatchObject({ name: 'LockLost' });
    await impatient.close();
    expect(await store.count('moved')).toBe(7);
    await close();
  });

  test('has an append begin again that met another one with its number', async () => {
    const other = await openRecords(own.url);
    const device = 'met';
    const { lane } = placeOf(device, LANES);
    await other.store.append(device, counting(0, 1));
    const [before] = await other.database.ask<{ seq: number }>(
      'SELECT max(seq) AS seq FROM tail WHERE device_id = $1',
      [device],
    );
    const seq = (before?.seq ?? 0) + 1;
    let step = 0;
    const { store, close } = await openRecords(
      own.url,
      {},
      {
        async before({ sql }) {
          if (step === 0 && sql.startsWith('INSERT INTO tail')) {
            step = 1;
            await other.database.ask(
              'INSERT INTO tail (lane, device_id, seq, kind, entry) VALUES ($1, $2, $3, 1, $4)',
              [lane, device, seq, Buffer.from([0])],
            );
          } else if (step === 1 && sql.includes('FOR UPDATE')) {
            step = 2;
            await other.database.ask('DELETE FROM tail WHERE lane = $1 AND device_id = $2 AND seq = $3', [
              lane,
              device,
              seq,
            ]);
          }
        },
      },
      { isSpread: true },
    );
    expect(await store.append(device, [record(7, { n: 7 })])).toBe('stored');
    expect(step).toBe(2);
    expect(await scanned(store, device)).toHaveLength(2);
    await close();
    await other.close();
  });
});
