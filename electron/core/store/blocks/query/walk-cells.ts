import { ROW, type TakeCell } from '../../store.ts';
import { ABSENT, NUMBER, TEXT } from '../block/cell-kind.ts';
import type { RowSlice, SliceColumn } from '../block/row-slice.ts';
import type { RowBatch } from './cursor.ts';
import { PerFilling } from './per-filling.ts';

/** A column of a slice, and the place of its key among those asked for. */
interface Lane {
  readonly place: number;
  readonly column: SliceColumn;
}

/** Hands on the cells of rows, one row after the other; with `rows` each row itself before its cells. */
export class CellWalk {
  readonly #lanes: PerFilling<readonly Lane[]>;
  readonly #rows: boolean;
  readonly #take: TakeCell;

  constructor(keys: readonly string[], rows: boolean, take: TakeCell) {
    const places = new Map(keys.map((key, place) => [key, place]));
    this.#rows = rows;
    this.#take = take;
    this.#lanes = new PerFilling((slice: RowSlice) =>
      slice.columns.flatMap((column) => {
        const place = places.get(column.key);
        return place === undefined ? [] : { place, column };
      }),
    );
  }

  add(batch: RowBatch): void {
    const take = this.#take;
    for (let i = 0; i < batch.size; i++) {
      const slice = batch.sliceAt(i);
      const row = batch.rowAt(i);
      const time = slice.times[row]!;
      if (this.#rows) take(ROW, time, NUMBER, slice.received[row]!, '');
      for (const { place, column } of this.#lanes.of(slice)) {
        const kind = column.kinds[row]!;
        if (kind === ABSENT) continue;
        take(place, time, kind, column.numbers[row]!, kind === TEXT ? column.texts[row]! : '');
      }
    }
  }
}
