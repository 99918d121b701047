import { setImmediate } from 'node:timers/promises';
import type { Awaitable } from '../../../base/awaitable.ts';
import { machineClock, type MonotonicMs } from '../../../base/machine-clock.ts';
import type { ReadOptions, Tables } from '../../metadata/metadata.ts';
import type { Asker, AskOptions, Database } from '../connection/connections.ts';
import { Lost, sqlState } from '../connection/database-errors.ts';
import { CredentialCache } from './credential-cache.ts';
import { FoundCredentials } from './credentials.ts';
import { Memo, MemoTables, NotInMemo } from './memo-tables.ts';
import { SnapshotTables } from './snapshot-tables.ts';

/** Read of the tables that waits for its snapshot. */
interface Reader {
  readonly look: (tables: Tables) => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
  readonly untilMs: MonotonicMs;
}

/** Reader that lacks tokens or API keys alone: the hash of the first. */
interface Lacking {
  readonly reader: Reader;
  readonly hash: string;
}

/**
 * Reads of one service, each of one snapshot. The memo is used only after the database has said that nothing changed since;
 * tokens and API keys also where something did, once what it changed is forgotten. Reads of one turn share that question, and
 * read the rest together: tokens and API keys in one statement, all else in one transaction. After every change hundreds of
 * requests would otherwise ask for the same project, each on its own.
 */
export class SharedReads {
  readonly #database: Database;
  readonly #credentials: CredentialCache;
  #memo: Memo;
  #gathered: Reader[] = [];

  constructor(database: Database) {
    this.#database = database;
    this.#credentials = new CredentialCache(database);
    this.#memo = new Memo(0, database.history);
  }

  /** Memo of the last version seen; an empty one where the database has gone back in time since. */
  get memo(): Memo {
    const { history } = this.#database;
    if (this.#memo.history !== history) this.#memo = new Memo(0, history);
    return this.#memo;
  }

  /** As `Metadata.read`. */
  read<T>(look: (tables: Tables) => Awaitable<T>, options: ReadOptions = {}): Promise<T> {
    const { untilMs = machineClock.monotonicIn(this.#database.patienceMs) } = options;
    return new Promise<T>((resolve, reject) => {
      this.#gathered.push({ look, resolve: resolve as Reader['resolve'], reject, untilMs });
      if (this.#gathered.length === 1) void this.#answerAll();
    });
  }

  async #answerAll(): Promise<void> {
    // Requests that came together are read in one turn.
    await setImmediate();
    const readers = this.#gathered;
    this.#gathered = [];
    // They came in one turn: their deadlines are hardly apart.
    const untilMs = Math.min(...readers.map((reader) => reader.untilMs)) as MonotonicMs;
    await rejecting(readers, async () => {
      const memo = this.#memoOf(await this.#catchUp({ untilMs }));
      const { lacking, others } = await letLook(readers, MemoTables.of(memo, this.#credentials));
      await Promise.all([
        rejecting(
          lacking.map(({ reader }) => reader),
          () => this.#answerByHash(lacking, { untilMs }),
        ),
        rejecting(others, () => this.#answerAnew(others, { untilMs })),
      ]);
    });
  }

  /** Resolves with a version that the tables have had since the call, for which the tokens and API keys in memory hold. */
  async #catchUp(options: AskOptions): Promise<number> {
    const before = this.memo;
    const known = Math.max(before.version, this.#credentials.version);
    const version = await versionOf(this.#database, options);
    // A version that is asked for later is no lower.
    if (this.memo.history === before.history && version < known) this.#database.hasGoneBack();
    await this.#credentials.catchUp(version, options);
    return Math.max(version, this.#credentials.version);
  }

  /** The memo where it is of this version, else an empty one. */
  #memoOf(version: number): Memo {
    return this.memo.version === version ? this.memo : new Memo(version, this.memo.history);
  }

  /** Looks up the tokens and API keys that readers lack, in one statement. */
  async #answerByHash(lacking: readonly Lacking[], options: AskOptions): Promise<void> {
    if (lacking.length === 0) return;
    const { history } = this.#database;
    const hashes = new Set(lacking.map(({ hash }) => hash));
    const found = await FoundCredentials.find(this.#database, [...hashes], options);
    let left = lacking.map(({ reader }) => reader);
    if (history === this.#database.history) {
      this.#credentials.remember(found);
      const again = await letLook(left, MemoTables.of(this.#memoOf(found.version), found));
      left = [...again.lacking.map(({ reader }) => reader), ...again.others];
    }
    await this.#answerAnew(left, options);
  }

  async #answerAnew(readers: readonly Reader[], options: AskOptions): Promise<void> {
    let left = readers;
    if (left.length === 0) return;
    await this.#database.snapshot(async (asker) => {
      const now = await versionOf(asker);
      const memo = this.#memoOf(now);
      if (this.memo.version < now) this.#memo = memo;
      const tables = MemoTables.over(new SnapshotTables(asker), memo);
      const broken: unknown[] = [];
      const isOfDatabase = (error: unknown) =>
        (error instanceof Lost || sqlState(error) !== null) && broken.push(error) > 0;
      // Nobody looks any more when it ends: what they asked then would be asked in another transaction.
      const areTold = await Promise.all(left.map((reader) => told(reader, tables, isOfDatabase)));
      left = left.filter((_, place) => !areTold[place]);
      if (broken.length > 0) throw broken[0];
    }, options);
  }
}

const VERSION = 'SELECT version FROM metadata_state';

/** Resolves with the present version of the tables. */
async function versionOf(asker: Asker, options?: AskOptions): Promise<number> {
  const [state] = await asker.ask<{ readonly version: number }>(VERSION, undefined, options);
  if (!state) throw new TypeError('metadata_state has no row');
  return state.version;
}

/** Rejects all readers with what the work rejects with: who was told already hears nothing of it. */
async function rejecting(readers: readonly Reader[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    for (const { reject } of readers) reject(error);
  }
}

/** Lets all readers look at what is known, and tells them; resolves with those that lack something. */
async function letLook(
  readers: readonly Reader[],
  tables: MemoTables,
): Promise<{ readonly lacking: Lacking[]; readonly others: Reader[] }> {
  const lacking: Lacking[] = [];
  const others: Reader[] = [];
  for (const reader of readers)
    await told(reader, tables, (error) => {
      if (!(error instanceof NotInMemo)) return false;
      const { hash } = error;
      if (hash === null) others.push(reader);
      else lacking.push({ reader, hash });
      return true;
    });
  return { lacking, others };
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
