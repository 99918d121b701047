import { machineClock } from '../base/machine-clock.ts';
import type { Database } from '../store/postgres/connection/connections.ts';
import { clockSkew, readServerSettings, skewNote, whyNotDurable } from './server-settings.ts';

const EVERY_MS = 5000;

/**
 * Watchdog of the server: its clock, and whether it still keeps what it acknowledges. Where it does not, changes are refused
 * until it does: accepted means durable.
 */
export class Watch {
  readonly #database: Database;
  #notes: readonly string[] = [];
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> = Promise.resolve();

  constructor(database: Database) {
    this.#database = database;
  }

  /** For people to read. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  /** Checks now, and every few seconds from then on. Resolves after the first check; never rejects. */
  async start(): Promise<void> {
    await (this.#looking = this.#look());
    this.#timer = machineClock.after(EVERY_MS, () => void this.start()).unref();
  }

  async close(): Promise<void> {
    await this.#looking;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    const database = this.#database;
    try {
      const [settings, skew] = [await readServerSettings(database), await clockSkew(database)];
      const whyNot = whyNotDurable(settings, database);
      database.distrust(whyNot);
      this.#notes = [whyNot, skewNote(skew)].filter((note) => note !== null);
    } catch (error) {
      this.#notes = [error instanceof Error ? error.message : String(error)];
    }
  }
}
