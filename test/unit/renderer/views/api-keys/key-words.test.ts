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
    ['31.12.2027', local(2027, 12, 31)],
    ['1. 2. 2027 18:00', local(2027, 2, 1, 18)],
    ['tomorrow', local(2026, 2, 1)],
    ['30 days', local(2026, 3, 2, 12)],
    ['in 2 weeks', local(2026, 2, 14, 12)],
    ['1 month', local(2026, 2, 28, 12)],
    ['1 Year', local(2027, 1, 31, 12)],
    ['36 hours', local(2026, 2, 2)],
  ])('is read from "%s"', (text, expected) => {
    expect(readExpiry(text, local(2026, 1, 31, 12))).toBe(expected);
  });

  test.each([
    '01/31/2027',
    '2027-02-30',
    '2027-1-31',
    '2027-01-31 24:30',
    '2027-13-01',
    'soon',
    '0 days',
    '31.02.2027',
    '31/12/2027',
    '2027',
  ])('is not guessed from "%s"', (text) => {
    expect(() => readExpiry(text)).toThrow(/^Takes how long it holds \(30 days, .*\)\. Got “/);
    expect(describeExpiry(text)).not.toContain('Ends');
  });

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
