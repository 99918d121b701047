import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstValues, seededBy, type Shape } from '#shared/domain/shapes.ts';

/* docs/rigs.md, "Simulators": each shape against its definition. */

const finite = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const seed = fc.nat();
const every_ms = fc.integer({ min: 1, max: 3_600_000 });
const COUNT = 200;

const numbersOf = (shape: Shape, options: { seed: number; every_ms: number; key?: string }) =>
  firstValues(shape, { key: 'k', ...options }, COUNT) as number[];

/** A shape's values are rounded to twelve digits. */
const near = (a: number, b: number) => Math.abs(a - b) <= 1e-10 * Math.max(1, Math.abs(a), Math.abs(b));

test('a walk begins at its start, goes at most a step at a time, and stays within its bounds', () => {
  fc.assert(
    fc.property(seed, finite(-1e3, 1e3), finite(0, 50), finite(0, 500), finite(0, 500), (...given) => {
      const [drawn, start, step, below, above] = given;
      const [min, max] = [start - below, start + above];
      const values = numbersOf({ shape: 'walk', start, step, min, max }, { seed: drawn, every_ms: 1000 });
      expect(values[0]).toBe(start);
      values.forEach((value, n) => {
        expect(value).toBeGreaterThanOrEqual(min);
        expect(value).toBeLessThanOrEqual(max);
        const moved = Math.abs(value - (values[n - 1] ?? value));
        expect(moved <= step || near(moved, step)).toBe(true);
      });
    }),
  );
});

test('a walk goes somewhere, and another way with another seed', () => {
  const walk = { shape: 'walk', start: 0, step: 1 } as const;
  const first = numbersOf(walk, { seed: 1, every_ms: 1000 });
  expect(new Set(first).size).toBeGreaterThan(COUNT / 2);
  expect(Math.max(...first.map(Math.abs))).toBeGreaterThan(1);
  expect(numbersOf(walk, { seed: 2, every_ms: 1000 })).not.toEqual(first);
});

test('a sine is what it says: its mean, its amplitude, and the same again after a period', () => {
  fc.assert(
    fc.property(finite(-1e3, 1e3), finite(0, 1e3), fc.integer({ min: 2, max: 60 }), every_ms, (...given) => {
      const [mean, amplitude, steps, every] = given;
      const period_s = (steps * every) / 1000;
      const sine = { shape: 'sine', mean, amplitude, period_s } as const;
      const values = numbersOf(sine, { seed: 1, every_ms: every });
      values.forEach((value, n) => {
        expect(near(value, mean + amplitude * Math.sin((2 * Math.PI * n) / steps))).toBe(true);
        expect(near(value, values[n % steps]!)).toBe(true);
      });
    }),
  );
});

test('noise puts a sine off by no more than it says, and by both ways', () => {
  fc.assert(
    fc.property(seed, finite(0.1, 10), (drawn, noise) => {
      const sine = { shape: 'sine', mean: 0, amplitude: 0, period_s: 1, noise } as const;
      const values = numbersOf(sine, { seed: drawn, every_ms: 1000 });
      expect(Math.max(...values.map(Math.abs))).toBeLessThanOrEqual(noise);
      expect([Math.min(...values) < 0, Math.max(...values) > 0]).toEqual([true, true]);
    }),
  );
});

test('states come in their order, each for as long as it says, and from the first again', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.boolean(), fc.integer()), { minLength: 1, maxLength: 9 }),
      fc.integer({ min: 1, max: 20 }),
      every_ms,
      (states, stays, every) => {
        const stay_s = (stays * every) / 1000;
        const values = firstValues(
          { shape: 'states', states, stay_s },
          { seed: 1, key: 'k', every_ms: every },
          COUNT,
        );
        expect(values).toEqual(values.map((_, n) => states[Math.floor(n / stays) % states.length]));
      },
    ),
  );
});

test('a period that floating-point seconds make a little longer still begins again in time', () => {
  // 1.1 s are 1100.0000000000002 ms.
  const ramp = { shape: 'ramp', from: 0, to: 11, period_s: 1.1 } as const;
  const values = numbersOf(ramp, { seed: 1, every_ms: 100 });
  expect(values.slice(0, 12)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0]);
  const states = { shape: 'states', states: ['a', 'b'], stay_s: 1.1 } as const;
  expect(firstValues(states, { seed: 1, key: 'k', every_ms: 1100 }, 3)).toEqual(['a', 'b', 'a']);
});

test('a ramp goes from one end to the other in a period, and begins again', () => {
  fc.assert(
    fc.property(
      finite(-1e3, 1e3),
      finite(-1e3, 1e3),
      fc.integer({ min: 1, max: 50 }),
      every_ms,
      (...given) => {
        const [from, to, steps, every] = given;
        const ramp = { shape: 'ramp', from, to, period_s: (steps * every) / 1000 } as const;
        numbersOf(ramp, { seed: 1, every_ms: every }).forEach((value, n) =>
          expect(near(value, from + ((to - from) * (n % steps)) / steps)).toBe(true),
        );
      },
    ),
  );
});

test('a counter counts its steps from 0, and wraps before its end', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1000 }),
      fc.option(fc.integer({ min: 1, max: 5000 })),
      (step, wraps) => {
        const counter = { shape: 'counter', step, ...(wraps !== null && { wraps_at: wraps }) } as const;
        const values = numbersOf(counter, { seed: 1, every_ms: 1 });
        expect(values).toEqual(values.map((_, n) => (wraps === null ? n * step : (n * step) % wraps)));
      },
    ),
  );
});

test('a counter of fractions stays below its end, too', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 500 }), (step, wraps) => {
      const counter = { shape: 'counter', step: step / 10, wraps_at: wraps / 10 } as const;
      numbersOf(counter, { seed: 1, every_ms: 1 }).forEach((value, n) => {
        expect(value).toBeLessThan(wraps / 10);
        expect(near(value, ((n * step) % wraps) / 10)).toBe(true);
      });
    }),
  );
});

test('values follow from seed and key alone, and keys do not follow each other', () => {
  const walk = { shape: 'walk', start: 0, step: 1 } as const;
  fc.assert(
    fc.property(seed, fc.string(), fc.string(), (drawn, a, b) => {
      const of = (key: string) => firstValues(walk, { seed: drawn, key, every_ms: 1 }, 20);
      expect(of(a)).toEqual(of(a));
      if (a !== b) expect(of(a)).not.toEqual(of(b));
    }),
  );
});

test('chance is spread evenly from 0 to less than 1', () => {
  fc.assert(
    fc.property(seed, (drawn) => {
      const draw = seededBy(drawn, 'x');
      const tenths = Array.from({ length: 10 }, () => 0);
      for (let i = 0; i < 10_000; i++) tenths[Math.floor(draw() * 10)]!++;
      for (const count of tenths) expect(Math.abs(count - 1000)).toBeLessThan(250);
    }),
    { numRuns: 20 },
  );
});
