import { machineClock } from '../../../base/machine-clock.ts';
import { systemRandom } from '../../../base/system-random.ts';
import { Background } from '../../../turns/background.ts';
import type { Database } from '../connection/connections.ts';
import { collectGarbage, type GarbageLimits } from './garbage-collection.ts';
import { emptyOldNotes, MAKE_LEASE } from './old-notes.ts';

/** Takes the lease of garbage collection, or extends the own one; no row where another service holds it. */
const LEASE = `UPDATE upkeep SET holder = $1, until = now() + $2 * interval '1 millisecond'
  WHERE name = 'garbage' AND (until <= now() OR holder = $1) RETURNING name`;

export interface RoundLimits extends GarbageLimits {
  /** Milliseconds between two garbage collections, over all services. */
  readonly cleanUpMs: number;
}

export interface GarbageParts {
  readonly database: Database;
  readonly limits: RoundLimits;
}

/**
 * Garbage collection in rounds: of one service at a time, each begun some time after the one before has ended, and beside
 * whatever else is done in the background. What fails is tried again in the next round; where all do, `lab check` says so.
 */
export class GarbageRounds {
  readonly #parts: GarbageParts;
  readonly #background = new Background();
  readonly #holder = systemRandom.uuid();
  #leasedMs = -Infinity;
  #timer: NodeJS.Timeout;

  constructor(parts: GarbageParts) {
    this.#parts = parts;
    this.#timer = this.#next();
  }

  /** Begins no further round, and ends one that is under way soon. */
  stop(): void {
    this.#background.closing = true;
    clearTimeout(this.#timer);
  }

  /** Resolves when none is under way. */
  idle(): Promise<void> {
    return this.#background.idle();
  }

  #next(): NodeJS.Timeout {
    return machineClock
      .after(this.#parts.limits.cleanUpMs, () => this.#background.add(this.#round()))
      .unref();
  }

  async #round(): Promise<void> {
    const { database, limits } = this.#parts;
    await Promise.allSettled([
      emptyOldNotes(database, this.#holder),
      collectGarbage(database, limits, () => this.#mayGoOn()),
    ]);
    if (!this.#background.closing) this.#timer = this.#next();
  }

  async #mayGoOn(): Promise<boolean> {
    if (this.#background.closing) return false;
    const { database, limits } = this.#parts;
    const nowMs = machineClock.monotonicMs();
    if (nowMs - this.#leasedMs < limits.cleanUpMs / 3) return true;
    const held = await database.change(async (asker) => {
      await asker.ask(MAKE_LEASE, ['garbage', this.#holder]);
      return asker.ask(LEASE, [this.#holder, limits.cleanUpMs]);
    });
    this.#leasedMs = held.length > 0 ? nowMs : -Infinity;
    return held.length > 0;
  }
}
