/*
 * Where the reader of a cell stopped. Millions of cells are read for one file: state of the module costs least, and an
 * object for each cell would cost more than to read it.
 */
export const place = {
  /** The byte behind what was read. */
  end: 0,
  /** Whether the time that was read says its zone. */
  zoned: false,
};

export const QUOTE = 34;
export const LF = 10;
export const CR = 13;
export const BLANK = 32;
export const COMMA = 44;
export const MINUS = 45;
export const POINT = 46;
export const COLON = 58;
