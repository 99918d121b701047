import type { Micros } from '#shared/time.ts';
import type { SeriesKey } from '../store.ts';

const point = { time: 0, value: 0 };

/** One key's columns of pixels. */
export class Accumulator {
  readonly #series: SeriesKey;
  readonly #firstTime: Float64Array;
  readonly #lastTime: Float64Array;

  constructor(key: string, width: number) {
    const gaps = () => new Float64Array(width).fill(NaN);
    this.#series = {
      key,
      counts: new Uint32Array(width),
      min: gaps(),
      max: gaps(),
      first: gaps(),
      last: gaps(),
    };
    this.#firstTime = new Float64Array(width).fill(Infinity);
    this.#lastTime = new Float64Array(width).fill(-Infinity);
  }

  result(): SeriesKey {
    const { min, max, first, last } = this.#series;
    // -0 + 0 is 0: which of two equal zeros a walk meets first is no matter for a chart.
    for (const values of [min, max, first, last]) for (let i = 0; i < values.length; i++) values[i]! += 0;
    return this.#series;
  }

  addPoint(column: number, time: Micros, value: number): void {
    point.time = time;
    point.value = value;
    this.add(column, 1, value, value, point, point);
  }

  add(column: number, count: number, low: number, high: number, from: Edge, to: Edge): void {
    const { counts, min, max, first, last } = this.#series;
    const empty = counts[column] === 0;
    counts[column]! += count;
    if (empty || low < min[column]!) min[column] = low;
    if (empty || high > max[column]!) max[column] = high;
    if (from.time < this.#firstTime[column]!) {
      this.#firstTime[column] = from.time;
      first[column] = from.value;
    }
    if (to.time >= this.#lastTime[column]!) {
      this.#lastTime[column] = to.time;
      last[column] = to.value;
    }
  }
}

/** A point at one end of a stretch of rows. */
export interface Edge {
  time: Micros;
  value: number;
}
