import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';
import type { SeriesPicture } from '#shared/bridge/wire.ts';
import { messageOf } from '../../bridge/ask.ts';
import { oneInFlight } from '../../bridge/one-in-flight.ts';
import { Columns } from '../records/columns.ts';
import { createAhead } from './ahead.ts';
import type { KeyFacts } from '../draw/draw-records.ts';
import { boundsOf, recordCount, newestOf } from '../draw/draw-series.ts';
import { farOffColumns, rowsIn } from '../records/far-off.ts';
import {
  FEW,
  keepMoving,
  timeOf,
  type ChartData,
  type ChartLoader,
  type ChartQuery,
  type Look,
  type Show,
} from './loader.ts';
import type { Picture } from '../draw/picture.ts';
import { readPages, readSeries } from './read.ts';
import { covers, isSameSpan, widened, type TimeSpan } from '../time/window.ts';

/** Records to read around such a window, so that moving it a little needs no answer. */
const AROUND = 10_000;

/** How long a window may wait for its own picture before the one that is there is stretched over it. */
const PATIENCE_MS = 60;

/** Columns for each pixel up to which a picture is as good as one of the plot's width: axes take some of it once they are known. */
const FINEST = 1.25;

/** Records that were read one by one, and the span in which they are all there are. */
interface Near {
  readonly span: TimeSpan;
  readonly columns: Columns;
  readonly facts: readonly KeyFacts[];
}

/** What all that is asked for looks like from afar. */
type Overview = Pick<ChartData, 'far' | 'bounds' | 'newest'> & {
  readonly whole: TimeSpan;
  readonly series: SeriesPicture;
};

/**
 * Asks anew for each window what its columns of pixels hold, so that any number of records is there as soon as a few;
 * a window of few records is read itself. One question is in flight; of those asked meanwhile the last is the next.
 */
