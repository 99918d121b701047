import type { Micros } from '#shared/values/time.ts';
import type { TakeReadings, Value } from '../store/store.ts';
import { LeafFold, type LeafState, type Stretch } from './leaf-fold.ts';

/** Limits of a key: beyond the outer ones a leaf becomes true, and within the inner ones it ceases to be. */
export interface Level {
  readonly low: number;
  readonly high: number;
  readonly innerLow: number;
  readonly innerHigh: number;
}

/** `above`, `below` and `outside`, with their hysteresis. */
export class LevelFold extends LeafFold implements TakeReadings {
  readonly #low: number;
  readonly #high: number;
  readonly #innerLow: number;
  readonly #innerHigh: number;
  #value = Number.NaN;

  constructor({ low, high, innerLow, innerHigh }: Level, { isTrue }: LeafState, stretch: Stretch) {
    super(isTrue, stretch);
    this.#low = low;
    this.#high = high;
    this.#innerLow = innerLow;
    this.#innerHigh = innerHigh;
  }

  one(time: Micros, value: number): void {
    if (this.comes(time)) this.#value = value;
  }

  /** Readings of which none makes it the other of true and false. */
  some(first: Micros, last: Micros, least: number, greatest: number): boolean {
    if (this.isOver) return true;
    if (!this.mayPass(first, last)) return false;
    this.advance(first - 1);
    if (this.isOver) return true;
    const stays = this.isTrue
      ? greatest < this.#innerLow || least > this.#innerHigh
      : least >= this.#low && greatest <= this.#high;
    if (!stays) return false;
    // A reading of the same instant that is still to come is judged in the place of the last one.
    this.time = last;
    return true;
  }

  override value(time: Micros, value: Value): void {
    if (typeof value === 'number') this.one(time, value);
  }

  override get state(): LeafState {
    return { isTrue: this.isTrue, last: null, window: null, cut: null };
  }

  protected override judge(): void {
    const value = this.#value;
    const turns = this.isTrue
      ? value >= this.#innerLow && value <= this.#innerHigh
      : value < this.#low || value > this.#high;
    if (turns) this.toggle(this.time);
  }
}
