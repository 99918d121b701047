import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { changed, chartAddressText, parseChartAddress } from '../../../../renderer/chart/address.ts';

const instant = fc
  .integer({ min: Date.UTC(1700, 0, 1), max: Date.UTC(2199, 11, 31) })
  .map((ms) => ms * 1000 + 7);
const key = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((text) => !text.includes(','));
const keys = fc.uniqueArray(key, { minLength: 1, maxLength: 5 });
const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const span = fc
  .tuple(number, number)
  .filter(([a, b]) => a !== b)
  .map(([a, b]) => (a < b ? ([a, b] as const) : ([b, a] as const)));

test('whatever a chart shows, its address leads back to it', () => {
  const chart = fc.record(
    {
      keys,
      hidden: keys,
      range: fc.constantFrom('1h', '90s', '30d', '6h', '2w'),
      window: fc
        .tuple(instant, instant)
        .filter(([a, b]) => a !== b)
        .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) })),
      far: fc.constant(true),
      y: fc.constantFrom('fit' as const, 'robust' as const, 'zero' as const),
      fixed: fc.dictionary(
        key.filter((name) => name !== '__proto__'),
        span,
        { minKeys: 1, maxKeys: 3 },
      ),
      stacked: fc.boolean(),
      a: instant,
      b: instant,
      zone: fc.constant('utc' as const),
      view: fc.constantFrom('raw' as const, 'both' as const),
      rates: fc.dictionary(
        key.filter((name) => name !== '__proto__'),
        fc.record({
          per: fc.constantFrom('s' as const, 'min' as const, 'h' as const, 'd' as const),
          falls: fc.oneof(
            fc.constantFrom('reset' as const, 'fall' as const),
            fc.integer({ min: 2, max: 2 ** 32 }),
          ),
        }),
        { minKeys: 1, maxKeys: 3 },
      ),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(chart, (shown) => {
      const read = parseChartAddress(chartAddressText(shown));
      // −0 is 0 to everybody who reads an axis.
      expect(JSON.parse(JSON.stringify(read))).toEqual(JSON.parse(JSON.stringify(shown)));
    }),
  );
});

test('what is wrong counts as not said', () => {
  const query =
    'keys=&range=never&from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z&far=yes&y=up&axes=1:2,9:1:left,x:2:right&a=noon&zone=mars&stacked=2&per=y:reset:a,h:1:b,h:1.5:c,h:reset';
  expect(parseChartAddress(query)).toEqual({ keys: [] });
});

test('a chart as it is at first has no address', () => {
  expect(chartAddressText({})).toBe('');
  expect(chartAddressText({ range: 'all', y: 'auto', hidden: [], fixed: {} })).toBe('');
  expect(parseChartAddress('')).toEqual({});
});

test('a change takes away what it has as null, and leaves what it does not name', () => {
  expect(changed({ a: 5, stacked: true }, { a: null, b: 7 })).toEqual({ b: 7, stacked: true });
  expect(changed(undefined, { zone: 'utc' })).toEqual({ zone: 'utc' });
});
