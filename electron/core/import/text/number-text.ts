import type { FileSettings } from '#shared/operations/records/records.ts';
/** What stands between the whole part of a number and its fraction. */
export type Mark = NonNullable<FileSettings['decimal_mark']>;

/** Digits can be divided in one way only, so that a text of many digits that is no number costs no more than its length. */
const PLAIN = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const COMMA = /^[+-]?(?:\d+(?:,\d*)?|,\d+)(?:e[+-]?\d+)?$/i;
/** Thousands apart, as "1,000.5", "1.000,5", "1'000.5" or with a blank. */
const GROUPED_POINT = /^[+-]?[1-9]\d{0,2}([,'’ \u00A0\u202F])\d{3}(?:\1\d{3})*(?:\.\d+)?$/;
const GROUPED_COMMA = /^[+-]?[1-9]\d{0,2}([.'’ \u00A0\u202F])\d{3}(?:\1\d{3})*(?:,\d+)?$/;
const SEPARATORS = { '.': /[,'’ \u00A0\u202F]/g, ',': /[.'’ \u00A0\u202F]/g };

/** The minus of typesetters, as spreadsheets of northern languages write it. */
const MINUS = '\u2212';

/** The number a text stands for under a decimal mark, thousands apart or not; null for other texts. "1e999" is an infinity. */
export function readNumber(written: string, mark: Mark): number | null {
  const text = written.startsWith(MINUS) ? `-${written.slice(1)}` : written;
  if (mark === '.') {
    if (PLAIN.test(text)) return Number(text);
    return GROUPED_POINT.test(text) ? Number(text.replaceAll(SEPARATORS['.'], '')) : null;
  }
  if (COMMA.test(text)) return Number(text.replace(',', '.'));
  return GROUPED_COMMA.test(text) ? Number(text.replaceAll(SEPARATORS[','], '').replace(',', '.')) : null;
}

/** The same, and under the other mark where it is none under this one. */
export function readEither(text: string, mark: Mark): number | null {
  return readNumber(text, mark) ?? readNumber(text, mark === ',' ? '.' : ',');
}

/** Whether a text is a number under some decimal mark. */
export function isNumber(text: string): boolean {
  return readEither(text, '.') !== null;
}

/** What a text says about the decimal mark: the only one that makes it a number, either ("1,234"), or nothing ("5"). */
export function markOf(text: string): Mark | 'either' | null {
  const point = readNumber(text, '.');
  const comma = readNumber(text, ',');
  if (point === comma) return null;
  if (point !== null && comma !== null) return 'either';
  return point === null ? ',' : '.';
}

/** Whether whole digits begin with zeros that a number does not keep, as article numbers and postal codes do. */
export function hasLeadingZeros(text: string): boolean {
  return /^[+-]?0\d+$/.test(text);
}

/** Whether a text may be a code as well as a number: "1E5". Numbers are written with a sign or a point there. */
export function mayBeCode(text: string): boolean {
  return /^\d+e\d+$/i.test(text);
}

/** Digits that every double holds. */
const SAFE_DIGITS = 15;

/**
 * Whether a text is more whole digits than a double holds. Those that a double is written with are not, as
 * "100000000000000000000" for 1e20.
 */
export function exceedsNumber(text: string): boolean {
  if (text.length <= SAFE_DIGITS || !/^[+-]?\d+$/.test(text)) return false;
  const digits = text.replace('+', '');
  const number = Number(digits);
  return Number.isFinite(number) && String(number) !== digits && BigInt(number) !== BigInt(digits);
}
