import type { Calibration } from '#shared/domain/corrections.ts';
import { NUMBER } from '../block/cell-kind.ts';

/**
 * A calibration as a function of readings. Monotone in floating point, too, so that the least and the greatest of many readings
 * are mapped to those of their values; never NaN or infinite.
 */
export interface ValueMap {
  readonly isFalling: boolean;
  of(reading: number): number;
  /** Maps those of [from, to) that are numbers in place. */
  apply(kinds: Uint8Array, numbers: Float64Array, from: number, to: number): void;
}

export function valueMapOf({ points }: Pick<Calibration, 'points'>): ValueMap {
  if ('gain' in points) return new Line(points.gain, points.offset);
  const [first] = points;
  if (first === undefined) throw new TypeError('A calibration has one point at least.');
  return points.length === 1 ? new Line(1, first[1] - first[0]) : new PiecewiseLine(points);
}

class Line implements ValueMap {
  readonly isFalling: boolean;
  readonly #gain: number;
  readonly #offset: number;

  constructor(gain: number, offset: number) {
    this.isFalling = gain < 0;
    this.#gain = gain;
    this.#offset = offset;
  }

  of(reading: number): number {
    return finite(reading * this.#gain + this.#offset);
  }

  apply(kinds: Uint8Array, numbers: Float64Array, from: number, to: number): void {
    for (let row = from; row < to; row++) if (kinds[row] === NUMBER) numbers[row] = this.of(numbers[row]!);
  }
}

/** Straight between neighbouring points, the lines at the ends go on. */
class PiecewiseLine implements ValueMap {
  readonly isFalling: boolean;
  readonly #from: Float64Array;
  readonly #to: Float64Array;
  readonly #slopes: Float64Array;

  constructor(points: readonly (readonly [number, number])[]) {
    this.#from = Float64Array.from(points, ([from]) => from);
    this.#to = Float64Array.from(points, ([, to]) => to);
    const [from, to] = [this.#from, this.#to];
    this.#slopes = Float64Array.from({ length: points.length - 1 }, (_, i) =>
      slopeOf([from[i]!, to[i]!], [from[i + 1]!, to[i + 1]!]),
    );
    this.isFalling = to.at(-1)! < to[0]!;
  }

  of(reading: number): number {
    const from = this.#from;
    const to = this.#to;
    const last = from.length - 1;
    if (reading >= from[last]!) return this.#on(last - 1, last, reading);
    if (reading < from[0]!) return this.#on(0, 0, reading);
    let low = 0;
    let high = last;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (from[middle]! <= reading) low = middle;
      else high = middle;
    }
    const value = this.#on(low, low, reading);
    // Rounding may lead past the next point by the last bit, which would not be monotone.
    const next = to[low + 1]!;
    return this.isFalling ? Math.max(value, next) : Math.min(value, next);
  }

  /** The value on a line, from a point of it. */
  #on(line: number, point: number, reading: number): number {
    return finite(this.#to[point]! + finite(reading - this.#from[point]!) * this.#slopes[line]!);
  }

  apply(kinds: Uint8Array, numbers: Float64Array, from: number, to: number): void {
    for (let row = from; row < to; row++) if (kinds[row] === NUMBER) numbers[row] = this.of(numbers[row]!);
  }
}

type Point = readonly [reading: number, value: number];

/** Of points whose difference is too large for a number their quarters are taken; a line is never so steep that 0 times it is NaN. */
function slopeOf([a, b]: Point, [c, d]: Point): number {
  const [run, rise] = [c - a, d - b];
  if (Number.isFinite(run) && Number.isFinite(rise)) return finite(rise / run);
  return finite((d / 4 - b / 4) / (c / 4 - a / 4));
}

/** Records hold neither NaN nor infinities: what is too large is as large as can be. */
function finite(value: number): number {
  if (value > Number.MAX_VALUE) return Number.MAX_VALUE;
  return value < -Number.MAX_VALUE ? -Number.MAX_VALUE : value;
}
