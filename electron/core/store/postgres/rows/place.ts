import { crc32 } from 'node:zlib';

/** A device and the lane on which all of it lies. */
export interface Place {
  readonly lane: number;
  readonly device: string;
}

/** Deals devices to lanes, the same in every process and for ever. */
export function placeOf(device: string, lanes: number): Place {
  return { lane: crc32(device) % lanes, device };
}
