import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { pictureOf } from '../../../../../renderer/chart/draw/picture.ts';
import { stepFrom } from '../../../../../renderer/chart/draw/step.ts';
import { seriesOf } from './series-of.ts';

const rows = fc.array(
  fc.tuple(fc.integer({ min: 0, max: 200 }), fc.option(fc.nat(9)), fc.option(fc.nat(9))),
  { maxLength: 40 },
);

test('a step leads to the nearest record of the lines that are shown, by a naive search', () => {
  fc.assert(
    fc.property(rows, fc.subarray([0, 1]), fc.integer({ min: -5, max: 205 }), (all, lines, instant) => {
      const sorted = all.toSorted((a, b) => a[0] - b[0]);
      const columns = [1, 2].map((at) => Float64Array.from(sorted, (row) => row[at] ?? Number.NaN));
      const picture = pictureOf({ timestamps: Float64Array.from(sorted, ([time]) => time), columns });
      const held = sorted.filter((row) => lines.some((line) => row[line + 1] !== null)).map(([time]) => time);
      expect(stepFrom(picture, lines, instant, 1)).toBe(held.find((time) => time > instant) ?? null);
      expect(stepFrom(picture, lines, instant, -1)).toBe(held.findLast((time) => time < instant) ?? null);
    }),
  );
});

test('where records are summarised a step leads to the next column of pixels that holds one', () => {
  const series = seriesOf(
    [0, 1, 25, 26, 99].map((time) => ({ time, values: [time] })),
    ['k'],
    0,
    99,
    10,
  );
  const picture = { kind: 'series', series } as const;
  expect(stepFrom(picture, [0], -10, 1)).toBe(5);
  expect(stepFrom(picture, [0], 5, 1)).toBe(25);
  expect(stepFrom(picture, [0], 25, 1)).toBe(95);
  expect(stepFrom(picture, [0], 95, 1)).toBeNull();
  expect(stepFrom(picture, [0], 95, -1)).toBe(25);
  expect(stepFrom(picture, [0], 1_000, -1)).toBe(95);
  expect(stepFrom(picture, [], 5, 1)).toBeNull();
});
