import { expect, test } from 'vitest';
import { matches } from '#shared/values/text.ts';

test('a search finds every word, whatever its case and accents', () => {
  expect(matches('kaltwasser GERAT', 'Gerät 7', 'Kaltwasser Süd')).toBe(true);
  expect(matches('warm', 'Gerät 7', 'Kaltwasser Süd')).toBe(false);
  expect(matches('  ', 'anything')).toBe(true);
});
