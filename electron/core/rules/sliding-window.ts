import type { Micros } from '#shared/values/time.ts';
import type { TakeReadings } from '../store/store.ts';

/** Readings of one window at most: of more the newest count. */
export const MOST_READINGS = 100_000;
/** Readings of a window that is kept with a state; of more they are read again. */
const MOST_KEPT = 128;

/** Readings that may still be the greatest or the least of a window: times, values and numbers of readings, one after the other. */
export interface WindowState {
  readonly greatest: readonly number[];
  readonly least: readonly number[];
  /** Readings that came in all. */
  readonly count: number;
  /** Time up to which a reading that was left out would count. */
  readonly cutUntil: Micros;
}

export const EMPTY: WindowState = { greatest: [], least: [], count: 0, cutUntil: -Infinity };

/** The greatest and the least reading of the last stretch of time: monotone queues. */
export class SlidingWindow {
  readonly #width: Micros;
  readonly #most: number;
  readonly #greatest: Queue;
  readonly #least: Queue;
  #count: number;
  #cutUntil: Micros;
  #time: Micros = -Infinity;

  constructor(width: Micros, state: WindowState, most = MOST_READINGS) {
    this.#width = width;
    this.#most = most;
    this.#greatest = new Queue(state.greatest);
    this.#least = new Queue(state.least);
    this.#count = state.count;
    this.#cutUntil = state.cutUntil;
  }

  copy(): SlidingWindow {
    const [greatest, least] = [this.#greatest.list, this.#least.list];
    const state = { greatest, least, count: this.#count, cutUntil: this.#cutUntil };
    return new SlidingWindow(this.#width, state, this.#most);
  }

  /** Adds the reading of an instant; returns by how much those of the window differ. */
  add(time: Micros, value: number): number {
    const [greatest, least] = [this.#greatest, this.#least];
    const number = this.#count++;
    const [since, from] = [time - this.#width, number - this.#most];
    this.#time = time;
    const left = Math.max(greatest.expire(since, from), least.expire(since, from));
    if (left >= since) this.#cutUntil = Math.max(this.#cutUntil, left + this.#width);
    while (!greatest.isEmpty && greatest.lastValue <= value) greatest.pop();
    while (!least.isEmpty && least.lastValue >= value) least.pop();
    greatest.push(time, value, number);
    least.push(time, value, number);
    return greatest.firstValue - least.firstValue;
  }

  /** Whether the last difference lacks a reading that was left out because they were too many. */
  get isCut(): boolean {
    return this.#time <= this.#cutUntil;
  }

  /** Null where it holds too many readings to be kept. */
  get state(): WindowState | null {
    if (this.#greatest.size > MOST_KEPT || this.#least.size > MOST_KEPT) return null;
    const [greatest, least] = [this.#greatest.list, this.#least.list];
    return { greatest, least, count: this.#count, cutUntil: this.#cutUntil };
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

  /** Drops readings before a time, and those up to a number. Returns the time of the last one that it dropped; -Infinity for none. */
  expire(since: Micros, number: number): Micros {
    const all = this.#all;
    let last = -Infinity;
    while (!this.isEmpty && (all[this.#head]! < since || all[this.#head + 2]! <= number)) {
      last = all[this.#head]!;
      this.#head += STRIDE;
    }
    if (this.#head >= MOST_PASSED && this.#head * 2 >= all.length) {
      this.#all = all.slice(this.#head);
      this.#head = 0;
    }
    return last;
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
