import type { Logger } from '../base/logger.ts';
import { machineClock } from '../base/machine-clock.ts';
import type { Asker, Database, DatabaseRow } from '../store/postgres/connection/connections.ts';

/** ms between two heartbeats. */
const BEAT_MS = 1000;
/** Seconds without a heartbeat after which a service counts as dead. */
export const DEAD_S = 15;

/** A service among those over the same database. */
export interface ServiceIdentity {
  readonly id: string;
  /** Its machine and its own folder, for people. */
  readonly name: string;
}

/** Work done with each heartbeat. */
export type WithBeat = () => Promise<void>;

/** Heartbeat of this service among those over the same database, by the database's clock. */
export class Heartbeat {
  readonly service_id: string;
  readonly #name: string;
  readonly #database: Database;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #with: WithBeat[] = [];
  #timer: NodeJS.Timeout | null = null;
  #beating: Promise<void> = Promise.resolve();
  #isClosed = false;
  #isAway = false;

  private constructor(database: Database, { id, name }: ServiceIdentity, log: Pick<Logger, 'warn'>) {
    this.#database = database;
    this.service_id = id;
    this.#name = name;
    this.#log = log;
  }

  /** Rejects with StoreError. */
  static async open(
    database: Database,
    self: ServiceIdentity,
    log: Pick<Logger, 'warn'>,
  ): Promise<Heartbeat> {
    await database.ask(BEAT, [self.id, self.name]);
    const heartbeat = new Heartbeat(database, self, log);
    heartbeat.#wait();
    return heartbeat;
  }

  /** Adds work to each heartbeat from now on. */
  add(each: WithBeat): void {
    this.#with.push(each);
  }

  /** Beats now; resolves when the work with it is done. */
  beat(): Promise<void> {
    return (this.#beating = this.#beating.then(() => this.#beat()));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#beating;
    try {
      await this.#database.change(async (asker) => {
        await asker.ask('DELETE FROM under_way WHERE service_id = $1', [this.service_id]);
        await asker.ask('DELETE FROM job WHERE service_id = $1', [this.service_id]);
        await asker.ask('DELETE FROM service WHERE id = $1', [this.service_id]);
      });
    } catch (error) {
      // The others find out by themselves.
      this.#log.warn(`The other services were not told that this one stops: ${(error as Error).message}`);
    }
  }

  #wait(): void {
    if (this.#isClosed) return;
    this.#timer = machineClock.after(BEAT_MS, () => void this.beat().then(() => this.#wait())).unref();
  }

  async #beat(): Promise<void> {
    try {
      const { service_id } = this;
      await this.#database.askAll([
        { sql: BEAT, params: [service_id, this.#name] },
        { sql: PROLONG, params: [service_id, `${DEAD_S} s`] },
      ]);
      for (const each of this.#with) await each();
      this.#isAway = false;
    } catch (error) {
      // Said once, however long it is away.
      if (!this.#isAway) this.#log.warn((error as Error).message);
      this.#isAway = true;
    }
  }
}

const BEAT =
  'INSERT INTO service (id, seen, name) VALUES ($1, now(), $2) ON CONFLICT (id) DO UPDATE SET seen = excluded.seen';

/** All columns: version 4 of the tables has no names, version 5 no clocks. */
const LIVING = 'SELECT * FROM service WHERE seen > now() - $1::interval ORDER BY id';

/** A service that has a heartbeat. */
export interface LivingService extends ServiceIdentity {
  /** How many ms its clock is ahead of the database's; 0 where it is right, or nobody has said it. */
  readonly aheadMs: number;
}

/** Resolves with the services that have a heartbeat. Rejects with StoreError. */
export async function livingServices(database: Asker): Promise<readonly LivingService[]> {
  const found = await database.ask<
    DatabaseRow & { id: string; name?: string | null; ahead_ms?: number | null }
  >(LIVING, [`${DEAD_S} s`]);
  return found.map(({ id, name, ahead_ms }) => ({ id, name: name ?? id, aheadMs: ahead_ms ?? 0 }));
}

/** Tells the others that the clock of a service is so many ms ahead of the database's; null: that it is right. */
export async function tellClock(database: Asker, service_id: string, aheadMs: number | null): Promise<void> {
  await database.ask('UPDATE service SET ahead_ms = $2 WHERE id = $1', [service_id, aheadMs]);
}

const PROLONG = 'UPDATE under_way SET until = now() + $2::interval WHERE service_id = $1';
