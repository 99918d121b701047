import { isOutside } from '#shared/operations/metadata/key-defaults.ts';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import { shortened } from '../../format.ts';
import { exactNumber, fixedNumber, formatNumber } from '../../numbers.ts';

/* How a key and its values are written, as its settings say. */

export { isOutside };

/** Returns the name of a key for people: its title, else its own name. */
export function nameOfKey(key: string, { shown_as }: Pick<KeySettings, 'shown_as'>): string {
  return shown_as === '' ? key : shown_as;
}

/** Returns the name of a key with its unit: `Supply (°C)`. */
export function nameWithUnit(key: string, settings: Pick<KeySettings, 'shown_as' | 'unit'>): string {
  const name = nameOfKey(key, settings);
  return settings.unit === '' ? name : `${name} (${settings.unit})`;
}

/** A value without its unit: numbers with the key's decimals, or as they are where nothing says how many. */
export function formatBare(
  value: number | string | boolean,
  { decimals }: Pick<KeySettings, 'decimals'>,
): string {
  if (typeof value !== 'number') return String(value);
  return decimals === null ? exactNumber(value) : fixedNumber(value, decimals);
}

/** A value with its unit: `25.6 °C`. Texts and booleans have none. */
export function formatValue(
  value: number | string | boolean,
  settings: Pick<KeySettings, 'decimals' | 'unit'>,
): string {
  return withUnit(value, formatBare(value, settings), settings);
}

// A blank that does not break.
const withUnit = (value: unknown, text: string, { unit }: Pick<KeySettings, 'unit'>) =>
  typeof value === 'number' && unit !== '' ? `${text}\u00A0${unit}` : text;

const LETTERS = 40;
/** Characters of a number in a list: a counter of eleven digits stays whole. */
export const NUMBER_ROOM = 14;

/** A number as a list has room for it, without its unit; `alike` as `formatNumber` takes it. */
export const shortNumber = (value: number, { decimals }: Pick<KeySettings, 'decimals'>, alike?: number) =>
  formatNumber(value, { given: decimals, room: NUMBER_ROOM, ...(alike !== undefined && { alike }) });

/** A value as a list has room for it; hovering shows all of it. */
export function shortValue(
  value: number | string | boolean,
  settings: Pick<KeySettings, 'decimals' | 'unit'>,
  alike?: number,
): string {
  if (typeof value === 'string') return shortened(value, LETTERS);
  if (typeof value === 'boolean') return String(value);
  return withUnit(value, shortNumber(value, settings, alike), settings);
}

/** A normal range: `18 to 27 °C`, `from 18 °C`, `up to 27 °C`. */
export function normalText({ low, high, unit }: Pick<KeySettings, 'low' | 'high' | 'unit'>): string {
  const end = unit === '' ? '' : `\u00A0${unit}`;
  const [from, to] = [low, high].map((limit) => (limit === null ? null : exactNumber(limit)));
  if (from !== null && to !== null) return `${from} to ${to}${end}`;
  return from === null ? `up to ${to}${end}` : `from ${from}${end}`;
}
