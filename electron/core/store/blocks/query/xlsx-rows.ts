import { XlsxSheets } from '../codec/xlsx-sheets.ts';
import type { RecordFile } from '../../store.ts';
import { ABSENT, BOOLEAN, NUMBER } from '../block/cell-kind.ts';
import type { RowSlice, SliceColumn } from '../block/row-slice.ts';
import type { RowBatch } from './cursor.ts';
import type { FileRows } from './file-rows.ts';
import { PerFilling } from './per-filling.ts';

/** Rows as worksheets of a workbook, which export/workbook/ makes of them. */
export class XlsxRows implements FileRows {
  readonly #sheets: XlsxSheets;
  readonly #columns: PerFilling<readonly (SliceColumn | null)[]>;

  constructor({ keys, style }: Pick<RecordFile, 'keys' | 'style'>) {
    this.#sheets = new XlsxSheets(keys, style);
    this.#columns = new PerFilling((slice: RowSlice) => {
      const byKey = new Map(slice.columns.map((column) => [column.key, column]));
      return keys.map((key) => byKey.get(key) ?? null);
    });
  }

  get length(): number {
    return this.#sheets.length;
  }

  add(batch: RowBatch): void {
    for (let i = 0; i < batch.size; i++) {
      const slice = batch.sliceAt(i);
      const row = batch.rowAt(i);
      const columns = this.#columns.of(slice);
      let some = false;
      for (let place = 0; place < columns.length; place++) {
        const column = columns[place] ?? null;
        const kind = column === null ? ABSENT : column.kinds[row]!;
        if (column === null || kind === ABSENT) continue;
        if (!some) this.#sheets.row(slice.times[row]!);
        some = true;
        if (kind === NUMBER) this.#sheets.number(place, column.numbers[row]!);
        else if (kind === BOOLEAN) this.#sheets.truth(place, column.numbers[row] === 1);
        else this.#sheets.text(place, column.texts[row]!);
      }
    }
  }

  take(): Buffer<ArrayBuffer> {
    return this.#sheets.take();
  }

  end(): void {
    this.#sheets.end();
  }
}
