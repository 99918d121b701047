import type { Random } from './random.ts';

/* Columns whose true values are known, and how a file writes them. */

export type True = number | string | boolean | undefined;

export interface Cell {
  readonly text: string;
  readonly value: True;
  /** Whether the writer means a text by it. */
  readonly isText?: boolean;
}

/** How a file writes its numbers. */
export interface NumberStyle {
  readonly mark: '.' | ',';
  readonly thousands: '' | ' ' | "'" | 'other';
  /** The word, or the number, for no value. */
  readonly missing: string;
  readonly missingShare: number;
}

export const MISSING = [
  '',
  'NaN',
  'NA',
  'null',
  '---',
  '-',
  'None',
  '\\N',
  '?',
  '#N/A',
  '#DIV/0!',
  'nan',
  'inf',
  '--',
];
export const SENTINELS = ['-999', '-9999'];

export type Column = (random: Random, row: number, style: NumberStyle) => Cell;

/** Writes an exact decimal of `digits` behind the point. */
function decimal(scaled: number, digits: number, { mark, thousands }: NumberStyle): Cell {
  const sign = scaled < 0 ? '-' : '';
  const all = String(Math.abs(scaled)).padStart(digits + 1, '0');
  const whole = all.slice(0, all.length - digits);
  const fraction = digits === 0 ? '' : all.slice(-digits);
  const separator = thousands === 'other' ? (mark === '.' ? ',' : '.') : thousands;
  const grouped = separator === '' ? whole : whole.replace(/\B(?=(?:\d{3})+$)/g, separator);
  return {
    text: `${sign}${grouped}${fraction && mark}${fraction}`,
    value: Number(`${sign}${whole}${fraction && '.'}${fraction}`),
  };
}

const numbers =
  (digits: number, least: number, most: number): Column =>
  (random, _row, style) =>
    random.chance(style.missingShare)
      ? { text: style.missing, value: undefined }
      : decimal(random.int(least, most), digits, style);

export const COLUMNS: Readonly<Record<string, Column>> = {
  tenths: numbers(1, -200, 450),
  hundredths: numbers(2, 0, 10_000),
  'three decimals': numbers(3, 1000, 99_999),
  pressure: numbers(1, 9600, 10_400),
  whole: numbers(0, 0, 800),
  'large whole': numbers(0, 500, 99_999),
  counter: (_random, row, style) => decimal(12_345 + row * 7, 0, style),
  state: (random) => ({ text: random.of(['on', 'off', 'fault']), value: '', isText: true }),
  truth: (random) => {
    const value = random.chance(0.5);
    return { text: String(value), value };
  },
  serial: (random) => ({ text: `00${random.int(1, 9999)}`, value: '', isText: true }),
  code: (random) => ({ text: `${random.int(1, 9)}E${random.int(1, 9)}`, value: '', isText: true }),
  exponent: (random) => {
    const text = `${random.int(1, 9)}.${random.int(1, 9)}E-0${random.int(1, 9)}`;
    return { text, value: Number(text) };
  },
};

const pad = (number: number, width: number) => String(number).padStart(width, '0');

/** Columns of some forms alone, which elsewhere would be something else. */
const OF_FORMS: Readonly<Record<string, Column>> = {
  'value and flag': (random) => ({
    text: `${random.of(['+', '-'])}${pad(random.int(0, 350), 4)},${random.of(['1', '1', '5', '9'])}`,
    value: '',
    isText: true,
  }),
};

/** A cell of a column; what is a text is its own value. */
export function cellOf(name: string, random: Random, row: number, style: NumberStyle): Cell {
  const cell = (COLUMNS[name] ?? OF_FORMS[name]!)(random, row, style);
  return cell.isText ? { ...cell, value: cell.text } : cell;
}
