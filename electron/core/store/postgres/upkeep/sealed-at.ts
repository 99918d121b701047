import { crc32 } from 'node:zlib';

/** By how much of the least one the limits of two devices differ at most. */
const JITTER = 1 / 4;

/**
 * Returns how many rows of a tail are sealed: `tailRows`, with a jitter by the device's id, the same in every process. Devices that begin
 * together and store at one rate would be sealed together for good. The jitter is none downwards: a merge takes blocks of 512 rows
 * (merging.ts) as they are, and packs smaller ones again.
 */
export function sealedAt(device: string, tailRows: number): number {
  // The lane has the low bits (rows/place.ts).
  return tailRows + ((crc32(device) >>> 8) % Math.max(1, Math.floor(tailRows * JITTER)));
}
