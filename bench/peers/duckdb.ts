import { DuckDBInstance } from '@duckdb/node-api';
import type { StoredRecord } from '../../electron/core/store/store.ts';
import { SENSOR_KEYS } from '../lib/data.ts';

/** A wide table in DuckDB, which is made for scans and aggregates. */
export interface DuckDb {
  /** One transaction, on disk when it resolves. */
  insert(records: readonly StoredRecord[]): Promise<void>;
  page(offset: number, limit: number): Promise<string>;
  series(start: number, end: number, width: number): Promise<unknown[]>;
  excursions(asked: ExcursionsAsked): Promise<{ readonly outside: number; readonly excursions: number }>;
  /** Differences per minute of one key in columns of pixels: how many, the smallest, the greatest. */
  rates(): Promise<readonly [count: number, least: number, greatest: number]>;
  close(): void;
}

interface ExcursionsAsked {
  /** µs. */
  readonly start: number;
  readonly end: number;
  readonly pause: number;
  readonly low: number;
  readonly high: number;
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
    async excursions({ start, end, pause, low, high }) {
      const reader = await connection.runAndReadAll(
        `WITH told AS (
           SELECT timestamp AS t, temperature AS v, lead(timestamp) OVER (ORDER BY timestamp) AS next,
             CASE WHEN temperature > ${high} THEN 1 WHEN temperature < ${low} THEN -1 ELSE 0 END AS side
           FROM records),
         held AS (
           SELECT *, CASE WHEN next - t <= ${pause} THEN next END AS until,
             lag(side) OVER (ORDER BY t) = side AND t - lag(t) OVER (ORDER BY t) <= ${pause} AS follows
           FROM told),
         runs AS (SELECT *, sum(CASE WHEN follows THEN 0 ELSE 1 END) OVER (ORDER BY t) AS run FROM held WHERE t <= ${end}),
         found AS (
           SELECT run, min(t) AS start, least(max(coalesce(until, t)), ${end}) AS stop, min(v), max(v), arg_min(t, v), arg_max(t, v)
           FROM runs WHERE side <> 0 AND t >= ${start} GROUP BY run)
         SELECT sum(stop - start)::DOUBLE, count(*)::DOUBLE FROM found`,
      );
      const [[outside, excursions] = [0, 0]] = reader.getRows() as readonly (readonly unknown[])[];
      return { outside: Number(outside), excursions: Number(excursions) };
    },
    async rates() {
      const reader = await connection.runAndReadAll(
        `WITH steps AS (
           SELECT timestamp AS t, (temperature - lag(temperature) OVER (ORDER BY timestamp)) * 60e6
             / (timestamp - lag(timestamp) OVER (ORDER BY timestamp)) AS d,
             min(timestamp) OVER () AS low, max(timestamp) OVER () AS high
           FROM records),
         columns AS (
           SELECT (t - low) * 1200 // (high - low + 1) AS pixel, count(d) AS n, min(d) AS least, max(d) AS greatest,
             arg_min(d, t), arg_max(d, t)
           FROM steps WHERE d IS NOT NULL GROUP BY pixel)
         SELECT sum(n)::DOUBLE, min(least), max(greatest) FROM columns`,
      );
      const [[count, least, greatest] = []] = reader.getRows() as readonly (readonly unknown[])[];
      return [Number(count), Number(least), Number(greatest)];
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
