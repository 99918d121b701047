import { Block } from '#core/store/blocks/block/block.ts';
import { blockOf } from '#core/store/blocks/block/rows-to-blocks.ts';
import { writeRows } from '#core/store/blocks/block/record-bytes.ts';
import { RowBuffer } from '#core/store/blocks/block/row-buffer.ts';
import { ByteWriter } from '#core/store/blocks/codec/bytes.ts';
import { Lru } from '#core/store/blocks/query/lru.ts';
import { Memtable } from '#core/store/blocks/query/memtable.ts';
import { MemoryRun } from '#core/store/blocks/query/run.ts';
import { Timeline } from '#core/store/blocks/query/timeline.ts';
import type { Readable } from '#core/store/blocks/readable.ts';
import type { Database, DatabaseRow, Statement } from '#core/store/postgres/connection/connections.ts';
import { DeviceCache } from '#core/store/postgres/reading/device-cache.ts';
import { Reads } from '#core/store/postgres/reading/reads.ts';
import { Building } from '#core/store/postgres/rows/building.ts';
import { keyOf } from '#core/store/postgres/rows/key-bytes.ts';
import type { StoredRecord } from '#core/store/store.ts';

const BLOCK_ROWS = 40;
const ONE_LANE = { lanes: 1, isSpread: false };

/** A device of a database that is in memory: its rows, and the same blocks for a reader that has all of them at hand. */
export class HeldDevice {
  /** How often the database was asked. */
  roundTrips = 0;
  readonly whole: Readable;
  readonly #segments: DatabaseRow[] = [];
  readonly #blocks = new Map<number, Buffer>();
  readonly #keys: DatabaseRow[] = [];
  readonly #tail: DatabaseRow[];
  readonly #head: DatabaseRow;
  readonly #id: string;

  /** `segments`: in order of arrival, the records of each in order of time; `tail`: what arrived behind them. */
  constructor(
    segments: readonly (readonly StoredRecord[])[],
    tail: readonly StoredRecord[],
    { blockRows = BLOCK_ROWS, id = 'd' } = {},
  ) {
    this.#id = id;
    const runs = segments.map((records, age) => this.#addSegment(records, age + 1, blockRows));
    const memtable = new Memtable(Math.max(...runs.map(({ last }) => last)));
    memtable.add(tail);
    const out = new ByteWriter(64);
    writeRows(tail, out);
    this.#tail = [{ seq: 1, kind: 1, entry: out.copy() }];
    const times = [...segments.flat(), ...tail].map(({ timestamp }) => timestamp);
    const bytes = 12_345;
    this.#head = {
      device_id: id,
      epoch: 7,
      retired_by: null,
      dropped: false,
      version: 1,
      next_seq: 2,
      next_block: this.#blocks.size + 1,
      rows: times.length,
      bytes,
      first: Math.min(...times),
      last: Math.max(...times),
      last_seen: null,
      purged_at: null,
    };
    const sources = [...runs, ...memtable.sources(true)];
    const timeline = new Timeline(sources);
    this.whole = {
      lastSeen: null,
      purgedAt: null,
      isSettled: true,
      bytes,
      sources: () => sources,
      timeline: () => timeline,
      snapshot: () => ({ sources, timeline, release: () => Promise.resolve() }),
      read: (read) => read(),
      retrying: (work) => work(),
      failure: (error) => (error instanceof Error ? error : new Error(String(error))),
    };
  }

  /** Reads of it that know nothing yet, and hold so many bytes of blocks from one read to the next. */
  reads(blockBytes: number): Reads {
    return HeldDevice.reads([this], blockBytes);
  }

  /** The same of several, which have one database. */
  static reads(devices: readonly HeldDevice[], blockBytes: number): Reads {
    const answer = (statement: Statement) => {
      const [, asked] = statement.params ?? [];
      const ids: readonly unknown[] = Array.isArray(asked) ? asked : [asked];
      return devices
        .filter((device) => ids.includes(device.#id))
        .flatMap((device) => device.#answer(statement));
    };
    const askAll = (statements: readonly Statement[]) => {
      for (const device of devices) device.roundTrips++;
      return Promise.resolve(statements.map(answer));
    };
    const database = { askAll } as unknown as Database;
    return new Reads(database, new DeviceCache(database, 1 << 24), new Lru(blockBytes), ONE_LANE);
  }

  #addSegment(records: readonly StoredRecord[], age: number, blockRows: number): MemoryRun {
    const run = new MemoryRun();
    const building = new Building(records.length, () => this.#blocks.size + 1);
    for (let from = 0; from < records.length; from += blockRows) {
      const rows = new RowBuffer(blockRows);
      for (const record of records.slice(from, from + blockRows)) rows.add(record);
      const block = blockOf(rows);
      building.block(block);
      for (const { id, bytes } of building.takeBlocks()) this.#blocks.set(id, bytes);
      run.add(new Block(block.bytes));
    }
    const [made, more] = building.finish();
    if (!made || more) throw new TypeError('one segment was to be made');
    const { keys, ...row } = made;
    this.#segments.push({ ...row, segment_id: age, age });
    for (const { key, cells, numeric, summary } of keys)
      this.#keys.push({ segment_id: age, key, cells, numeric_cells: numeric, summary });
    return run;
  }

  #answer({ sql, params = [] }: Statement): DatabaseRow[] {
    const [, , third, fourth] = params;
    if (sql.includes('FROM device_head')) return [this.#head];
    if (sql.includes('FROM segment WHERE')) return this.#segments;
    if (sql.includes('FROM tail')) return this.#tail.filter(({ seq }) => (seq as number) > (third as number));
    if (sql.includes('FROM block'))
      return (third as number[]).map((id) => ({ block_id: id, bytes: this.#blocks.get(id)! }));
    const names = (fourth as Buffer[] | undefined)?.map(keyOf);
    if (sql.includes('FROM segment_key'))
      return this.#keys.filter(
        (row) =>
          (third as number[]).includes(row['segment_id'] as number) &&
          (names?.includes(keyOf(row['key'] as Buffer)) ?? true),
      );
    throw new TypeError(`nobody answers ${sql}`);
  }
}
