import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { valueMapOf } from '#core/store/blocks/corrections/value-map.ts';

/* Calibrations of whatever points there may be: what comes out is a number that a record can hold, and never out of order. */

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: -1e3, max: 1e3, noNaN: true }),
  fc.constantFrom(0, 5e-324, -5e-324, 1.7976931348623157e308, -1.7976931348623157e308),
);
const table = fc
  .tuple(
    fc.uniqueArray(number, { minLength: 1, maxLength: 5, comparator: (a, b) => a === b }),
    fc.array(number, { minLength: 5, maxLength: 5 }),
    fc.boolean(),
  )
  .map(([raw, values, isFalling]) => {
    const from = raw.toSorted((a, b) => a - b);
    const to = values.slice(0, from.length).toSorted((a, b) => (isFalling ? b - a : a - b));
    return from.map((each, i): [number, number] => [each, to[i]!]);
  });

test('a table of points is monotone and finite, passes through its points, and is told alike one by one and at once', () => {
  fc.assert(
    fc.property(table, fc.array(number, { minLength: 1, maxLength: 20 }), (points, some) => {
      const map = valueMapOf({ points });
      const readings = [...some, ...points.map(([from]) => from)].toSorted((a, b) => a - b);
      const values = readings.map((reading) => map.of(reading));
      for (const [i, value] of values.entries()) {
        expect(Number.isFinite(value)).toBe(true);
        const before = values[i - 1] ?? value;
        expect(map.isFalling ? before >= value : before <= value).toBe(true);
      }
      if (points.length > 1) for (const [from, to] of points) expect(map.of(from) === to).toBe(true);
      const numbers = Float64Array.from(readings);
      map.apply(new Uint8Array(readings.length).fill(1), numbers, 0, readings.length);
      expect([...numbers]).toEqual(values);
    }),
    { numRuns: 2000 },
  );
});

test('two points next to each other make a step, not a hole', () => {
  const map = valueMapOf({
    points: [
      [0, -5],
      [5e-324, 6],
    ],
  });
  expect([-1, 0, 5e-324, 1].map((reading) => map.of(reading))).toEqual([
    -Number.MAX_VALUE,
    -5,
    6,
    Number.MAX_VALUE,
  ]);
});
