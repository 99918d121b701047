/*
 * Numbers as a chart writes them: thousands grouped, a true minus, and steps of three for what is very large or very
 * small. What is copied or hovered is the number as it was stored.
 */

const MINUS = '−';
/** Between thousands: a comma, as counts have it everywhere else in the app. */
const GROUP = ',';
const PREFIXES = new Map([
  [-15, 'f'],
  [-12, 'p'],
  [-9, 'n'],
  [-6, 'µ'],
  [-3, 'm'],
  [0, ''],
  [3, 'k'],
  [6, 'M'],
  [9, 'G'],
  [12, 'T'],
  [15, 'P'],
]);
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** As many digits as a double may need behind the point. */
const MOST_DIGITS = 20;
/** Numbers are written out from one hundred thousandth up to a hundred millions. */
const SMALLEST_PLAIN = 1e-4;
const LARGEST_PLAIN = 1e8;

/** A number with so many digits behind the point, rounded half away from zero as people do: `−1,234.50`. */
export function fixedNumber(value: number, digits: number): string {
  const size = Math.abs(value);
  // `toFixed` goes over to powers of ten there.
  const plain = size < 1e21 ? size.toFixed(digits) : BigInt(size).toString();
  const [whole = '', fraction] = plain.split('.');
  const grouped = whole.replaceAll(/\B(?=(\d{3})+(?!\d))/g, GROUP);
  const text = fraction === undefined ? grouped : `${grouped}.${fraction}`;
  return value < 0 && /[1-9]/.test(text) ? MINUS + text : text;
}

/** How numbers of about the size of `largest` that lie `step` apart are written: the same way for all of them. */
export interface Notation {
  /** The power of ten that is taken out, a multiple of three; null where numbers are written out. */
  readonly exponent: number | null;
  readonly digits: number;
}

export function notationFor(largest: number, step: number): Notation {
  const size = Math.max(Math.abs(largest), Math.abs(step));
  if (size === 0 || !Number.isFinite(size)) return { exponent: null, digits: 0 };
  const exponent = exponentOf(size);
  const digits = digitsOf(step / 10 ** (exponent ?? 0));
  const plain = { exponent: null, digits: digitsOf(step) };
  if (exponent === null) return plain;
  // A counter of thirteen digits that moves by one: taking a power out saves nothing.
  const short = { exponent, digits };
  return writeNumber(size, short).length < writeNumber(size, plain).length ? short : plain;
}

/** The power of ten that is taken out of a number of such a size; null where it is written out. */
function exponentOf(size: number): number | null {
  const isFar = size > 0 && (size >= LARGEST_PLAIN || size < SMALLEST_PLAIN);
  return isFar ? 3 * Math.floor(Math.log10(size) / 3 + 1e-9) : null;
}

/** Digits behind the point that a step needs: 2.5 needs one, 200 none. */
function digitsOf(step: number): number {
  if (!(step > 0)) return 0;
  for (let digits = 0; digits < MOST_DIGITS; digits++)
    if (Math.abs(Number(step.toFixed(digits)) - step) <= step / 1000) return digits;
  return MOST_DIGITS;
}

/** Writes a number in a notation. With a unit a power of ten is its prefix (`1.8 M`), else it is said: `1.8×10⁶`. */
export function writeNumber(value: number, { exponent, digits }: Notation, unit = ''): string {
  if (!Number.isFinite(value)) return '–';
  if (exponent === null) return fixedNumber(value, digits);
  if (value === 0) return '0';
  const mantissa = fixedNumber(scaledBy(value, exponent), digits);
  if (exponent === 0) return mantissa;
  const prefix = unit === '' ? undefined : PREFIXES.get(exponent);
  return prefix === undefined ? `${mantissa}×10${superscript(exponent)}` : `${mantissa} ${prefix}`;
}

/** Without the rounding of 10 ** −308, and without leaving the doubles. */
function scaledBy(value: number, exponent: number): number {
  const half = Math.trunc(exponent / 2);
  return value / 10 ** half / 10 ** (exponent - half);
}

function superscript(exponent: number): string {
  const digits = Array.from(String(Math.abs(exponent)), (digit) => SUPERSCRIPTS[Number(digit)] ?? '');
  return (exponent < 0 ? '⁻' : '') + digits.join('');
}

/** A number as it was stored, with a true minus and grouped thousands: what hovering shows. */
export function exactNumber(value: number): string {
  return Number.isNaN(value) ? '–' : String(value);
}

/**
 * A number read off an axis whose ticks lie `step` apart: one digit more than the axis has, and none that only
 * rounding made.
 */
export function readNumber(value: number, step: number, unit = ''): string {
  if (!Number.isFinite(value)) return '–';
  const exponent = exponentOf(Math.abs(value));
  if (exponent !== null) return writeNumber(value, { exponent, digits: 3 }, unit);
  const digits =
    Number.isFinite(step) && step > 0 ? Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) + 1 : 6;
  return trimmed(fixedNumber(value, Math.min(MOST_DIGITS, digits)), Number.isInteger(value));
}

/** Whole numbers stay whole: a counter of 1,000 is not 1,000.0. */
function trimmed(text: string, isWhole: boolean): string {
  return isWhole ? text.replace(/\.0+$/, '') : text;
}
