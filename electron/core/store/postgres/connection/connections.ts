import { StoreError } from '../../../base/errors.ts';
import { parseAddress } from './address.ts';
import { Attempts, countdown } from './attempts.ts';
import { isLost, letGo } from './database-errors.ts';
import { Link, type DatabaseRow, type Statement } from './link.ts';
import { Listening } from './listening.ts';
import type { Password } from './password.ts';
import { Primary } from './primary.ts';
import { newNoteId, NOTE, resolveInDoubt, sentNow, type ResolveOptions, type Sent } from './in-doubt.ts';
import { Pool } from './pool.ts';
import { sendAll, Transaction, type Asker, type AskOptions, type Before } from './transaction.ts';

export type { Asker, AskOptions } from './transaction.ts';
export type { DatabaseRow, Statement } from './link.ts';

export interface DatabaseOptions {
  /** postgres://user@host-a,host-b:5433/database: the one of the hosts that takes writes is found. */
  readonly url: string;
  readonly password?: Password;
  /** How many changes are under way at most, and over how many connections is read. */
  readonly writers?: number;
  readonly readers?: number;
  /** Milliseconds that somebody waits at most for a database that does not answer. */
  readonly patienceMs?: number;
  /** Hook of tests before a statement is sent. */
  readonly before?: Before;
}

export interface ChangeOptions extends AskOptions {
  /** Where the change is noted, so that a lost answer can be asked for: the lane of what it changes. */
  readonly lane?: number;
  readonly isolation?: 'READ COMMITTED' | 'REPEATABLE READ' | 'SERIALIZABLE';
}

/** The lane of what belongs to no device. */
const NO_LANE = 0;
const PATIENCE_MS = 10_000;
/** Share of an attempt's time in which there has to be a connection: what is asked on it needs the rest. */
const CONNECTING = 0.9;
/**
 * A database of the wire family of PostgreSQL. Statements are answered within `patienceMs`, or reject with StoreError
 * (`unreachable`, `read-only`, `disk-full`, `io`, `damaged`, `closed`), whose message names the database; any other error of
 * the server is a bug of ours, and rejects as it is. The next statement reconnects to a lost database.
 */
export class Database implements Asker {
  /** For people: which database it is, without a password. */
  readonly name: string;
  /** Milliseconds that somebody waits for it at most. */
  readonly patienceMs: number;
  readonly #before: Before | null;
  readonly #readers: Pool;
  readonly #writers: Pool;
  readonly #listening = new Set<Listening>();
  readonly #stop = new AbortController();
  readonly #attempts: Attempts;
  readonly #primary: Primary;
  readonly #resolving: ResolveOptions;
  #whyNotTrusted: string | null = null;
  #history = 0;

  /** Throws StartError where the address is none. */
  constructor({
    url,
    password = null,
    writers = 8,
    readers = 4,
    patienceMs = PATIENCE_MS,
    before,
  }: DatabaseOptions) {
    const address = parseAddress(url);
    const times = { statementMs: Math.floor(0.75 * patienceMs), connectMs: Math.floor(0.2 * patienceMs) };
    this.name = address.name;
    this.#primary = new Primary({ address, password, ...times }, () => this.hasGoneBack());
    this.patienceMs = patienceMs;
    this.#before = before ?? null;
    this.#attempts = new Attempts(this.name, patienceMs, this.#stop.signal);
    this.#resolving = { name: this.name, alone: (limit, work) => this.#alone(limit, work) };
    this.#readers = new Pool(() => this.#open(), readers);
    this.#writers = new Pool(() => this.#open(), writers);
  }

  /**
   * Goes up each time that the database turned out to have gone back in time: a standby was promoted that lacked commits, or a
   * backup restored. Whatever was read under another number may be of commits that never were.
   */
  get history(): number {
    return this.#history;
  }

  /** A version that the database had said before went down: what was read of it is void, and its connections are cut. */
  hasGoneBack(): void {
    this.#history++;
    this.#readers.cut();
    this.#writers.cut();
    for (const listening of this.#listening) listening.cut();
  }

  /** Milliseconds before somebody's deadline from which on nothing is sent for them any more. */
  get leastMs(): number {
    return this.#attempts.leastMs;
  }

  /** Returns the error for what was not sent in time: StoreError `unreachable`. */
  refusal(): unknown {
    return this.#attempts.refusal();
  }

  /** From now on changes are refused for this reason, a sentence for people; null: they are made again. */
  distrust(why: string | null): void {
    this.#whyNotTrusted = why;
  }

  /** Reads, of one moment a statement: each is a transaction of its own. */
  async ask<T extends DatabaseRow = DatabaseRow>(
    sql: string,
    params?: readonly unknown[],
    options: AskOptions = {},
  ): Promise<readonly T[]> {
    const [rows = []] = await this.askAll([{ sql, ...(params && { params }) }], options);
    return rows as readonly T[];
  }

  /** Reads, in one round trip and in this order; each sees what was committed before it began. */
  askAll(
    statements: readonly Statement[],
    { untilMs }: AskOptions = {},
  ): Promise<readonly (readonly DatabaseRow[])[]> {
    return this.#attempts.run(async ({ limit }) => {
      const left = countdown(limit);
      const link = await this.#readers.shared(limit * CONNECTING);
      return sendAll(link, statements, left(), this.#before);
    }, untilMs);
  }

