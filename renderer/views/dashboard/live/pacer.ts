/** Milliseconds of a frame that widgets may take: what they draw on a canvas comes in the next one, beside as much again. */
const BUDGET_MS = 3;

interface Ground {
  readonly frame: (work: () => void) => void;
  readonly now: () => number;
}

const BROWSER: Ground = {
  frame: (work) => void requestAnimationFrame(work),
  now: () => performance.now(),
};

/**
 * Frames of a dashboard, shared by its widgets: what comes for many at once is drawn over several frames, each widget once and
 * in the order in which they came.
 */
export class Pacer {
  readonly #ground: Ground;
  readonly #waiting = new Map<object, () => void>();
  #isAsked = false;

  constructor(ground: Ground = BROWSER) {
    this.#ground = ground;
  }

  /** Runs the work of `who` when its turn has come; of what waits for that, the latest alone. */
  later(who: object, work: () => void): void {
    this.#waiting.set(who, work);
    this.#ask();
  }

  /** Drops what waits. */
  drop(who: object): void {
    this.#waiting.delete(who);
  }

  #ask(): void {
    if (this.#isAsked || this.#waiting.size === 0) return;
    this.#isAsked = true;
    this.#ground.frame(() => this.#run());
  }

  #run(): void {
    this.#isAsked = false;
    const began = this.#ground.now();
    try {
      for (const [who, work] of this.#waiting) {
        this.#waiting.delete(who);
        work();
        if (this.#ground.now() - began >= BUDGET_MS) break;
      }
    } finally {
      // One that throws keeps no other waiting.
      this.#ask();
    }
  }
}
