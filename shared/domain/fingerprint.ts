/* The fingerprint of a key as people tell it. */

/** What has to be done with a fingerprint, wherever one is shown. */
export const TO_BE_TOLD =
  'Tell whoever gets the package this fingerprint by another way than the package: by phone, on paper, or on a page of yours. A key is only as good as the way it came.';

/** `1f2e 3d4c …`: in groups of four. */
export const groupedFingerprint = (hex: string): string => hex.replace(/.{4}(?=.)/g, '$& ');

/** The same in two lines, so that all of it is in sight. */
export const fingerprintLines = (hex: string): string =>
  `${groupedFingerprint(hex.slice(0, 32))}\n${groupedFingerprint(hex.slice(32))}`;

/** Returns the hex of a fingerprint, however it was grouped; null where it is none. */
export function readFingerprint(words: string): string | null {
  const hex = words
    .replace(/^SHA-?256:/i, '')
    .replace(/[\s:-]/g, '')
    .toLowerCase();
  return /^[0-9a-f]{64}$/.test(hex) ? hex : null;
}
