import { fixedNumber, powerOfTen, scaledBy } from '../../numbers.ts';

/* Numbers beside an axis: all in one notation, in steps of three where they are very large or very small. */

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
/** As many digits as a double may need behind the point. */
const MOST_DIGITS = 20;
/** Numbers are written out from one hundred thousandth up to a hundred millions. */
const SMALLEST_PLAIN = 1e-4;
const LARGEST_PLAIN = 1e8;

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
  return prefix === undefined ? `${mantissa}×${powerOfTen(exponent)}` : `${mantissa} ${prefix}`;
}
