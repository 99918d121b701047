import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';
import { parseInstant, type Micros } from '#shared/values/time.ts';
import type { ColumnPage } from '#shared/bridge/wire.ts';
import { ask, messageOf } from '../../bridge/ask.ts';
import { oneInFlight } from '../../bridge/one-in-flight.ts';
import { nowMicros } from '../../time.ts';
import { boundsIn, Columns, newestIn } from '../records/columns.ts';
import { farOffRecords, rowsIn } from '../records/far-off.ts';
import { GrowingIntervals } from '../records/interval.ts';
import {
  FEW,
  isLarge,
  keepMoving,
  type ChartData,
  type ChartLoader,
  type ChartQuery,
  type Look,
  type Show,
} from './loader.ts';
import { pictureOf } from '../draw/picture.ts';
import { readPages, readRecords } from './read.ts';
import { firstNotBefore, windowOf } from '../time/window.ts';

const LIVE_REST_MS = 200;
/** Pause after late records made everything be read again: more of them are likely on their way. */
const LATE_REST_MS = 2_000;

/**
 * Loads every record, from the newest to the oldest, and those that come later: then any window is there at once. Of a part of the time
 * of a large device it calls `tooMany`, and shows no more of them, where that holds more than it was expected to.
 */
export function loadRecords(
  query: ChartQuery,
  current: DeviceSummary,
  first: Look,
  show: Show,
  { tooMany, isStale }: { readonly tooMany: () => void; readonly isStale: boolean },
): ChartLoader {
  const stopped = new AbortController();
  const { signal } = stopped;
  const { project_id, device_id, keys, view, span } = query;
  const place = { project_id, device_id, view };
  const device = { ...place, keys };
  let summary = current;
  let columns = new Columns(query.keys);
  let intervals = new GrowingIntervals();
  /** The end that was last asked for; newer records, from a clock that is ahead, come once it is their time. */
  let end: number | null = null;
  /**
   * Records of the device up to that end: loaded, or outside the query's range. Null until all are. With those behind it they are more
   * than the summary has where some came between the two.
   */
  let known: number | null = null;
  let behindEnd = 0;
  /** Time of the newest record that was told of. */
  let lastTold = lastOf(current);
  let looked = first.window;
  let shownAt = -Infinity;

  function showAll(more: Partial<ChartData> = {}): void {
    shownAt = performance.now();
    show({ ...contentOf(query, columns, intervals), total: columns.length, ...more });
  }

  const isTooMany = (rows: number): boolean => span !== undefined && isLarge(summary) && rows > FEW;

  /** What the query asks for now, in µs. */
  function range(): { readonly start?: number; readonly end?: number } {
    if (span === undefined) return {};
    const now = nowMicros();
    return { start: now - span, end: now };
  }

  const isBehindEnd = () => end !== null && end < lastTold;

  /** Resolves with how many records lie behind the end that was last asked for. */
  async function countBehindEnd(): Promise<number> {
    let count = 0;
    const counted = (page: ColumnPage) => {
      count = page.total;
      return false;
    };
    if (end !== null && isBehindEnd())
      await readPages({ ...place, keys: [], start: end + 1 }, signal, counted);
    return count;
  }

  /** Reads every page; shown as they come, or (`visible` false) put in place of the old ones once all are there. */
  async function load(visible: boolean, isFresh = false): Promise<void> {
    const loaded = new Columns(query.keys);
    const ofLoaded = new GrowingIntervals();
    const present = isFresh || span === undefined ? summary : await ask('devices.summary', place);
    if (signal.aborted) return;
    // Live records lie behind this end, so that they do not move the ranks of the pages still to come.
    const asked = range();
    lastTold = lastOf(present);
    const last = Math.min(lastTold, asked.end ?? Infinity);
    const reading = new AbortController();
    const publish = oncePerFrame(
      () => show(contentOf(query, loaded, ofLoaded)),
      AbortSignal.any([signal, reading.signal]),
    );
    const isAll = await readPages(
      { ...device, ...asked, ...(last !== -Infinity && { end: last }) },
      signal,
      (page) => {
        if (isTooMany(page.total)) return false;
        loaded.addOlder(page);
        if (!visible) return true;
        if (page.offset === 0) show({ total: page.total });
        publish();
        return true;
      },
    );
    if (signal.aborted) return;
    reading.abort();
    if (!isAll) return tooMany();
    end = asked.end ?? null;
    behindEnd = await countBehindEnd();
    if (signal.aborted) return;
    known = span === undefined ? loaded.length : present.records - behindEnd;
    columns = loaded;
    intervals = ofLoaded;
    showAll({ state: 'ready' });
  }

  /** Adds the newer records. Where late ones lie among the old, everything is read again. */
  const catchUp = oneInFlight(async () => {
    const { records } = summary;
    if (signal.aborted || known === null) return;
    const all = known + behindEnd;
    if (records === all && !isBehindEnd()) return;
    try {
      if (records < all) return await lookForRemoved(all);
      known += await fetchNewer();
      behindEnd = await countBehindEnd();
      if (signal.aborted || records <= known + behindEnd) return;
      await load(false);
      await new Promise((resolve) => setTimeout(resolve, LATE_REST_MS));
    } catch (error) {
      if (!signal.aborted) show({ error: messageOf(error) });
    }
  }, LIVE_REST_MS);

  /** Reads everything again where something was removed while no event of it could come: the connection was lost. */
  async function lookForRemoved(all: number): Promise<void> {
    const present = await ask('devices.summary', place);
    if (!signal.aborted && present.records < all) await load(false);
  }

  /**
   * Reads from the newest instant on: what exceeds the rows known at that instant is new, the latest arrival first.
   * Resolves with how many records that were.
   */
  async function fetchNewer(): Promise<number> {
    const { timestamps } = columns.view();
    const newest = timestamps.at(-1);
    const atNewest = newest === undefined ? 0 : timestamps.length - firstNotBefore(timestamps, newest);
    const asked = range();
    const start = newest ?? asked.start;
    const fresh = new Columns(query.keys);
    await readRecords(
      { ...device, ...asked, ...(start !== undefined && { start }) },
      (page) => {
        const rows = Math.min(page.timestamps.length, page.total - atNewest - fresh.length);
        if (rows > 0) fresh.addOlder(headOf(page, rows));
      },
      signal,
    );
    end = asked.end ?? null;
    if (signal.aborted || fresh.length === 0) return 0;
    columns.addNewer(fresh.view());
    if (forgetOld()) tooMany();
    else showAll({ error: null });
    return fresh.length;
  }

  /** Drops what lies before the range and before what is looked at, once that is most of it; returns whether the others are too many. */
  function forgetOld(): boolean {
    if (span === undefined) return false;
    const { timestamps } = columns.view();
    const start = nowMicros() - span;
    const old = firstNotBefore(timestamps, Math.min(start, looked?.from ?? start));
    // A line leads in from the last one of them.
    if (old > columns.length / 2) columns.dropOldest(old - 1);
    return isTooMany(timestamps.length - firstNotBefore(timestamps, start));
  }

  async function begin(): Promise<void> {
    try {
      await load(true, !isStale);
      catchUp();
    } catch (error) {
      if (!signal.aborted) show({ state: 'error', error: messageOf(error) });
    }
  }

  void begin();
  keepMoving(query, signal, (step) => {
    if (known === null) return;
    // What came since has moved it along.
    if (performance.now() - shownAt > step / 2) showAll();
    catchUp();
  });
  return {
    follow(latest) {
      summary = latest;
      lastTold = Math.max(lastTold, lastOf(latest));
      catchUp();
    },
    // Whatever it shows is there already.
    look: ({ window }) => {
      looked = window;
      show({ window });
    },
    glance({ window }) {
      looked = window;
      show({ window });
      return true;
    },
    stop: () => stopped.abort(),
  };
}

