import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LANES, placeOf, shardOf } from '#core/store/postgres/rows/place.ts';
import { GIVEN } from '../../../helpers/postgres/given-postgres.ts';
import { ownDatabase } from '../../../helpers/postgres/own-database.ts';
import { hasPostgres } from '../../../helpers/postgres/postgres.ts';
import { counting } from '../../../suites/record-store/harness.ts';
import { openRecords } from './open-records.ts';

const CITUS = join(import.meta.dirname, '../../../../deploy/citus.sql');
/** Of all that is dealt: how much more or less than its share a node may have. */
const UNEVEN = 0.1;

const devices = (count: number) => Array.from({ length: count }, (_, n) => `device-${n}`);
const lanesOf = (all: readonly string[]) => all.map((device) => placeOf(device, LANES).lane);

/** How many there are of each. */
function countsOf(numbers: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return [...counts.values()];
}

function expectEven(counts: readonly number[], parts: number): void {
  const share = counts.reduce((sum, count) => sum + count, 0) / parts;
  expect(counts).toHaveLength(parts);
  expect(Math.min(...counts)).toBeGreaterThanOrEqual((1 - UNEVEN) * share);
  expect(Math.max(...counts)).toBeLessThanOrEqual((1 + UNEVEN) * share);
}

describe.skipIf(!hasPostgres)('lanes', () => {
  const own = ownDatabase();

  /** The shard of each lane, as Citus finds it: by PostgreSQL's hash, of whose space each shard has an even part. */
  async function shardsOf(lanes: readonly number[], shards: number): Promise<number[]> {
    const { database, close } = await openRecords(own.url);
    const rows = await database.ask<{ shard: number }>(
      `SELECT (hashint2(t.lane)::bigint + 2147483648) / $2::bigint AS shard
         FROM unnest($1::smallint[]) WITH ORDINALITY AS t(lane, place) ORDER BY t.place`,
      [lanes, 2 ** 32 / shards],
    );
    await close();
    return rows.map(({ shard }) => shard);
  }

  test('are so many that each of 2, 4 and 8 nodes of Citus has an equal share of them, and of the devices', async () => {
    const count = /shard_count => (\d+)/.exec(await readFile(CITUS, 'utf8'))?.[1];
    const shards = Number(count);
    const dealt = lanesOf(devices(100_000));
    const lanes = [...new Set(dealt)];
    expect(lanes).toHaveLength(LANES);
    const [ofLanes, ofDevices] = [await shardsOf(lanes, shards), await shardsOf(dealt, shards)];
    expectEven(countsOf(ofLanes), shards);
    // What is committed together lies in one shard.
    expect(lanes.map((lane) => shardOf(lane, LANES))).toEqual(ofLanes);
    // Citus deals shards to nodes in turn.
    for (const nodes of [2, 4, 8])
      for (const each of [ofLanes, ofDevices])
        expectEven(countsOf(each.map((shard) => shard % nodes)), nodes);
  });

  test('lie in shards of their own, where there are as many shards', async () => {
    const lanes = [...new Set(lanesOf(devices(10_000)))];
    expect(new Set(await shardsOf(lanes, LANES)).size).toBe(LANES);
  });

  test('are the same in every process, and of later versions', () => {
    expect(lanesOf(['d', 'e', '6f1c9d0e-0000-4000-8000-000000000000'])).toEqual([95, 170, 579]);
  });

  test('do not cost a statement each, where one asks for devices of all of them', async ({ skip }) => {
    skip(GIVEN !== null, 'Over several nodes it does.');
    let asked = 0;
    const { store, close } = await openRecords(own.url, {}, { before: () => void asked++ });
    const some = devices(300);
    await Promise.all(some.map((device) => store.append(device, counting(0, 1))));
    const statements = async (question: () => Promise<unknown>) => {
      asked = 0;
      await question();
      return asked;
    };
    expect((await store.extents(some)).map(({ records }) => records)).toEqual(some.map(() => 1));
    expect(await statements(() => store.lastSeen(some))).toBe(1);
    expect((await store.devices()).toSorted()).toEqual(some.toSorted());
    expect(await statements(() => store.devices())).toBe(2);
    for (const device of some.slice(0, 64)) {
      await store.retire(device);
      await store.drop(device);
    }
    expect(await statements(close)).toBe(0);
  });

  test('are asked one by one, where they may lie on several nodes', async () => {
    const asked: string[] = [];
    const { store, close } = await openRecords(
      own.url,
      {},
      { before: ({ sql }) => void asked.push(sql) },
      { isSpread: true },
    );
    const some = devices(600).slice(300);
    await Promise.all(some.map((device) => store.append(device, counting(1, 1))));
    asked.length = 0;
    expect(await store.lastSeen(some)).toHaveLength(300);
    expect(asked.length).toBe(new Set(lanesOf(some)).size);
    expect(asked.every((sql) => sql.includes('lane = $1'))).toBe(true);
    await close();
  });
});
