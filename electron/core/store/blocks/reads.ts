import type { Micros, TimeRange } from '#shared/values/time.ts';
import { machineClock } from '../../base/machine-clock.ts';
import { Slices } from '../../turns/slices.ts';
import type { Borrowed, Columns, Extent, Page, PageQuery } from '../store.ts';
import type { Projection } from './block/block.ts';
import { ABSENT, TEXT } from './block/cell-kind.ts';
import type { RowSlice } from './block/row-slice.ts';
import { Cursor } from './query/cursor.ts';
import type { KeptPages } from './query/kept-pages.ts';
import { PageJson } from './query/page-json.ts';
import type { Timeline } from './query/timeline.ts';
import type { Readable } from './readable.ts';

/** A page of at most so many bytes is written at once. */
const WHOLE_BYTES = 1 << 18;
/** A larger one comes in pieces of about this size behind that: each client that takes nothing leaves one in memory. */
const PIECE_BYTES = 1 << 16;
/** A page that takes longer to write, since its records have thousands of keys or overlap, comes in pieces, too. */
const PIECE_MS = 16;
const BATCH_ROWS = 1024;
/** Of a page, before it is known how large its records are. */
const FIRST_ROWS = 128;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;

/** Of pages that are written at once: never two at a time. */
const json = new PageJson();
const slices: RowSlice[] = [];
/**
 * Cooperative scheduler of all pages' pieces: hundreds of clients may ask for long ones at once, and none waits for all of
 * theirs.
 */
const turns = new Slices();

interface PageOptions {
  /** A page larger than this comes in pieces. */
  readonly wholeBytes?: number;
  /** Pages of timelines that stay the same until records come or go. */
  readonly kept?: KeptPages;
}

export function readPage(
  device: Readable,
  query: PageQuery,
  { wholeBytes = WHOLE_BYTES, kept }: PageOptions = {},
): Page {
  return device.read(() => {
    const timeline = device.timeline();
    const known = kept?.get(timeline, query);
    if (known) {
      json.restart();
      json.bytes(known.bytes);
      return lent(known.total);
    }
    const { from, to, total } = ranksOf(timeline, query);
    const cursor = new Cursor(timeline, from, to, true, projectionOf(query.keys), slices);
    json.restart();
    json.character(OPEN_BRACKET);
    writeRecords(json, cursor, { more: false, rows: FIRST_ROWS, most: wholeBytes });
    if (cursor.left === 0) {
      json.character(CLOSE_BRACKET);
      const page = lent(total);
      kept?.keep(timeline, query, total, page.borrowed);
      return page;
    }
    const first = json.take();
    const written = to - from - cursor.left;
    // Records behind one another are about as large.
    const rows = Math.max(1, Math.min(FIRST_ROWS, Math.floor((PIECE_BYTES * written) / first.length)));
    return { total, json: piecesOf(device, first, { from, to: to - written, rows }, query.keys) };
  });
}

/** The page that was written, where it lies. */
function lent(total: number): Page & { readonly borrowed: Borrowed } {
  const borrowed = json.lend();
  return { total, json: borrowed.memory.subarray(borrowed.from, borrowed.to), borrowed };
}

/**
 * Writes until the end, or until there are about `most` bytes or it took as long as others may wait: `rows` records, and then
 * as many as there is room for, if all are as large.
 */
function writeRecords(
  page: PageJson,
  cursor: Cursor,
  { more, rows, most }: { readonly more: boolean; readonly rows: number; readonly most: number },
): void {
  const began = machineClock.monotonicMs();
  const left = cursor.left;
  for (let next = rows; next > 0;) {
    const batch = cursor.next(next);
    if (batch === null) return;
    const written = left - cursor.left;
    page.records(batch, more || written > batch.size);
    if (machineClock.monotonicMs() - began >= PIECE_MS) return;
    next = Math.min(BATCH_ROWS, Math.ceil((most - page.length) / (page.length / written)));
  }
}

/** The rest of a page that is too large to be held whole, over what there was when it began. */
function piecesOf(
  device: Readable,
  first: Uint8Array,
  { from, to, rows }: { readonly from: number; readonly to: number; readonly rows: number },
  keys: readonly string[] | undefined,
): AsyncIterable<Uint8Array> {
  const { timeline, release } = device.snapshot();
  return (async function* pieces() {
    try {
      yield first;
      const cursor = new Cursor(timeline, from, to, true, projectionOf(keys));
      do
        yield await turns.run(() => {
          json.restart();
          restOf(device, () => writeRecords(json, cursor, { more: true, rows, most: PIECE_BYTES }));
          if (cursor.left === 0) json.character(CLOSE_BRACKET);
          return json.take();
        });
      while (cursor.left > 0);
    } finally {
      await release();
    }
  })();
}

function restOf<T>(device: Readable, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw device.failure(error);
  }
}

export function readColumns(
  device: Readable,
  query: PageQuery & { readonly keys: readonly string[] },
): Columns {
  return device.read(() => {
    const timeline = device.timeline();
    const { from, to, total } = ranksOf(timeline, query);
    const timestamps = new Float64Array(to - from);
    const byKey = new Map(query.keys.map((key) => [key, new Float64Array(to - from).fill(NaN)]));
    const cursor = new Cursor(timeline, from, to, true, projectionOf(query.keys));
    let at = 0;
    for (let batch = cursor.next(BATCH_ROWS); batch !== null; batch = cursor.next(BATCH_ROWS)) {
      for (let i = 0; i < batch.size; i++, at++) {
        const slice = batch.sliceAt(i);
        const row = batch.rowAt(i);
        timestamps[at] = slice.times[row]!;
        for (const { key, kinds, numbers } of slice.columns)
          if (kinds[row] !== ABSENT && kinds[row] !== TEXT) byKey.get(key)![at] = numbers[row]!;
      }
    }
    return { total, timestamps, columns: query.keys.map((key) => byKey.get(key)!) };
  });
}

export function countRecords(device: Readable, range: TimeRange | undefined): number {
  return device.read(() => {
    const { from, to } = device.timeline().ranks(range);
    return to - from;
  });
}

export function readWithin(device: Readable, range: TimeRange): Omit<Extent, 'bytes'> {
  return device.read(() => {
    const timeline = device.timeline();
    const { from, to } = timeline.ranks(range);
    if (from === to) return { records: 0, first: null, last: null };
    const [first, last] = [timeAt(timeline, from), timeAt(timeline, to - 1)];
    return { records: to - from, first, last };
  });
}

function timeAt(timeline: Timeline, rank: number): Micros | null {
  const cursor = new Cursor(timeline, rank, rank + 1, true, { received: false, keys: new Set() });
  const batch = cursor.next(1);
  return batch === null ? null : batch.sliceAt(0).times[batch.rowAt(0)]!;
}

function ranksOf(timeline: Timeline, { offset, limit, range }: PageQuery) {
  const ranks = timeline.ranks(range);
  const to = Math.max(ranks.from, ranks.to - offset);
  return { from: Math.max(ranks.from, to - limit), to, total: ranks.to - ranks.from };
}

function projectionOf(keys: readonly string[] | undefined): Projection {
  return keys === undefined ? { received: false } : { received: false, keys: new Set(keys) };
}
