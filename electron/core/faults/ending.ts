import { machineClock } from '../base/machine-clock.ts';

/** The end of some rules, and who waits for it. */
export class Ending {
  readonly #waiting = new Set<() => void>();
  #isOver = false;

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Calls `ended` at the end, or at once where that was; what is returned takes it back. */
  tell(ended: () => void): () => void {
    if (this.#isOver) ended();
    else this.#waiting.add(ended);
    return () => void this.#waiting.delete(ended);
  }

  /** Resolves after so many ms of the machine, or at the end. */
  async within(ms: number): Promise<void> {
    const over = Promise.withResolvers<void>();
    const timer = machineClock.after(ms, over.resolve);
    const leave = this.tell(over.resolve);
    await over.promise;
    clearTimeout(timer);
    leave();
  }

  end(): void {
    this.#isOver = true;
    for (const ended of this.#waiting) ended();
    this.#waiting.clear();
  }
}
