import { openDatabase, type Asker, type Database } from '#core/store/postgres/connection/connections.ts';
import { migrate } from '#core/store/postgres/schema/migrate.ts';
import type { Postgres } from './postgres.ts';

/** The database that FIELDBENCH_POSTGRES_URL names, for tests that start none of their own, such as one of several nodes. */
export const GIVEN = process.env['FIELDBENCH_POSTGRES_URL'] ?? null;

/** A database that somebody else keeps: emptied for each test, which others must not run beside (--maxWorkers=1). */
export function givenPostgres(url: string): Postgres {
  return {
    port: Number(new URL(url).port),
    directory: '',
    pid: null,
    url: () => url,
    async database() {
      await empty(url);
      return url;
    },
    empty,
    kill: () => Promise.reject(new Error('A database that was given cannot be killed by a test.')),
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
  };
}

async function empty(url: string): Promise<void> {
  const database = await openDatabase({ url });
  try {
    await migrate(database);
    await emptyTables(database);
  } finally {
    await database.close();
  }
}

/** Whether somebody waits for a lock, on whichever node. */
export async function isLockAwaited(database: Asker): Promise<boolean> {
  const [{ spread } = {}] = await database.ask(
    "SELECT to_regclass('citus_stat_activity') IS NOT NULL AS spread",
  );
  const waiting = await database.ask(
    `SELECT 1 FROM ${spread === true ? 'citus' : 'pg'}_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return waiting.length > 0;
}

/** Deletes all rows of a database that has been migrated: a TRUNCATE makes new files, of many shards for seconds. */
export async function emptyTables(database: Database): Promise<void> {
  const tables = await database.ask<{ name: string }>(
    "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_version'",
  );
  await database.ask(tables.map(({ name }) => `DELETE FROM ${name}`).join('; '));
}
