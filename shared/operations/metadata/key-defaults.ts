import type { KeySettings } from './key-settings.ts';

/** The settings of a key that has none. */
export const NO_SETTINGS: KeySettings = {
  shown_as: '',
  unit: '',
  decimals: null,
  colour: null,
  dash: null,
  axis: null,
  low: null,
  high: null,
  longest_gap_s: null,
};

/** What people call each of them. */
export const SETTING_WORDS: Readonly<Record<keyof KeySettings, string>> = {
  shown_as: 'name',
  unit: 'unit',
  decimals: 'decimals',
  colour: 'colour',
  dash: 'line',
  axis: 'axis',
  low: 'normal range',
  high: 'normal range',
  longest_gap_s: 'longest gap',
};

/** Whether a value lies outside the key's normal range: only numbers do. */
export function isOutside(value: unknown, { low, high }: Pick<KeySettings, 'low' | 'high'>): boolean {
  return typeof value === 'number' && ((low !== null && value < low) || (high !== null && value > high));
}
