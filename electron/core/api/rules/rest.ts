import { machineClock, type MonotonicMs } from '../../base/machine-clock.ts';

/** Queue of things of which each rests a while behind its turn; what is added meanwhile has its turn then. */
export class Rest<Thing> {
  readonly #restMs: () => number;
  readonly #ready = new Set<Thing>();
  /** Until when, in the order in which it is over. */
  readonly #resting = new Map<Thing, MonotonicMs>();
  readonly #wanted = new Set<Thing>();
  readonly #now: () => MonotonicMs;

  constructor(restMs: () => number, now = machineClock.monotonicMs) {
    this.#restMs = restMs;
    this.#now = now;
  }

  add(thing: Thing): void {
    if (this.#resting.has(thing)) this.#wanted.add(thing);
    else this.#ready.add(thing);
  }

  /** Takes the next one, which rests from now on; null where all rest or none was added. */
  take(): Thing | null {
    this.#wake();
    const [first] = this.#ready;
    if (first === undefined) return null;
    this.#ready.delete(first);
    this.#resting.set(first, (this.#now() + this.#restMs()) as MonotonicMs);
    return first;
  }

  /** Forgets one; null: all. */
  forget(thing: Thing | null): void {
    if (thing === null) for (const all of [this.#ready, this.#resting, this.#wanted]) all.clear();
    else for (const all of [this.#ready, this.#resting, this.#wanted]) all.delete(thing);
  }

  /** ms until `take` has one; null where none was added. */
  get dueIn(): number | null {
    this.#wake();
    if (this.#ready.size > 0) return 0;
    if (this.#wanted.size === 0) return null;
    for (const [thing, until] of this.#resting)
      if (this.#wanted.has(thing)) return Math.max(0, until - this.#now());
    return null;
  }

  #wake(): void {
    const now = this.#now();
    for (const [thing, until] of this.#resting) {
      if (until > now) return;
      this.#resting.delete(thing);
      if (this.#wanted.delete(thing)) this.#ready.add(thing);
    }
  }
}
