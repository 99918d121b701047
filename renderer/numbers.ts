/*
 * Numbers of records as every screen writes them: thousands grouped, a true minus, digits before the point never cut.
 * What is copied or pointed at is the number as it was stored.
 */

const MINUS = '−';
/** Between thousands: a comma, as counts have it everywhere else in the app. */
const GROUP = ',';
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** Relative precision of shown numbers: one in so many. */
const CLOSE = 500;
/** Significant digits that the largest number of a key is written with, and digits behind the point that it keeps. */
const SIGNIFICANT = 6;
const LEAST_DECIMALS = 2;
/** Digits that a computation leaves right: 0.1 + 0.2 has one decimal. */
const RIGHT_DIGITS = 12;
/** As many digits as a double is written with before it goes over to powers of ten. */
const MOST_DECIMALS = 20;
/** Smaller numbers are written as powers of ten. */
const SMALLEST_PLAIN = 1e-7;
const LARGEST_PLAIN = 1e21;

/** A number with so many digits behind the point: `−1,234.50`; what is nothing by then has no sign. */
export function fixedNumber(value: number, decimals: number): string {
  const size = Math.abs(value);
  // `toFixed` goes over to powers of ten there.
  const plain = size < LARGEST_PLAIN ? size.toFixed(decimals) : BigInt(size).toString();
  const [whole = '', fraction] = plain.split('.');
  const grouped = whole.replaceAll(/\B(?=(\d{3})+(?!\d))/g, GROUP);
  const text = fraction === undefined ? grouped : `${grouped}.${fraction}`;
  return value < 0 && /[1-9]/.test(text) ? MINUS + text : text;
}

/** A number to its last digit: `12,345,679,300`, `0.00561206354418701`, `1.5×10⁻⁹`. */
export function exactNumber(value: number): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value)) return '–';
  if (size === 0 || (size >= SMALLEST_PLAIN && size < LARGEST_PLAIN))
    return fixedNumber(value, decimalPlaces(value));
  const [mantissa = '', exponent = ''] = String(size).split('e');
  return `${value < 0 ? MINUS : ''}${mantissa}×${powerOfTen(Number(exponent))}`;
}

/** Digits behind the point of a number as it is written out: 2.50 has one, 1e-7 has seven. */
export function decimalPlaces(value: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
}

/**
 * The digits behind the point that all numbers of a key are written with, judged by those that are known: as many as any
 * of them has, as long as they say something beside the largest.
 */
export function decimalsOf(numbers: Iterable<number>): number {
  let [most, largest] = [0, 0];
  for (const value of numbers) {
    if (!Number.isFinite(value)) continue;
    most = Math.max(most, decimalPlaces(Number(value.toPrecision(RIGHT_DIGITS))));
    largest = Math.max(largest, Math.abs(value));
  }
  const before = largest === 0 ? 0 : Math.floor(Math.log10(largest)) + 1;
  return Math.min(most, MOST_DECIMALS, Math.max(LEAST_DECIMALS, SIGNIFICANT - before));
}

interface Written {
  /** Digits behind the point that were asked for; null for none. */
  readonly given?: number | null;
  /** Decimals of the numbers beside it (`decimalsOf`), unless others are asked for; absent: it stands alone. */
  readonly alike?: number;
  /** Characters that there is room for. */
  readonly room?: number;
}

/**
 * A number as a list, a legend or a report writes it: whole ones whole, others with as many decimals as their key has and
 * there is room for. One that does not fit, or of which next to nothing would be left, is a power of ten: `1.670×10¹⁵`.
 */
export function formatNumber(value: number, { given = null, alike, room = Infinity }: Written = {}): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  const isPlain = size < LARGEST_PLAIN && (size === 0 || given !== null || size >= SMALLEST_PLAIN);
  if (!isPlain) return powerNumber(value);
  for (let digits = given ?? tellingDigits(value, alike); digits >= 0; digits--) {
    const text = fixedNumber(value, digits);
    if (given === null && !isClose(value, digits)) break;
    if (text.length <= room) return text;
  }
  return powerNumber(value);
}

/** As many as the numbers beside it have, and one more for as long as next to nothing of this one is left. */
function tellingDigits(value: number, alike: number | undefined): number {
  const own = decimalsOf([value]);
  let digits = alike ?? own;
  while (digits < own && !isClose(value, digits)) digits++;
  return digits;
}

const isClose = (value: number, decimals: number) =>
  Math.abs(Number(value.toFixed(decimals)) - value) <= Math.abs(value) / CLOSE;

/** In steps of three, as engineers count: `12.346×10⁹`. */
function powerNumber(value: number): string {
  if (value === 0) return '0';
  const step = 3 * Math.floor(Math.log10(Math.abs(value)) / 3 + 1e-9);
  const exponent = Math.abs(scaledBy(value, step)) >= 999.9995 ? step + 3 : step;
  const mantissa = fixedNumber(scaledBy(value, exponent), 3);
  return exponent === 0 ? mantissa : `${mantissa}×${powerOfTen(exponent)}`;
}

/** Scales a value by a power of ten, without the rounding of 10 ** −308, and without leaving the doubles. */
export function scaledBy(value: number, exponent: number): number {
  const half = Math.trunc(exponent / 2);
  return value / 10 ** half / 10 ** (exponent - half);
}

/** `10¹⁵`. */
export function powerOfTen(exponent: number): string {
  const digits = Array.from(String(Math.abs(exponent)), (digit) => SUPERSCRIPTS[Number(digit)] ?? '');
  return `10${exponent < 0 ? '⁻' : ''}${digits.join('')}`;
}
