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
    this.#slopes = Float64Array.from(
      { length: points.length - 1 },
      (_, i) => (to[i + 1]! - to[i]!) / (from[i + 1]! - from[i]!),
    );
    this.isFalling = to.at(-1)! < to[0]!;
  }

  of(reading: number): number {
    const from = this.#from;
    const to = this.#to;
    const last = from.length - 1;
    if (reading >= from[last]!) return finite(to[last]! + (reading - from[last]!) * this.#slopes[last - 1]!);
    if (reading < from[0]!) return finite(to[0]! + (reading - from[0]!) * this.#slopes[0]!);
    let low = 0;
    let high = last;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (from[middle]! <= reading) low = middle;
      else high = middle;
    }
    const value = to[low]! + (reading - from[low]!) * this.#slopes[low]!;
    // Rounding may lead past the next point by the last bit, which would not be monotone.
    const next = to[low + 1]!;
    return this.isFalling ? Math.max(value, next) : Math.min(value, next);
  }

  apply(kinds: Uint8Array, numbers: Float64Array, from: number, to: number): void {
    for (let row = from; row < to; row++) if (kinds[row] === NUMBER) numbers[row] = this.of(numbers[row]!);
  }
}

/** Records hold neither NaN nor infinities: what is too large is as large as can be. */
function finite(value: number): number {
  if (value > Number.MAX_VALUE) return Number.MAX_VALUE;
  return value < -Number.MAX_VALUE ? -Number.MAX_VALUE : value;
}
