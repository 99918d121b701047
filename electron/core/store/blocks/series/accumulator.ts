import type { Micros } from '#shared/values/time.ts';
import type { KeyReading, SeriesKey } from '../../store.ts';

const point = { time: 0, value: 0 };

/** Takes numbers of one key for columns of pixels. */
export interface PixelSink {
  addPoint(column: number, time: Micros, value: number): void;
  /** Adds a stretch of rows: how many numbers, the least and the greatest, and the first and the last with their times. */
  add(column: number, count: number, low: number, high: number, from: Edge, to: Edge): void;
}

/** One key's columns of pixels. */
export class Accumulator implements PixelSink {
  readonly #series: Omit<SeriesKey, 'before' | 'after'>;
  #before: KeyReading | null = null;
  #after: KeyReading | null = null;

  constructor(key: string, width: number) {
    const gaps = () => new Float64Array(width).fill(NaN);
    this.#series = {
      key,
      counts: new Uint32Array(width),
      min: gaps(),
      max: gaps(),
      first: gaps(),
      last: gaps(),
      firstTimes: gaps(),
      lastTimes: gaps(),
    };
  }

  result(): SeriesKey {
    const { min, max, first, last } = this.#series;
    // -0 + 0 is 0: which of two equal zeros a walk meets first is no matter for a chart.
    for (const values of [min, max, first, last]) for (let i = 0; i < values.length; i++) values[i]! += 0;
    return { ...this.#series, before: plain(this.#before), after: plain(this.#after) };
  }

  /** A number outside the range that may be the nearest one; those of one instant come in order of arrival. */
  addOutside(before: KeyReading | null, after: KeyReading | null): void {
    if (before !== null && before.instant >= (this.#before?.instant ?? -Infinity)) this.#before = before;
    if (after !== null && after.instant < (this.#after?.instant ?? Infinity)) this.#after = after;
  }

  addPoint(column: number, time: Micros, value: number): void {
    point.time = time;
    point.value = value;
    this.add(column, 1, value, value, point, point);
  }

  add(column: number, count: number, low: number, high: number, from: Edge, to: Edge): void {
    const { counts, min, max, first, last, firstTimes, lastTimes } = this.#series;
    const empty = counts[column] === 0;
    counts[column]! += count;
    if (empty || low < min[column]!) min[column] = low;
    if (empty || high > max[column]!) max[column] = high;
    if (empty || from.time < firstTimes[column]!) {
      firstTimes[column] = from.time;
      first[column] = from.value;
    }
    if (empty || to.time >= lastTimes[column]!) {
      lastTimes[column] = to.time;
      last[column] = to.value;
    }
  }
}

/** A point at one end of a stretch of rows. */
export interface Edge {
  time: Micros;
  value: number;
}

function plain(reading: KeyReading | null): KeyReading | null {
  return reading && { ...reading, value: reading.value + 0 };
}
