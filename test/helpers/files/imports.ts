import { Refusal } from '#core/base/errors.ts';
import { importRecords } from '#core/import/import.ts';
import type { ImportSettings } from '#shared/operations/records/records.ts';
import type { Block } from '#core/store/blocks/block/block.ts';
import { packedBlocks, packRecords } from '#core/store/blocks/block/packer.ts';
import { RowSlice } from '#core/store/blocks/block/row-slice.ts';
import type { PackedBatch, PackedRecords, StoredRecord } from '#core/store/store.ts';
import type { Threads } from '#core/threads/threads.ts';
import type { ImportResult } from '#shared/operations/records/records.ts';
import { clockOf } from '../clock.ts';

export const RECEIVED = Date.UTC(2026, 0, 1) * 1000;

export interface Imported {
  readonly result: ImportResult;
  readonly records: readonly StoredRecord[];
  /** The most records that one `add` brought, or one block of packed ones. */
  readonly largestAdd: number;
}

export interface ImportCall {
  readonly settings?: ImportSettings;
  readonly type?: string | null;
  readonly signal?: AbortSignal;
  /** Bytes that arrive at once; the whole file by default. */
  readonly chunk?: number;
  readonly progress?: (bytesRead: number) => void;
  /** Records of the device in the span of the file. */
  readonly present?: number;
}

/** Imports into a store that keeps records only once they are committed; files are read in this thread by default. */
export function importing(threads: Threads | null) {
  return {
    importFile: (file: string | Uint8Array, call: ImportCall = {}): Promise<Imported> => {
      const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file;
      return importBytes(threads, pieces(bytes, call.chunk ?? Math.max(1, bytes.length)), call);
    },
    importChunks: (chunks: AsyncIterable<Uint8Array>, call: ImportCall = {}): Promise<Imported> =>
      importBytes(threads, chunks, call),
  };
}

export const { importFile, importChunks } = importing(null);

async function importBytes(
  threads: Threads | null,
  bytes: AsyncIterable<Uint8Array>,
  { settings = {}, type = null, signal, progress = () => {}, present = 0 }: ImportCall,
): Promise<Imported> {
  const staged: StoredRecord[] = [];
  let largestAdd = 0;
  const batch: { state: 'not opened' | 'open' | 'committed' | 'aborted' } = { state: 'not opened' };
  const stage = async (records: readonly StoredRecord[]) => {
    largestAdd = Math.max(largestAdd, records.length);
    for (const record of records) staged.push(record);
  };
  const open = async (): Promise<PackedBatch> => {
    batch.state = 'open';
    return {
      signal: new AbortController().signal,
      add: stage,
      async addPacked(packed) {
        for (const block of packedBlocks(Buffer.from(packed.buffer))) await stage(recordsOf(block));
      },
      async commit() {
        batch.state = 'committed';
        return true;
      },
      replace: () => Promise.reject(new TypeError('an import replaces nothing')),
      async abort() {
        batch.state = 'aborted';
      },
    };
  };
  try {
    const result = await importRecords({
      body: { bytes, size: null, type },
      settings,
      records: {
        batch: open,
        count: async () => present,
        scan: () => ({ [Symbol.asyncIterator]: () => [][Symbol.iterator]() }) as never,
        threadWork: threads && {
          threads,
          pack: packRecords,
          batch: open,
          append: () => Promise.reject(new Error('What is imported did not come from the device.')),
          snapshot: async () => null,
          anySnapshot: async () => null,
        },
      },
      device: 'd',
      clock: clockOf(() => RECEIVED),
      progress,
      signal: signal ?? new AbortController().signal,
    });
    if (batch.state !== 'committed')
      throw new Error(`The batch is ${batch.state} after a successful import.`);
    return { result, records: staged, largestAdd };
  } catch (error) {
    if (batch.state === 'open' || batch.state === 'committed')
      throw new Error(`The batch is ${batch.state} after a failure.`, { cause: error });
    throw error;
  }
}

/** The records that a worker thread packed; their keys in the order of their names. */
export function unpack(packed: PackedRecords): StoredRecord[] {
  return [...packedBlocks(Buffer.from(packed.buffer))].flatMap(recordsOf);
}

function recordsOf(block: Block): StoredRecord[] {
  const slice = new RowSlice();
  block.readInto(slice, 0, block.rows, { received: true });
  return Array.from({ length: block.rows }, (_, row) => slice.record(row));
}

/** Copies, since whoever reads a piece owns it. */
async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size)
    yield Uint8Array.from(bytes.subarray(start, start + size));
}

/** The message of a 400; nothing was stored then. */
export async function refusalOf(imported: Promise<unknown>): Promise<string> {
  try {
    await imported;
  } catch (error) {
    if (error instanceof Refusal && error.status === 400) return error.message;
    throw error;
  }
  return 'imported';
}

/** A record as one object, for reading in assertions. */
export function plain(record: StoredRecord | undefined): Record<string, unknown> {
  return Object.fromEntries(record?.keys.map((key, index) => [key, record.values[index]]) ?? []);
}
