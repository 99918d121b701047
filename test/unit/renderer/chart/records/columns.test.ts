import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { Columns } from '../../../../../renderer/chart/records/columns.ts';
import { someRuns } from '../../../../helpers/some-runs.ts';

const descending = (from: number, rows: number) =>
  Float64Array.from({ length: rows }, (_, row) => from - row);

test('pages from the newest on and live rows end up oldest first, whatever their sizes and what was dropped', () => {
  const step = record({
    to: constantFrom('older', 'newer', 'dropped'),
    rows: integer({ min: 0, max: 9_000 }),
  });
  assert(
    property(array(step, { maxLength: 8 }), (steps) => {
      const columns = new Columns(['a']);
      let oldest = 0;
      let newest = -1;
      let isCut = false;
      for (const { to, rows } of steps) {
        const held = columns.view().timestamps;
        const seen = held.slice();
        if (to === 'dropped') {
          columns.dropOldest(rows);
          isCut = true;
          oldest = Math.min(newest + 1, oldest + rows);
        } else if (to === 'older' && !isCut) {
          const timestamps = descending(oldest - 1, rows);
          columns.addOlder({
            offset: 0,
            total: 0,
            timestamps,
            columns: [timestamps.map((time) => time * 2)],
          });
          oldest -= rows;
        } else {
          const timestamps = descending(newest + rows, rows).toReversed();
          columns.addNewer({ timestamps, columns: [timestamps.map((time) => time * 2)] });
          newest += rows;
        }
        // What somebody holds of it stays as it is.
        expect(held.findIndex((time, row) => time !== seen[row])).toBe(-1);
      }
      const {
        timestamps,
        columns: [values],
      } = columns.view();
      const expected = Array.from({ length: newest - oldest + 1 }, (_, row) => oldest + row);
      expect([...timestamps]).toEqual(expected);
      expect([...(values ?? [])]).toEqual(expected.map((time) => time * 2));
    }),
    { numRuns: someRuns(60) },
  );
});

test('the extent of a key covers its numbers and counts them, without those it lacks', () => {
  const columns = new Columns(['a', 'b']);
  columns.addOlder({
    offset: 0,
    total: 3,
    timestamps: Float64Array.of(3, 2, 1),
    columns: [Float64Array.of(5, Number.NaN, -2), Float64Array.of(Number.NaN, Number.NaN, Number.NaN)],
  });
  columns.addNewer({
    timestamps: Float64Array.of(4),
    columns: [Float64Array.of(7), Float64Array.of(Number.NaN)],
  });
  expect(columns.extents()).toEqual([
    { min: -2, max: 7, count: 3 },
    { min: Infinity, max: -Infinity, count: 0 },
  ]);
});
