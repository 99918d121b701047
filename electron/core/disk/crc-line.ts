import { crc32 } from 'node:zlib';

/* Lines of text, each behind its CRC-32 in eight hexadecimal digits and a blank. */

/** A CRC-32 as it is written. */
export const crcText = (crc: number) => crc.toString(16).padStart(8, '0');

/** The characters of one. */
export const CRC_LENGTH = crcText(0).length;

/** Returns the seed for the CRCs of the lines behind a first line. */
export const crcSeed = (first: string) => crc32(first);

/** The line of a text, which has no line feed, with one at its end. `seed`: what its CRC goes on from; 0: nothing. */
export const crcLine = (text: string, seed: number) => `${crcText(crc32(text, seed))} ${text}\n`;

/** The text of a line, without its line feed; null where it is not whole. */
export function textOf(line: string, seed: number): string | null {
  const text = line.slice(CRC_LENGTH + 1);
  return line.slice(0, CRC_LENGTH + 1) === `${crcText(crc32(text, seed))} ` ? text : null;
}
