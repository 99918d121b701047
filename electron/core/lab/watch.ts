import type { Logger } from '../base/logger.ts';
import { machineClock } from '../base/machine-clock.ts';
import type { Database } from '../store/postgres/connection/connections.ts';
import { clockSkew, readServerSettings, skewNote, whyNotDurable } from './server-settings.ts';

const EVERY_MS = 5000;

/**
 * Watchdog of the server: its clock, whether it went back in time, and whether it still keeps what it acknowledges. Where it
 * does not, changes are refused until it does: accepted means durable.
 */
export class Watch {
  readonly #database: Database;
  readonly #log: Pick<Logger, 'warn'>;
  /** Stays until the service ends: whoever comes to the screen later should know. */
  #wentBack: string | null = null;
  #history: number;
  #notes: readonly string[] = [];
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> = Promise.resolve();

  constructor(database: Database, log: Pick<Logger, 'warn'>) {
    this.#database = database;
    this.#log = log;
    this.#history = database.history;
  }

  /** For people to read. */
  get notes(): readonly string[] {
    return this.#wentBack === null ? this.#notes : [this.#wentBack, ...this.#notes];
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
      this.#notice(database.history);
      this.#notes = [whyNot, skewNote(skew)].filter((note) => note !== null);
    } catch (error) {
      this.#notes = [error instanceof Error ? error.message : String(error)];
    }
  }

  #notice(history: number): void {
    if (history === this.#history) return;
    this.#history = history;
    this.#wentBack =
      `${new Date(machineClock.wallMs()).toISOString().slice(0, 19)}Z: the database ${this.#database.name} went back in time: ` +
      'a standby was promoted, or a backup restored. What was acknowledged shortly before may be gone.';
    this.#log.warn(this.#wentBack);
  }
}
