import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { ByteWriter } from '#shared/handover/bytes.ts';
import { packColumn, packTimes, PART_ROWS } from '#shared/handover/packed-columns.ts';
import type { Micros } from '#shared/values/time.ts';
import type { StoredRecord, Value } from '../../store/store.ts';
import { Pace } from '../../turns/pace.ts';

const deflated = promisify(deflate);

/** Records as columns: base64 of deflated bytes (shared/handover/packed-columns.ts). */
export interface PackedView {
  readonly records: number;
  /** Times of the first and the last one; null without any. */
  readonly first: Micros | null;
  readonly last: Micros | null;
  readonly times: string;
  /** In the order of the keys; of those that have values. */
  readonly columns: readonly (readonly [key: string, column: string])[];
}

/** The values of a key in the records of a part. */
interface Part {
  readonly at: number[];
  readonly values: Value[];
}

/** Packs records in the order in which they come. Rejects as the scan does, or as the signal's reason. */
export async function packView(
  scan: AsyncIterable<readonly StoredRecord[]>,
  keys: readonly string[],
  signal?: AbortSignal,
): Promise<PackedView> {
  const columns = new Map(keys.map((key) => [key, new ColumnPacker()]));
  const pace = new Pace();
  const packed = new ByteWriter();
  let times: Micros[] = [];
  let records = 0;
  let first: Micros | null = null;
  let last: Micros | null = null;

  const endPart = async () => {
    records += times.length;
    packTimes(times, packed);
    for (const column of columns.values()) {
      column.endPart(times.length);
      if (await pace.pause()) signal?.throwIfAborted();
    }
    times = [];
  };

  for await (const batch of scan) {
    signal?.throwIfAborted();
    for (const { timestamp, keys: own, values } of batch) {
      for (const [place, key] of own.entries()) {
        const value = values[place];
        if (value !== undefined) columns.get(key)?.take(times.length, value);
      }
      times.push(timestamp);
      first ??= timestamp;
      last = timestamp;
      if (times.length === PART_ROWS) await endPart();
    }
    await pace.pause();
  }
  if (times.length > 0) await endPart();
  const written: (readonly [string, string])[] = [];
  for (const [key, column] of columns)
    if (column.hasValues) written.push([key, await base64Of(column.bytes())]);
  return { records, first, last, times: await base64Of(packed.take()), columns: written };
}

class ColumnPacker {
  readonly #packed = new ByteWriter();
  #part: Part = { at: [], values: [] };
  #hasValues = false;

  get hasValues(): boolean {
    return this.#hasValues;
  }

  take(row: number, value: Value): void {
    this.#part.at.push(row);
    this.#part.values.push(value);
  }

  endPart(rows: number): void {
    const { at, values } = this.#part;
    this.#hasValues ||= at.length > 0;
    packColumn(rows, at, values, this.#packed);
    this.#part = { at: [], values: [] };
  }

  bytes(): Uint8Array {
    return this.#packed.take();
  }
}

/** Zlib's format has a checksum: a page that came damaged says so. */
async function base64Of(bytes: Uint8Array): Promise<string> {
  return (await deflated(bytes)).toString('base64');
}
