import type { FileFormat } from '#shared/domain/file-formats.ts';
import { createZoned, type Zoned } from '../../../base/zoned-time.ts';
import type { RecordFile } from '../../store.ts';
import { writeAscii } from '../codec/ascii.ts';
import {
  csvHead,
  csvText,
  escapeFormula,
  CSV_TIME_BYTES,
  writeCsvAscii,
  writeCsvTime,
  writeCsvZoned,
} from '../codec/csv-text.ts';
import { NUMBER_BYTES, writeNumber } from '../codec/json-number.ts';
import {
  fixedText,
  TIMESTAMP_BYTES,
  writeFixed,
  writePlainText,
  writeTimestamp,
  type FixedText,
} from '../codec/json-text.ts';
import { ABSENT, BOOLEAN, NUMBER } from '../block/cell-kind.ts';
import type { RowSlice, SliceColumn } from '../block/row-slice.ts';
import type { RowBatch } from './cursor.ts';
import { PerFilling } from './per-filling.ts';
import { Sheet } from '../codec/byte-sheet.ts';

const COMMA = 44;
const POINT = 46;
const CR = 13;
const LF = 10;
const CLOSE_BRACE = 125;
/** Texts of at most so many characters are written without a detour through the runtime, if they are plain. */
const SHORT_TEXT = 64;
const SHEET_BYTES = 1 << 18;

/** Rows as lines of a file: straight from their cells to bytes. */
export interface FileRows {
  /** Bytes written since `take`. */
  readonly length: number;
  add(batch: RowBatch): void;
  take(): Buffer<ArrayBuffer>;
  /** Writes what stands behind the last row. */
  end(): void;
}

/**
 * Writes the CSV and NDJSON files that export/export.ts describes, byte for byte: `keys` are the columns of CSV, in their order, and what
 * NDJSON shows, in the order of the rows; a row that has none of them is left out.
 */
export function createFileRows(file: TextFile): FileRows {
  return FILE_ROWS[file.format](file);
}

interface TextFile extends RecordFile {
  readonly format: FileFormat;
}

const FILE_ROWS: Readonly<Record<FileFormat, (file: TextFile) => FileRows>> = {
  csv: (file) => new CsvRows(file),
  ndjson: ({ keys }) => new NdjsonRows(keys),
};

/** A slice and how its columns are written. */
interface Layout<Part> {
  readonly slice: RowSlice;
  /** Columns that are written, with what the file needs of each; null for one that the slice lacks. */
  readonly columns: readonly (SliceColumn | null)[];
  readonly parts: readonly Part[];
  /** The decimals that numbers of each column had last. */
  readonly decimals: number[];
  /** Bytes that a row takes at most, its texts apart. */
  readonly width: number;
}

abstract class Rows<Part> implements FileRows {
  protected readonly sheet = new Sheet(SHEET_BYTES);
  readonly #layouts = new PerFilling((slice) => this.layoutOf(slice));

  get length(): number {
    return this.sheet.length;
  }

  take(): Buffer<ArrayBuffer> {
    return this.sheet.take();
  }

  end(): void {
    // Rows are all there is.
  }

  add(batch: RowBatch): void {
    for (let i = 0; i < batch.size; i++) {
      const layout = this.#layouts.of(batch.sliceAt(i));
      const row = batch.rowAt(i);
      if (layout.columns.some((column) => column !== null && column.kinds[row] !== ABSENT))
        this.row(layout, row);
    }
  }

  protected abstract layoutOf(slice: RowSlice): Layout<Part>;
  protected abstract row(layout: Layout<Part>, row: number): void;

  /** Writes a number or a truth at `at`; both have room. */
  protected writeValue(
    at: number,
    kind: number,
    value: number,
    { decimals }: Layout<Part>,
    column: number,
  ): number {
    const { view } = this.sheet;
    if (kind !== NUMBER) return writeAscii(view, at, value === 1 ? 'true' : 'false');
    if (value === 0 && Object.is(value, -0)) return writeAscii(view, at, '-0');
    return writeNumber(view, at, value, decimals, column);
  }

  /** Writes a text and keeps room for the rest of its row. */
  protected writeText(from: number, text: string, rest: number): number {
    const { sheet } = this;
    sheet.length = from;
    if (text.length <= SHORT_TEXT) {
      sheet.reserve(2 * SHORT_TEXT + 2 + rest);
      const at = this.plainText(from, text);
      if (at >= 0) return at;
    }
    sheet.text(this.quotedText(text));
    sheet.reserve(rest);
    return sheet.length;
  }

  /** Writes a text in quotes where it is plain: two bytes a character at most; -1, and nothing to keep, for any other. */
  protected abstract plainText(from: number, text: string): number;
  protected abstract quotedText(text: string): string;
}