export function loadSpans(query: ChartQuery, current: DeviceSummary, first: Look, show: Show): ChartLoader {
  const stopped = new AbortController();
  const { signal } = stopped;
  const { project_id, device_id, keys, view, flagged } = query;
  const source = { project_id, device_id, keys, view, ...(flagged && { flagged }) };
  let summary = current;
  let look = first;
  /** The summary that what is kept below belongs to. */
  let seen: DeviceSummary | null = null;
  let near: Near | null = null;
  let overview: Overview | null = null;
  /** Picture that answers the look; null while there is none, and where records were asked for. */
  let drawn: Picture | null = null;
  let patience: ReturnType<typeof setTimeout> | undefined;
  const ahead = createAhead(({ window, width }, given) => seriesOf(window, width, given));

  const answer = oneInFlight(async () => {
    if (signal.aborted) return;
    const asked = { look, summary };
    try {
      const content = await contentOf(look, summary);
      const isLast = asked.look === look && asked.summary === summary;
      if (!isLast && drawn) return;
      drawn = isLast && content.picture?.kind === 'series' ? content.picture : null;
      if (isLast) clearTimeout(patience);
      if (!signal.aborted) show({ ...content, window: asked.look.window, ...(isLast && { state: 'ready' }) });
    } catch (error) {
      // The present look was answered from memory.
      const isOver = signal.aborted || (asked.look !== look && drawn);
      if (!isOver) show({ state: 'error', error: messageOf(error) });
    }
  });

  /** Shows the look at once where nothing has to be asked for it; returns whether it did. */
  function glance(next: Look): boolean {
    const content = signal.aborted ? null : contentAt(next, summary);
    if (!content) return false;
    look = next;
    drawn = content.picture;
    clearTimeout(patience);
    show({ ...content, window: next.window, state: 'ready', error: null });
    return true;
  }

  function ask(): void {
    if (signal.aborted) return show({ window: look.window });
    if (glance(look)) return;
    drawn = null;
    show({ state: 'loading', error: null });
    const { window } = look;
    clearTimeout(patience);
    patience = setTimeout(() => !signal.aborted && show({ window }), PATIENCE_MS);
    answer();
  }

  /** Content of a look that nothing has to be asked for; null for another one. */
  function contentAt({ window, width }: Look, of: DeviceSummary) {
    if (of !== seen || !overview) return null;
    const { series: all, whole, far, bounds, newest } = overview;
    const known = { whole, far, bounds, newest };
    const shown = window ?? whole;
    if (near && covers(near.span, shown)) return { ...known, ...contentNear(near, shown) };
    const isAll = all.start === shown.from && all.end === shown.to;
    const series = isAll && isSharp(all, width) ? all : ahead.at({ window: shown, width, of });
    const points = series && recordCount(series);
    if (!series || !points || points <= FEW) return null;
    near = null;
    return { ...known, picture: { kind: 'series', series } satisfies Picture, points };
  }

  async function contentOf({ window, width }: Look, of: DeviceSummary): Promise<Partial<ChartData>> {
    const asked = timeOf(query, of);
    if (of !== seen || !overview) {
      overview = asked && (await readOverview(asked, width));
      near = null;
      seen = of;
    }
    if (!overview) return { whole: null, far: null, picture: null, points: 0 };
    const there = contentAt({ window, width }, of);
    if (there) return there;
    const { series: all, whole, far, bounds, newest } = overview;
    const known = { whole, far, bounds, newest };
    const shown = window ?? whole;
    const isAll = all.start === shown.from && all.end === shown.to;
    const series =
      isAll && isSharp(all, width)
        ? all
        : ((await ahead.take({ window: shown, width, of })) ?? (await seriesOf(shown, width)));
    // The chart has been laid out since: going back to all of it needs no answer.
    if (isAll && overview.series === all) overview = { ...overview, series };
    const points = recordCount(series);
    near = points > FEW ? null : await readNear(shown, whole, of.records);
    if (near) return { ...known, ...contentNear(near, shown) };
    return { ...known, picture: { kind: 'series', series } satisfies Picture, points };
  }

  /** Null where there is nothing in the time that is asked for. */
  async function readOverview(asked: TimeSpan, width: number): Promise<Overview | null> {
    const series = await seriesOf(asked, width);
    if (recordCount(series) === 0) return null;
    const far = farOffColumns(series);
    const whole = far && !query.far ? far.core : asked;
    return { series, whole, far, bounds: boundsOf(series, whole), newest: newestOf(series, whole) };
  }

  async function seriesOf(
    { from, to }: TimeSpan,
    width: number,
    given: AbortSignal = signal,
  ): Promise<SeriesPicture> {
    return readSeries({ ...source, start: from, end: to, width }, given);
  }

  /** The records of a window and some on either side. Null when they are many, because few of them carry the keys. */
  async function readNear(window: TimeSpan, whole: TimeSpan, records: number): Promise<Near | null> {
    const usual = ((whole.to - whole.from) / records) * AROUND;
    const around = widened(window, Math.max(usual, 2 * (window.to - window.from)), whole);
    return (await readSpan(around)) ?? readSpan(window);
  }

  async function readSpan(span: TimeSpan): Promise<Near | null> {
    const { keys: facts } = await seriesOf(span, 1);
    const columns = new Columns(keys);
    const request = { ...source, start: span.from, end: span.to };
    const isAll = await readPages(request, signal, (page) => {
      if (page.total > FEW) return false;
      columns.addOlder(page);
      return true;
    });
    return isAll ? { span, columns, facts } : null;
  }

  keepMoving(query, signal, () => {
    overview = null;
    ask();
  });
  ask();
  return {
    follow(latest) {
      const isSame = (['records', 'first', 'last'] as const).every((fact) => latest[fact] === summary[fact]);
      if (isSame) return;
      summary = latest;
      ask();
    },
    look(next) {
      const isDrawn = drawn && isSameSpan(look.window, next.window) && isFine(drawn, next.width);
      look = next;
      if (!isDrawn) ask();
    },
    glance,
    expect(window) {
      // Of what is read record by record, what lies around is there already.
      if (!signal.aborted && !near && seen) ahead.expect({ window, width: look.width, of: seen });
    },
    stop() {
      stopped.abort();
      ahead.stop();
    },
  };
}

/** Whether a picture has a column for each pixel of a plot, and not so many more that its lines thicken. */
function isSharp(series: SeriesPicture, width: number): boolean {
  return series.width >= width && series.width <= width * FINEST;
}

/** Whether a picture is as good as one of a plot of so many pixels. */
const isFine = (picture: Picture, width: number) =>
  picture.kind === 'records' || isSharp(picture.series, width);

function contentNear({ columns, facts }: Near, window: TimeSpan) {
  const view = columns.view();
  const { first, end } = rowsIn(view.timestamps, window);
  return { picture: { kind: 'records', view, facts } satisfies Picture, points: end - first };
}
