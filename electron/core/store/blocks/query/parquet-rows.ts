import { ABSENT, BOOLEAN, NUMBER } from '../block/cell-kind.ts';
import { ParquetFile, type KindsSeen } from '../codec/parquet-file.ts';
import type { RowSlice, SliceColumn } from '../block/row-slice.ts';
import type { RowBatch } from './cursor.ts';
import type { FileRows } from './file-rows.ts';
import { PerFilling } from './per-filling.ts';

/** The columns of a slice that a file has, and their places in it. */
type Places = readonly { readonly column: SliceColumn; readonly place: number }[];

function createPlaces(keys: readonly string[]): (slice: RowSlice) => Places {
  const placeOf = new Map(keys.map((key, place) => [key, place]));
  const places = new PerFilling((slice): Places =>
    slice.columns.flatMap((column) => {
      const place = placeOf.get(column.key);
      return place === undefined ? [] : [{ column, place }];
    }),
  );
  return (slice) => places.of(slice);
}

/** Notes which kinds of values each key has: a Parquet file says the types of its columns once, for all its rows. */
export class KindsOfRows {
  readonly kinds: readonly KindsSeen[];
  readonly #places: (slice: RowSlice) => Places;

  constructor(keys: readonly string[]) {
    this.kinds = keys.map(() => ({ number: false, boolean: false, text: false }));
    this.#places = createPlaces(keys);
  }

  add(batch: RowBatch): void {
    for (let i = 0; i < batch.size; i++) {
      const row = batch.rowAt(i);
      for (const { column, place } of this.#places(batch.sliceAt(i))) {
        const kind = column.kinds[row]!;
        if (kind === ABSENT) continue;
        const seen = this.kinds[place]!;
        if (kind === NUMBER) seen.number = true;
        else if (kind === BOOLEAN) seen.boolean = true;
        else seen.text = true;
      }
    }
  }
}

/** Rows as a Parquet file. */
export class ParquetRows implements FileRows {
  readonly #file: ParquetFile;
  readonly #places: (slice: RowSlice) => Places;

  constructor(keys: readonly string[], kinds: readonly KindsSeen[]) {
    this.#file = new ParquetFile(keys, kinds);
    this.#places = createPlaces(keys);
  }

  get length(): number {
    return this.#file.length;
  }

  add(batch: RowBatch): void {
    for (let i = 0; i < batch.size; i++) {
      const slice = batch.sliceAt(i);
      const row = batch.rowAt(i);
      let some = false;
      for (const { column, place } of this.#places(slice)) {
        const value = column.value(row);
        if (value === undefined) continue;
        if (!some) this.#file.row(slice.times[row]!);
        some = true;
        this.#file.cell(place, value);
      }
    }
  }

  take(): Buffer<ArrayBuffer> {
    return this.#file.take();
  }

  end(): void {
    this.#file.end();
  }
}
