import { ByteWriter, ParquetWriter, type ColumnSource } from 'hyparquet-writer';

/*
 * Records as a Parquet file (https://parquet.apache.org/docs/file-format/), row group by row group, so that memory stays
 * bounded. Where a row group ends depends on what stands in it alone: the same records make the same bytes, wherever and
 * in whatever portions they come.
 */

/** A row group ends after so many rows, values, or characters of text, whichever comes first. */
const MOST_ROWS = 1 << 16;
const MOST_CELLS = 1 << 18;
const MOST_TEXT = 1 << 22;

/** Bytes of a column that are read at once at most. */
const PAGE_BYTES = 1 << 20;

/** Kinds of values in a column. */
export interface KindsSeen {
  number: boolean;
  boolean: boolean;
  text: boolean;
}

type ColumnType = 'DOUBLE' | 'BOOLEAN' | 'STRING';

/** One kind has its own type; a column of several kinds is text, which alone keeps all of them apart. */
function typeOf({ number, boolean, text }: KindsSeen): ColumnType {
  if (text || (number && boolean)) return 'STRING';
  return boolean ? 'BOOLEAN' : 'DOUBLE';
}

/** The values of a column in a row group, with their rows: columns may be sparse. */
interface Cells {
  readonly name: string;
  readonly type: ColumnType;
  rows: number[];
  values: (number | boolean | string)[];
}

export class ParquetFile {
  readonly #columns: readonly Cells[];
  readonly #bytes = new ByteWriter(1 << 16);
  readonly #writer: ParquetWriter;
  #times: bigint[] = [];
  #cells = 0;
  #text = 0;

  constructor(keys: readonly string[], kinds: readonly KindsSeen[]) {
    this.#columns = keys.map((name, index) => ({
      name,
      type: typeOf(kinds[index] ?? { number: true, boolean: false, text: false }),
      rows: [],
      values: [],
    }));
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      createdBy: 'Fieldbench',
      schema: [
        { name: 'root', num_children: keys.length + 1 },
        {
          name: 'timestamp',
          type: 'INT64',
          converted_type: 'TIMESTAMP_MICROS',
          logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
          repetition_type: 'REQUIRED',
        },
        ...this.#columns.map(({ name, type }) => ({
          name,
          repetition_type: 'OPTIONAL' as const,
          ...(type === 'STRING'
            ? {
                type: 'BYTE_ARRAY' as const,
                converted_type: 'UTF8' as const,
                logical_type: { type: 'STRING' as const },
              }
            : { type }),
        })),
      ],
    });
  }

  /** Bytes written since `take`. */
  get length(): number {
    return this.#bytes.index;
  }

  /** Begins a row; `time` in µs. */
  row(time: number): void {
    if (this.#times.length >= MOST_ROWS || this.#cells >= MOST_CELLS || this.#text >= MOST_TEXT)
      this.#group();
    this.#times.push(BigInt(time));
    this.#cells++;
  }

  /** A value of the row, in the column of a key. */
  cell(column: number, value: number | boolean | string): void {
    const cells = this.#columns[column];
    if (cells === undefined) return;
    const held = cells.type !== 'STRING' || typeof value === 'string' ? value : textOf(value);
    cells.rows.push(this.#times.length - 1);
    cells.values.push(held);
    this.#cells++;
    if (typeof held === 'string') this.#text += held.length;
  }

  /** The end of the file; no more rows come. */
  end(): void {
    this.#group();
    void this.#writer.finish();
  }

  take(): Buffer<ArrayBuffer> {
    const taken = Buffer.allocUnsafeSlow(this.#bytes.index);
    taken.set(this.#bytes.getBytes());
    this.#bytes.index = 0;
    return taken;
  }

  #group(): void {
    const rows = this.#times.length;
    if (rows === 0) return;
    const columnData: ColumnSource[] = [
      { name: 'timestamp', data: this.#times, encoding: 'DELTA_BINARY_PACKED', offsetIndex: false },
      ...this.#columns.map((cells) => columnSource(cells, rows)),
    ];
    void this.#writer.write({ columnData, rowGroupSize: rows, pageSize: PAGE_BYTES });
    for (const cells of this.#columns) {
      cells.rows = [];
      cells.values = [];
    }
    this.#times = [];
    this.#cells = 0;
    this.#text = 0;
  }
}

/** A column as the writer wants it, laid out when its turn comes: thousands of sparse ones are never there at once. */
function columnSource({ name, type, rows, values }: Cells, size: number): ColumnSource {
  return {
    name,
    offsetIndex: false,
    ...(type === 'DOUBLE' && { encoding: 'PLAIN' as const }),
    get data() {
      const all = Array.from<number | boolean | string | null>({ length: size }).fill(null);
      for (const [index, row] of rows.entries()) all[row] = values[index] ?? null;
      return all;
    },
  };
}

/** As in the other formats. */
function textOf(value: number | boolean): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
