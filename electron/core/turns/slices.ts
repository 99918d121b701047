import { machineClock } from '../base/machine-clock.ts';
import { SLICE_MS } from './pace.ts';

/**
 * Cooperative scheduler for short work of many, such as a thousand connections with something to read: in order of arrival,
 * in slices of a turn of the event loop each, so that others come in between.
 */
export class Slices {
  #waiting: (() => void)[] = [];
  #isDue = false;

  /** `work` throws nothing. */
  add(work: () => void): void {
    this.#waiting.push(work);
    if (!this.#isDue) this.#runLater();
  }

  /** The same of work with a result; rejects with what it throws. What waits for that is done in the same turn. */
  run<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.add(() => {
        try {
          resolve(work());
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
  }

  #next(): void {
    const until = machineClock.monotonicMs() + SLICE_MS;
    const waiting = this.#waiting;
    let done = 0;
    while (done < waiting.length && (done === 0 || machineClock.monotonicMs() < until)) waiting[done++]!();
    this.#waiting = done === waiting.length ? [] : waiting.slice(done);
    this.#isDue = false;
    if (this.#waiting.length > 0) this.#runLater();
  }

  #runLater(): void {
    this.#isDue = true;
    setImmediate(() => this.#next());
  }
}
