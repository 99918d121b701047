/* Characters below 128 as bytes. */

/** Up to four characters as one number of four bytes, the first the lowest. */
export function packed(text: string): number {
  return text.split('').reduce((word, character, i) => word | (character.charCodeAt(0) << (8 * i)), 0);
}

/** `000` to `999`. */
export const TRIPLES = Int32Array.from({ length: 1000 }, (_, i) => packed(String(i).padStart(3, '0')));

/** Writes characters below 128. */
export function writeAscii(view: DataView, from: number, text: string): number {
  for (let i = 0; i < text.length; i++) view.setUint8(from + i, text.charCodeAt(i));
  return from + text.length;
}

/** With zeros before it; a byte too many is written, too. */
export function writeSixDigits(view: DataView, at: number, value: number): number {
  const thousands = (value / 1000) | 0;
  view.setInt32(at, TRIPLES[thousands]!, true);
  view.setInt32(at + 3, TRIPLES[value - thousands * 1000]!, true);
  return at + 6;
}
