import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { increaseOf, type Falls, type Rate } from '#shared/domain/rates.ts';
import { likelyFalls, likelyWrap, ratesOf } from '../../../../../renderer/chart/rates/rate.ts';

const S = 1e6;
const of = (rate: Rate, ...readings: readonly (readonly [second: number, value: number])[]) => {
  const timestamps = Float64Array.from(readings, ([second]) => second * S);
  const { values, wraps, resets } = ratesOf(
    timestamps,
    Float64Array.from(readings, ([, value]) => value),
    rate,
  );
  return { values: [...values], wraps, resets };
};
const { NaN: NONE } = Number;

test('a counter is shown as what it counted between two records, per time', () => {
  const readings = [
    [0, 100],
    [10, 160],
    [40, 160],
  ] as const;
  expect(of({ per: 's', falls: 'reset' }, ...readings).values).toEqual([NONE, 6, 0]);
  expect(of({ per: 'min', falls: 'reset' }, ...readings).values).toEqual([NONE, 360, 0]);
  expect(of({ per: 'd', falls: 'reset' }, [0, 0], [86_400, 24]).values).toEqual([NONE, 24]);
});

test('16 bits wrap at 65,536: what lies past the end is counted on, and said', () => {
  const found = of({ per: 's', falls: 65_536 }, [0, 65_530], [1, 65_535], [2, 4], [3, 9]);
  expect(found).toEqual({ values: [NONE, 5, 5, 5], wraps: [2], resets: [] });
});

test('a fall that would count on past half of all is a reset, of which nothing is shown', () => {
  // 40,000 to 100 would be 25,636 on: less than half. 20,000 to 100 would be 45,636.
  expect(increaseOf(40_000, 100, 65_536)).toBe(25_636);
  expect(increaseOf(20_000, 100, 65_536)).toBeNull();
  expect(of({ per: 's', falls: 65_536 }, [0, 20_000], [1, 100], [2, 107])).toEqual({
    values: [NONE, NONE, 7],
    wraps: [],
    resets: [1],
  });
  // What is beyond such a counter is not of it.
  expect(increaseOf(70_000, 69_000, 65_536)).toBeNull();
  expect(increaseOf(5, -3, 65_536)).toBeNull();
  expect(increaseOf(65_535, 0, 'reset')).toBeNull();
  expect(increaseOf(21.5, 20, 'fall')).toBe(-1.5);
});

test('records without the key are passed over, and at one instant nothing is said per time', () => {
  expect(of({ per: 's', falls: 'reset' }, [0, 1], [1, NONE], [2, 5], [2, 6], [4, 8]).values).toEqual([
    NONE,
    NONE,
    2,
    NONE,
    1,
  ]);
  expect(of({ per: 's', falls: 'reset' }).values).toEqual([]);
});

/** The same, as one would reckon by hand: every number with the one before it. */
function naively(readings: readonly (readonly [number, number])[], { per, falls }: Rate) {
  const seconds = { s: 1, min: 60, h: 3_600, d: 86_400 }[per];
  return readings.map(([at, value], row) => {
    const before = readings.slice(0, row).findLast(([, other]) => !Number.isNaN(other));
    if (Number.isNaN(value) || !before) return NONE;
    let increase = value - before[1];
    if (increase < 0 && falls === 'reset') return NONE;
    if (increase < 0 && typeof falls === 'number') {
      increase += falls;
      const isOfIt = value >= 0 && before[1] < falls;
      if (!isOfIt || increase >= falls / 2) return NONE;
    }
    return at > before[0] ? (increase / (at - before[0])) * seconds : NONE;
  });
}

const falls = fc.constantFrom<Falls>('reset', 'fall', 256, 65_536);
const rate = fc.record({
  per: fc.constantFrom('s' as const, 'min' as const, 'h' as const, 'd' as const),
  falls,
});

test('it is what one reckons by hand', () => {
  const reading = fc.tuple(fc.nat(5), fc.oneof(fc.integer({ min: -9, max: 70_000 }), fc.constant(NONE)));
  fc.assert(
    fc.property(fc.array(reading, { maxLength: 40 }), rate, (steps, asked) => {
      let second = 0;
      const readings = steps.map(([step, value]) => [(second += step), value] as const);
      const { values } = of(asked, ...readings);
      const byHand = naively(readings, asked);
      expect(values).toHaveLength(byHand.length);
      for (const [row, value] of values.entries()) {
        const wanted = byHand[row] ?? NONE;
        expect(Number.isNaN(value)).toBe(Number.isNaN(wanted));
        if (!Number.isNaN(wanted))
          expect(Math.abs(value - wanted)).toBeLessThanOrEqual(Math.abs(wanted) * 1e-12);
      }
    }),
  );
});

test('a counter that wraps gives back what was counted, however often', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(256, 65_536),
      fc.array(fc.double({ min: 0, max: 0.499, noNaN: true }), { minLength: 1, maxLength: 200 }),
      (wrap, shares) => {
        const counted = shares.map((share) => Math.floor(share * wrap));
        let total = 0;
        const readings = [0, ...counted].map((step, n) => [n, (total += step) % wrap] as const);
        const { values, wraps, resets } = of({ per: 's', falls: wrap }, ...readings);
        expect(values.slice(1)).toEqual(counted);
        expect(wraps).toHaveLength(Math.floor(total / wrap));
        expect(resets).toEqual([]);
      },
    ),
  );
});

test('where a counter wraps is guessed by how far it came', () => {
  expect([0, 255, 256, 65_535, 70_000, 99_999, 3e9].map(likelyWrap)).toEqual([
    256,
    256,
    1_000,
    65_536,
    100_000,
    100_000,
    2 ** 32,
  ]);
  expect(likelyWrap(1e12)).toBe(2 ** 53);
  expect([65_535, 65_536, 40_000, 4_294_967_000, -1].map(likelyFalls)).toEqual([
    65_536,
    'reset',
    'reset',
    2 ** 32,
    'reset',
  ]);
});
