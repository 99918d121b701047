import { expect, test } from 'vitest';
import { pointShifts } from '../../../../renderer/import/point-shifts.ts';

test('points of a column lie below one another, also where some numbers are whole', () => {
  expect(pointShifts(['60', '60.07', '60.2', null, '−1,234'])).toEqual([3, 0, 1, 0, 3]);
  expect(pointShifts(['1', '20', '300'])).toEqual([0, 0, 0]);
  expect(pointShifts([null])).toEqual([0]);
  expect(pointShifts([])).toEqual([]);
});

test('a long number is shifted as far as it stays whole', () => {
  expect(pointShifts(['0.1234567890123456', '123,456,789,012,345'])).toEqual([0, 5]);
  expect(pointShifts(['0.5', '123,456,789,012,345,678,901,234'])).toEqual([0, 0]);
});