  /** Reads all of it as of one moment. `work` may run more than once. */
  snapshot<T>(work: (asker: Asker) => Promise<T>, { untilMs }: AskOptions = {}): Promise<T> {
    return this.#attempts.run(
      ({ limit }) =>
        this.#alone(limit, async (link, left) => {
          const transaction = this.#transaction(
            link,
            'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
            left,
          );
          const result = await work(transaction);
          if (transaction.isBegun) await link.ask({ sql: 'COMMIT' }, left);
          return result;
        }),
      untilMs,
    );
  }

  /**
   * Changes all of it or nothing, and resolves once that is durable. `work` may run more than once, so it touches nothing
   * but the transaction; what it throws undoes everything. Where the connection is lost before the answer to the COMMIT,
   * the database is asked whether it was made: rejects with `unreachable` only where it does not say so in time.
   */
  change<T>(
    work: (transaction: Asker) => Promise<T>,
    { lane = NO_LANE, isolation = 'READ COMMITTED', untilMs }: ChangeOptions = {},
  ): Promise<T> {
    return this.#attempts.run(async (limits) => {
      this.#requireTrust();
      const id = newNoteId();
      let sent: Sent | null = null;
      let result: { readonly value: T } | null = null;
      try {
        return await this.#alone(limits.limit, async (link, left) => {
          const transaction = this.#transaction(link, `BEGIN ISOLATION LEVEL ${isolation}`, left);
          const value = await work(transaction);
          if (!transaction.isBegun) return value;
          result = { value };
          sent = sentNow();
          const end = [{ sql: NOTE, params: [lane, id] }, { sql: 'COMMIT' }];
          await sendAll(link, end, left, this.#before);
          return value;
        });
      } catch (error) {
        return await resolveInDoubt(error, { lane, id, sent, result, limits }, this.#resolving);
      }
    }, untilMs);
  }

  /**
   * The same for one statement, in one round trip. `statement` gets an unguessable id, with which it writes a row
   * (lane, id, true) to `outcome` where it changes anything. Resolves with its rows; with `null` where it was made and its
   * answer was lost.
   */
  once(
    lane: number,
    statement: (id: string) => Statement,
    { untilMs }: AskOptions = {},
  ): Promise<readonly DatabaseRow[] | null> {
    return this.#attempts.run(async (limits) => {
      this.#requireTrust();
      const id = newNoteId();
      const asked = statement(id);
      await this.#before?.(asked);
      let sent: Sent | null = null;
      try {
        return await this.#alone(limits.limit, (link, left) => {
          sent = sentNow();
          return link.ask(asked, left);
        });
      } catch (error) {
        return await resolveInDoubt(
          error,
          { lane, id, sent, result: { value: null }, limits },
          this.#resolving,
        );
      }
    }, untilMs);
  }

  /**
   * Listens to a channel, `[a-z_]+`, of all processes until the returned function is called. `resync` is called where
   * notifications may have been missed. A hint: nothing correct may hang on it.
   */
  async listen(
    channel: string,
    listener: (payload: string) => void,
    resync: () => void,
  ): Promise<() => Promise<void>> {
    const listening = new Listening({
      channel,
      listener,
      resync,
      open: () => this.#open(),
      everyMs: 250,
      limit: this.patienceMs,
    });
    await this.#attempts.run(() => listening.start());
    this.#listening.add(listening);
    return async () => {
      this.#listening.delete(listening);
      await listening.close();
    };
  }

  /** Resolves once what is under way is answered and all connections are gone. */
  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all([
      ...[...this.#listening].map((listening) => listening.close()),
      this.#readers.close(this.patienceMs),
      this.#writers.close(this.patienceMs),
    ]);
  }

  /** Throws StoreError (`unreachable`) where what is changed may not last. */
  #requireTrust(): void {
    if (this.#whyNotTrusted !== null) throw new StoreError('unreachable', this.#whyNotTrusted);
  }

  #transaction(link: Link, begin: string, limit: number): Transaction {
    return new Transaction(link, begin, limit, this.#before);
  }

  /** Runs it on a connection of its own, on which nothing is left open; `work` hears how many ms are left of the limit. */
  async #alone<T>(limit: number, work: (link: Link, left: number) => Promise<T>): Promise<T> {
    const left = countdown(limit);
    const link = await this.#writers.borrow(limit * CONNECTING);
    try {
      return await work(link, left());
    } catch (error) {
      if (isLost(error)) link.cut();
      // Outside a transaction this is but a warning.
      else await link.ask({ sql: 'ROLLBACK' }, left()).catch(() => link.cut());
      throw error;
    } finally {
      this.#writers.giveBack(link);
    }
  }

  async #open(): Promise<Link> {
    if (this.#stop.signal.aborted) throw letGo(this.name);
    return this.#primary.open();
  }
}

/** Opens a database and asks it once. Rejects as every question does, and with StartError where the address is none. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const database = new Database(options);
  try {
    await database.ask('SELECT 1 AS one');
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
