import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { join } from 'node:path';
import type { StoredRecord } from '../../electron/core/store/store.ts';
import { SENSOR_KEYS } from '../lib/data.ts';

/** Both as durable as the product: WAL with an fsync at every commit. */
const PRAGMAS = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;';

export type Shape = 'wide' | 'json';

/** A table a device, as one would write it by hand: a column a key, or the record as JSON. */
export interface Sqlite {
  /** One transaction. */
  insert(records: readonly StoredRecord[]): void;
  /** A page as the JSON that an API answers. */
  page(offset: number, limit: number): string;
  /** Min and max of a key by column of `width` pixels. */
  series(start: number, end: number, width: number): unknown[];
  close(): void;
}

interface Driver {
  exec(sql: string): unknown;
  prepare(sql: string): Pick<StatementSync, 'run' | 'all'>;
  close(): void;
}

export function openSqlite(directory: string, shape: Shape): Sqlite {
  return over(new DatabaseSync(join(directory, `${shape}.sqlite`)), shape);
}

/** The same through better-sqlite3; null where it could not be built. */
export async function openBetterSqlite(directory: string, shape: Shape): Promise<Sqlite | null> {
  try {
    const { default: Database } = await import('better-sqlite3');
    return over(new Database(join(directory, `better-${shape}.sqlite`)), shape);
  } catch {
    return null;
  }
}

function over(database: Driver, shape: Shape): Sqlite {
  database.exec(PRAGMAS);
  const columns = shape === 'wide' ? SENSOR_KEYS.map((key) => `${key} REAL`) : ['record TEXT'];
  database.exec(
    `CREATE TABLE IF NOT EXISTS records (id INTEGER PRIMARY KEY, timestamp INTEGER, ${columns.join(', ')})`,
  );
  database.exec('CREATE INDEX IF NOT EXISTS by_time ON records (timestamp, id)');
  const names = columns.map((column) => column.split(' ')[0]);
  const insert = database.prepare(
    `INSERT INTO records (timestamp, ${names.join(', ')}) VALUES (?, ${names.map(() => '?').join(', ')})`,
  );
  const page = database.prepare(
    `SELECT timestamp, ${names.join(', ')} FROM records ORDER BY timestamp DESC, id DESC LIMIT ? OFFSET ?`,
  );
  const value = shape === 'wide' ? 'temperature' : "record ->> 'temperature'";
  const series = database.prepare(
    `SELECT (timestamp - ?1) * ?3 / (?2 - ?1 + 1) AS pixel, min(${value}), max(${value}), count(*) FROM records
     WHERE timestamp BETWEEN ?1 AND ?2 GROUP BY pixel`,
  );
  return {
    insert(records) {
      database.exec('BEGIN');
      for (const { timestamp, keys, values } of records) {
        if (shape === 'wide') insert.run(timestamp, ...(values as number[]));
        else
          insert.run(timestamp, JSON.stringify(Object.fromEntries(keys.map((key, i) => [key, values[i]]))));
      }
      database.exec('COMMIT');
    },
    page(offset, limit) {
      const rows = page.all(limit, offset) as { timestamp: number; record?: string }[];
      return JSON.stringify(
        rows.map(({ timestamp, record, ...wide }) => ({
          timestamp: new Date(timestamp / 1000).toISOString(),
          ...(record === undefined ? wide : (JSON.parse(record) as object)),
        })),
      );
    },
    series: (start, end, width) => series.all(start, end, width),
    close: () => database.close(),
  };
}
