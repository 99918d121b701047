import type { SeriesPicture } from '#shared/wire.ts';
import type { Columns, ColumnView } from './columns.ts';
import { draw, type Drawing } from './decimate.ts';
import { drawSummary } from './summary.ts';
import type { TimeWindow } from './window.ts';

/** What there is to draw: records one by one, or what each column of pixels holds of a great many. */
export type Picture =
  | {
      readonly kind: 'records';
      readonly view: ColumnView;
      /** Per key, whether most records lack it. */
      readonly sparse: readonly boolean[];
    }
  | { readonly kind: 'summary'; readonly series: SeriesPicture };

/** The records as they are now; those added later need a new picture. */
export function pictureOf(columns: Columns): Picture {
  const sparse = columns.extents().map(({ count }) => count < columns.length / 2);
  return { kind: 'records', view: columns.view(), sparse };
}

/** The points that draw a picture inside `window` (whole µs) at `width` pixels. */
export function drawPicture(picture: Picture, window: TimeWindow, width: number): Drawing {
  return picture.kind === 'summary'
    ? drawSummary(picture.series)
    : draw(picture.view, window, width, picture.sparse);
}
