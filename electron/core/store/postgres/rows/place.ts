import { crc32 } from 'node:zlib';

/** A device and its shard (lane), on which all of it lies. */
export interface Place {
  readonly lane: number;
  readonly device: string;
}

/** Assigns a device to a shard (lane), permanently and the same in every process. */
export function placeOf(device: string, lanes: number): Place {
  return { lane: crc32(device) % lanes, device };
}
