import { expect, test } from 'vitest';
import { pictureOf } from '../../../../../renderer/chart/draw/picture.ts';
import { ratedPicture } from '../../../../../renderer/chart/rates/rated-picture.ts';
import { seriesOf } from '../draw/series-of.ts';

const S = 1e6;
const view = {
  timestamps: Float64Array.from([0, S, 2 * S, 3 * S]),
  columns: [Float64Array.from([10, 20, 5, 6]), Float64Array.from([1, 2, 3, 4])],
};
const shown = {
  picture: pictureOf(view),
  bounds: [
    { min: 5, max: 20 },
    { min: 1, max: 4 },
  ],
  newest: [
    { instant: 3 * S, value: 6 },
    { instant: 3 * S, value: 4 },
  ],
};
const asked = { count: { per: 's', falls: 'reset' } } as const;

test('a key is its differences, with bounds and newest of its own, and the others stay', () => {
  const { picture, bounds, newest, rates } = ratedPicture(shown, ['count', 'level'], asked);
  if (picture?.kind !== 'records') throw new Error('There are records.');
  expect([...(picture.view.columns[0] ?? [])]).toEqual([Number.NaN, 10, Number.NaN, 1]);
  expect(picture.view.columns[1]).toBe(view.columns[1]);
  expect(bounds).toMatchObject([
    { min: 1, max: 10 },
    { min: 1, max: 4 },
  ]);
  expect(newest).toEqual([{ instant: 3 * S, value: 1 }, shown.newest[1]]);
  expect(rates.get('count')).toMatchObject({ wraps: [], resets: [2] });
});

test('the newest difference is said only where its records are at hand', () => {
  const later = { ...shown, newest: [{ instant: 9 * S, value: 60 }, null] };
  expect(ratedPicture(later, ['count', 'level'], asked).newest).toEqual([null, null]);
});

test('of records that are summarised there is none, and the chart is told so', () => {
  const records = Array.from(view.timestamps, (time, row) => ({
    time,
    values: view.columns.map((column) => column[row] ?? Number.NaN),
  }));
  const series = seriesOf(records, ['count', 'level'], 0, 3 * S, 2);
  const found = ratedPicture({ ...shown, picture: { kind: 'series', series } }, ['count', 'level'], asked);
  if (found.picture?.kind !== 'series') throw new Error('It is summarised.');
  expect([...(found.picture.series.keys[0]?.counts ?? [])]).toEqual([0, 0]);
  expect(found.picture.series.keys[1]).toBe(series.keys[1]);
  expect(found.rates.get('count')).toBeNull();
  expect(found.newest[0]).toBeNull();
});
