import { setImmediate } from 'node:timers/promises';
import type { Micros, TimeRange } from '#shared/time.ts';
import type { Columns, Extent, Page, PageQuery } from '../store.ts';
import type { Projection } from './block/block.ts';
import { ABSENT, TEXT } from './block/cell-kind.ts';
import type { RowSlice } from './block/row-slice.ts';
import { Cursor } from './query/cursor.ts';
import { PageJson } from './query/page-json.ts';
import type { Timeline } from './query/timeline.ts';
import type { Readable } from './readable.ts';

/** A page larger than this comes in pieces of about this size. */
const PIECE_BYTES = 1 << 18;
/** One that takes longer to write, since its records have thousands of keys or overlap, comes in pieces, too. */
const PIECE_MS = 16;
const BATCH_ROWS = 1024;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;

/** Of pages that are written at once: never two at a time. */
const json = new PageJson();
const slices: RowSlice[] = [];

export function readPage(device: Readable, query: PageQuery): Page {
  return device.read(() => {
    const timeline = device.timeline();
    const { from, to, total } = ranksOf(timeline, query);
    const cursor = new Cursor(timeline, from, to, true, projectionOf(query.keys), slices);
    json.restart();
    json.character(OPEN_BRACKET);
    if (writeRecords(json, cursor, false)) {
      json.character(CLOSE_BRACKET);
      const borrowed = json.lend();
      return { total, json: borrowed.memory.subarray(borrowed.from, borrowed.to), borrowed };
    }
    const first = json.take();
    const written = to - from - cursor.left;
    return { total, json: piecesOf(device, first, { from, to: to - written }, query.keys) };
  });
}

function closePage(page: PageJson): Uint8Array {
  page.character(CLOSE_BRACKET);
  return page.take();
}

/** Writes until the end (true) or until a piece is full, or took as long as others may wait. */
function writeRecords(page: PageJson, cursor: Cursor, more: boolean): boolean {
  const began = performance.now();
  let some = more;
  do {
    const batch = cursor.next(BATCH_ROWS);
    if (batch === null) return true;
    page.records(batch, some);
    some = true;
  } while (page.length < PIECE_BYTES && performance.now() - began < PIECE_MS);
  return cursor.left === 0;
}

/** The rest of a page that is too large to be held whole, over what there was when it began. */
function piecesOf(
  device: Readable,
  first: Uint8Array,
  { from, to }: { from: number; to: number },
  keys: readonly string[] | undefined,
): AsyncIterable<Uint8Array> {
  const { timeline, release } = device.snapshot();
  return (async function* pieces() {
    try {
      yield first;
      const page = new PageJson(PIECE_BYTES + (1 << 16));
      const cursor = new Cursor(timeline, from, to, true, projectionOf(keys));
      for (let done = false; !done;) {
        await setImmediate();
        done = restOf(device, () => writeRecords(page, cursor, true));
        yield done ? closePage(page) : page.take();
      }
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
