import { tmpdir } from 'node:os';
import type { RecordStore } from '../../electron/core/store/store.ts';
import { openDatabase } from '../../electron/core/store/postgres/connection/connections.ts';
import { migrate } from '../../electron/core/store/postgres/schema/migrate.ts';
import { openPostgresRecords } from '../../electron/core/store/postgres/records.ts';
import { startPostgres, type Postgres } from '../../test/helpers/postgres/postgres.ts';

/** A store, and what lets go of it and of its connections. */
export interface LabStore {
  readonly store: RecordStore;
  readonly close: () => Promise<void>;
}

/** A database of a lab, and stores on it as a service has them. */
export interface LabFixture {
  readonly url: string;
  /** A store that knows nothing yet, as after a start. */
  open(): Promise<LabStore>;
  /** Lets a store make its connections, which a service has when it is asked. */
  warm(store: RecordStore): Promise<void>;
  /** The least that a question to this database takes. */
  roundTrip(): Promise<unknown>;
  /** Bytes of all tables and indexes. */
  size(): Promise<number>;
  close(): Promise<void>;
}

const SIZE =
  "SELECT coalesce(sum(pg_total_relation_size(quote_ident(tablename)::regclass)), 0)::bigint AS bytes FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'plain'";
const NO_DEVICE = '00000000-0000-4000-8000-000000000000';

/** A PostgreSQL on the disk that all rows measure, with as much memory as one has that is used for something. */
export const startPostgresOfBench = (): Promise<Postgres> =>
  startPostgres(
    { shared_buffers: "'512MB'", max_wal_size: "'4GB'", max_connections: '200' },
    { folder: tmpdir() },
  );

export async function openLabFixture(url: string): Promise<LabFixture> {
  const database = await openDatabase({ url });
  return {
    url,
    async open() {
      const own = await openDatabase({ url });
      const store = openPostgresRecords(own, await migrate(own));
      return { store, close: () => store.close().then(() => own.close()) };
    },
    warm: async (store) => void (await Promise.all(Array.from({ length: 8 }, () => store.count(NO_DEVICE)))),
    roundTrip: () => database.ask('SELECT $1::int AS one', [1]),
    async size() {
      const [row] = await database.ask<{ bytes: number }>(SIZE, []);
      return row?.bytes ?? 0;
    },
    close: () => database.close(),
  };
}
