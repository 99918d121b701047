import { ABSENT, BOOLEAN, NUMBER, TEXT } from './blocks/block/cell-kind.ts';
import type { CellColumn, Columnar, StoredRecord, Value } from './store.ts';
import type { Micros } from '#shared/values/time.ts';

export { ABSENT, BOOLEAN, NUMBER, TEXT };

/** Room for records as columns, to be filled again and again. Rows at `size` and behind it may hold anything. */
export class RecordColumns implements Columnar {
  size = 0;
  readonly received: Micros;
  readonly times: Float64Array;
  readonly columns: readonly CellColumn[];

  /** `keys` are distinct; `capacity` is the most rows. */
  constructor(keys: readonly string[], received: Micros, capacity: number) {
    this.received = received;
    this.times = new Float64Array(capacity);
    this.columns = keys.map((key) => ({
      key,
      kinds: new Uint8Array(capacity),
      numbers: new Float64Array(capacity),
      texts: [],
    }));
  }

  get isFull(): boolean {
    return this.size === this.times.length;
  }

  clear(): void {
    this.size = 0;
    for (const { texts } of this.columns) texts.length = 0;
  }

  /** Adds a record whose keys are all among the columns. */
  add({ timestamp, keys, values }: StoredRecord): void {
    const row = this.size++;
    this.times[row] = timestamp;
    let key = 0;
    // Keys stand in the order of the columns, some of them left out.
    for (const column of this.columns) {
      const value = column.key === keys[key] ? values[key++] : undefined;
      setCell(column, row, value);
    }
    if (key !== keys.length) throw new Error(`There is no column for the key ${keys[key]}.`);
  }
}

/** The records of some columns. */
export function recordsOf({ size, times, received, columns }: Columnar): StoredRecord[] {
  return Array.from({ length: size }, (_, row) => {
    const keys: string[] = [];
    const values: Value[] = [];
    for (const { key, kinds, numbers, texts } of columns) {
      const kind = kinds[row]!;
      if (kind === ABSENT) continue;
      keys.push(key);
      values.push(kind === TEXT ? texts[row]! : kind === BOOLEAN ? numbers[row] === 1 : numbers[row]!);
    }
    return { timestamp: times[row]!, received, keys, values };
  });
}

/** The records whose mark is 0, moved up in the same columns; what was behind them may be anything. */
export function withoutMarked(records: Columnar, marks: Uint8Array): Columnar {
  const { times, received, columns } = records;
  let size = 0;
  for (let row = 0; row < records.size; row++) {
    if (marks[row] === 1) continue;
    if (size < row) {
      times[size] = times[row]!;
      for (const { kinds, numbers, texts } of columns) {
        kinds[size] = kinds[row]!;
        numbers[size] = numbers[row]!;
        if (kinds[row] === TEXT) texts[size] = texts[row]!;
      }
    }
    size++;
  }
  return { size, times, received, columns };
}

function setCell(column: CellColumn, row: number, value: Value | undefined): void {
  if (value === undefined) column.kinds[row] = ABSENT;
  else if (typeof value === 'string') {
    column.kinds[row] = TEXT;
    column.texts[row] = value;
  } else {
    column.kinds[row] = typeof value === 'number' ? NUMBER : BOOLEAN;
    column.numbers[row] = Number(value);
  }
}
