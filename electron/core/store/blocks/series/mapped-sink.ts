import type { Micros } from '#shared/values/time.ts';
import type { ClockMap } from '../corrections/clock-map.ts';
import type { ValueMap } from '../corrections/value-map.ts';
import type { Edge, PixelSink } from './accumulator.ts';

const mappedFrom: Edge = { time: 0, value: 0 };
const mappedTo: Edge = { time: 0, value: 0 };

/** Hands on what is said of stored rows as their corrections have it. Both maps are monotone, so extremes stay extremes. */
export class MappedSink implements PixelSink {
  readonly #into: PixelSink;
  readonly #clock: ClockMap | null;
  readonly #map: ValueMap | null;

  constructor(into: PixelSink, clock: ClockMap | null, map: ValueMap | null) {
    this.#into = into;
    this.#clock = clock;
    this.#map = map;
  }

  addPoint(column: number, time: Micros, value: number): void {
    this.#into.addPoint(column, this.#clock?.of(time) ?? time, this.#map?.of(value) ?? value);
  }

  add(column: number, count: number, low: number, high: number, from: Edge, to: Edge): void {
    const map = this.#map;
    this.#correct(from, mappedFrom);
    this.#correct(to, mappedTo);
    if (map === null) this.#into.add(column, count, low, high, mappedFrom, mappedTo);
    else {
      const [a, b] = [map.of(low), map.of(high)];
      this.#into.add(column, count, map.isFalling ? b : a, map.isFalling ? a : b, mappedFrom, mappedTo);
    }
  }

  #correct({ time, value }: Edge, out: Edge): void {
    out.time = this.#clock?.of(time) ?? time;
    out.value = this.#map?.of(value) ?? value;
  }
}
