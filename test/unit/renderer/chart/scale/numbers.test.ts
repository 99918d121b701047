import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactNumber, fixedNumber, readNumber } from '../../../../../renderer/chart/scale/numbers.ts';

test('thousands are grouped and the minus is a true one', () => {
  expect(fixedNumber(1_234_900, 0)).toBe('1,234,900');
  expect(fixedNumber(-58, 0)).toBe('−58');
  expect(fixedNumber(-0.001, 2)).toBe('0.00');
  expect(fixedNumber(-1234.5, 2)).toBe('−1,234.50');
});

test('a number is read off an axis to one digit more than the axis has', () => {
  expect(readNumber(0.00561206354418701, 0.002)).toBe('0.0056');
  expect(readNumber(19.4632, 2)).toBe('19.5');
  expect(readNumber(999, 200)).toBe('999');
  expect(readNumber(-58, 20)).toBe('−58');
  expect(readNumber(1_234_900.5, 100_000)).toBe('1,234,900.5');
  expect(readNumber(1.8e12, 2e11)).toBe('1.800×10¹²');
  expect(readNumber(2e-9, 1e-9, 'A')).toBe('2.000 n');
  expect(readNumber(0, 5)).toBe('0');
  expect(readNumber(Number.NaN, 5)).toBe('–');
});

test('what is read is as close as its last digit says', () => {
  const number = fc.double({ min: -1e7, max: 1e7, noNaN: true });
  fc.assert(
    fc.property(number, fc.double({ min: 1e-6, max: 1e6, noNaN: true }), (value, step) => {
      const text = readNumber(value, step);
      if (text.includes('×')) return;
      const back = Number(text.replaceAll(',', '').replace('−', '-'));
      expect(Math.abs(back - value)).toBeLessThanOrEqual(step);
    }),
  );
});

test('the exact number is the one that was stored', () => {
  expect(exactNumber(0.00561206354418701)).toBe('0.00561206354418701');
  expect(exactNumber(Number.NaN)).toBe('–');
});
