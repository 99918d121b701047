import type { Encoding } from '#shared/operations/records/records.ts';
import { decodeHead } from './encoding.ts';
import { wholeRows } from './line-ends.ts';

/** What a file's first rows are judged by. */
export const HEAD_BYTES = 64 * 1024;
/** Names and first rows that are longer are read on for, up to what one row may hold. */
const MOST_HEAD_BYTES = 16 * 1024 * 1024;
/** Names and two rows of data. */
const LEAST_ROWS = 3;

export interface Sample {
  /** The first rows: all of the file, or cut behind the last row that is whole. */
  readonly text: string;
  /** Whether that is the whole file. */
  readonly complete: boolean;
}

/**
 * The first rows of a file, from as much of it as there is; null where more is needed and there is more to come. Whoever
 * looks at a file and whoever imports it take the same rows.
 */
export function takeSample(
  head: Uint8Array,
  ended: boolean,
  encoding: Encoding,
  more: 'to come' | 'none' = 'to come',
): Sample | null {
  for (let size = HEAD_BYTES; ; size *= 2) {
    if (head.byteLength <= size && !ended && more === 'to come') return null;
    const text = decodeHead(head.subarray(0, size), encoding);
    if (ended && head.byteLength <= size) return { text, complete: true };
    const { rows, end } = wholeRows(text);
    const isNdjson = text.trimStart().startsWith('{');
    if (isNdjson && text.includes('\n')) return { text: wholeLines(text), complete: false };
    if (rows >= LEAST_ROWS) return { text: text.slice(0, end), complete: false };
    if (size < MOST_HEAD_BYTES && size < head.byteLength) continue;
    // A quote that is never closed takes all that follows with it.
    return { text: rows > 1 ? text.slice(0, end) : wholeLines(text), complete: false };
  }
}

/** The text up to its last line break, or all of it where there is none. */
function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf('\n') + 1) || text;
}
