import { expect, test } from 'vitest';
import { exactNumber } from '../../../renderer/numbers.ts';
import { readNumber } from '../../../renderer/read-number.ts';

test.each([
  ['1013', 1013],
  [' −2,5 ', -2.5],
  ['0,125', 0.125],
  ['1234,567', 1234.567],
  ['1e3', 1000],
  ['.5', 0.5],
])('%j is read as %d', (text, number) => {
  expect(readNumber(text)).toEqual({ number });
});

test('a number that the app writes is read as it is, or asked about, and never another one', () => {
  for (const number of [7, 1013, 1013.25, -12_345_679_300, 999_999, 1_000_000.5, 0.5, -1234.567]) {
    const read = readNumber(exactNumber(number));
    expect('number' in read ? read.number : number).toBe(number);
  }
  expect(readNumber('1,013')).toMatchObject({ problem: '“1,013” may be 1013 or 1.013: write one of these.' });
  expect(readNumber('−1,013')).toMatchObject({ isUnclear: true });
});

test.each(['', 'abc', '1e400', '12 345,5', '0x10', 'Infinity', '1,2,3', '1.013,25'])('%j is none', (text) => {
  expect(readNumber(text)).toEqual({ problem: 'A number, or nothing.', isUnclear: false });
});
