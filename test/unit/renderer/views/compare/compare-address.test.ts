import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareTail, type CompareShown } from '../../../../../renderer/views/compare/compare-address.ts';

const { parse, text } = compareTail;
const read = (address: string) => parse([], address.replace(/^\?/, ''));

describe('the address of a comparison', () => {
  test('brings back what it says, whatever ids and keys are like', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .filter((one) => !one.includes(','));
    const names = fc.uniqueArray(name, { minLength: 1, maxLength: 6 });
    const shown = fc
      .record({
        devices: names,
        keys: fc.option(names, { nil: undefined }),
        mode: fc.constantFrom(undefined, 'stacked' as const, 'difference' as const),
        align: fc.constantFrom(undefined, 'start' as const),
        seconds: fc.option(fc.integer({ min: -5000, max: 5000 }), { nil: undefined }),
      })
      .map(({ devices, keys, mode, align, seconds }): CompareShown => ({
        devices,
        ...(keys && { keys }),
        ...(mode && { mode }),
        ...(align && { align }),
        ...(seconds && { shifts: { [devices[0]!]: seconds } }),
      }));
    fc.assert(
      fc.property(shown, (given) => {
        expect(read(text(given))).toEqual(given);
      }),
    );
  });

  test('keeps the shift of an id that breaks lines', () => {
    const shown = { devices: ['\u2028'], shifts: { '\u2028': 1 } };
    expect(read(text(shown))).toEqual(shown);
  });

  test('keeps how the chart is looked at', () => {
    const chart = { window: { from: 1e15, to: 2e15 }, zone: 'utc', y: 'fit' } as const;
    expect(read(text({ devices: ['a'], chart }))).toEqual({ devices: ['a'], chart });
  });

  test('counts what is wrong as not said', () => {
    expect(
      read('d=a,,a,b&k=&mode=pie&align=never&shift=a,b:x,:5,a:0,a:1e999&from=yesterday&stacked=1'),
    ).toEqual({
      devices: ['a', 'b'],
    });
    expect(parse(['more'], '')).toBeNull();
    expect(read('')).toEqual({ devices: [] });
  });

  test('says nothing of the shift of a device that is not compared', () => {
    expect(text({ devices: ['a'], shifts: { b: 5, a: 0 } })).toBe('?d=a');
  });
});
