import type { Micros } from '#shared/values/time.ts';
import type { TakeReadings } from '../store/store.ts';

/** Readings of one window at most: of more the newest count. */
const MOST_READINGS = 100_000;
/** Readings of a window that is kept with a state; of more they are read again. */
const MOST_KEPT = 128;

/** Readings that may still be the greatest or the least of a window: times, values and numbers of readings, one after the other. */
export interface WindowState {
  readonly greatest: readonly number[];
  readonly least: readonly number[];
  /** Readings that came in all. */
  readonly count: number;
}

export const EMPTY: WindowState = { greatest: [], least: [], count: 0 };

/** The greatest and the least reading of the last stretch of time: monotone queues. */
export class SlidingWindow {
  readonly #width: Micros;
  readonly #most: number;
  readonly #greatest: Queue;
  readonly #least: Queue;
  #count: number;

  constructor(width: Micros, state: WindowState, most = MOST_READINGS) {
    this.#width = width;
    this.#most = most;
    this.#greatest = new Queue(state.greatest);
    this.#least = new Queue(state.least);
    this.#count = state.count;
  }

  copy(): SlidingWindow {
    const [greatest, least] = [this.#greatest.list, this.#least.list];
    return new SlidingWindow(this.#width, { greatest, least, count: this.#count }, this.#most);
  }

  /** Adds the reading of an instant; returns by how much those of the window differ. */
  add(time: Micros, value: number): number {
    const [greatest, least] = [this.#greatest, this.#least];
    const number = this.#count++;
    const [since, from] = [time - this.#width, number - this.#most];
    greatest.expire(since, from);
    least.expire(since, from);
    while (!greatest.isEmpty && greatest.lastValue <= value) greatest.pop();
    while (!least.isEmpty && least.lastValue >= value) least.pop();
    greatest.push(time, value, number);
    least.push(time, value, number);
    return greatest.firstValue - least.firstValue;
  }

  /** Null where it holds too many readings to be kept. */
  get state(): WindowState | null {
    if (this.#greatest.size > MOST_KEPT || this.#least.size > MOST_KEPT) return null;
    return { greatest: this.#greatest.list, least: this.#least.list, count: this.#count };
  }
}

const STRIDE = 3;
/** Numbers in front of a queue that are cut off at once. */
const MOST_PASSED = 3 * 4096;

class Queue {
  #all: number[];
  #head = 0;

  constructor(all: readonly number[]) {
    this.#all = [...all];
  }

  get size(): number {
    return (this.#all.length - this.#head) / STRIDE;
  }

  get isEmpty(): boolean {
    return this.#head === this.#all.length;
  }

  get firstValue(): number {
    return this.#all[this.#head + 1]!;
  }

  get lastValue(): number {
    return this.#all.at(-2)!;
  }

  get list(): readonly number[] {
    return this.#all.slice(this.#head);
  }

  push(time: Micros, value: number, number: number): void {
    this.#all.push(time, value, number);
  }

  pop(): void {
    this.#all.length -= STRIDE;
  }

  /** Drops readings before a time, and those up to a number. */
  expire(since: Micros, number: number): void {
    const all = this.#all;
    while (!this.isEmpty && (all[this.#head]! < since || all[this.#head + 2]! <= number))
      this.#head += STRIDE;
    if (this.#head < MOST_PASSED || this.#head * 2 < all.length) return;
    this.#all = all.slice(this.#head);
    this.#head = 0;
  }
}

/** Reads the window behind which a fold goes on: the readings up to and with a time. */
export class WarmUp implements TakeReadings {
  isOver = false;
  readonly #window: SlidingWindow;
  readonly #from: Micros;
  readonly #until: Micros;
  #time: Micros = Number.NaN;
  #value = Number.NaN;

  constructor(window: SlidingWindow, from: Micros, until: Micros) {
    this.#window = window;
    this.#from = from;
    this.#until = until;
  }

  one(time: Micros, value: number): void {
    if (this.isOver || time < this.#from) return;
    if (time !== this.#time) this.#commit();
    if (time > this.#until) {
      this.isOver = true;
      return;
    }
    this.#time = time;
    this.#value = value;
  }

  some(): boolean {
    return false;
  }

  end(): SlidingWindow {
    if (!this.isOver) this.#commit();
    return this.#window;
  }

  #commit(): void {
    if (!Number.isNaN(this.#time)) this.#window.add(this.#time, this.#value);
    this.#time = Number.NaN;
  }
}
