import type { Body } from './body.ts';
import type { Clock } from '../clock.ts';
import type { Batch, PackedBatch, RecordStore } from '../store/store.ts';
import { KeyLimitReached, keyLimitRefusal } from '../store/store-errors.ts';
import type { Threads } from '../threads/threads.ts';
import type { ImportResult, ImportSettings } from '#shared/operations/records.ts';
import { parseInstant } from '#shared/time.ts';
import { countOf } from '#shared/counts.ts';
import { IMPORT } from './import-work.ts';
import { readRecords, type FileToRead, type ReadOptions } from './read-records.ts';

/** Bytes that go to a thread at once: large enough to be worth the way, small enough to bound what is under way. */
const PIECE_BYTES = 64 * 1024;

export interface ImportOptions extends Pick<ReadOptions, 'progress' | 'signal'> {
  readonly body: Body;
  readonly settings: ImportSettings;
  /** Where the records go; its threads, if any, read the file and pack them. */
  readonly records: Pick<RecordStore, 'batch' | 'count' | 'threadWork'>;
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
  const file = { type: body.type, settings, received: clock.now() };
  if (threadWork === null)
    return intoBatch(await records.batch(device), options, (batch, signal) =>
      readHere(file, { ...options, signal }, batch),
    );
  return intoBatch(await threadWork.batch(device), options, (batch, signal) =>
    readIn(threadWork.threads, file, { ...options, signal }, batch),
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
    const present = await countPresent(result, options);
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

function readHere(
  file: FileToRead,
  { body: { bytes }, progress, signal }: ImportOptions,
  batch: Batch,
): Promise<ImportResult> {
  return readRecords(file, {
    bytes,
    progress,
    signal,
    take: (records) => batch.add(records),
  });
}

function readIn(
  threads: Threads,
  file: FileToRead,
  { body: { bytes }, progress, signal }: ImportOptions,
  batch: PackedBatch,
): Promise<ImportResult> {
  return threads.run(IMPORT, file, {
    input: pieces(bytes),
    async output(message) {
      if (message instanceof Uint8Array) await batch.addPacked(message);
      else progress(message.bytesRead);
    },
    signal,
  });
}

async function* pieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    if (chunk.byteLength <= PIECE_BYTES) yield chunk;
    else
      for (let at = 0; at < chunk.byteLength; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
  }
}
