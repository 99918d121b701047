/** Semaphore: runs so much work at a time; the rest waits. */
export interface Semaphore {
  /** Resolves and rejects as the work; with the signal's reason where that fires before its turn has come. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Resolves when there is a place, which is to be released again. Rejects with the signal's reason. */
  acquire(signal?: AbortSignal): Promise<void>;
  release(): void;
}

/** Permits of an asker, and its waiting calls, first come first served. */
interface Asker {
  inside: number;
  readonly waiting: Set<() => void>;
}

/**
 * Semaphore that API keys share fairly: next is the asker with the least inside, least recently served, so that a large
 * asker does not hold up the others.
 */
export class FairSemaphore {
  readonly #most: number;
  readonly #mostOfOne: number;
  #inside = 0;
  /** Askers with work here, least recently served first. */
  readonly #askers = new Map<string | null, Asker>();

  /** `most` at a time, `mostOfOne` of them for one API key. */
  constructor(most: number, mostOfOne = most) {
    this.#most = most;
    this.#mostOfOne = mostOfOne;
  }

  /** As an API key has it, by its id; null, the owner, may have all places. */
  of(who: string | null): Semaphore {
    return {
      run: async (work, signal) => {
        await this.#acquire(who, signal);
        try {
          return await work();
        } finally {
          this.#release(who);
        }
      },
      acquire: (signal) => this.#acquire(who, signal),
      release: () => this.#release(who),
    };
  }

  async #acquire(who: string | null, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const asker = this.#askers.get(who) ?? { inside: 0, waiting: new Set() };
    this.#askers.set(who, asker);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => {
      asker.waiting.delete(resolve);
      this.#putLast(who, asker);
      reject(signal?.reason);
    };
    asker.waiting.add(resolve);
    signal?.addEventListener('abort', giveUp, { once: true });
    this.#letIn();
    try {
      await promise;
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  }

  #release(who: string | null): void {
    const asker = this.#askers.get(who);
    if (!asker) return;
    asker.inside--;
    this.#inside--;
    this.#putLast(who, asker);
    this.#letIn();
  }

  #letIn(): void {
    if (this.#inside === this.#most) return;
    let next: readonly [string | null, Asker] | null = null;
    for (const one of this.#askers) {
      const [who, { inside, waiting }] = one;
      const mayEnter = waiting.size > 0 && (who === null || inside < this.#mostOfOne);
      if (mayEnter && (next === null || inside < next[1].inside)) next = one;
    }
    if (next === null) return;
    const [who, asker] = next;
    const [first] = asker.waiting;
    if (first === undefined) return;
    asker.waiting.delete(first);
    asker.inside++;
    this.#inside++;
    this.#putLast(who, asker);
    first();
  }

  #putLast(who: string | null, asker: Asker): void {
    this.#askers.delete(who);
    if (asker.inside > 0 || asker.waiting.size > 0) this.#askers.set(who, asker);
  }
}
