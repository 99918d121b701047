import { open } from 'lmdb';
import type { StoredRecord } from '../../electron/core/store/store.ts';

/** Records by time in lmdb, as msgpack. */
export interface Lmdb {
  /** One transaction, on disk when it resolves. */
  insert(records: readonly StoredRecord[]): Promise<void>;
  page(offset: number, limit: number): string;
  close(): Promise<void>;
}

export function openLmdb(directory: string): Lmdb {
  const database = open<Record<string, unknown>, [number, number]>({
    path: `${directory}/lmdb`,
    noMemInit: true,
  });
  let arrival = 0;
  return {
    async insert(records) {
      await database.transaction(() => {
        for (const { timestamp, keys, values } of records)
          void database.put(
            [timestamp, arrival++],
            Object.fromEntries(keys.map((key, i) => [key, values[i]])),
          );
      });
      await database.flushed;
    },
    page(offset, limit) {
      const rows = database.getRange({ reverse: true, offset, limit });
      return JSON.stringify(
        [...rows].map(({ key, value }) => ({ timestamp: new Date(key[0] / 1000).toISOString(), ...value })),
      );
    },
    close: () => database.close(),
  };
}
