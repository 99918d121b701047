import { Refusal } from '#core/errors.ts';
import { importRecords, type ImportSettings } from '#core/jobs/import.ts';
import type { StoredRecord } from '#core/store/store.ts';
import type { ImportResult } from '#shared/operations/records.ts';

export const RECEIVED = 1_700_000_000_000_000;

export interface Imported {
  readonly result: ImportResult;
  readonly records: readonly StoredRecord[];
  /** The most records that one `add` brought. */
  readonly largestAdd: number;
}

export interface ImportCall {
  readonly settings?: ImportSettings;
  readonly type?: string | null;
  readonly signal?: AbortSignal;
  /** Bytes that arrive at once; the whole file by default. */
  readonly chunk?: number;
  readonly progress?: (bytesRead: number) => void;
}

/** Imports a file into a store that keeps records only once they are committed. */
export async function importFile(file: string | Uint8Array, call: ImportCall = {}): Promise<Imported> {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file;
  return importChunks(pieces(bytes, call.chunk ?? Math.max(1, bytes.length)), call, bytes.length);
}

export async function importChunks(
  chunks: AsyncIterable<Uint8Array>,
  { settings = {}, type = null, signal, progress = () => {} }: ImportCall = {},
  size: number | null = null,
): Promise<Imported> {
  const staged: StoredRecord[] = [];
  let largestAdd = 0;
  const batch: { state: 'not opened' | 'open' | 'committed' | 'aborted' } = { state: 'not opened' };
  try {
    const result = await importRecords({
      body: { bytes: chunks, size, type },
      settings,
      openBatch: async () => {
        batch.state = 'open';
        return {
          async add(records) {
            largestAdd = Math.max(largestAdd, records.length);
            for (const record of records) staged.push(record);
          },
          async commit() {
            batch.state = 'committed';
          },
          async abort() {
            batch.state = 'aborted';
          },
        };
      },
      clock: { now: () => RECEIVED },
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

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
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
