import { digitOf, NO_NUMBER, readNumber } from '../../../ingest/number.ts';
import { MINUS } from './place.ts';

const MOST_WHOLE_DIGITS = 15;
const ZERO = 48;

/**
 * Reads `-12`, and with a decimal mark (a byte, or 0 for none) `-12.5`; with `exponents` also `-1.5e-3`, as `readNumber`
 * does. NO_NUMBER for whatever else stands there: whole numbers that begin with zeros or have more digits than every
 * double holds, signs other than "-", and numbers beyond all doubles.
 */
export function readPlainNumber(
  bytes: Buffer,
  from: number,
  mark: number,
  exponents: boolean,
  numbers: Float64Array,
  index: number,
): number {
  const end = readNumber(bytes, from, mark, exponents, numbers, index);
  const start = bytes[from] === MINUS ? from + 1 : from;
  const mayBeName = end - start > MOST_WHOLE_DIGITS || (bytes[start] === ZERO && end > start + 1);
  return mayBeName && isWhole(bytes, start, end) ? NO_NUMBER : end;
}

function isWhole(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (digitOf(bytes[at]) > 9) return false;
  return true;
}
