import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalsOf, exactNumber, fixedNumber, formatNumber } from '../../../renderer/numbers.ts';

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** What somebody who reads a text takes it for. */
function read(text: string): number {
  const plain = text.replaceAll(',', '').replaceAll('−', '-').replaceAll('⁻', '-');
  const ascii = plain.replaceAll(/[⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (digit) => String(SUPERSCRIPTS.indexOf(digit)));
  return Number(ascii.replace('×10', 'e'));
}
const decimalsIn = (text: string) => text.split('.')[1]?.length ?? 0;

const numbers = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ noNaN: true, min: -1e7, max: 1e7 }),
  fc.maxSafeInteger(),
  fc
    .tuple(fc.integer(), fc.nat(4))
    .map(([whole, decimals]) => Number((whole / 10 ** decimals).toFixed(decimals))),
);
const rooms = fc.integer({ min: 11, max: 30 });

test('thousands are grouped and the minus is a true one', () => {
  expect(fixedNumber(1_234_900, 0)).toBe('1,234,900');
  expect(fixedNumber(-58, 0)).toBe('−58');
  expect(fixedNumber(-0.001, 2)).toBe('0.00');
  expect(fixedNumber(-1234.5, 2)).toBe('−1,234.50');
});

describe('a number with little room', () => {
  test.each([
    [12_345_679_300, '12,345,679,300'],
    [-12_345_679_300, '−12.346×10⁹'],
    [100_005.99, '100,005.99'],
    [1_669_570_000_000_000, '1.670×10¹⁵'],
    [12_345_679.25, '12,345,679.25'],
    [1_234_567_890.25, '1,234,567,890'],
    [-64.445_933, '−64.4459'],
    [0.005_612_063_544, '0.00561206'],
    [2e-9, '2.000×10⁻⁹'],
    [0.1 + 0.2, '0.3'],
    [0, '0'],
    [Number.NaN, '–'],
  ])('%d is written %s', (value, text) => {
    expect(formatNumber(value, { room: 14 })).toBe(text);
  });

  test('has its digits before the point whole, or is a power of ten', () => {
    fc.assert(
      fc.property(numbers, rooms, (value, room) => {
        const text = formatNumber(value, { room });
        expect(text).not.toMatch(/-|e/);
        const off = Math.abs(read(text) - value);
        if (text.includes('×')) expect(off).toBeLessThanOrEqual(Math.abs(value) * 0.0005);
        else {
          expect(text.length).toBeLessThanOrEqual(room);
          expect(text).toMatch(/^−?\d{1,3}(,\d{3})*(\.\d+)?$/);
          expect(off).toBeLessThanOrEqual(
            Math.max(Math.abs(value) * 1e-15, 0.500001 * 10 ** -decimalsIn(text)),
          );
          expect(off).toBeLessThanOrEqual(Math.abs(value) / 499);
        }
      }),
    );
  });

  test('is itself where it is whole and fits', () => {
    fc.assert(
      fc.property(fc.integer({ min: -999_999_999, max: 99_999_999_999 }), (value) => {
        expect(read(formatNumber(value, { room: 14 }))).toBe(value);
      }),
    );
  });
});

test('numbers of one key have the decimals of the key, whichever of them are shown', () => {
  const key = [40, 60.9, 51, 49.97];
  const alike = decimalsOf(key);
  expect(key.map((value) => formatNumber(value, { alike }))).toEqual(['40.00', '60.90', '51.00', '49.97']);
  const few = fc.array(
    fc.integer({ min: 100_00, max: 9_999_99 }).map((cents) => cents / 100),
    { minLength: 1 },
  );
  fc.assert(
    fc.property(few, (some) => {
      const decimals = some.map((value) =>
        decimalsIn(formatNumber(value, { alike: decimalsOf(some), room: 14 })),
      );
      expect(new Set(decimals).size).toBe(1);
    }),
  );
});

test('one that is small beside the others of its key keeps what it says', () => {
  expect(formatNumber(0.0123, { alike: decimalsOf([2000.5, 0.0123]) })).toBe('0.0123');
  expect(formatNumber(5.916_079, { alike: 1 })).toBe('5.92');
  expect(formatNumber(3e-9, { alike: 2 })).toBe('3.000×10⁻⁹');
});

test('who asks for decimals gets them, as far as there is room', () => {
  expect(formatNumber(-0.04, { given: 1 })).toBe('0.0');
  expect(formatNumber(12_345_679_300.4, { given: 2, room: 14 })).toBe('12,345,679,300');
  expect(formatNumber(1.5e15, { given: 2, room: 14 })).toBe('1.500×10¹⁵');
});

test('the exact number is the one that was stored', () => {
  expect(exactNumber(0.00561206354418701)).toBe('0.00561206354418701');
  expect(exactNumber(Number.NaN)).toBe('–');
  fc.assert(
    fc.property(numbers, (value) => {
      expect(read(exactNumber(value))).toBe(value === 0 ? 0 : value);
    }),
  );
});
