import type { DeviceSummary } from '#shared/operations/device-administration.ts';
import { parseInstant } from '#shared/time.ts';
import type { ColumnPage, ColumnsRequest, SeriesPicture } from '#shared/wire.ts';
import { dataOf, messageOf } from '../bridge/ask.ts';
import { bridge } from '../bridge/bridge.ts';
import { Columns, readingAt, type Bounds, type Reading } from '../chart/columns.ts';
import { pictureOf, type Picture } from '../chart/picture.ts';
import { boundsOf, countOf } from '../chart/summary.ts';
import { covers, firstNotBefore, widened, windowBetween, type TimeWindow } from '../chart/window.ts';
import type { ChartData, ChartLoader, ChartQuery, Look, Show } from './chart-loader.ts';
import { oneInFlight } from './one-in-flight.ts';

/** A window that holds no more records than this is drawn from the records themselves. */
const FEW = 50_000;
/** Records to read around such a window, so that moving it a little needs no answer. */
const AROUND = 10_000;

/** How long a window may wait for its own picture before the one that is there is stretched over it. */
const PATIENCE_MS = 60;

/** Records that were read one by one, and the span in which they are all there are. */
interface Near {
  readonly span: TimeWindow;
  readonly columns: Columns;
}

/**
 * Asks anew for each window what its columns of pixels hold, so that any number of records is there as soon as a few;
 * a window of few records is read itself. One question is in flight; of those asked meanwhile the last is the next.
 */
export function askWindows(query: ChartQuery, current: DeviceSummary, first: Look, show: Show): ChartLoader {
  const stopped = new AbortController();
  const { signal } = stopped;
  const { project_id, device_id, keys } = query;
  let summary = current;
  let look = first;
  /** The summary that what is kept below belongs to. */
  let seen: DeviceSummary | null = null;
  let near: Near | null = null;
  let newest: Reading | null = null;
  let bounds: readonly Bounds[] = [];

  const answer = oneInFlight(async () => {
    if (signal.aborted) return;
    const asked = { look, summary };
    try {
      const content = await contentOf(look, summary);
      const isLast = asked.look === look && asked.summary === summary;
      if (!signal.aborted) show({ ...content, window: asked.look.window, ...(isLast && { state: 'ready' }) });
    } catch (error) {
      if (!signal.aborted) show({ state: 'error', error: messageOf(error) });
    }
  });

  function ask(): void {
    if (signal.aborted) return show({ window: look.window });
    show({ state: 'loading', error: null });
    const { window } = look;
    setTimeout(() => look.window === window && !signal.aborted && show({ window }), PATIENCE_MS);
    answer();
  }

  async function contentOf({ window, width }: Look, of: DeviceSummary): Promise<Partial<ChartData>> {
    const whole = wholeOf(query, of);
    if (!whole) return { whole, picture: null, points: 0 };
    const shown = window ?? whole;
    if (of !== seen) {
      newest = await readNewest(of);
      near = null;
      seen = of;
    }
    if (near && covers(near.span, shown)) return { whole, newest, ...contentNear(near, shown) };
    const series = await readSeries(shown, width);
    bounds = boundsOf(series).map((found, key) => joined(found, bounds[key] ?? found));
    const points = countOf(series);
    near = points > FEW ? null : await readNear(shown, whole, of.records);
    const summarised = { picture: { kind: 'summary', series } satisfies Picture, points };
    return { whole, newest, bounds, ...(near ? contentNear(near, shown) : summarised) };
  }

  async function readSeries({ from, to }: TimeWindow, width: number): Promise<SeriesPicture> {
    return dataOf(
      await bridge.series({ project_id, device_id, keys, start: from, end: to, width }, { signal }),
    );
  }

  /** The records of a window and some on either side. Null when they are many, because few of them carry the keys. */
  async function readNear(window: TimeWindow, whole: TimeWindow, records: number): Promise<Near | null> {
    const usual = ((whole.to - whole.from) / records) * AROUND;
    const around = widened(window, Math.max(usual, 2 * (window.to - window.from)), whole);
    return (await readSpan(around)) ?? readSpan(window);
  }

  async function readSpan(span: TimeWindow): Promise<Near | null> {
    const columns = new Columns(keys);
    const request = { project_id, device_id, keys, start: span.from, end: span.to };
    const isAll = await readPages(request, signal, (page) => {
      if (page.total > FEW) return false;
      columns.addOlder(page);
      return true;
    });
    return isAll ? { span, columns } : null;
  }

  async function readNewest({ last }: DeviceSummary): Promise<Reading | null> {
    let reading: Reading | null = null;
    const start = parseInstant(last ?? '');
    const request = { project_id, device_id, keys, ...(start !== null && { start }) };
    await readPages(request, signal, (page) => {
      reading = readingAt(page, 0);
      return false;
    });
    return reading;
  }

  ask();
  return {
    follow(latest) {
      if (latest.records === summary.records) return;
      summary = latest;
      ask();
    },
    look(next) {
      look = next;
      ask();
    },
    stop: () => stopped.abort(),
  };
}

/** Reads pages, newest first, as long as `wanted` asks for more; resolves with whether it did to the end. */
async function readPages(
  request: ColumnsRequest,
  signal: AbortSignal,
  wanted: (page: ColumnPage) => boolean,
): Promise<boolean> {
  const enough = new AbortController();
  try {
    const take = (page: ColumnPage) => {
      if (!wanted(page)) enough.abort();
    };
    dataOf(await bridge.columns(request, take, { signal: AbortSignal.any([signal, enough.signal]) }));
  } catch (error) {
    if (!enough.signal.aborted) throw error;
  }
  return !enough.signal.aborted;
}

function contentNear({ columns }: Near, { from, to }: TimeWindow): Pick<ChartData, 'picture' | 'points'> {
  const { timestamps } = columns.view();
  const points = firstNotBefore(timestamps, to + 1) - firstNotBefore(timestamps, from);
  return { picture: pictureOf(columns), points };
}

function joined(a: Bounds, b: Bounds): Bounds {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

/** From the first record to the last, as far as the query asks for them; null where it asks for none. */
function wholeOf({ start = -Infinity }: ChartQuery, { first, last }: DeviceSummary): TimeWindow | null {
  const [from, to] = [parseInstant(first ?? ''), parseInstant(last ?? '')];
  if (from === null || to === null || to < start) return null;
  return windowBetween(Math.max(from, start), to);
}
