import { expect, test } from 'vitest';
import { farOffColumns, farOffRecords } from '../../../../../renderer/chart/records/far-off.ts';
import { seriesOf } from '../draw/series-of.ts';

const DAY = 86_400e6;
const every = (step: number, count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => from + i * step);
const sorted = (...times: readonly (readonly number[])[]) => Float64Array.from(times.flat()).toSorted();

/** As records and as columns of pixels: both are to say the same. */
function found(times: Float64Array) {
  const records = Array.from(times, (time) => ({ time, values: [1] }));
  const series = seriesOf(records, ['v'], times[0] ?? 0, times.at(-1) ?? 0, 400);
  return [farOffRecords(times), farOffColumns(series)];
}

test('a clock that was not set and one that is far ahead are far off', () => {
  const core = every(1e6, 500, 20_000 * DAY);
  const far = { core: { from: core[0], to: core.at(-1) }, records: 2, first: 0, last: 47_000 * DAY };
  expect(found(sorted([0], core, [47_000 * DAY]))).toEqual([far, far]);
  const before = { core: far.core, records: 1, first: 0, last: 0 };
  expect(found(sorted([0], core))).toEqual([before, before]);
});

test('what all records are is not cut at its ends', () => {
  const [records] = found(sorted([0], every(1e6, 1000, 20_000 * DAY)));
  expect(records?.records).toBe(1);
  // Lone records an hour after the others end belong to them as much as those belong together.
  const core = every(60e6, 500, 20_000 * DAY);
  const late = (core.at(-1) ?? 0) + 3600e6;
  expect(found(sorted([0], core, [late]))[0]).toMatchObject({ core: { to: late }, records: 1 });
});

test.each([
  ['an even recording', every(60e6, 5000)],
  ['one with a long silence in the middle', [...every(1e6, 300), ...every(1e6, 300, 300 * DAY)]],
  ['one in twelve far off', [...every(DAY * 1000, 25), ...every(1e6, 275, 9000 * DAY)]],
  ['a sensor that fell silent step by step', every(1, 60).map((i) => 1.4 ** i * 1e6)],
  ['two records', [0, 40_000 * DAY]],
  ['one record', [5]],
  ['none', []],
])('%s is shown whole', (_, times) => {
  expect(found(sorted(times))).toEqual([null, null]);
});

test('records at one instant are a core, too', () => {
  const [records] = found(
    sorted(
      [0],
      Array.from({ length: 100 }, () => 9000 * DAY),
    ),
  );
  expect(records).toMatchObject({ records: 1, core: { from: 9000 * DAY - 1e6, to: 9000 * DAY + 1e6 } });
});
