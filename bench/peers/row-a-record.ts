import { openDatabase, type Database } from '../../electron/core/store/postgres/connection/connections.ts';
import type { StoredRecord } from '../../electron/core/store/store.ts';
import { SENSOR_KEYS } from '../lib/data.ts';

const COLUMNS = SENSOR_KEYS.map((key) => `${key} double precision NOT NULL`).join(', ');
const NAMES = SENSOR_KEYS.join(', ');
const ARRAYS = SENSOR_KEYS.map((_, i) => `$${i + 3}::float8[]`).join(', ');
const INSERT = `INSERT INTO plain (device, timestamp, ${NAMES}) SELECT $1, * FROM unnest($2::bigint[], ${ARRAYS})`;
const PAGE = `SELECT timestamp, ${NAMES} FROM plain WHERE device = $1 ORDER BY timestamp DESC, id DESC LIMIT $2 OFFSET $3`;
const COUNT = 'SELECT count(*) AS count FROM plain WHERE device = $1';
const SIZE = "SELECT pg_total_relation_size('plain') AS bytes";

/** PostgreSQL as one would use it by hand: a row a record, an index by device and time, in the same server. */
export interface RowARecord {
  /** One transaction. */
  insert(device: string, records: readonly StoredRecord[]): Promise<void>;
  /** A page, newest first, and how many records there are. */
  page(device: string, offset: number, limit: number): Promise<number>;
  /** Bytes of the table and its indexes. */
  size(): Promise<number>;
  close(): Promise<void>;
}

export async function openRowARecord(url: string): Promise<RowARecord> {
  const database: Database = await openDatabase({ url, patienceMs: 600_000 });
  await database.ask(
    `CREATE TABLE IF NOT EXISTS plain (id bigint GENERATED ALWAYS AS IDENTITY, device text NOT NULL, timestamp bigint NOT NULL, ${COLUMNS}, PRIMARY KEY (device, timestamp, id))`,
  );
  return {
    async insert(device, records) {
      const columns = SENSOR_KEYS.map((_, i) => records.map(({ values }) => values[i]));
      await database.ask(INSERT, [device, records.map(({ timestamp }) => timestamp), ...columns]);
    },
    async page(device, offset, limit) {
      const rows = await database.ask(PAGE, [device, limit, offset]);
      const [total] = await database.ask<{ count: number }>(COUNT, [device]);
      return rows.length + (total?.count ?? 0);
    },
    async size() {
      const [row] = await database.ask<{ bytes: number }>(SIZE, []);
      return row?.bytes ?? 0;
    },
    close: () => database.close(),
  };
}
