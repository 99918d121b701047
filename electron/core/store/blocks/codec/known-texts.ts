/*
 * Texts of the numbers that were written last. A sensor has few readings, which come again and again, and finding the digits of a
 * long one takes longer than a look here.
 */

/** Places for as many texts as a sensor of 12 bits has readings, in 132 KB. */
const PLACES = 4096;
/** So that readings a step apart have places of their own. */
const SPREAD = 99_991;
/** Doubles of a place: the number and its text, side by side. */
const DOUBLES = 4;
/** A text takes three doubles, which are nothing but bytes here: no digit is in a NaN. */
const TEXT_BYTES = 24;

const places = new Float64Array(PLACES * DOUBLES).fill(NaN);
const lengths = new Uint8Array(PLACES);

const placeOf = (size: number) => (size * SPREAD) & (PLACES - 1);

/** Writes the text of a positive number and returns the next place; -1 where it is not known. */
export function writeKnown(view: DataView, from: number, size: number): number {
  const place = placeOf(size);
  const at = place * DOUBLES;
  if (places[at] !== size) return -1;
  view.setFloat64(from, places[at + 1]!, true);
  view.setFloat64(from + 8, places[at + 2]!, true);
  view.setFloat64(from + 16, places[at + 3]!, true);
  return from + lengths[place]!;
}

/** Keeps the text of a positive number that was written to [from, to). */
export function keepText(view: DataView, from: number, to: number, size: number): void {
  if (to - from > TEXT_BYTES) return;
  const place = placeOf(size);
  const at = place * DOUBLES;
  places[at] = size;
  places[at + 1] = view.getFloat64(from, true);
  places[at + 2] = view.getFloat64(from + 8, true);
  places[at + 3] = view.getFloat64(from + 16, true);
  lengths[place] = to - from;
}
