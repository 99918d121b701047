import { DuckDBInstance } from '@duckdb/node-api';
import type { StoredRecord } from '../../electron/core/store/store.ts';
import { SENSOR_KEYS } from '../lib/data.ts';

/** A wide table in DuckDB, which is made for scans and aggregates. */
export interface DuckDb {
  /** One transaction, on disk when it resolves. */
  insert(records: readonly StoredRecord[]): Promise<void>;
  page(offset: number, limit: number): Promise<string>;
  series(start: number, end: number, width: number): Promise<unknown[]>;
  close(): void;
}

export async function openDuckDb(directory: string): Promise<DuckDb> {
  const instance = await DuckDBInstance.create(`${directory}/records.duckdb`);
  const connection = await instance.connect();
  await connection.run(
    `CREATE TABLE records (timestamp BIGINT, ${SENSOR_KEYS.map((key) => `${key} DOUBLE`).join(', ')})`,
  );
  return {
    async insert(records) {
      await connection.run('BEGIN');
      const appender = await connection.createAppender('records');
      for (const { timestamp, values } of records) {
        appender.appendBigInt(BigInt(timestamp));
        for (const value of values) appender.appendDouble(value as number);
        appender.endRow();
      }
      appender.closeSync();
      await connection.run('COMMIT');
    },
    async page(offset, limit) {
      const reader = await connection.runAndReadAll(
        `SELECT * FROM records ORDER BY timestamp DESC LIMIT ${limit} OFFSET ${offset}`,
      );
      return JSON.stringify(
        reader.getRowObjects().map(({ timestamp, ...values }) => ({
          timestamp: new Date(Number(timestamp) / 1000).toISOString(),
          ...values,
        })),
      );
    },
    async series(start, end, width) {
      const reader = await connection.runAndReadAll(
        `SELECT (timestamp - ${start}) * ${width} // (${end} - ${start} + 1) AS pixel, min(temperature), max(temperature),
         arg_min(temperature, timestamp), arg_max(temperature, timestamp), count(*)
         FROM records WHERE timestamp BETWEEN ${start} AND ${end} GROUP BY pixel`,
      );
      return reader.getRows();
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
