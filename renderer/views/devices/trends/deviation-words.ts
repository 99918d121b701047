import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import { countOf } from '../../../format.ts';
import { fixedNumber, formatNumber } from '../../../numbers.ts';
import { UNLIKE_FROM, type Comparison, type Deviation } from './comparison.ts';

/** Digits of the spread that are told. */
const DIGITS = 2;
const ROOM = 12;

/**
 * Returns digits behind the point of deviations: as many as tell two digits of the spread, and at most one more than the key's
 * numbers have, of which levels are means.
 */
export function deviationDecimals({ spread }: Comparison, decimals: number): number {
  if (!(spread > 0)) return decimals;
  return Math.min(decimals + 1, Math.max(0, DIGITS - 1 - Math.floor(Math.log10(spread))));
}

/** A deviation with its sign and unit: `+7.52 °C`. */
export function deviationText(
  { difference }: Deviation,
  decimals: number,
  { unit }: Pick<KeySettings, 'unit'>,
): string {
  const plain = fixedNumber(difference, decimals);
  const text = plain.length > ROOM ? formatNumber(difference, { room: ROOM }) : plain;
  const signed = difference > 0 && /[1-9]/.test(text) ? `+${text}` : text;
  return unit === '' ? signed : `${signed}\u00A0${unit}`;
}

/** The whole of it: `7.52 °C above the median of 60 devices, 21.30 °C; 34 × MAD of 0.22 °C. Marked from 6 × MAD on`. */
export function deviationSentence(
  { difference, times }: Deviation,
  { devices, median, spread, hours }: Comparison,
  decimals: number,
  { unit }: Pick<KeySettings, 'unit'>,
): string {
  const end = unit === '' ? '' : `\u00A0${unit}`;
  const write = (value: number) => fixedNumber(value, decimals) + end;
  const where =
    difference === 0
      ? 'At the median'
      : `${write(Math.abs(difference))} ${difference > 0 ? 'above' : 'below'} the median`;
  const measured =
    spread > 0 ? `; ${timesText(times)} × MAD of ${formatNumber(spread, { room: ROOM })}${end}` : '';
  const span = hours === undefined ? '' : ` in the ${countOf(hours, 'hour')} that it has`;
  return `${where} of ${devices} devices${span}, ${write(median)}${measured}. Marked from ${UNLIKE_FROM} × MAD on`;
}

const timesText = (times: number) => formatNumber(times, { given: times < 10 ? 1 : 0, room: ROOM });
