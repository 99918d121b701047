import { NO_NUMBER } from '../../../ingest/number.ts';

/*
 * What the reader of a time found. Millions of cells are read for one file: state of the module costs least, and an object
 * for each cell, which a double that is returned is, would cost more than to read it.
 */
export const found = {
  /** One number: µs since 1970, or since midnight. */
  time: new Float64Array(1),
  /** Whether the time says its zone. */
  zoned: false,
  /** Where it ends, of what returns something else. */
  end: 0,
};

/** What stands where a cell or row is not read here: a number that is none, too. */
export const ODD = NO_NUMBER;

export const QUOTE = 34;
export const LF = 10;
export const CR = 13;
export const BLANK = 32;
export const COMMA = 44;
export const MINUS = 45;
export const POINT = 46;
export const COLON = 58;

/** Where a cell ends whose text ends at `end`, or ODD does: behind the quote where one opened it. */
export function cellEnd(bytes: Buffer, end: number, quoted: boolean): number {
  if (!quoted || end === ODD) return end;
  return bytes[end] === QUOTE ? end + 1 : ODD;
}
