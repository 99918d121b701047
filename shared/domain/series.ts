import type { Micros } from '../values/time.ts';

/** Min, max, first and last of one key per pixel column (M4, Jugel et al., VLDB 2014). */
export interface SeriesKey {
  readonly key: string;
  /** Numbers in each column of pixels; 0 is a gap, and the other arrays hold NaN there. */
  readonly counts: Uint32Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly first: Float64Array;
  readonly last: Float64Array;
  /** When the first and the last number of a column were read, in µs. */
  readonly firstTimes: Float64Array;
  readonly lastTimes: Float64Array;
  /** The numbers nearest to the range outside it, which lines at its edges come from and lead to; null where there is none. */
  readonly before: KeyReading | null;
  readonly after: KeyReading | null;
}

/** A number of one key; `instant` in µs. Of several at one instant the last one before a range, the first one after it. */
export interface KeyReading {
  readonly instant: Micros;
  readonly value: number;
}

/**
 * Column c of `width` covers the instants t with floor((t - start) * width / (end - start + 1)) = c; both ends in µs,
 * inclusive. Booleans count as 1 and 0, -0 as 0; text is not drawn.
 */
export interface Series<Key extends SeriesKey = SeriesKey> {
  readonly start: Micros;
  readonly end: Micros;
  readonly width: number;
  readonly keys: readonly Key[];
}
