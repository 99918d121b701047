import {
  DamagedSnapshot,
  type KnownRecords,
  type RecordSnapshot,
  type RecordStore,
  type WithKnown,
} from '../store/store.ts';
import { blocksOf } from '../store/blocks/block/rows-to-blocks.ts';
import { KnownRows } from '../store/blocks/query/known-rows.ts';
import { MemoryRun } from '../store/blocks/query/run.ts';
import { Timeline } from '../store/blocks/query/timeline.ts';

/** What a thread says where stored records turn out to be damaged; it then ends with an error. */
export interface DamageFound {
  readonly damaged: unknown;
}

/** In a thread: works with what a snapshot holds, or without, and says where it is damaged. */
export async function knowing<T>(
  withKnown: WithKnown,
  parts: unknown,
  task: { post(message: DamageFound): void },
  work: (known?: KnownRecords) => Promise<T>,
): Promise<T> {
  if (parts === undefined) return work();
  try {
    return await withKnown(parts, work);
  } catch (error) {
    if (error instanceof DamagedSnapshot) task.post({ damaged: error.what });
    throw error;
  }
}

/** The snapshot of a device for a thread, as long as the work lasts. */
export async function withSnapshot<T>(
  snapshot: RecordSnapshot | null,
  work: (parts: unknown) => Promise<T>,
): Promise<T> {
  try {
    return await work(snapshot?.parts);
  } finally {
    await snapshot?.release();
  }
}

/** For a store that no thread reads: its records are read whole. */
export async function knownHere(records: Pick<RecordStore, 'scan'>, device: string): Promise<KnownRecords> {
  const run = new MemoryRun();
  for await (const list of records.scan(device))
    for (const block of blocksOf(list, -Infinity)) run.add(block);
  return new KnownRows(new Timeline([run]));
}