class NdjsonRows extends Rows<FixedText> {
  readonly #names: ReadonlyMap<string, FixedText>;

  constructor(keys: readonly string[]) {
    super();
    this.#names = new Map(keys.map((key) => [key, fixedText(`,${JSON.stringify(key)}:`)]));
  }

  protected layoutOf(slice: RowSlice): Layout<FixedText> {
    const columns: SliceColumn[] = [];
    const parts: FixedText[] = [];
    let width = TIMESTAMP_BYTES + 16;
    for (const column of slice.columns) {
      const name = this.#names.get(column.key);
      if (name === undefined) continue;
      columns.push(column);
      parts.push(name);
      width += name.length + NUMBER_BYTES;
    }
    return { slice, columns, parts, decimals: columns.map(() => 1), width };
  }

  protected row(layout: Layout<FixedText>, row: number): void {
    const { slice, columns, parts, width } = layout;
    const { sheet } = this;
    sheet.reserve(width);
    let at = writeTimestamp(sheet.view, sheet.length, slice.times[row]!);
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i]!;
      const kind = column.kinds[row]!;
      if (kind === ABSENT) continue;
      at = writeFixed(sheet.view, at, parts[i]!);
      if (kind === NUMBER || kind === BOOLEAN)
        at = this.writeValue(at, kind, column.numbers[row]!, layout, i);
      else at = this.writeText(at, column.texts[row]!, width);
    }
    sheet.view.setUint8(at, CLOSE_BRACE);
    sheet.view.setUint8(at + 1, LF);
    sheet.length = at + 2;
  }

  protected plainText(from: number, text: string): number {
    return writePlainText(this.sheet.view, from, text);
  }

  protected quotedText(text: string): string {
    return JSON.stringify(text);
  }
}

class CsvRows extends Rows<null> {
  readonly #keys: readonly string[];
  readonly #delimiter: number;
  readonly #hasPoints: boolean;
  readonly #zoned: ((instant: number) => Zoned) | null;
  readonly #escapes: boolean;

  constructor({ keys, style }: RecordFile) {
    super();
    this.#keys = keys;
    this.#delimiter = style?.delimiter.charCodeAt(0) ?? COMMA;
    this.#hasPoints = style?.mark !== ',';
    this.#zoned = style?.zone ? createZoned(style.zone) : null;
    this.#escapes = style?.escapesFormulas === true;
    this.sheet.text(csvHead(keys, style));
  }

  protected layoutOf(slice: RowSlice): Layout<null> {
    const byKey = new Map(slice.columns.map((column) => [column.key, column]));
    const columns = this.#keys.map((key) => byKey.get(key) ?? null);
    const width = CSV_TIME_BYTES + columns.length * (NUMBER_BYTES + 1) + 2;
    return { slice, columns, parts: [], decimals: columns.map(() => 1), width };
  }

  protected row(layout: Layout<null>, row: number): void {
    const { slice, columns, width } = layout;
    const { sheet } = this;
    sheet.reserve(width);
    const time = slice.times[row]!;
    let at =
      this.#zoned === null
        ? writeCsvTime(sheet.view, sheet.length, time)
        : writeCsvZoned(sheet.view, sheet.length, this.#zoned(time));
    for (let i = 0; i < columns.length; i++) {
      sheet.view.setUint8(at++, this.#delimiter);
      const column = columns[i]!;
      const kind = column === null ? ABSENT : column.kinds[row]!;
      if (column === null || kind === ABSENT) continue;
      if (kind === NUMBER || kind === BOOLEAN)
        at = this.writeValue(at, kind, column.numbers[row]!, layout, i);
      else at = this.writeText(at, column.texts[row]!, width);
    }
    sheet.view.setUint8(at, CR);
    sheet.view.setUint8(at + 1, LF);
    sheet.length = at + 2;
  }

  protected override writeValue(
    at: number,
    kind: number,
    value: number,
    layout: Layout<null>,
    column: number,
  ): number {
    const end = super.writeValue(at, kind, value, layout, column);
    if (this.#hasPoints || kind !== NUMBER) return end;
    const { view } = this.sheet;
    for (let i = at; i < end; i++) if (view.getUint8(i) === POINT) view.setUint8(i, COMMA);
    return end;
  }

  protected override writeText(from: number, text: string, rest: number): number {
    return super.writeText(from, this.#escapes ? escapeFormula(text) : text, rest);
  }

  protected plainText(from: number, text: string): number {
    return writeCsvAscii(this.sheet.view, from, text);
  }

  protected quotedText(text: string): string {
    return csvText(text);
  }
}
