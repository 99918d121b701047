import { isOutside } from '#shared/key-settings.ts';
import type { KeySettings } from '#shared/operations/key-settings.ts';
import { shortened } from '../../format.ts';

/* How a key and its values are written, as its settings say. */

export { isOutside };

/** What people call a key: what it is shown as, else its own name. */
export function nameOfKey(key: string, { shown_as }: Pick<KeySettings, 'shown_as'>): string {
  return shown_as === '' ? key : shown_as;
}

/** The same with its unit: `Supply (°C)`. */
export function nameWithUnit(key: string, settings: Pick<KeySettings, 'shown_as' | 'unit'>): string {
  const name = nameOfKey(key, settings);
  return settings.unit === '' ? name : `${name} (${settings.unit})`;
}

/** A value without its unit: numbers with the key's decimals, or as they are where nothing says how many. */
export function formatBare(
  value: number | string | boolean,
  { decimals }: Pick<KeySettings, 'decimals'>,
): string {
  if (typeof value !== 'number' || decimals === null) return String(value);
  const text = value.toFixed(decimals);
  // Nobody reads "-0.0" as anything but a mistake.
  return /^-[0.]+$/.test(text) ? text.slice(1) : text;
}

/** A value with its unit: `25.6 °C`. Texts and booleans have none. */
export function formatValue(
  value: number | string | boolean,
  settings: Pick<KeySettings, 'decimals' | 'unit'>,
): string {
  const bare = formatBare(value, settings);
  // A blank that does not break.
  return typeof value === 'number' && settings.unit !== '' ? `${bare}\u00A0${settings.unit}` : bare;
}

/** Digits of a number whose key says nothing of its decimals; hovering shows all of them. */
const DIGITS = 6;
const LETTERS = 40;

/** A value as a list has room for it. */
export function shortValue(
  value: number | string | boolean,
  settings: Pick<KeySettings, 'decimals' | 'unit'>,
): string {
  if (typeof value === 'string') return shortened(value, LETTERS);
  const isLong = typeof value === 'number' && settings.decimals === null;
  return formatValue(isLong ? Number(value.toPrecision(DIGITS)) : value, settings);
}

/** A normal range: `18 to 27 °C`, `from 18 °C`, `up to 27 °C`. */
export function normalText({ low, high, unit }: Pick<KeySettings, 'low' | 'high' | 'unit'>): string {
  const end = unit === '' ? '' : `\u00A0${unit}`;
  if (low !== null && high !== null) return `${low} to ${high}${end}`;
  return low === null ? `up to ${high}${end}` : `from ${low}${end}`;
}
