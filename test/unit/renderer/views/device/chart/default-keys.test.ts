import { expect, test } from 'vitest';
import { defaultKeys, variationBetween } from '../../../../../../renderer/views/device/chart/default-keys.ts';

test('the first four keys are drawn at first', () => {
  expect(defaultKeys([], ['a', 'b', 'c', 'd', 'e'])).toEqual(['a', 'b', 'c', 'd']);
});

test('a key that appears later joins behind the others, and pushes none out', () => {
  expect(defaultKeys(['humidity', 'level'], ['co2', 'humidity', 'level'])).toEqual([
    'humidity',
    'level',
    'co2',
  ]);
  expect(defaultKeys(['b', 'c', 'd', 'e'], ['a', 'b', 'c', 'd', 'e'])).toEqual(['b', 'c', 'd', 'e']);
});

test('keys that are gone make room', () => {
  expect(defaultKeys(['a', 'b', 'c', 'd'], ['b', 'e'])).toEqual(['b', 'e']);
});

test('what varies most is known, and a switch is none of it', () => {
  expect(variationBetween(-5, 5)).toBe(2);
  expect(variationBetween(0, 80)).toBe(1);
  expect(variationBetween(20, 25)).toBeCloseTo(0.2);
  expect(variationBetween(7, 7)).toBe(0);
  expect(variationBetween(0, 0)).toBe(0);
  expect(variationBetween(0, 1)).toBe(0);
});
