import type { Micros } from '#shared/values/time.ts';
import { BlockTable } from '../../blocks/block/block-table.ts';
import { KeyTable } from '../../blocks/block/key-table.ts';
import { allocate, ByteReader } from '../../blocks/codec/bytes.ts';
import type { KeySummary } from '../../store.ts';
import type { DatabaseRow } from '../connection/connections.ts';

/** A segment of the database: what lies in its row, and what was read of it since. Its blocks are read by a SuppliedSegment. */
export class StoredSegment {
  readonly id: number;
  readonly age: number;
  readonly bytes: number;
  readonly received: Micros;
  readonly rows: number;
  readonly first: Micros;
  readonly last: Micros;
  /** Numbers of cells by key; null until they are read. */
  counts: readonly KeySummary[] | null = null;
  #tableBytes: Buffer;
  #table: BlockTable | null = null;
  readonly #keyTables = new Map<string, KeyTable | null>();

  constructor(row: DatabaseRow) {
    this.id = row['segment_id'] as number;
    this.age = row['age'] as number;
    this.bytes = row['bytes'] as number;
    this.received = row['received'] as number;
    this.rows = row['rows'] as number;
    this.first = row['first'] as number;
    this.last = row['last'] as number;
    this.#tableBytes = row['blocks'] as Buffer;
  }

  get table(): BlockTable {
    if (this.#table === null) {
      this.#table = BlockTable.read(new ByteReader(aligned(this.#tableBytes)));
      this.#tableBytes = allocate(0);
    }
    return this.#table;
  }

  /** Memory that it takes, about. */
  get weight(): number {
    return 200 + this.#tableBytes.length + 60 * (this.#table?.count ?? 0);
  }

  /** Null where it has none; undefined where that was not read yet. */
  keyTable(key: string): KeyTable | null | undefined {
    return this.#keyTables.get(key);
  }

  /** Takes what was read of a key; null where the segment has none. */
  knowKey(key: string, summary: Buffer | null): void {
    const table = summary && KeyTable.read(new ByteReader(aligned(summary)), this.table);
    this.#keyTables.set(key, table);
  }
}

/** The numbers of a table lie at addresses that are multiples of 8. */
function aligned(bytes: Buffer): Buffer {
  const copy = allocate(Math.ceil(bytes.length / 8) * 8);
  copy.set(bytes);
  return copy;
}
