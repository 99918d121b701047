import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RatesPicture, RatesPictureKey } from '#shared/bridge/wire.ts';
import { boundsOf } from '../../../../../renderer/chart/draw/draw-series.ts';
import { pictureOf } from '../../../../../renderer/chart/draw/picture.ts';
import { ratedPicture } from '../../../../../renderer/chart/rates/rated-picture.ts';
import { reframed } from '../../../../../renderer/chart/rates/reframed.ts';
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
  const { picture, bounds, newest, rates } = ratedPicture(shown, ['count', 'level'], asked, null);
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
  expect(ratedPicture(later, ['count', 'level'], asked, null).newest).toEqual([null, null]);
});

const records = Array.from(view.timestamps, (time, row) => ({
  time,
  values: view.columns.map((column) => column[row] ?? Number.NaN),
}));
const series = seriesOf(records, ['count', 'level'], 0, 3 * S, 2);
const summarised = { ...shown, picture: { kind: 'series', series } } as const;
const FIGURES = { key: 'count', count: 2 } as RatesPictureKey['statistics'];

/** What the service took: 10 at 1 s, 1 at 3 s, a reset between. */
function countedIn(start: number, end: number, width: number): RatesPicture {
  const rates = [
    { time: S, values: [10] },
    { time: 3 * S, values: [1] },
  ];
  const found = seriesOf(rates, ['count'], start, end, width);
  return {
    ...found,
    keys: found.keys.map((key) => ({
      ...key,
      before: null,
      after: null,
      wraps: 0,
      resets: 1,
      statistics: FIGURES,
    })),
  };
}

function shownOf(found: ReturnType<typeof ratedPicture>) {
  if (found.picture?.kind !== 'series') throw new Error('It is summarised.');
  return found.picture.series;
}

test('of records that are summarised there is none until the service has taken them', () => {
  const found = ratedPicture(summarised, ['count', 'level'], asked, null);
  expect([...(shownOf(found).keys[0]?.counts ?? [])]).toEqual([0, 0]);
  expect(shownOf(found).keys[1]).toBe(series.keys[1]);
  expect(found.rates.get('count')).toBeNull();
  expect(found.newest[0]).toBeNull();
});

test('what the service took of them is drawn, with its bounds, its newest and its figures', () => {
  const found = ratedPicture(summarised, ['count', 'level'], asked, countedIn(0, 3 * S, 2));
  const { keys, width } = shownOf(found);
  expect([width, [...(keys[0]?.counts ?? [])], [...(keys[0]?.last ?? [])]]).toEqual([2, [1, 1], [10, 1]]);
  expect(keys[1]).toBe(series.keys[1]);
  expect(found.bounds).toEqual([{ min: 1, max: 10 }, shown.bounds[1]]);
  expect(found.newest).toEqual([{ instant: 3 * S, value: 1 }, shown.newest[1]]);
  expect(found.rates.get('count')).toEqual({
    wraps: 0,
    resets: 1,
    statistics: FIGURES,
    span: { from: 0, to: 3 * S },
  });
});

test('while those of another window are on their way the last ones stay, as far as they lie in it', () => {
  const before = countedIn(-S, 2 * S, 3);
  const found = ratedPicture(summarised, ['count', 'level'], asked, before);
  const [key] = shownOf(found).keys;
  expect([[...(key?.counts ?? [])], key?.firstTimes[0]]).toEqual([[1, 0], S]);
  expect(found.newest[0]).toBeNull();
  expect(found.rates.get('count')).toMatchObject({ span: { from: -S, to: 2 * S } });
});

test('columns of one series as those of another lose no extreme and stay in the order of time', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ time: fc.nat(1000), value: fc.integer({ min: -50, max: 50 }) }), {
        minLength: 1,
        maxLength: 60,
      }),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 40 }),
      (points, width, next) => {
        const rows = points
          .toSorted((a, b) => a.time - b.time)
          .map(({ time, value }) => ({ time, values: [value] }));
        const from = seriesOf(rows, ['n'], 0, 1000, width);
        const to = { start: 0, end: 1200, width: next };
        const key = from.keys[0]!;
        const moved = reframed(key, from, to);
        const held = [...moved.counts.entries()].filter(([, count]) => count > 0).map(([column]) => column);
        const sum = (counts: Uint32Array) => counts.reduce((all, count) => all + count, 0);
        expect(sum(moved.counts)).toBe(sum(key.counts));
        const [bounds] = boundsOf({ keys: [moved] }, { from: -Infinity, to: Infinity });
        expect(bounds).toEqual({
          min: Math.min(...points.map(({ value }) => value)),
          max: Math.max(...points.map(({ value }) => value)),
        });
        const times = held.flatMap((column) => [moved.firstTimes[column]!, moved.lastTimes[column]!]);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
      },
    ),
  );
});
