import { StoreError } from '#core/base/errors.ts';
import type { Micros } from '#shared/values/time.ts';

/*
 * What a device's folder holds:
 *
 *   state1_<generation>_<last seen>_<purged at>_<bytes>   empty: its name is the state
 *   <generation>-<number>.log                             segments, in order of arrival (frame.ts)
 *   batch-<uuid>.tmp, rewrite.tmp                         not committed
 *
 * Segments of an older generation are purged, of a newer one not committed. `bytes` is the size of all segments when
 * the store was last closed in order: less than that on disk means that stored records are missing.
 */

export interface DeviceState {
  readonly generation: number;
  readonly lastSeen: Micros | null;
  readonly purgedAt: Micros | null;
  readonly bytes: number;
}

export const NEW_DEVICE: DeviceState = { generation: 1, lastSeen: null, purgedAt: null, bytes: 0 };

export interface SegmentName {
  readonly name: string;
  readonly generation: number;
  readonly number: number;
}

const STATE = /^state(\d+)_(?:(\d+)_(-?\d+|never)_(-?\d+|never)_(\d+)$)?/;
const SEGMENT = /^(\d+)-(\d+)\.log$/;
const UNCOMMITTED = /^(batch-.+|rewrite)\.tmp$/;
const STATE_VERSION = 1;

/** Whether a file of this name is one of a device's. */
export const isPlainFile = (name: string) =>
  SEGMENT.test(name) || UNCOMMITTED.test(name) || STATE.exec(name)?.[2] !== undefined;

const instant = (text: string | undefined) => (text === undefined || text === 'never' ? null : Number(text));

/** The names of a device's folder, told apart. `state` is null where its file is missing. */
export function readNames(names: readonly string[]) {
  let state: DeviceState | null = null;
  const segments: SegmentName[] = [];
  for (const name of names) {
    const segment = SEGMENT.exec(name);
    const stated = STATE.exec(name);
    if (segment) segments.push({ name, generation: Number(segment[1]), number: Number(segment[2]) });
    else if (stated) state = readState(stated);
  }
  segments.sort((a, b) => a.generation - b.generation || a.number - b.number);
  return { state, segments };
}

function readState([name, version, generation, lastSeen, purgedAt, bytes]: RegExpExecArray): DeviceState {
  if (Number(version) > STATE_VERSION) throw newerFormat();
  if (generation === undefined)
    throw new StoreError('damaged', `"${name}" is not a name that this store gives.`);
  return {
    generation: Number(generation),
    lastSeen: instant(lastSeen),
    purgedAt: instant(purgedAt),
    bytes: Number(bytes),
  };
}

export function newerFormat(): StoreError {
  return new StoreError(
    'newer-format',
    'These records were written by a newer version of Fieldbench. Open them with that version; nothing was changed.',
  );
}