const lastOf = ({ last }: DeviceSummary): Micros => parseInstant(last ?? '') ?? -Infinity;

type Content = Pick<ChartData, 'picture' | 'whole' | 'far' | 'bounds' | 'newest' | 'points'>;

function contentOf(
  { span, far: isFarShown }: ChartQuery,
  columns: Columns,
  intervals: GrowingIntervals,
): Content {
  const view = columns.view();
  const now = nowMicros();
  const asked = span === undefined ? windowOf(view.timestamps) : { from: now - span, to: now };
  const rows = asked && rowsIn(view.timestamps, asked);
  if (!asked || !rows || rows.first === rows.end)
    return { picture: null, whole: null, far: null, bounds: [], newest: [], points: 0 };
  const far = farOffRecords(view.timestamps.subarray(rows.first, rows.end));
  const whole = far && !isFarShown ? far.core : asked;
  const shown = rowsIn(view.timestamps, whole);
  return {
    picture: pictureOf(view, intervals.of(view)),
    whole,
    far,
    bounds: whole === asked ? columns.extents() : boundsIn(view, shown.first, shown.end),
    newest: newestIn(view, shown.first, shown.end),
    points: shown.end - shown.first,
  };
}

function headOf(page: ColumnPage, rows: number): ColumnPage {
  return {
    ...page,
    timestamps: page.timestamps.subarray(0, rows),
    columns: page.columns.map((column) => column.subarray(0, rows)),
  };
}

/** Joins the calls between two frames of the screen into one, and drops it once `signal` says so. */
function oncePerFrame(work: () => void, signal: AbortSignal): () => void {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      if (!signal.aborted) work();
    });
  };
}
