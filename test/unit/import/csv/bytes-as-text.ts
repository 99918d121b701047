import { expect, vi } from 'vitest';
import { RowScanner } from '#core/import/csv/plain/row-scanner.ts';
import { readRecords } from '#core/import/read-records.ts';
import { recordsOf } from '#core/store/record-columns.ts';
import type { StoredRecord } from '#core/store/store.ts';
import type { ImportSettings } from '#shared/operations/records/records.ts';
import { PRESENT } from '../../../helpers/clock.ts';

/* Ordinary rows of CSV are read from their bytes; all of them can be read as text, with the same outcome in every case. */

interface Outcome {
  readonly records: readonly StoredRecord[];
  readonly result: unknown;
  /** How much of the file was read from its bytes: 0 to 1. */
  readonly share: number;
}

async function readIn(
  way: 'text' | 'bytes',
  file: Uint8Array,
  settings: ImportSettings,
  chunk: number,
): Promise<Outcome> {
  const records: StoredRecord[] = [];
  const scan = vi.spyOn(RowScanner.prototype, 'scan');
  async function* pieces() {
    for (let at = 0; at < file.length; at += chunk) yield Uint8Array.from(file.subarray(at, at + chunk));
  }
  const result = await readRecords(
    { type: 'text/csv', settings, received: 7, now: PRESENT },
    {
      bytes: pieces(),
      progress: () => {},
      signal: new AbortController().signal,
      take: async (some) => void records.push(...some),
      ...(way === 'bytes' && {
        takeColumns: async (some) => void records.push(...recordsOf(some)),
      }),
    },
  ).catch((error: unknown) => ({
    error: error instanceof Error ? `${error.name}: ${error.message}` : error,
  }));
  const scanned = scan.mock.calls.reduce(
    (sum, [, from], call) => sum + Number(scan.mock.results[call]?.value) - from,
    0,
  );
  scan.mockRestore();
  // What a failed import read before its fault is dropped, and each way reads some more or less.
  return { records: 'error' in result ? [] : records, result, share: scanned / Math.max(1, file.length) };
}

/** Expects the outcome of a file from its bytes to be that of its text, and resolves with it. */
export async function expectSame(file: string | Uint8Array, settings: ImportSettings = {}, chunk = 1 << 20) {
  const bytes = typeof file === 'string' ? Buffer.from(file) : file;
  const text = await readIn('text', bytes, settings, chunk);
  const fromBytes = await readIn('bytes', bytes, settings, chunk);
  expect(fromBytes.result).toEqual(text.result);
  expect(fromBytes.records).toEqual(text.records);
  return fromBytes;
}
