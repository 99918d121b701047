import type { Micros } from '#shared/values/time.ts';
import type { Value } from '../store/store.ts';
import type { WindowState } from './sliding-window.ts';

/*
 * Leaves of a rule: conditions on one key, or on the silence of a device. Each is a function of readings in order of time, of one
 * instant the last one; what it comes to are the times at which it becomes true, and ceases to be, in turn.
 */

/** State of a leaf behind all that was stored up to a time. Crosses to other threads. */
export interface LeafState {
  readonly isTrue: boolean;
  /** Of a silence: the newest record; null before the first. */
  readonly last: Micros | null;
  /** Of a change: its readings; null where they are so many that they are read again. */
  readonly window: WindowState | null;
  /** Of a change: the newest instant at which it may be false because readings of its window were left out; null for none. */
  readonly cut: Micros | null;
}

export const UNTOLD: LeafState = { isTrue: false, last: null, window: null, cut: null };

/** Stretch of time that a fold walks through: behind `from`, up to and with `until`. */
export interface Stretch {
  readonly from: Micros;
  readonly until: Micros;
  /** Times at which its state is kept, in their order, from `from` on. */
  readonly marks: readonly Micros[];
  /** Edges after which it ends early. */
  readonly most: number;
}

export abstract class LeafFold {
  /** Times at which the leaf becomes the other of true and false. */
  readonly edges: Micros[] = [];
  /** States at the marks that it came past. */
  readonly saved: LeafState[] = [];
  isOver = false;
  /** All edges up to and with this time are told. */
  position: Micros;
  protected isTrue: boolean;
  /** Instant of the last reading. */
  protected time: Micros = -Infinity;
  #isJudged = true;
  #limit: Micros;
  readonly #stretch: Stretch;

  constructor(isTrue: boolean, stretch: Stretch) {
    this.isTrue = isTrue;
    this.position = stretch.from;
    this.#stretch = stretch;
    this.#limit = stretch.marks[0] ?? stretch.until;
  }

  /** A value of its key, or for a silence of all keys a record. */
  abstract value(time: Micros, value: Value): void;
  abstract get state(): LeafState;
  /** Judges the last instant, behind which the next one has come. */
  protected abstract judge(): void;
  /** State that time alone makes of it up to and with `time`. */
  protected waited(_time: Micros): void {}

  /** Tells what is known once nothing up to and with `time` is still to come. */
  advance(time: Micros): void {
    if (this.time <= time) this.#commit();
    if (!this.isOver) this.waited(time);
  }

  /** Ends a walk behind which nothing is left of the stretch. */
  end(): void {
    if (this.isOver) return;
    this.#passTo(Infinity);
  }

  /** Whether a reading is to be taken: one of the stretch. */
  protected comes(time: Micros): boolean {
    if (this.isOver || time <= this.#stretch.from) return false;
    if (time !== this.time) {
      if (time > this.#limit) this.#passTo(time);
      else this.#commit();
      if (this.isOver) return false;
      this.time = time;
    }
    this.#isJudged = false;
    return true;
  }

  /** Whether readings from `first` to `last` may be taken at once: behind those that came, within the stretch, and around no mark. */
  protected mayPass(first: Micros, last: Micros): boolean {
    return first > this.time && first > this.#stretch.from && last <= this.#limit;
  }

  protected toggle(at: Micros): void {
    this.isTrue = !this.isTrue;
    this.edges.push(at);
  }

  #commit(): void {
    if (this.#isJudged) return;
    this.#isJudged = true;
    this.judge();
    const { most, until } = this.#stretch;
    if (this.edges.length < most || this.time >= until) return;
    this.isOver = true;
    this.position = this.time;
  }

  /** To a reading behind the next mark, or behind the stretch. */
  #passTo(time: Micros): void {
    this.#commit();
    if (this.isOver) return;
    const { marks, until } = this.#stretch;
    for (let mark = marks[this.saved.length]; mark !== undefined && mark < time;) {
      this.waited(mark);
      this.saved.push(this.state);
      mark = marks[this.saved.length];
    }
    this.#limit = marks[this.saved.length] ?? until;
    if (time <= until) return;
    this.waited(until);
    this.isOver = true;
    this.position = until;
  }
}
