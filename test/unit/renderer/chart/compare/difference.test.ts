import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  differenceOf,
  heldOf,
  lineOfDifference,
  type Held,
} from '../../../../../renderer/chart/compare/difference.ts';
import { nearestFirst } from '../../../../../renderer/chart/compare/nearest.ts';
import { askedOf, moved, offsetsOf, wholeOf } from '../../../../../renderer/chart/compare/shift.ts';
import { drawPicture, pictureOf } from '../../../../../renderer/chart/draw/picture.ts';

const held = (pause: number) =>
  fc
    .array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: -9, max: 9 })), { maxLength: 30 })
    .map((points): Held => {
      const sorted = points.toSorted(([a], [b]) => a - b);
      return {
        times: Float64Array.from(sorted, ([time]) => time),
        values: Float64Array.from(sorted, ([, value]) => value),
        pause,
      };
    });

/** The last number up to an instant, and when it was read. */
function at({ times, values, pause }: Held, instant: number) {
  const index = times.findLastIndex((time) => time <= instant);
  const time = times[index] ?? -Infinity;
  return index === -1 || instant - time > pause ? null : { time, value: values[index] ?? 0 };
}

/** Whether one of its silences that is too long ends in (from, to]. */
const isSilent = ({ times, pause }: Held, from: number, to: number) =>
  times.some((time, i) => time > from && time <= to && time - (times[i - 1] ?? time) > pause);

describe('the difference of two lines', () => {
  test('is that of the numbers held at every instant of either, and broken where one is silent', () => {
    const pauses = fc.constantFrom(1, 3, 8, Infinity);
    const pairs = fc.tuple(pauses, pauses).chain(([a, b]) => fc.tuple(held(a), held(b)));
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const instants = [...new Set([...a.times, ...b.times])].toSorted((x, y) => x - y);
        const points = instants.flatMap((time) => {
          const [first, second] = [at(a, time), at(b, time)];
          return first && second ? { time, value: first.value - second.value } : [];
        });
        const { times, values, starts } = differenceOf(a, b);
        expect(times.map((time, i) => ({ time, value: values[i] }))).toEqual(points);
        const expected = points.flatMap(({ time }, i) => {
          const before = points[i - 1]?.time;
          const lost =
            before !== undefined &&
            instants.some(
              (instant) => instant > before && instant < time && !points.some((p) => p.time === instant),
            );
          return before === undefined || lost || isSilent(a, before, time) || isSilent(b, before, time)
            ? [i]
            : [];
        });
        expect(starts).toEqual(expected);
      }),
    );
  });

  test('is painted with all its extremes, in any number of pixels', () => {
    const pairs = fc.tuple(held(5), held(5));
    fc.assert(
      fc.property(pairs, fc.integer({ min: 1, max: 40 }), ([a, b], width) => {
        const difference = differenceOf(a, b);
        const line = lineOfDifference(difference, { from: 0, to: 60 }, width);
        expect(line.starts).toHaveLength(difference.starts.length);
        expect([line.min, line.max]).toEqual([
          Math.min(...difference.values),
          Math.max(...difference.values),
        ]);
        expect(line.times).toEqual(line.times.toSorted((x, y) => x - y));
      }),
    );
  });

  test('of records is taken from the one before the window to the one after it, moved by the offset', () => {
    const timestamps = Float64Array.of(0, 10, 20, 30, 40);
    const picture = pictureOf({ timestamps, columns: [Float64Array.of(1, Number.NaN, 3, 4, 5)] });
    const found = heldOf(picture, 0, 100, { from: 115, to: 125 });
    expect([...found.times]).toEqual([100, 120, 130]);
    expect([...found.values]).toEqual([1, 3, 4]);
    // Usually 10 µs pass.
    expect(found.pause).toBe(100);
  });
});

describe('devices under one clock', () => {
  const whole = { from: 1000, to: 2000 };
  const later = { from: 5000, to: 5500 };

  test('keep their times, moved by hand', () => {
    const devices = [
      { whole, shift: 0 },
      { whole: later, shift: -250 },
    ];
    expect(offsetsOf(devices, 'time')).toEqual([0, -250]);
    expect(wholeOf(devices, [0, -250])).toEqual({ from: 1000, to: 5250 });
  });

  test('or begin together', () => {
    const devices = [
      { whole: null, shift: 0 },
      { whole, shift: 0 },
      { whole: later, shift: 7 },
    ];
    expect(offsetsOf(devices, 'start')).toEqual([0, 0, -3993]);
    expect(wholeOf(devices, [0, 0, -3993])).toEqual({ from: 1000, to: 2000 });
  });

  test('are asked for what they have', () => {
    expect(askedOf({ from: 0, to: 1500 }, whole)).toEqual({ from: 1000, to: 1500 });
    expect(askedOf({ from: 3000, to: 4000 }, whole)).toBeNull();
    expect(askedOf({ from: 0, to: 1 }, null)).toBeNull();
  });

  test('have their lines moved, and nothing else of them', () => {
    const picture = pictureOf({ timestamps: Float64Array.of(0, 1e6), columns: [Float64Array.of(1, 2)] });
    const drawing = drawPicture(picture, { from: 0, to: 1e6 }, 100);
    expect(moved(drawing, 5)[0]).toEqual({ ...drawing[0], times: [5, 1e6 + 5] });
  });
});

test('neighbours come first: the same project, the same beginning, the next number', () => {
  const of = (name: string, project_id = 'p') => ({ id: `${project_id}/${name}`, name, project_id });
  const others = ['PT-120', 'Boiler', 'PT-98', 'PT-108', 'PT-107', 'PT-106', 'Pump 107'].map((name) =>
    of(name),
  );
  const sorted = nearestFirst(of('PT-107'), [of('PT-108', 'q'), ...others]).map(({ id }) => id);
  expect(sorted).toEqual(
    ['PT-106', 'PT-108', 'PT-98', 'PT-120', 'Pump 107', 'Boiler']
      .map((name) => `p/${name}`)
      .concat('q/PT-108'),
  );
});
