import type { Micros } from '#shared/values/time.ts';
import type { TakeReadings, Value } from '../store/store.ts';
import { LeafFold, type LeafState, type Stretch } from './leaf-fold.ts';
import type { SlidingWindow } from './sliding-window.ts';

/** `change`: readings of a stretch of time that lie further apart than a number. */
export class ChangeFold extends LeafFold implements TakeReadings {
  readonly #change: number;
  readonly #window: SlidingWindow;
  #value = Number.NaN;
  #cut: Micros | null;

  constructor(change: number, window: SlidingWindow, { isTrue, cut }: LeafState, stretch: Stretch) {
    super(isTrue, stretch);
    this.#cut = cut;
    this.#change = change;
    this.#window = window;
  }

  one(time: Micros, value: number): void {
    if (this.comes(time)) this.#value = value;
  }

  /** Each reading may be the greatest or the least of those behind it. */
  some(): boolean {
    return this.isOver;
  }

  override value(time: Micros, value: Value): void {
    if (typeof value === 'number') this.one(time, value);
  }

  override get state(): LeafState {
    return { isTrue: this.isTrue, last: null, window: this.#window.state, cut: this.#cut };
  }

  protected override judge(): void {
    const differs = this.#window.add(this.time, this.#value) > this.#change;
    if (!differs && this.#window.isCut) this.#cut = this.time;
    if (differs !== this.isTrue) this.toggle(this.time);
  }
}
