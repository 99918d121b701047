import type { SeriesPicture } from '#shared/bridge/wire.ts';
import type { ColumnView } from '../records/columns.ts';
import { drawRecords, type KeyFacts } from './draw-records.ts';
import { drawSeries } from './draw-series.ts';
import { usualIntervals } from '../records/interval.ts';
import { PAUSE_FACTOR, type Drawing } from './line.ts';
import type { TimeSpan } from '../time/window.ts';

/** What there is to draw: records one by one, or what each column of pixels holds of a great many. */
export type Picture =
  | {
      readonly kind: 'records';
      readonly view: ColumnView;
      /** One a key. */
      readonly facts: readonly KeyFacts[];
    }
  | { readonly kind: 'series'; readonly series: SeriesPicture };

/** A picture of all records there are. */
export function pictureOf(view: ColumnView, intervals = usualIntervals(view)): Picture {
  const facts = intervals.map((interval) => ({ interval, before: null, after: null }));
  return { kind: 'records', view, facts };
}

/**
 * The lines that draw a picture inside `window` (whole µs) at `width` pixels. `gaps` has for each line the silence, in µs,
 * that breaks it, where somebody has said so.
 */
export function drawPicture(
  picture: Picture,
  window: TimeSpan,
  width: number,
  gaps: readonly (number | null)[] = [],
): Drawing {
  if (picture.kind === 'series') return drawnSeries(picture.series, gaps);
  const facts = picture.facts.map((known, line) => withGap(known, gaps[line]));
  return drawRecords(picture.view, facts, window, width);
}

/** Of a series whose lines were drawn before: with which gaps, and what became of it. */
const drawnBefore = new WeakMap<SeriesPicture, { readonly gaps: string; readonly drawing: Drawing }>();

/** A series is drawn alike whatever the window is: where several devices are compared, seven of eight have not changed. */
function drawnSeries(series: SeriesPicture, gaps: readonly (number | null)[]): Drawing {
  const before = drawnBefore.get(series);
  const asked = gaps.join();
  if (before?.gaps === asked) return before.drawing;
  const keys = series.keys.map((key, line) => withGap(key, gaps[line]));
  const drawing = drawSeries({ ...series, keys });
  drawnBefore.set(series, { gaps: asked, drawing });
  return drawing;
}

function withGap<Facts extends { readonly interval: number | null }>(
  facts: Facts,
  gap?: number | null,
): Facts {
  return gap === null || gap === undefined ? facts : { ...facts, interval: gap / PAUSE_FACTOR };
}
