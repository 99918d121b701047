import type { Logger } from '../base/logger.ts';
import { machineClock } from '../base/machine-clock.ts';
import type { Database } from '../store/postgres/connection/connections.ts';
import { readSchemaVersion } from '../store/postgres/schema/migrate.ts';
import { livingServices, tellClock } from './heartbeat.ts';
import { judgeMixture } from './mixture.ts';
import { whyOtherKey, type VaultKey } from './vault-key.ts';
import { clockSkew, isOff, readServerSettings, skewNote, whyNotDurable } from './server-settings.ts';

const EVERY_MS = 5000;

export interface WatchOptions {
  readonly database: Database;
  /** Of this service's secrets. */
  readonly key: VaultKey;
  readonly service_id: string;
  readonly log: Pick<Logger, 'warn'>;
  /** The wall clock, in ms. */
  readonly now?: () => number;
}

/**
 * Watchdog of the server: its clock, whether it went back in time, and whether its secrets have this service's key. Changes are
 * refused while it forgets what it acknowledged (accepted means durable), or its tables are of a version that this one may not write to.
 */
export class Watch {
  readonly #options: WatchOptions;
  readonly #database: Database;
  readonly #log: Pick<Logger, 'warn'>;
  /** Stays until the service ends: whoever comes to the screen later should know. */
  #wentBack: string | null = null;
  #history: number;
  #notes: readonly string[] = [];
  /** Why changes are refused; null where they are made. */
  #whyNot: string | null = null;
  /** Why the key opens nothing any more; null where it does. */
  #otherKey: string | null = null;
  /** Whether the others were told that the clock here is off. */
  #hasTold = false;
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> = Promise.resolve();

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#database = options.database;
    this.#log = options.log;
    this.#history = options.database.history;
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
    const { database, key, now } = this.#options;
    try {
      const [settings, skew] = [await readServerSettings(database), await clockSkew(database, now)];
      const mixture = judgeMixture(await readSchemaVersion(database), database);
      this.#refuse(whyNotDurable(settings, database) ?? mixture.whyNot);
      this.#notice(database.history);
      const otherKey = await whyOtherKey(database, key);
      if (otherKey !== null && this.#otherKey === null) this.#log.warn(otherKey);
      this.#otherKey = otherKey;
      const clocks = [skewNote(skew), ...(await this.#otherClocks(skew))];
      this.#notes = [this.#whyNot, otherKey, mixture.note, ...clocks].filter((note) => note !== null);
    } catch (error) {
      this.#notes = [error instanceof Error ? error.message : String(error)];
    }
  }

  /** Tells the others of the clock here where it is off; resolves with the notes on theirs. */
  async #otherClocks(skew: number): Promise<readonly (string | null)[]> {
    const { database, service_id } = this.#options;
    if (this.#whyNot === null && (isOff(skew) || this.#hasTold)) {
      await tellClock(database, service_id, isOff(skew) ? Math.round(skew) : null);
      this.#hasTold = isOff(skew);
    }
    const others = (await livingServices(database)).filter(({ id }) => id !== service_id);
    return others.map(({ name, aheadMs }) => skewNote(aheadMs, `the service ${name}`));
  }

  #refuse(why: string | null): void {
    this.#database.distrust(why);
    if (why !== null && why !== this.#whyNot) this.#log.warn(why);
    if (why === null && this.#whyNot !== null)
      this.#log.warn(`The database ${this.#database.name} is fit again: changes are made.`);
    this.#whyNot = why;
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
