/** Kinds of cells; the numbers are part of the format (docs/storage-format.md, "Columns"). */
export const ABSENT = 0;
export const NUMBER = 1;
export const BOOLEAN = 2;
export const TEXT = 3;
/** Of a column alone: texts that are bytes in hexadecimal, whose cells are of the kind TEXT. */
export const HEX = 5;
