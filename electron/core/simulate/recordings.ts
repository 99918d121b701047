import type { Micros } from '#shared/values/time.ts';
import type { RecordStore, StoredRecord } from '../store/store.ts';
import { dueAt, type Reading, type Schedule } from './readings.ts';

/** Records that can be stored once more. */
export interface Recording {
  readonly records: number;
  /** Times of its oldest and its newest record. */
  readonly first: Micros;
  readonly last: Micros;
  read(): AsyncIterable<readonly StoredRecord[]>;
}

/** Records that are read at once: what is stored meanwhile, and what is removed, is not held up by a replay of days. */
const PART = 2000;

/** What a device holds now; null where that is nothing. */
export async function recordingOf(
  device: string,
  store: Pick<RecordStore, 'scan' | 'within'>,
): Promise<Recording | null> {
  const { records, first, last } = await store.within(device, {});
  if (first === null || last === null) return null;
  return { records, first, last, read: () => parts(device, { first, last }, store) };
}

async function* parts(
  device: string,
  { first, last }: Pick<Recording, 'first' | 'last'>,
  store: Pick<RecordStore, 'scan'>,
): AsyncGenerator<readonly StoredRecord[], void, undefined> {
  for (let start = first; start <= last;) {
    const part = await partFrom(device, { start, end: last }, store);
    const newest = part.at(-1)?.timestamp;
    if (newest === undefined) return;
    yield part;
    start = newest + 1;
  }
}

/** The first ones of a range, and all that have the time of the last of them. */
async function partFrom(
  device: string,
  range: { readonly start: Micros; readonly end: Micros },
  store: Pick<RecordStore, 'scan'>,
): Promise<StoredRecord[]> {
  const part: StoredRecord[] = [];
  for await (const some of store.scan(device, range))
    for (const record of some) {
      if (part.length >= PART && record.timestamp !== part.at(-1)?.timestamp) return part;
      part.push(record);
    }
  return part;
}

export interface ReplayPlan extends Schedule {
  readonly recording: Recording;
  readonly times: 'kept' | 'now';
  /** Of records; Infinity for all. */
  readonly count: number;
}

/** The records of a recording as readings, in its order: as far apart as they were, or as many times closer as the speed says. */
export async function* replayedReadings(plan: ReplayPlan): AsyncGenerator<Reading, void, undefined> {
  const { recording, times, count, start, speed } = plan;
  const faster = typeof speed === 'number' ? speed : 1;
  let n = 0;
  for await (const some of recording.read())
    for (const { timestamp, keys, values } of some) {
      if (n++ >= count) return;
      const at = Math.round(start + (timestamp - recording.first) / faster);
      const due = dueAt(at, { ...plan, speed: speed === 'max' ? 'max' : null });
      yield { timestamp: times === 'kept' ? timestamp : at, due, keys, values };
    }
}
