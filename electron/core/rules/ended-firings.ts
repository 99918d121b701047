import type { Micros } from '#shared/values/time.ts';
import { MOST_FIRINGS, type Firing } from './firing.ts';

/** Firings that are kept at least, so that some may be judged anew without all of the past. */
const KEPT = 2 * MOST_FIRINGS;

/** The newest firings that have ended: start and end of each, one after the other. */
export class EndedFirings {
  #times: Micros[] = [];
  /** End of the newest one that was dropped. */
  #dropped: Micros = -Infinity;

  add(start: Micros, end: Micros): void {
    this.#times.push(start, end);
    if (this.#times.length < 4 * KEPT) return;
    this.#dropped = this.#times[2 * KEPT - 1]!;
    this.#times = this.#times.slice(2 * KEPT);
  }

  /** Forgets those that ended behind a time: what made them is to be read again. */
  cut(time: Micros): void {
    let { length } = this.#times;
    while (length > 0 && this.#times[length - 1]! > time) length -= 2;
    this.#times.length = length;
    if (this.#dropped > time) this.#dropped = time;
  }

  clear(): void {
    this.#times = [];
    this.#dropped = -Infinity;
  }

  /** Whether any of the newest that ended at `after` or later were dropped. */
  lacks(after: Micros): boolean {
    return this.#dropped > -Infinity && this.#dropped >= after && this.#times.length < 2 * MOST_FIRINGS;
  }

  /** The newest that ended at `after` or later, oldest first. */
  list(after: Micros, lasting: Micros): Firing[] {
    const found: Firing[] = [];
    for (let at = Math.max(0, this.#times.length - 2 * MOST_FIRINGS); at < this.#times.length; at += 2) {
      const [start, end] = [this.#times[at]!, this.#times[at + 1]!];
      if (end >= after) found.push({ start, fired: start + lasting, end });
    }
    return found;
  }
}
