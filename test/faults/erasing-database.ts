import { deepStrictEqual, ok } from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import * as fc from 'fast-check';
import { openDatabase, type Database } from '#core/store/postgres/connection/connections.ts';
import { openPostgresRecords } from '#core/store/postgres/records.ts';
import { migrate } from '#core/store/postgres/schema/migrate.ts';
import { collectGarbage } from '#core/store/postgres/upkeep/garbage-collection.ts';
import type { RecordStore } from '#core/store/store.ts';
import type { Postgres } from '../helpers/postgres/postgres.ts';
import { scanned } from '../suites/record-store/harness.ts';
import { DEVICES, manyActs, type Act } from './erasing-acts.ts';
import { Secrets } from './secrets.ts';
import { underWay } from './under-way.ts';

/** So small that a few records make it work. */
const LIMITS = { tailRows: 4, segmentRows: 64 };
/** Limits of a janitor that removes at once what is gone, and gives up an import that says nothing. */
const AT_ONCE = { goneSeconds: 0, silentSeconds: 0 };
const TABLES = `SELECT table_name AS name FROM information_schema.tables
  WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`;
const OTHERS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

/**
 * As `erasingProperty`, of a database: what is deleted is in no table once garbage was collected, however often the process
 * was killed, and what was not deleted is there. A process is killed at a statement, of which it hears nothing any more.
 */
export async function erasedFromTables(server: Postgres, done: (acts: number) => void = () => {}) {
  const url = await server.database();
  return fc.asyncProperty(manyActs, async (sequence) => {
    await server.empty(url);
    await new DatabaseLives(url).live(sequence);
    done(sequence.length);
  });
}

/** A database, and the processes that use it one after the other. */
class DatabaseLives {
  readonly #url: string;
  readonly #secrets = new Secrets();
  #process: Process | null = null;

  constructor(url: string) {
    this.#url = url;
  }

  async live(sequence: readonly Act[]): Promise<void> {
    for (const act of sequence) await this.#do(act);
    await this.#close();
    const { store } = await this.#opened();
    for (const device of DEVICES) {
      const { there, unsure, between } = this.#secrets.of(device);
      const found = (await scanned(store, device)).map(({ values }) => String(values[0]));
      const mayBe = [unsure, between, this.#secrets.unacknowledged];
      const sure = found.filter((text) => there.has(text) || !mayBe.some((some) => some.has(text)));
      deepStrictEqual(sure.toSorted(), [...there.keys()].toSorted());
    }
    await this.#close();
  }

  async #do(act: Act): Promise<void> {
    const { store, readers } = await this.#opened();
    if (act.kind === 'read') {
      const reader = store.scan(act.device)[Symbol.asyncIterator]();
      readers.push(reader);
      await reader.next();
    } else if (act.kind === 'read-no-more') {
      for (const reader of readers.splice(0)) await reader.return?.();
    } else if (act.kind === 'rest') {
      for (let i = 0; i < act.turns; i++) await setImmediate();
    } else if (act.kind === 'reopen') {
      await this.#close();
    } else if (act.kind === 'crash') {
      await this.#crash(act);
    } else {
      const { work, answered } = this.#secrets.ask(store, act);
      await work;
      answered();
    }
  }

  async #crash({ during, deaths: [death] }: Extract<Act, { kind: 'crash' }>): Promise<void> {
    const process = await this.#opened();
    if (during !== null) {
      process.endsAfter(death?.turns ?? 0);
      const asked = this.#secrets.ask(process.store, during);
      const ends = underWay(asked);
      await Promise.race([asked.work, process.ended]);
      ends();
    }
    await process.kill(this.#url);
    this.#process = null;
  }

  async #opened(): Promise<Process> {
    return (this.#process ??= await Process.start(this.#url));
  }

  async #close(): Promise<void> {
    const process = await this.#opened();
    this.#process = null;
    await process.store.close();
    await process.collectGarbage();
    for (const [table, bytes] of await process.tables()) {
      const found = this.#secrets.deletedIn(bytes);
      ok(found === undefined, `"${found}" was deleted, and is in table ${table}`);
    }
    await process.database.close();
  }
}

/** A store of a process that may end at any statement. */
class Process {
  readonly database: Database;
  readonly store: RecordStore;
  readonly readers: AsyncIterator<unknown>[] = [];
  readonly ended: Promise<void>;
  readonly #life: Life;

  private constructor(database: Database, store: RecordStore, life: Life) {
    this.database = database;
    this.store = store;
    this.ended = life.ended;
    this.#life = life;
  }

  static async start(url: string): Promise<Process> {
    const life = new Life();
    const database = await openDatabase({ url, before: () => life.statement() });
    return new Process(database, openPostgresRecords(database, await migrate(database), LIMITS), life);
  }

  /** So many statements more, and the process has ended. */
  endsAfter(statements: number): void {
    this.#life.left = statements;
  }

  /** Its connections are gone, and with them what was not committed. */
  async kill(url: string): Promise<void> {
    this.#life.left = 0;
    const other = await openDatabase({ url });
    await other.ask(OTHERS);
    await other.close();
  }

  collectGarbage(): Promise<void> {
    return collectGarbage(this.database, AT_ONCE, () => true);
  }

  /** All that is in each table. */
  async tables(): Promise<(readonly [name: string, bytes: Buffer])[]> {
    const found: (readonly [string, Buffer])[] = [];
    for (const { name } of await this.database.ask<{ name: string }>(TABLES))
      for (const row of await this.database.ask(`SELECT * FROM "${name}"`))
        for (const value of Object.values(row))
          found.push([name, Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value) ?? '')]);
    return found;
  }
}

class Life {
  /** Statements until it ends. */
  left = Infinity;
  readonly ended: Promise<void>;
  readonly #end: () => void;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#end = resolve;
  }

  /** Before each. */
  async statement(): Promise<void> {
    if (this.left-- > 0) return;
    this.#end();
    await new Promise(() => {});
  }
}
