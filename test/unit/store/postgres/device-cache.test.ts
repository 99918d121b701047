import { expect, test } from 'vitest';
import { ByteWriter } from '#core/store/blocks/codec/bytes.ts';
import { writeRows } from '#core/store/blocks/block/record-bytes.ts';
import type { Database, DatabaseRow, Statement } from '#core/store/postgres/connection/connections.ts';
import { DeviceCache } from '#core/store/postgres/reading/device-cache.ts';
import type { CachedDevice } from '#core/store/postgres/rows/cached-device.ts';
import type { Supply } from '#core/store/postgres/rows/supplied-segment.ts';
import { record } from '../../../suites/record-store/harness.ts';

/* Several looks at one device at a time, answered in an order that a database may choose. */

const PLACE = { lane: 1, device: 'd' };

/** A database whose answers the test gives, in any order. */
function answered() {
  const asked: { statements: readonly Statement[]; answer: (rows: DatabaseRow[][]) => void }[] = [];
  const askAll = (statements: readonly Statement[]) =>
    new Promise<DatabaseRow[][]>((resolve) => void asked.push({ statements, answer: resolve }));
  /** Answers the question of that number once it was asked. */
  async function answer(number: number, rows: DatabaseRow[][]): Promise<void> {
    await expect.poll(() => asked.length).toBeGreaterThan(number);
    expect(asked[number]?.statements).toHaveLength(rows.length);
    asked[number]?.answer(rows);
  }
  return { devices: new DeviceCache({ askAll } as unknown as Database, 1 << 20), asked, answer };
}

const rowsOf = (known: CachedDevice) => known.suppliedBy(NOTHING).timeline().rows;
const NOTHING: Supply = { isLacking: false, block: () => null, lacksKey: () => {}, lacksCounts: () => {} };

const head = (version: number, next_seq: number): DatabaseRow[] => [
  { epoch: 7, retired_by: null, dropped: false, version, next_seq, next_block: 1, rows: 0, bytes: 0 },
];
/** Entries of the tail with these numbers, a record each. */
const tail = (...numbers: readonly number[]): DatabaseRow[] =>
  numbers.map((seq) => {
    const out = new ByteWriter(64);
    writeRows([record(seq)], out);
    return { seq, kind: 1, entry: out.copy() };
  });

test('a look that took its time takes nothing away from one that was quicker', async () => {
  const { devices, answer } = answered();
  const [slow, quick] = [devices.at(PLACE), devices.at(PLACE)];
  // The tail was read before the third record came, its end behind it.
  await answer(1, [head(1, 4), [], tail(1, 2, 3), head(1, 4)]);
  expect(rowsOf(await quick)).toBe(3);
  await answer(0, [head(1, 3), [], tail(1, 2), head(1, 4)]);
  await slow;
  expect(rowsOf(await quick)).toBe(3);
});

test('what was stored before a look is in it, whatever another one found meanwhile', async () => {
  const { devices, asked, answer } = answered();
  const first = devices.at(PLACE);
  await answer(0, [head(1, 2), [], tail(1), head(1, 2)]);
  await first;
  // It finds that the tail was put into segments, reads all of it anew, and misses what came just then.
  const other = devices.at(PLACE);
  await answer(1, [[], head(2, 3)]);
  await expect.poll(() => asked.length).toBe(3);
  const look = devices.at(PLACE);
  await expect.poll(() => asked.length).toBe(4);
  await answer(2, [head(2, 3), [], [], head(2, 4)]);
  await other;
  await answer(3, [tail(3), head(2, 4)]);
  await answer(4, [head(2, 4), [], tail(3), head(2, 4)]);
  expect(rowsOf(await look)).toBe(1);
});
