import type { SeriesPicture } from '#shared/wire.ts';
import type { ColumnView } from './columns.ts';
import { drawRecords, type KeyFacts } from './draw-records.ts';
import { drawSeries } from './draw-series.ts';
import { usualIntervals } from './interval.ts';
import type { Drawing } from './line.ts';
import type { TimeSpan } from './window.ts';

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
export function pictureOf(view: ColumnView): Picture {
  const facts = usualIntervals(view).map((interval) => ({ interval, before: null, after: null }));
  return { kind: 'records', view, facts };
}

/** The lines that draw a picture inside `window` (whole µs) at `width` pixels. */
export function drawPicture(picture: Picture, window: TimeSpan, width: number): Drawing {
  return picture.kind === 'series'
    ? drawSeries(picture.series)
    : drawRecords(picture.view, picture.facts, window, width);
}
