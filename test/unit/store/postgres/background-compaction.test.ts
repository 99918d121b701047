import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Lost } from '#core/store/postgres/connection/database-errors.ts';
import type { Statement } from '#core/store/postgres/connection/connections.ts';
import { HEAD } from '#core/store/postgres/rows/head.ts';
import { LANES, placeOf } from '#core/store/postgres/rows/place.ts';
import { sealedAt } from '#core/store/postgres/upkeep/sealed-at.ts';
import { ownDatabase } from '../../../helpers/postgres/own-database.ts';
import { hasPostgres } from '../../../helpers/postgres/postgres.ts';
import { PATIENTLY } from '../../../helpers/patiently.ts';
import { counting, record } from '../../../suites/record-store/harness.ts';
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

  test('is left to the process that sealed first: another one that is late looks at the head alone', async () => {
    const limit = sealedAt('late', 8);
    const isOver = Promise.withResolvers<void>();
    let isWatched = false;
    const asked: string[] = [];
    const before = async ({ sql, params }: Statement) => {
      if (!isWatched || params?.[1] !== 'late') return;
      asked.push(sql);
      await isOver.promise;
    };
    const first = await openRecords(own.url, { tailRows: 8 });
    const late = await openRecords(own.url, { tailRows: 8 }, { before });
    const tailOf = async (device: string) => {
      const rows = await first.database.ask<{ n: number }>(
        'SELECT tail_rows::bigint AS n FROM device_head WHERE device_id = $1',
        [device],
      );
      return rows[0]?.n;
    };
    await late.store.append('late', [record(0)]);
    await first.store.append('late', counting(1, limit - 2));
    isWatched = true;
    await late.store.append('late', [record(limit)]);
    await first.store.append('late', [record(limit + 1)]);
    await expect.poll(() => tailOf('late'), PATIENTLY).toBe(0);
    isOver.resolve();
    // One after the other.
    await late.store.append('next', counting(0, 2 * limit));
    await expect.poll(() => tailOf('next'), PATIENTLY).toBe(0);
    expect(asked).toEqual([HEAD]);
    await late.close();
    await first.close();
  });

  test('of devices that store in step goes round among them, instead of sealing all of them in one moment', async () => {
    const TAIL_ROWS = 256;
    const [EACH, ROUNDS] = [8, 200];
    const devices = Array.from({ length: 48 }, (_, n) => idOf(n));
    let seals = 0;
    const before = ({ sql }: { readonly sql: string }) => void (SEALED.test(sql) && seals++);
    const { store, database, close } = await openRecords(own.url, { tailRows: TAIL_ROWS }, { before });
    const waiting = async () => {
      const heads = await database.ask<{ id: string; rows: number }>(
        'SELECT device_id AS id, tail_rows::bigint AS rows FROM device_head',
      );
      return heads.filter(({ id, rows }) => rows >= sealedAt(id, TAIL_ROWS)).length;
    };
    const sealed: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const records = Array.from({ length: EACH }, (_, i) => record(round * EACH + i));
      await Promise.all(devices.map((device) => store.append(device, records)));
      await expect.poll(waiting, { ...PATIENTLY, interval: 5 }).toBe(0);
      sealed.push(seals - sum(sealed));
    }
    // A seal a device takes 32 to 40 rounds.
    expect(sum(sealed)).toBeGreaterThanOrEqual((devices.length * ROUNDS) / 40);
    expect(Math.max(...sealed)).toBeLessThanOrEqual(devices.length / 4);
    await close();
  });
});

describe('the limit of a tail', () => {
  const devices = Array.from({ length: 2000 }, (_, n) => idOf(n));

  test('is one of 128, each of about as many devices, and never near what may wait', () => {
    const limits = devices.map((device) => sealedAt(device, 512));
    expect(Math.min(...limits)).toBe(512);
    expect(Math.max(...limits)).toBe(639);
    const devicesOf = Map.groupBy(limits, (limit) => limit);
    expect(devicesOf.size).toBe(128);
    expect(Math.max(...[...devicesOf.values()].map(({ length }) => length))).toBeLessThan(40);
  });

  test('lets an hour of seals of a thousand devices in step be spread over it', () => {
    const HOUR_ROUNDS = 7200;
    const sealed = new Uint32Array(HOUR_ROUNDS + 1);
    for (const device of devices.slice(0, 1000)) {
      const limit = sealedAt(device, 512);
      for (let round = limit; round <= HOUR_ROUNDS; round += limit) sealed[round]!++;
    }
    // By one limit 1,000 in each 512th round.
    expect(Math.max(...sealed)).toBeLessThan(40);
    const of20 = Array.from({ length: HOUR_ROUNDS / 20 }, (_, n) =>
      sealed.subarray(n * 20, n * 20 + 20).reduce((total, count) => total + count, 0),
    );
    expect(Math.max(...of20)).toBeLessThan(180);
    // On average 35.
    expect(Math.max(...of20.slice((5 * 640) / 20))).toBeLessThan(75);
  });

  test('differs among the devices of a lane', () => {
    const [lane = []] = Map.groupBy(devices, (device) => placeOf(device, LANES).lane).values();
    expect(new Set(lane.map((device) => sealedAt(device, 512))).size).toBeGreaterThan(lane.length / 2);
  });

  test('is the one that was asked for where that is small', () => {
    for (const device of devices) expect(sealedAt(device, 4)).toBe(4);
  });
});

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** A UUID of version 4, the same each time. */
function idOf(n: number): string {
  const hex = createHash('sha256').update(`device ${n}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
