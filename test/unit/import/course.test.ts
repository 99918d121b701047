import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Course } from '#core/import/course.ts';
import { RecordColumns } from '#core/store/record-columns.ts';
import type { StoredRecord } from '#core/store/store.ts';

/* What a small picture of a file is drawn from: any number of rows, in a bounded number of stretches. */

const record = (
  timestamp: number,
  values: Readonly<Record<string, number | string | boolean>>,
): StoredRecord => ({
  timestamp,
  received: 0,
  keys: Object.keys(values),
  values: Object.values(values),
});

const course = (records: readonly StoredRecord[]) => {
  const told = new Course();
  for (const one of records) told.add(one);
  return told.tell();
};

test('a few rows are told one by one, texts and missing values among them', () => {
  expect(
    course([record(1, { a: 5, s: 'on' }), record(2, { s: 'off' }), record(3, { a: -1, b: true })]),
  ).toEqual({
    times: [1, 2, 3],
    keys: [
      { key: 'a', least: [5, null, -1], most: [5, null, -1], numbers: 2, texts: 0, text: null },
      { key: 's', least: [null, null, null], most: [null, null, null], numbers: 0, texts: 2, text: 'on' },
    ],
  });
});

test('many rows are told in at most 96 stretches, and no extreme is lost', () => {
  const records = Array.from({ length: 10_000 }, (_, n) => record(n, { a: n === 7777 ? 1e6 : n % 10 }));
  const { times, keys } = course(records);
  expect(times.length).toBeGreaterThan(48);
  expect(times.length).toBeLessThanOrEqual(96);
  expect(times[0]).toBe(0);
  const most = keys[0]?.most ?? [];
  const at = most.indexOf(1e6);
  expect(times[at]).toBeLessThanOrEqual(7777);
  expect(times[at + 1]).toBeGreaterThan(7777);
  expect(keys[0]?.numbers).toBe(10_000);
});

test('records that come as columns are told as those that come one by one', () => {
  const value = fc.option(fc.oneof(fc.integer(), fc.constantFrom('x', 'yy'), fc.boolean()), {
    nil: undefined,
  });
  const rows = fc.array(fc.tuple(fc.integer({ min: 0, max: 1e6 }), value, value), { maxLength: 700 });
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 200 }), (all, capacity) => {
      const records = all.map(([time, a, b]) =>
        record(time, { ...(a !== undefined && { a }), ...(b !== undefined && { b }), z: 1 }),
      );
      const columns = new RecordColumns(['a', 'b', 'z'], 0, capacity);
      const told = new Course();
      for (const one of records) {
        columns.add(one);
        if (!columns.isFull) continue;
        told.addColumns(columns);
        columns.clear();
      }
      told.addColumns(columns);
      const byKey = ({ times, keys }: ReturnType<Course['tell']>) => ({
        times,
        keys: Object.fromEntries(
          keys.filter(({ numbers, texts }) => numbers + texts > 0).map((key) => [key.key, key]),
        ),
      });
      expect(byKey(told.tell())).toEqual(byKey(course(records)));
    }),
  );
});
