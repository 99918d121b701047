import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Quantiles, roomOf } from '#core/survey/quantiles.ts';

const PERCENTS = [0, 5, 50, 95, 100];

function quantilesOf(numbers: readonly number[], room: number): Quantiles {
  const quantiles = new Quantiles(room);
  for (const number of numbers) quantiles.add(number);
  return quantiles;
}

test('few numbers are kept all, and their quantiles are exact', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true }), { minLength: 1, maxLength: 64 }), (numbers) => {
      const quantiles = quantilesOf(numbers, 64);
      const sorted = Float64Array.from(numbers).toSorted();
      expect(quantiles.error).toBe(0);
      expect(quantiles.at(PERCENTS)).toEqual(
        PERCENTS.map((percent) => sorted[Math.max(1, Math.ceil((percent * sorted.length) / 100)) - 1]),
      );
    }),
  );
});

test('of any number of numbers, in whatever order, ranks are off by no more than is said', () => {
  const order = fc.constantFrom('up', 'down', 'mixed', 'waves');
  fc.assert(
    fc.property(order, fc.integer({ min: 65, max: 20_000 }), (name, length) => {
      const numberAt = {
        up: (i: number) => i,
        down: (i: number) => -i,
        mixed: (i: number) => (i * 7919) % 10_007,
        waves: (i: number) => Math.sin(i / 50) * 10 ** (i % 9),
      }[name];
      const numbers = Array.from({ length }, (_, i) => numberAt(i));
      const quantiles = quantilesOf(numbers, 64);
      expect(quantiles.error).toBeGreaterThan(0);
      for (const [i, value] of quantiles.at(PERCENTS).entries()) {
        const target = Math.max(1, (PERCENTS[i]! * length) / 100);
        const below = numbers.filter((number) => number < value).length;
        const upTo = numbers.filter((number) => number <= value).length;
        // An odd rest at the last level may be one number of its weight short.
        const slack = quantiles.error * length + 1;
        expect(upTo).toBeGreaterThanOrEqual(target - slack);
        expect(below).toBeLessThanOrEqual(target + slack);
      }
    }),
    { numRuns: 40 },
  );
});

test('many keys share the memory of few, in even rooms', () => {
  expect([1, 16, 100, 4096].map(roomOf)).toEqual([32_768, 32_768, 5242, 128]);
});
