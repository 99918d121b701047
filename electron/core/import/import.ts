import { pieces, type Body } from './body.ts';
import { until } from '../turns/until.ts';
import { knownHere, withSnapshot } from './known.ts';
import type { Clock } from '../base/clock.ts';
import type { Batch, KnownRecords, PackedBatch, RecordSnapshot, RecordStore } from '../store/store.ts';
import { KeyLimitReached, keyLimitRefusal } from '../store/store-errors.ts';
import type { Threads } from '../threads/threads.ts';
import type { ImportResult, ImportSettings } from '#shared/operations/records/records.ts';
import { parseInstant } from '#shared/values/time.ts';
import { countOf } from '#shared/values/counts.ts';
import { IMPORT, type ImportStart } from './import-work.ts';
import type { FileToRead, ReadOptions } from './read-records.ts';

export interface ImportOptions extends Pick<ReadOptions, 'progress' | 'signal'> {
  readonly body: Body;
  readonly settings: ImportSettings;
  /** Where the records go; its threads, if any, read the file and pack them. */
  readonly records: Pick<RecordStore, 'batch' | 'count' | 'scan' | 'threadWork'>;
  readonly device: string;
  /** Its time at the start is when all records of the file were received. */
  readonly clock: Clock;
}

/**
 * Stores a file of any size in bounded memory, all of it or nothing: it rejects as `readRecords` does, or with a
 * StoreError or ThreadError. When the signal fires, nothing is stored and it rejects with the signal's reason.
 */
export async function importRecords(options: ImportOptions): Promise<ImportResult> {
  const { body, settings, records, device, clock } = options;
  const { threadWork } = records;
  const now = clock.now();
  const file = { type: body.type, settings, received: now, now };
  const skips = settings.existing === 'skip';
  const snapshot = skips && threadWork !== null ? await threadWork.anySnapshot(device) : null;
  if (threadWork === null || (skips && snapshot === null)) {
    const known = skips ? await knownHere(records, device) : undefined;
    return intoBatch(await records.batch(device), options, (batch, signal) =>
      readHere(file, { ...options, signal }, batch, known),
    );
  }
  return withSnapshot(snapshot, async (existing) =>
    intoBatch(await threadWork.batch(device), options, (batch, signal) =>
      readIn(threadWork.threads, { ...file, existing }, { ...options, signal }, batch, snapshot),
    ),
  );
}

async function intoBatch<B extends Batch>(
  batch: B,
  options: ImportOptions,
  read: (batch: B, signal: AbortSignal) => Promise<ImportResult>,
): Promise<ImportResult> {
  const signal = AbortSignal.any([options.signal, batch.signal]);
  try {
    const result = await read(batch, signal);
    const skips = options.settings.existing === 'skip';
    const present = skips ? 0 : await countPresent(result, options);
    signal.throwIfAborted();
    await batch.commit();
    return present > 0 ? { ...result, notes: [alreadyThere(present, result), ...result.notes] } : result;
  } catch (error) {
    await batch.abort();
    throw error instanceof KeyLimitReached ? keyLimitRefusal(error) : error;
  }
}

/** How many records lay between the first and the last of the file before it was imported. */
async function countPresent(
  { first, last }: ImportResult,
  { records, device }: ImportOptions,
): Promise<number> {
  const [start, end] = [parseInstant(first ?? ''), parseInstant(last ?? '')];
  return start === null || end === null ? 0 : records.count(device, { start, end });
}

function alreadyThere(present: number, { first, last }: ImportResult): string {
  return `${countOf(present, 'record of this device already lay', 'records of this device already lay')} between ${first} and ${last}; those of the file were added to them. If the file was imported before, its records are now here twice.`;
}

async function readHere(
  file: FileToRead,
  { body: { bytes }, progress, signal }: ImportOptions,
  batch: Batch,
  known: KnownRecords | undefined,
): Promise<ImportResult> {
  // A start that reads no file, and a service whose threads read them, need not load it.
  const { readRecords } = await import('./read-records.ts');
  return readRecords(file, {
    known,
    bytes: until(signal, bytes),
    progress,
    signal,
    take: (records) => batch.add(records),
  });
}

function readIn(
  threads: Threads,
  file: ImportStart,
  { body: { bytes }, progress, signal }: ImportOptions,
  batch: PackedBatch,
  snapshot: RecordSnapshot | null,
): Promise<ImportResult> {
  return threads.run(IMPORT, file, {
    input: pieces(bytes, progress),
    async output(message) {
      if (message instanceof Uint8Array) await batch.addPacked(message);
      else if (snapshot) throw snapshot.damaged(message.damaged);
    },
    signal,
  });
}
