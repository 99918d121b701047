import type { Micros } from '#shared/values/time.ts';
import type { KeyUse } from '../backend/key-use.ts';
import type { Logger } from '../base/logger.ts';
import { machineClock } from '../base/machine-clock.ts';
import type { Database } from '../store/postgres/connection/connections.ts';

/** ms between two writings of a key that is used again and again: others know its last use so late. */
const WRITE_MS = 10_000;

/** Last use of each key at any service over one database: its first use for a while is written at once. */
export class DatabaseKeyUse implements KeyUse {
  readonly #database: Database;
  readonly #log: Pick<Logger, 'warn'>;
  /** Of what was used here: until when it was written down. */
  readonly #own = new Map<string, { used: Micros; written: Micros }>();
  readonly #timer: NodeJS.Timeout;
  #writing: Promise<void> = Promise.resolve();

  constructor(database: Database, log: Pick<Logger, 'warn'>) {
    this.#database = database;
    this.#log = log;
    this.#timer = machineClock.every(WRITE_MS, () => void this.#writeAll()).unref();
  }

  note(key_id: string, now: Micros): Promise<void> | undefined {
    const own = this.#own.get(key_id);
    if (own) {
      own.used = now;
      return undefined;
    }
    this.#own.set(key_id, { used: now, written: now });
    return this.#write([[key_id, now]]);
  }

  async of(key_ids: readonly string[]): Promise<ReadonlyMap<string, Micros>> {
    const rows = await this.#database.ask<{ readonly key_id: string; readonly used: Micros }>(
      'SELECT key_id, used FROM key_use WHERE key_id = ANY($1::text[])',
      [key_ids],
    );
    const all = new Map(rows.map(({ key_id, used }) => [key_id, used]));
    for (const [key_id, { used }] of this.#own) if (used > (all.get(key_id) ?? 0)) all.set(key_id, used);
    return all;
  }

  forget(key_id: string): Promise<void> {
    this.#own.delete(key_id);
    return this.#do('DELETE FROM key_use WHERE key_id = $1', [key_id]);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writeAll();
  }

  #writeAll(): Promise<void> {
    const later: [string, Micros][] = [];
    for (const [key_id, own] of this.#own) {
      if (own.used === own.written) this.#own.delete(key_id);
      else later.push([key_id, (own.written = own.used)]);
    }
    return later.length > 0 ? this.#write(later) : this.#writing;
  }

  #write(uses: readonly (readonly [string, Micros])[]): Promise<void> {
    return this.#do(PUT, [uses.map(([key_id]) => key_id), uses.map(([, used]) => used)]);
  }

  #do(sql: string, params: readonly unknown[]): Promise<void> {
    return (this.#writing = this.#writing
      .then(() => this.#database.ask(sql, params))
      .then(
        () => undefined,
        (error: unknown) =>
          this.#log.warn(`When API keys were used last could not be written: ${(error as Error).message}`),
      ));
  }
}

/** Of keys that there are: one may have been revoked since. In order, so that two services cannot wait for each other. */
const PUT = `INSERT INTO key_use (key_id, used)
  SELECT put.id, put.used FROM unnest($1::text[], $2::bigint[]) AS put (id, used)
    JOIN metadata_row k ON k.kind = 'api_keys' AND k.id = put.id ORDER BY put.id
  ON CONFLICT (key_id) DO UPDATE SET used = greatest(key_use.used, excluded.used)`;
