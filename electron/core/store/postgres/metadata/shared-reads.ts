import { setImmediate } from 'node:timers/promises';
import type { Awaitable } from '../../../base/awaitable.ts';
import type { Tables } from '../../metadata/metadata.ts';
import type { Asker, Database } from '../connection/connections.ts';
import { Lost, sqlState } from '../connection/database-errors.ts';
import { Memo, MemoTables, NotInMemo } from './memo-tables.ts';
import { SnapshotTables } from './snapshot-tables.ts';

/** Read of the tables that waits for its snapshot. */
interface Reader {
  readonly look: (tables: Tables) => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Reads of one service, each of one snapshot. The memo is used only after the database has said that nothing changed since.
 * Reads of one turn share that question, and read the rest in one transaction: after every change hundreds of requests would
 * otherwise ask for the same project, each on its own.
 */
export class SharedReads {
  readonly #database: Database;
  #memo: Memo;
  #gathered: Reader[] = [];

  constructor(database: Database) {
    this.#database = database;
    this.#memo = new Memo(0, database.history);
  }

  /** Memo of the last version seen; an empty one where the database has gone back in time since. */
  get memo(): Memo {
    const { history } = this.#database;
    if (this.#memo.history !== history) this.#memo = new Memo(0, history);
    return this.#memo;
  }

  /** As `Metadata.read`. */
  read<T>(look: (tables: Tables) => Awaitable<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#gathered.push({ look, resolve: resolve as Reader['resolve'], reject });
      if (this.#gathered.length === 1) void this.#answerAll();
    });
  }

  async #answerAll(): Promise<void> {
    // Requests that came together are read in one turn.
    await setImmediate();
    const readers = this.#gathered;
    this.#gathered = [];
    try {
      const before = this.memo;
      const version = await versionOf(this.#database);
      // A version that is asked for later is no lower.
      if (this.memo.history === before.history && version < before.version) this.#database.hasGoneBack();
      const left = this.memo.version === version ? await this.#answerFromMemo(readers) : readers;
      if (left.length > 0) await this.#answerAnew(left);
    } catch (error) {
      // Who was told already hears nothing of it.
      for (const { reject } of readers) reject(error);
    }
  }

  /** Answers who looks at nothing but what is known; resolves with the others. */
  async #answerFromMemo(readers: readonly Reader[]): Promise<readonly Reader[]> {
    const tables = new MemoTables(this.memo, null);
    const left: Reader[] = [];
    for (const reader of readers)
      if (!(await told(reader, tables, (error) => error instanceof NotInMemo))) left.push(reader);
    return left;
  }

  async #answerAnew(readers: readonly Reader[]): Promise<void> {
    let left = readers;
    await this.#database.snapshot(async (asker) => {
      const now = await versionOf(asker);
      const { history, version } = this.memo;
      if (version < now) this.#memo = new Memo(now, history);
      const memo = this.memo.version === now ? this.memo : new Memo(now, history);
      const tables = new MemoTables(memo, new SnapshotTables(asker));
      const broken: unknown[] = [];
      const isOfDatabase = (error: unknown) =>
        (error instanceof Lost || sqlState(error) !== null) && broken.push(error) > 0;
      // Nobody looks any more when it ends: what they asked then would be asked in another transaction.
      const areTold = await Promise.all(left.map((reader) => told(reader, tables, isOfDatabase)));
      left = left.filter((_, place) => !areTold[place]);
      if (broken.length > 0) throw broken[0];
    });
  }
}

/** Resolves with the present version of the tables. */
async function versionOf(asker: Asker): Promise<number> {
  const [state] = await asker.ask<{ readonly version: number }>('SELECT version FROM metadata_state');
  if (!state) throw new TypeError('metadata_state has no row');
  return state.version;
}

/** Lets a reader look, and tells it what it saw or why not; false, and nothing is told, where it is to look once more. */
async function told(
  { look, resolve, reject }: Reader,
  tables: Tables,
  isToLookAgain: (error: unknown) => boolean,
): Promise<boolean> {
  try {
    resolve(await look(tables));
  } catch (error) {
    if (isToLookAgain(error)) return false;
    reject(error);
  }
  return true;
}
