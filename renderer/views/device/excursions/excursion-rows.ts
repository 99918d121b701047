import type { Excursions } from '#shared/operations/records/excursions.ts';
import { parseInstant } from '#shared/values/time.ts';
import { countOf } from '../../../format.ts';

/** An excursion, or a time that was not measured. Times in µs. */
export interface ExcursionRow {
  /** Its place in order of time. */
  readonly id: number;
  readonly what: 'above' | 'below' | 'not measured';
  readonly from: number;
  readonly to: number;
  /** Null where nothing was measured. */
  readonly worst: number | null;
  readonly at: number | null;
}

const microsOf = (text: string) => parseInstant(text) ?? 0;

/** In order of time. */
export function excursionRows({ excursions, not_measured }: Excursions): readonly ExcursionRow[] {
  const rows = [
    ...excursions.map(({ start, end, worst, at, side }): Omit<ExcursionRow, 'id'> => ({
      what: side,
      from: microsOf(start),
      to: microsOf(end),
      worst,
      at: microsOf(at),
    })),
    ...not_measured.map(({ start, end }): Omit<ExcursionRow, 'id'> => ({
      what: 'not measured',
      from: microsOf(start),
      to: microsOf(end),
      worst: null,
      at: null,
    })),
  ];
  return rows.toSorted((a, b) => a.from - b.from).map((row, id) => ({ ...row, id }));
}

/** `3 excursions, 1 gap`; `none`. */
export function amountOf({ excursion_count: outside, not_measured_count: gaps }: Excursions): string {
  const words = [outside > 0 && countOf(outside, 'excursion'), gaps > 0 && countOf(gaps, 'gap')].filter(
    Boolean,
  );
  return words.length > 0 ? words.join(', ') : 'none';
}
