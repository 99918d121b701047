import { setImmediate } from 'node:timers/promises';
import type { Micros, TimeRange } from '#shared/time.ts';
import type { Columns, DeviceSummary, Extent, KeySummary, Page, PageQuery, Series } from '../../store.ts';
import type { Projection } from '../../blocks/block/block.ts';
import { Cursor } from '../../blocks/query/cursor.ts';
import type { DeviceLog } from './device-log.ts';
import { diskError } from '../../../disk/errors.ts';
import { damagedWhileReading, READING } from '../../../disk/failures.ts';
import { PageJson } from '../../blocks/query/page-json.ts';
import { byCodeUnits, type RowSlice } from '../../blocks/block/row-slice.ts';
import { ABSENT, TEXT } from '../../blocks/block/cell-kind.ts';
import { Run } from '../../blocks/query/run.ts';
import { usualInterval } from '../../blocks/series/interval.ts';
import { seriesOf, type SeriesQuery } from '../../blocks/series/series.ts';
import { BufferedRows } from '../../blocks/query/sorted-rows.ts';
import type { Timeline } from '../../blocks/query/timeline.ts';

/** A page larger than this comes in pieces of about this size. */
const PIECE_BYTES = 1 << 18;
const BATCH_ROWS = 1024;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;

/** Of pages that are written at once: never two at a time. */
const json = new PageJson();
const slices: RowSlice[] = [];

export function readPage(log: DeviceLog, query: PageQuery): Page {
  return log.read(() => {
    const timeline = log.timeline();
    const { from, to, total } = ranksOf(timeline, query);
    const cursor = new Cursor(timeline, from, to, true, projectionOf(query.keys), slices);
    json.restart();
    json.character(OPEN_BRACKET);
    if (writeRecords(json, cursor, false)) {
      json.character(CLOSE_BRACKET);
      const lent = json.lend();
      return { total, json: lent.memory.subarray(lent.from, lent.to), lent };
    }
    const first = json.take();
    const written = to - from - cursor.left;
    return { total, json: piecesOf(log, first, { from, to: to - written }, query.keys) };
  });
}

function closePage(page: PageJson): Uint8Array {
  page.character(CLOSE_BRACKET);
  return page.take();
}

/** Writes until the end (true) or until a piece is full. */
function writeRecords(page: PageJson, cursor: Cursor, more: boolean): boolean {
  let some = more;
  while (page.length < PIECE_BYTES) {
    const batch = cursor.next(BATCH_ROWS);
    if (batch === null) return true;
    page.records(batch, some);
    some = true;
  }
  return cursor.left === 0;
}

/** The rest of a page that is too large to be held whole, over what there was when it began. */
function piecesOf(
  log: DeviceLog,
  first: Uint8Array,
  { from, to }: { from: number; to: number },
  keys: readonly string[] | undefined,
): AsyncIterable<Uint8Array> {
  const { timeline, release } = log.snapshot();
  return (async function* pieces() {
    try {
      yield first;
      const page = new PageJson(PIECE_BYTES + (1 << 16));
      const cursor = new Cursor(timeline, from, to, true, projectionOf(keys));
      for (let done = false; !done;) {
        await setImmediate();
        done = orDamage(log, () => writeRecords(page, cursor, true));
        yield done ? closePage(page) : page.take();
      }
    } finally {
      await release();
    }
  })();
}

/** A reader that has handed out rows cannot start again without them: it ends with a clear error. */
function orDamage<T>(log: DeviceLog, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (log.setAside(error)) throw damagedWhileReading();
    throw diskError(error, READING);
  }
}

export function readColumns(
  log: DeviceLog,
  query: PageQuery & { readonly keys: readonly string[] },
): Columns {
  return log.read(() => {
    const timeline = log.timeline();
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

export function countRecords(log: DeviceLog, range: TimeRange | undefined): number {
  return log.read(() => {
    const { from, to } = log.timeline().ranks(range);
    return to - from;
  });
}

export function readSeries(log: DeviceLog, query: SeriesQuery): Series {
  return log.read(() => seriesOf(log.sources(), query));
}

export function readIntervals(log: DeviceLog, keys: readonly string[]): number[] {
  return log.read(() => {
    const sources = log.sources();
    return keys.map((key) => usualInterval(sources, key));
  });
}

export function readKeys(log: DeviceLog): string[] {
  return readKeySummaries(log).map(({ key }) => key);
}

export function readSummary(log: DeviceLog): DeviceSummary {
  const keys = readKeySummaries(log);
  return log.read(() => {
    const { lastSeen, purgedAt, bytes } = log;
    const first = log.timeline().clusters[0]?.first ?? null;
    const { records, newest } = readExtent(log);
    return { records, first, last: newest, lastSeen, purgedAt, bytes, keys };
  });
}

export function readExtent(log: DeviceLog): Extent {
  return log.read(() => {
    const { rows, clusters } = log.timeline();
    let newest: Micros | null = null;
    for (const { last } of clusters) newest = Math.max(newest ?? last, last);
    return { records: rows, newest };
  });
}

function readKeySummaries(log: DeviceLog): KeySummary[] {
  return log.read(() => {
    const byKey = new Map<string, { key: string; count: number; numeric: number }>();
    const add = (key: string, count: number, numeric: number) => {
      const known = byKey.get(key);
      if (known === undefined) {
        byKey.set(key, { key, count, numeric });
      } else {
        known.count += count;
        known.numeric += numeric;
      }
    };
    for (const source of log.sources()) {
      if (source instanceof Run) for (const { key, cells, numeric } of source.keys) add(key, cells, numeric);
      else if (source instanceof BufferedRows)
        for (const { key, count, numeric } of source.buffer.columns) add(key, count, numeric);
    }
    return [...byKey.values()].filter(({ count }) => count > 0).toSorted((a, b) => byCodeUnits(a.key, b.key));
  });
}

function ranksOf(timeline: Timeline, { offset, limit, range }: PageQuery) {
  const ranks = timeline.ranks(range);
  const to = Math.max(ranks.from, ranks.to - offset);
  return { from: Math.max(ranks.from, to - limit), to, total: ranks.to - ranks.from };
}

function projectionOf(keys: readonly string[] | undefined): Projection {
  return keys === undefined ? { received: false } : { received: false, keys: new Set(keys) };
}
