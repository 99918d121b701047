import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Database } from '#core/store/postgres/connection/connections.ts';
import { LANES, placeOf, shardOf } from '#core/store/postgres/rows/place.ts';
import { generator } from '../../../faults/random-crashes.ts';
import { withSeed } from '../../../helpers/chance.ts';
import { GIVEN } from '../../../helpers/postgres/given-postgres.ts';
import { ownDatabase } from '../../../helpers/postgres/own-database.ts';
import { hasPostgres } from '../../../helpers/postgres/postgres.ts';
import { pageOfN, record, scanned } from '../../../suites/record-store/harness.ts';
import { openRecords } from './open-records.ts';

const devices = (count: number) => Array.from({ length: count }, (_, n) => `device-${n}`);
const lanesOf = (all: readonly string[]) => new Set(all.map((device) => placeOf(device, LANES).lane));

/** Holds the lock of a device's head until `over` resolves. Resolves once it has it; then with what resolves when it is let go. */
async function lock(database: Database, device: string, over: Promise<unknown>) {
  const locked = Promise.withResolvers<void>();
  const done = database.change(async (transaction) => {
    const { lane } = placeOf(device, LANES);
    const sql = 'SELECT 1 FROM device_head WHERE lane = $1 AND device_id = $2 FOR UPDATE';
    await transaction.ask(sql, [lane, device]);
    locked.resolve();
    await over;
  });
  await Promise.race([locked.promise, done]);
  return { done };
}

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

  test('has devices of all lanes, but over several nodes of a shard', async () => {
    const some = devices(100);
    expect(lanesOf(some).size).toBeGreaterThan(70);
    for (const isSpread of GIVEN === null ? [false, true] : [true]) {
      const asked: string[] = [];
      const { store, close } = await openRecords(
        own.url,
        {},
        { before: ({ sql }) => void asked.push(sql) },
        { isSpread },
      );
      await Promise.all(some.map((device) => store.append(device, [record(10)])));
      asked.length = 0;
      await Promise.all(some.map((device) => store.append(device, [record(11)])));
      const groups = asked.filter((sql) => sql.includes('INSERT INTO outcome')).length;
      const shards = new Set([...lanesOf(some)].map((lane) => shardOf(lane, LANES)));
      if (isSpread) expect(groups).toBe(shards.size);
      else expect(groups).toBeLessThan(10);
      await close();
    }
  });

  test('waits for no device that somebody else holds for long, of which later records come later', async ({
    skip,
  }) => {
    skip(GIVEN !== null, 'Over several nodes a group waits for its locks.');
    const other = await openRecords(own.url);
    const { store, close } = await openRecords(own.url);
    const some = devices(40).map((device) => `held-${device}`);
    const [held = '', ...free] = some;
    await Promise.all(some.map((device) => store.append(device, [record(1, { n: 0 })])));
    const release = Promise.withResolvers<void>();
    const { done } = await lock(other.database, held, release.promise);
    let isStored = false;
    const first = store.append(held, [record(1, { n: 1 })], { receipt: 'first' });
    const rest = free.map((device) => store.append(device, [record(1, { n: 1 })]));
    const second = store.append(held, [record(1, { n: 2 })], { receipt: 'second' });
    const all = Promise.all([first, second]).finally(() => (isStored = true));
    expect(await Promise.all(rest)).toEqual(free.map(() => 'stored'));
    const third = store.append(held, [record(1, { n: 3 })]);
    await Promise.all(free.map((device) => store.append(device, [record(1, { n: 2 })])));
    expect(isStored).toBe(false);
    release.resolve();
    await done;
    expect(await all).toEqual(['stored', 'stored']);
    expect(await third).toBe('stored');
    expect((await scanned(store, held)).map(({ values }) => values[0])).toEqual([0, 1, 2, 3]);
    await close();
    await other.close();
  });

  test('keeps what was acknowledged, once and in order, while devices are purged and another store writes them', () =>
    withSeed(async (seed) => {
      const random = generator(seed);
      const some = devices(24).map((device) => `${seed}-${device}`);
      const limits = [{ tailRows: 8, segmentRows: 64 }, {}];
      const stores = await Promise.all(limits.map((each) => openRecords(own.url, each)));
      const [holder] = stores;
      let moment = 0;
      const stored: Done[] = [];
      const purged: Done[] = [];
      const receipts = new Map<string, string[]>();
      const write = async (device: string, writer: number) => {
        const { store } = stores[writer % stores.length]!;
        for (let n = 0; n < 30; n++) {
          const from = moment++;
          const chance = random();
          if (chance < 0.03) {
            await store.purge(device, from);
            purged.push({ device, n: 0, from, to: moment++ });
          } else if (chance < 0.05 && holder) {
            await (
              await lock(holder.database, device, delay(200 * random()))
            ).done;
          } else {
            // Of all writers of a device one stores what has this receipt.
            const receipt = chance < 0.3 ? `r${n}` : undefined;
            const end = await store.append(device, [record(1, { n: from })], { receipt });
            if (end === 'stored') stored.push({ device, n: from, from, to: moment++ });
            if (receipt) receipts.set(device + receipt, [...(receipts.get(device + receipt) ?? []), end]);
          }
        }
      };
      await Promise.all(some.flatMap((device) => [0, 1, 2, 3].map((writer) => write(device, writer))));
      for (const ends of receipts.values()) expect(ends.filter((end) => end === 'stored')).toHaveLength(1);
      for (const device of some) {
        const of = (all: readonly Done[]) => all.filter((each) => each.device === device);
        const found = (await scanned(stores[0]!.store, device)).map(({ values }) => values[0] as number);
        expect(new Set(found).size).toBe(found.length);
        const known = new Map(of(stored).map((each) => [each.n, each]));
        for (const each of known.values()) {
          if (of(purged).every((purge) => purge.to < each.from)) expect(found).toContain(each.n);
          if (of(purged).some((purge) => purge.from > each.to)) expect(found).not.toContain(each.n);
        }
        let latest = -1;
        for (const n of found) {
          const { from, to } = known.get(n) ?? { from: NaN, to: NaN };
          expect(to).toBeGreaterThan(latest);
          latest = Math.max(latest, from);
        }
      }
      for (const { close } of stores) await close();
    }));
});

/** What was done to a device between two moments. */
interface Done {
  readonly device: string;
  readonly n: number;
  readonly from: number;
  readonly to: number;
}
