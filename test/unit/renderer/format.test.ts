import { describe, expect, test } from 'vitest';
import { countOf, formatBytes, formatDuration, shortened, shortenedKey } from '../../../renderer/format.ts';

describe('numbers', () => {
  test('counts agree with their noun', () => {
    expect([countOf(0, 'record'), countOf(1, 'record'), countOf(22_695, 'record')]).toEqual([
      '0 records',
      '1 record',
      '22,695 records',
    ]);
  });
  test('bytes keep three digits', () => {
    expect([0, 1, 999, 1000, 12_345, 999_499, 999_500, 1.5e12].map(formatBytes)).toEqual([
      '0 bytes',
      '1 byte',
      '999 bytes',
      '1.00 KB',
      '12.3 KB',
      '999 KB',
      '1.00 MB',
      '1.50 TB',
    ]);
  });
  test('durations use two units', () => {
    expect([3.4, 200, 7500].map(formatDuration)).toEqual(['3 s', '3 min 20 s', '2 h 5 min']);
  });
});

test('a long key keeps its end, by which keys differ, and whole characters', () => {
  const keys = [1, 11].map((n) => `a_key_that_says_what_it_measures_and_where_${n}`);
  expect(keys.map((key) => shortenedKey(key, 24))).toEqual([
    'a_key_that_say…nd_where_1',
    'a_key_that_say…d_where_11',
  ]);
  expect(shortenedKey('a_key_of_24_letters_0123', 24)).toBe('a_key_of_24_letters_0123');
  expect(shortenedKey(`${'x'.repeat(30)}😀123456789`, 24)).toBe('xxxxxxxxxxxxxx…123456789');
});

test('a long text is shortened to whole characters', () => {
  expect(shortened('x'.repeat(200))).toBe('x'.repeat(200));
  expect(shortened('x'.repeat(201))).toBe(`${'x'.repeat(200)}…`);
  expect(shortened(`${'x'.repeat(199)}🌡${'x'.repeat(9)}`)).toBe(`${'x'.repeat(199)}…`);
  expect(shortened('abcdef', 3)).toBe('abc…');
});
