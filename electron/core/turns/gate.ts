/** Lets some work at a time through; the rest waits, first come first served. */
export class Gate {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(most: number) {
    this.#free = most;
  }

  /** Resolves and rejects as the work; with the signal's reason where that fires before its turn has come. */
  async pass<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#turn(signal);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #turn(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => {
      this.#waiting.delete(resolve);
      reject(signal?.reason);
    };
    this.#waiting.add(resolve);
    signal?.addEventListener('abort', giveUp, { once: true });
    try {
      await promise;
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  }

  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free++;
    else {
      this.#waiting.delete(next);
      next();
    }
  }
}
