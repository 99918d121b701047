import {
  openDatabase,
  type Database,
  type DatabaseOptions,
} from '#core/store/postgres/connection/connections.ts';
import { migrate, type Layout } from '#core/store/postgres/schema/migrate.ts';
import type { RecordLimits } from '#core/store/postgres/record-limits.ts';
import { openPostgresRecords } from '#core/store/postgres/records.ts';
import type { RecordStore } from '#core/store/store.ts';

/** A store over a database of its own connections, which close with it. */
export async function openRecords(
  url: string,
  limits: Partial<RecordLimits> = {},
  options: Partial<DatabaseOptions> = {},
  layout: Partial<Layout> = {},
): Promise<{
  readonly store: RecordStore;
  readonly database: Database;
  readonly close: () => Promise<void>;
}> {
  const database = await openDatabase({ url, ...options });
  try {
    const store = openPostgresRecords(database, { ...(await migrate(database)), ...layout }, limits);
    return {
      store,
      database,
      async close() {
        await store.close();
        await database.close();
      },
    };
  } catch (error) {
    // A server has connections for as many stores as are open, and not for those that failed.
    await database.close();
    throw error;
  }
}
