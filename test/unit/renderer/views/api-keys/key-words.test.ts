import { describe, expect, test } from 'vitest';
import {
  describeExpiry,
  describePermissions,
  readExpiry,
} from '../../../../../renderer/views/api-keys/key-words.ts';

/** Micros of a local time, by the clock of this machine. */
const local = (...parts: [number, number, number, number?, number?, number?]) =>
  new Date(parts[0], parts[1] - 1, ...(parts.slice(2) as [number])).getTime() * 1000;

describe('the end of a key', () => {
  test.each([
    ['', null],
    ['   ', null],
    ['2027-01-31', local(2027, 1, 31)],
    [' 2027-01-31 18:00 ', local(2027, 1, 31, 18)],
    ['2027-01-31T18:00:05', local(2027, 1, 31, 18, 0, 5)],
    ['2027-01-31T18:00:00Z', Date.UTC(2027, 0, 31, 18) * 1000],
    ['2027-01-31T18:00:00+02:00', Date.UTC(2027, 0, 31, 16) * 1000],
    ['9999-12-31', local(9999, 12, 31)],
  ])('is read from "%s"', (text, expected) => {
    expect(readExpiry(text)).toBe(expected);
  });

  test.each(['01/31/2027', '2027-02-30', '2027-1-31', '2027-01-31 24:30', '2027-13-01', 'tomorrow', '2027'])(
    'is not guessed from "%s"',
    (text) => {
      expect(() => readExpiry(text)).toThrow(
        `expires_at must be a date such as 2027-01-31 or 2027-01-31 18:00, got "${text}"`,
      );
      expect(describeExpiry(text)).not.toContain('Ends');
    },
  );

  test('is said as it was understood', () => {
    expect(describeExpiry('2027-01-31')).toMatch(/^Ends at 2027-01-31 00:00:00 \(UTC[+−]\d\d:\d\d\)$/);
    expect(describeExpiry('')).toContain('empty means never');
  });
});

test('what a key allows is one sentence', () => {
  expect(describePermissions(['read'])).toBe('It can only read');
  expect(describePermissions(['admin'])).toBe('It can only administer');
  expect(describePermissions(['read', 'delete'])).toBe('It can read and delete');
  expect(describePermissions(['read', 'write', 'admin'])).toBe('It can read, write and administer');
});
