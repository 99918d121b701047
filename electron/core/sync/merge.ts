import type { Merged } from '#shared/operations/records/sync.ts';
import type { Micros } from '#shared/values/time.ts';
import type { RecordStore, StoredRecord } from '../store/store.ts';
import { KeyLimitReached, keyLimitRefusal } from '../store/store-errors.ts';
import { Pace } from '../turns/pace.ts';
import { contentOf } from './content.ts';
import type { SentRecord } from './lines.ts';
import { isRemoved, type Removal } from './removals.ts';

/** Records that go to a store together. */
const ADDED_AT_ONCE = 1024;

export interface MergeOptions {
  readonly records: Pick<RecordStore, 'scan' | 'batch' | 'revision'>;
  readonly device: string;
  readonly sent: readonly SentRecord[];
  /** Resolves with the present removals, which are left out. */
  readonly removals: () => Promise<readonly Removal[]>;
  readonly signal: AbortSignal | undefined;
}

/**
 * Merge: stores the sent records that a device lacks, all of them or none, in its order and with its times of receipt; it is
 * no sign of life. Of equal records as many are there afterwards as were sent or were there, whichever is more: the same
 * again stores nothing. Where something else was merged into the device meanwhile, or removed from it, by whatever process,
 * it is compared anew: of several at once one always gets on. Rejects with a 400 Refusal where a record brings a key too
 * many, with a StoreError, or as the signal's reason.
 */
export async function mergeRecords(options: MergeOptions): Promise<Merged> {
  const { records, device, sent, signal } = options;
  for (;;) {
    signal?.throwIfAborted();
    const revision = await records.revision(device);
    const removals = await options.removals();
    const wanted = sent.filter(({ record }) => !isRemoved(removals, record.timestamp, record.received));
    const lacking = await lackingOf(wanted, options);
    if (!(await store(lacking, revision, options))) continue;
    return {
      stored: lacking.length,
      present: wanted.length - lacking.length,
      removed: sent.length - wanted.length,
    };
  }
}

async function lackingOf(
  wanted: readonly SentRecord[],
  { records, device, signal }: MergeOptions,
): Promise<readonly StoredRecord[]> {
  const pace = new Pace();
  /** How many records of each content are there, of those contents that were sent. */
  const there = new Map<string, number>();
  const contents: string[] = [];
  const times = new Set<Micros>();
  let start = Infinity;
  let end = -Infinity;
  for (const { record } of wanted) {
    const content = contentOf(record);
    contents.push(content);
    there.set(content, 0);
    times.add(record.timestamp);
    start = Math.min(start, record.timestamp);
    end = Math.max(end, record.timestamp);
    await pace.pause();
  }
  if (wanted.length > 0)
    for await (const some of records.scan(device, { start, end }))
      for (const record of some) {
        if (!times.has(record.timestamp)) continue;
        const content = contentOf(record);
        const count = there.get(content);
        if (count !== undefined) there.set(content, count + 1);
        if (await pace.pause()) signal?.throwIfAborted();
      }
  const lacking: StoredRecord[] = [];
  for (const [i, { record, occurrence }] of wanted.entries()) {
    const content = contents[i]!;
    const count = there.get(content)!;
    if (occurrence < count) continue;
    there.set(content, count + 1);
    lacking.push(record);
  }
  return lacking;
}

/** Resolves with false, and stores nothing, where the device has another revision by now. */
async function store(
  lacking: readonly StoredRecord[],
  revision: number,
  { records, device, signal }: MergeOptions,
): Promise<boolean> {
  if (lacking.length === 0) return true;
  const batch = await records.batch(device);
  try {
    for (let from = 0; from < lacking.length; from += ADDED_AT_ONCE) {
      await batch.add(lacking.slice(from, from + ADDED_AT_ONCE));
      signal?.throwIfAborted();
    }
    return await batch.commit(revision);
  } catch (error) {
    await batch.abort();
    throw error instanceof KeyLimitReached ? keyLimitRefusal(error) : error;
  }
}
