/*
 * Texts of the numbers that were written last. A sensor has few readings, which come again and again, and finding the digits of a
 * long one takes longer than a look here.
 */

const PLACES = 256;
/** So that readings a step apart have places of their own. */
const SPREAD = 99_991;
/** A text takes three doubles, which are nothing but bytes here: no digit is in a NaN. */
const TEXT_BYTES = 24;

const numbers = new Float64Array(PLACES).fill(NaN);
const lengths = new Uint8Array(PLACES);
const texts = new Float64Array(3 * PLACES);

const placeOf = (size: number) => (size * SPREAD) & (PLACES - 1);

/** Writes the text of a positive number and returns the next place; -1 where it is not known. */
export function writeKnown(view: DataView, from: number, size: number): number {
  const place = placeOf(size);
  if (numbers[place] !== size) return -1;
  const at = 3 * place;
  view.setFloat64(from, texts[at]!, true);
  view.setFloat64(from + 8, texts[at + 1]!, true);
  view.setFloat64(from + 16, texts[at + 2]!, true);
  return from + lengths[place]!;
}

/** Keeps the text of a positive number that was written to [from, to). */
export function keepText(view: DataView, from: number, to: number, size: number): void {
  if (to - from > TEXT_BYTES) return;
  const place = placeOf(size);
  const at = 3 * place;
  numbers[place] = size;
  lengths[place] = to - from;
  texts[at] = view.getFloat64(from, true);
  texts[at + 1] = view.getFloat64(from + 8, true);
  texts[at + 2] = view.getFloat64(from + 16, true);
}
