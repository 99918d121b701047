import { createZonedText, createZoned } from '../../../base/zoned-time.ts';
import { formatMicros } from '#shared/values/time.ts';
import {
  columnName,
  hasSerial,
  headRow,
  MOST_ROWS,
  NEXT_SHEET,
  rowOf,
  SHEET_END,
  sheetStart,
  textCell,
  timeCell,
  valueCell,
} from './xlsx-cells.ts';

const TIME_WIDTH = 24;
const EXACT_WIDTH = 34;
const KEY_WIDTH = 14;

/** How the sheets of a device are written. */
export interface SheetStyle {
  /** An IANA zone, whose clock the times are of; null for UTC. */
  readonly zone: string | null;
  /** Names of the columns, in the order of the keys. */
  readonly names: readonly string[];
}

/**
 * Records as worksheets of a workbook, with NEXT_SHEET between one and the next. The first column is the time as a date, the last
 * one the exact time as ISO 8601 wherever the date does not tell it: Excel shows milliseconds, knows no zone, and no day before
 * 1900-03-01. The same records make the same text, however they come.
 */
export class XlsxSheets {
  readonly #columns: readonly string[];
  readonly #exact: string;
  readonly #start: string;
  readonly #text: (instant: number) => string;
  readonly #wall: (instant: number) => number;
  readonly #isUtc: boolean;
  readonly #mostRows: number;
  #rows = 1;
  #out = '';
  #number = '';
  #cells = '';
  #time = 0;
  #isBegun = false;

  /** `mostRows`: of a sheet, its head included. */
  constructor(keys: readonly string[], style: SheetStyle | undefined, mostRows = MOST_ROWS) {
    const { zone = null, names = keys } = style ?? {};
    this.#columns = keys.map((_, i) => columnName(i + 1));
    this.#exact = columnName(keys.length + 1);
    this.#isUtc = zone === null;
    this.#text = zone === null ? formatMicros : createZonedText(zone);
    const zoned = zone === null ? null : createZoned(zone);
    this.#wall = zoned === null ? (instant) => instant : (instant) => zoned(instant).wall;
    this.#mostRows = mostRows;
    const titles = [`timestamp (${zone ?? 'UTC'})`, ...names, 'exact timestamp'];
    this.#start = sheetStart([TIME_WIDTH, ...keys.map(() => KEY_WIDTH), EXACT_WIDTH]) + headRow(titles);
    this.#out = this.#start;
  }

  /** Characters that `take` gives. */
  get length(): number {
    return this.#out.length;
  }

  /** Begins a row; `time` in µs. */
  row(time: number): void {
    this.#endRow();
    if (this.#rows === this.#mostRows) {
      this.#out += SHEET_END + String.fromCharCode(NEXT_SHEET) + this.#start;
      this.#rows = 1;
    }
    this.#rows++;
    this.#isBegun = true;
    this.#time = time;
    this.#number = String(this.#rows);
    const wall = this.#wall(time);
    this.#cells = timeCell(`A${this.#number}`, wall, this.#text(time));
  }

  /** A value of the row, in the column of a key; columns come in their order. */
  cell(column: number, value: number | boolean | string): void {
    this.#cells += valueCell(this.#columns[column]! + this.#number, value);
  }

  /** The end of the last sheet; no more rows come. */
  end(): void {
    this.#endRow();
    this.#out += SHEET_END;
  }

  take(): string {
    const taken = this.#out;
    this.#out = '';
    return taken;
  }

  #endRow(): void {
    if (!this.#isBegun) return;
    const time = this.#time;
    const isTold = this.#isUtc && time % 1000 === 0 && hasSerial(time);
    const exact = isTold ? '' : textCell(this.#exact + this.#number, this.#text(time));
    this.#out += rowOf(this.#rows, this.#cells + exact);
    this.#isBegun = false;
  }
}
