/*
 * The comment at the end of a package's zip: SHA-256 of every byte before it. Nobody signs it: it shows that the zip itself, and what
 * of it no file has, is as it was written.
 */

const WORDS = 'Written by Fieldbench. SHA-256 of all bytes before this one: ';

/** Characters of the hash, the last bytes of a package. */
export const SEAL_HEX = 64;

export const commentOf = (hex: string): string => `${WORDS}${hex}`;
