import type { Body } from './body.ts';
import type { Clock } from '../clock.ts';
import type { Batch } from '../store/store.ts';
import type { Threads } from '../threads/threads.ts';
import type { ImportResult, ImportSettings } from '#shared/operations/records.ts';
import { parseInstant, type TimeRange } from '#shared/time.ts';
import { counted } from './counted.ts';
import { IMPORT } from './import-work.ts';
import { readRecords, type FileToRead, type ReadOptions } from './read-records.ts';

/** Bytes that go to a thread at once: large enough to be worth the way, small enough to bound what is under way. */
const PIECE_BYTES = 64 * 1024;

export interface ImportOptions extends Pick<ReadOptions, 'progress' | 'signal'> {
  readonly body: Body;
  readonly settings: ImportSettings;
  readonly openBatch: () => Promise<Batch>;
  /** How many records the device has in a span of time. */
  readonly present: (range: Required<TimeRange>) => Promise<number>;
  /** Its time at the start is when all records of the file were received. */
  readonly clock: Clock;
  /** Where the file is read and its records packed; null does it in this thread. */
  readonly threads: Threads | null;
}

/**
 * Stores a file of any size in bounded memory, all of it or nothing: it rejects as `readRecords` does, or with a
 * StoreError or ThreadError. When the signal fires, nothing is stored and it rejects with the signal's reason.
 */
export async function importRecords(options: ImportOptions): Promise<ImportResult> {
  const { body, settings, openBatch, clock, threads, signal } = options;
  let opened: Promise<Batch> | null = null;
  const batch = () => (opened ??= openBatch());
  const abort = async () => (await opened)?.abort();
  try {
    const file = { type: body.type, settings, received: clock.now() };
    const read = threads === null ? readHere(file, options, batch) : readIn(threads, file, options, batch);
    const result = await read;
    const present = await countPresent(result, options);
    signal.throwIfAborted();
    await (await batch()).commit();
    return present > 0 ? { ...result, notes: [alreadyThere(present, result), ...result.notes] } : result;
  } catch (error) {
    await abort();
    throw error;
  }
}

/** How many records lay between the first and the last of the file before it was imported. */
async function countPresent({ first, last }: ImportResult, { present }: ImportOptions): Promise<number> {
  const [start, end] = [parseInstant(first ?? ''), parseInstant(last ?? '')];
  return start === null || end === null ? 0 : present({ start, end });
}

function alreadyThere(present: number, { first, last }: ImportResult): string {
  return `${counted(present, 'record of this device already lay', 'records of this device already lay')} between ${first} and ${last}; those of the file were added to them. If the file was imported before, its records are now here twice.`;
}

function readHere(
  file: FileToRead,
  { body: { bytes }, progress, signal }: ImportOptions,
  batch: () => Promise<Batch>,
): Promise<ImportResult> {
  return readRecords(file, {
    bytes,
    progress,
    signal,
    take: async (records) => (await batch()).add(records),
  });
}

function readIn(
  threads: Threads,
  file: FileToRead,
  { body: { bytes }, progress, signal }: ImportOptions,
  batch: () => Promise<Batch>,
): Promise<ImportResult> {
  return threads.run(IMPORT, file, {
    input: pieces(bytes),
    async output(message) {
      if (message instanceof Uint8Array) await (await batch()).addPacked(message);
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
