import type { Micros } from '#shared/values/time.ts';
import { NUMBER } from '../block/cell-kind.ts';
import type { ClockMap } from '../corrections/clock-map.ts';
import type { ValueMap } from '../corrections/value-map.ts';
import type { Edge, PixelSink } from './accumulator.ts';

const mappedFrom: Edge = { time: 0, value: 0 };
const mappedTo: Edge = { time: 0, value: 0 };
const mapped = new Float64Array(4);
const FOUR_NUMBERS = new Uint8Array(4).fill(NUMBER);

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
    mapped[0] = low;
    mapped[1] = high;
    mapped[2] = from.value;
    mapped[3] = to.value;
    // In one call: each number that a call hands over or returns would be an object of its own.
    map?.apply(FOUR_NUMBERS, mapped, 0, 4);
    const [least, most] = map?.isFalling === true ? [1, 0] : [0, 1];
    mappedFrom.time = this.#clock?.of(from.time) ?? from.time;
    mappedFrom.value = mapped[2]!;
    mappedTo.time = this.#clock?.of(to.time) ?? to.time;
    mappedTo.value = mapped[3]!;
    this.#into.add(column, count, mapped[least]!, mapped[most]!, mappedFrom, mappedTo);
  }
}
