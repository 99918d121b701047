import { crc32 } from 'node:zlib';
import { evenLanes } from './even-lanes.ts';

/** Lanes of a database that is made from now on. */
export const LANES = 256;
const EVEN_LANES = evenLanes(LANES);
/** Shards that these are dealt to (deploy/citus.sql). With more of them a group commit would be one of several nodes. */
const SHARDS = 32;
const SHARD_OF = new Map(EVEN_LANES.map((lane, nth) => [lane, Math.floor(nth / (LANES / SHARDS))]));

/** A device and its shard (lane), on which all of it lies. */
export interface Place {
  readonly lane: number;
  readonly device: string;
}

/**
 * Assigns a device to a shard (lane), permanently and the same in every process. `lanes`: how many the database has. Another number
 * than that of new databases is of an older one, whose lanes are numbered from 0.
 */
export function placeOf(device: string, lanes: number): Place {
  const nth = crc32(device) % lanes;
  return { lane: lanes === LANES ? (EVEN_LANES[nth] ?? nth) : nth, device };
}

/** Returns a number that lanes have in common which are certain to lie on one node of Citus, with a shard of theirs. */
export function shardOf(lane: number, lanes: number): number {
  return lanes === LANES ? (SHARD_OF.get(lane) ?? lane) : lane;
}
