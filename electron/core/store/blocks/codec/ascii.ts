/* Characters below 128 as bytes. */

/** Up to four characters as one number of four bytes, the first the lowest. */
export function packed(text: string): number {
  return text.split('').reduce((word, character, i) => word | (character.charCodeAt(0) << (8 * i)), 0);
}

/** Writes characters below 128. */
export function writeAscii(view: DataView, from: number, text: string): number {
  for (let i = 0; i < text.length; i++) view.setUint8(from + i, text.charCodeAt(i));
  return from + text.length;
}
