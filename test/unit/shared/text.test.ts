import { expect, test } from 'vitest';
import { alternatives, matches } from '#shared/values/text.ts';

test('alternatives are named as a sentence has them', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(alternatives)).toEqual([
    '',
    'a',
    'a or b',
    'a, b or c',
  ]);
});

test('a search finds every word, whatever its case and accents', () => {
  expect(matches('kaltwasser GERAT', 'Gerät 7', 'Kaltwasser Süd')).toBe(true);
  expect(matches('warm', 'Gerät 7', 'Kaltwasser Süd')).toBe(false);
  expect(matches('  ', 'anything')).toBe(true);
});
