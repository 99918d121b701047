import { describe, expect, test } from 'vitest';
import { NO_SETTINGS } from '#shared/operations/metadata/key-defaults.ts';
import {
  formatBare,
  formatValue,
  isOutside,
  nameOfKey,
  nameWithUnit,
} from '../../../../../renderer/components/facts/key-words.ts';

const celsius = { ...NO_SETTINGS, shown_as: 'Supply', unit: '°C', decimals: 1, low: 18, high: 27 };

describe('a key', () => {
  test('goes by what it is shown as, else by its own name', () => {
    expect(nameOfKey('t1', celsius)).toBe('Supply');
    expect(nameOfKey('t1', NO_SETTINGS)).toBe('t1');
    expect(nameWithUnit('t1', celsius)).toBe('Supply (°C)');
    expect(nameWithUnit('t1', NO_SETTINGS)).toBe('t1');
  });
});

describe('a value', () => {
  test.each([
    [25.64, '25.6\u00A0°C'],
    [25.66, '25.7\u00A0°C'],
    [-0.04, '0.0\u00A0°C'],
    [-0.06, '−0.1\u00A0°C'],
    ['warm', 'warm'],
    [true, 'true'],
  ])('%j is written with the decimals and the unit of its key', (value, text) => {
    expect(formatValue(value, celsius)).toBe(text);
  });

  test('is as it is where nothing is set', () => {
    expect(formatValue(0.00561206354418701, NO_SETTINGS)).toBe('0.00561206354418701');
    expect(formatBare(25.64, celsius)).toBe('25.6');
  });

  test.each([
    [18, false],
    [27, false],
    [17.999, true],
    [27.001, true],
    ['99', false],
    [true, false],
  ])('%j lies outside the normal range: %j', (value, outside) => {
    expect(isOutside(value, celsius)).toBe(outside);
    expect(isOutside(value, NO_SETTINGS)).toBe(false);
  });

  test('an open end of the range has no outside', () => {
    expect(isOutside(-1e9, { low: null, high: 3 })).toBe(false);
    expect(isOutside(1e9, { low: 3, high: null })).toBe(false);
  });
});
