import type { Micros } from '#shared/time.ts';
import type { SeriesPicture } from '#shared/wire.ts';
import { readingAt, type Reading } from '../../chart/columns.ts';
import type { Picture } from '../../chart/picture.ts';
import { columnAt } from '../../chart/summary.ts';
import { nearest } from '../../chart/window.ts';

/** What a readout says. */
export interface ReadoutWords {
  readonly from: Micros;
  /** The end of a span; null for an instant. */
  readonly to: Micros | null;
  /** One a key. */
  readonly values: readonly string[];
}

/**
 * The record closest to the cursor; where records are summarised, the column of pixels under it. Without a cursor
 * (null) the newest record. Null where there is nothing.
 */
export function wordsOf(
  picture: Picture | null,
  newest: Reading | null,
  cursor: number | null,
): ReadoutWords | null {
  if (cursor === null || picture === null) return newest && wordsOfRecord(newest);
  if (picture.kind === 'summary') return wordsOfColumn(picture.series, cursor);
  const reading = readingAt(picture.view, nearest(picture.view.timestamps, cursor));
  return reading && wordsOfRecord(reading);
}

function wordsOfRecord({ instant, values }: Reading): ReadoutWords {
  return { from: instant, to: null, values: values.map(shown) };
}

const SECOND = 1_000_000;
const MILLISECOND = 1_000;

function wordsOfColumn(series: SeriesPicture, cursor: number): ReadoutWords {
  const column = columnAt(series, cursor);
  const width = (series.end - series.start + 1) / series.width;
  const from = series.start + column * width;
  // The edges of pixels mean nothing in themselves: as many digits as tell two of them apart.
  const unit = width >= 2 * SECOND ? SECOND : MILLISECOND;
  const rounded = (instant: number) => Math.round(instant / unit) * unit;
  return {
    from: rounded(from),
    to: rounded(from + width),
    values: series.keys.map(({ min, max }) => {
      const [least, most] = [shown(min[column]), shown(max[column])];
      return least === most ? least : `${least} … ${most}`;
    }),
  };
}

/** The number as JavaScript writes it, which is exact; a dash where there is none. */
function shown(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? '–' : String(value);
}
