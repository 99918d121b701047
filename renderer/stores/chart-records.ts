import type { DeviceSummary } from '#shared/operations/device-administration.ts';
import { parseInstant } from '#shared/time.ts';
import type { ColumnPage } from '#shared/wire.ts';
import { dataOf, messageOf } from '../bridge/ask.ts';
import { bridge } from '../bridge/bridge.ts';
import { Columns, readingAt } from '../chart/columns.ts';
import { pictureOf } from '../chart/picture.ts';
import { firstNotBefore, windowOf } from '../chart/window.ts';
import { requestOf, type ChartData, type ChartLoader, type ChartQuery, type Show } from './chart-loader.ts';
import { oneInFlight } from './one-in-flight.ts';

const LIVE_REST_MS = 200;
/** Pause after late records made everything be read again: more of them are likely on their way. */
const LATE_REST_MS = 2_000;

/** Loads every record, from the newest to the oldest, and those that come later: then any window is there at once. */
export function loadRecords(query: ChartQuery, current: DeviceSummary, show: Show): ChartLoader {
  const stopped = new AbortController();
  const { signal } = stopped;
  let summary = current;
  let columns = new Columns(query.keys);
  /** Records of the device that are accounted for: loaded, or outside the query's range. Null until all are. */
  let known: number | null = null;

  /** Reads every page; shown as they come, or (`visible` false) put in place of the old ones once all are there. */
  async function load(visible: boolean): Promise<void> {
    const loaded = new Columns(query.keys);
    const recordsBefore = summary.records;
    // Live records lie behind this end, so that they do not move the ranks of the pages still to come.
    const end = parseInstant(summary.last ?? '');
    const publish = oncePerFrame(() => show(contentOf(loaded)), signal);
    dataOf(
      await bridge.columns(
        { ...requestOf(query), ...(end !== null && { end }) },
        (page) => {
          loaded.addOlder(page);
          if (!visible) return;
          if (page.offset === 0) show({ total: page.total });
          publish();
        },
        { signal },
      ),
    );
    if (signal.aborted) return;
    known = query.start === undefined ? loaded.length : recordsBefore;
    columns = loaded;
    show({ state: 'ready', ...contentOf(columns), total: columns.length });
  }

  /** Adds the newer records. Where late ones lie among the old, everything is read again. */
  const catchUp = oneInFlight(async () => {
    const { records } = summary;
    if (signal.aborted || known === null || records <= known) return;
    try {
      known += await fetchNewer();
      if (records <= known) return;
      await load(false);
      await new Promise((resolve) => setTimeout(resolve, LATE_REST_MS));
    } catch (error) {
      if (!signal.aborted) show({ error: messageOf(error) });
    }
  }, LIVE_REST_MS);

  /**
   * Reads from the newest instant on: what exceeds the rows known at that instant is new, the latest arrival first.
   * Resolves with how many records that were.
   */
  async function fetchNewer(): Promise<number> {
    const { timestamps } = columns.view();
    const newest = timestamps.at(-1);
    const atNewest = newest === undefined ? 0 : timestamps.length - firstNotBefore(timestamps, newest);
    const start = newest ?? query.start;
    const fresh = new Columns(query.keys);
    dataOf(
      await bridge.columns(
        { ...requestOf(query), ...(start !== undefined && { start }) },
        (page) => {
          const rows = Math.min(page.timestamps.length, page.total - atNewest - fresh.length);
          if (rows > 0) fresh.addOlder(headOf(page, rows));
        },
        { signal },
      ),
    );
    if (signal.aborted || fresh.length === 0) return 0;
    columns.addNewer(fresh.view());
    show({ ...contentOf(columns), total: columns.length, error: null });
    return fresh.length;
  }

  async function begin(): Promise<void> {
    try {
      await load(true);
      catchUp();
    } catch (error) {
      if (!signal.aborted) show({ state: 'error', error: messageOf(error) });
    }
  }

  void begin();
  return {
    follow(latest) {
      summary = latest;
      catchUp();
    },
    // Whatever it shows is there already.
    look: ({ window }) => show({ window }),
    stop: () => stopped.abort(),
  };
}

function contentOf(columns: Columns): Pick<ChartData, 'picture' | 'whole' | 'bounds' | 'newest' | 'points'> {
  const view = columns.view();
  return {
    picture: pictureOf(columns),
    whole: windowOf(view.timestamps),
    bounds: columns.extents(),
    newest: readingAt(view, columns.length - 1),
    points: columns.length,
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
