import { createZoned, type Zoned } from '../../../base/zoned-time.ts';
import { writeAscii, writeSixDigits } from './ascii.ts';
import { Sheet } from './byte-sheet.ts';
import { CSV_TIME_BYTES, writeCsvTime, writeCsvZoned } from './csv-text.ts';
import { NUMBER_BYTES, writeNumber } from './json-number.ts';
import { fixedText, writeFixed, type FixedText } from './json-text.ts';
import {
  columnName,
  cutText,
  EPOCH_DAYS,
  hasSerial,
  headRow,
  isLongInteger,
  keepsBlanks,
  MOST_ROWS,
  NEXT_SHEET,
  SHEET_END,
  sheetStart,
  STYLES,
  xmlText,
} from './xlsx-cells.ts';

const TIME_WIDTH = 24;
const EXACT_WIDTH = 34;
const KEY_WIDTH = 14;

const DAY_US = 86_400_000_000;
const SHEET_BYTES = 1 << 18;
/** What stands around the value of a cell, at most; and what is written too many. */
const AROUND_BYTES = 128;
/** Texts of at most so many characters are written without a detour through the runtime, if they are plain. */
const SHORT_TEXT = 64;

const ROW = fixedText('<row r="');
const ROW_BEGUN = fixedText('">');
const ROW_END = fixedText('</row>');
const TIME = fixedText(`" s="${STYLES.time}"><v>`);
const NUMBER = fixedText('"><v>');
const TRUTH = fixedText('" t="b"><v>');
const VALUE_END = fixedText('</v></c>');
const TEXT = fixedText('" t="inlineStr"><is><t>');
const TEXT_WITH_BLANKS = fixedText('" t="inlineStr"><is><t xml:space="preserve">');
const TEXT_END = fixedText('</t></is></c>');

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
 * 1900-03-01. The same records make the same bytes, however they come.
 */
export class XlsxSheets {
  readonly #sheet = new Sheet(SHEET_BYTES);
  /** `<c r="B` of each key, of the time, and of the exact time. */
  readonly #columns: readonly FixedText[];
  readonly #timeColumn = columnStart(0);
  readonly #exactColumn: FixedText;
  readonly #decimals: number[];
  readonly #start: string;
  readonly #zoned: ((instant: number) => Zoned) | null;
  readonly #mostRows: number;
  #rows = 1;
  /** The number of the row, and its time; null between rows. */
  #number = '';
  #time: number | null = null;

  /** `mostRows`: of a sheet, its head included. */
  constructor(keys: readonly string[], style: SheetStyle | undefined, mostRows = MOST_ROWS) {
    const { zone = null, names = keys } = style ?? {};
    this.#columns = keys.map((_, i) => columnStart(i + 1));
    this.#exactColumn = columnStart(keys.length + 1);
    this.#decimals = keys.map(() => 1);
    this.#zoned = zone === null ? null : createZoned(zone);
    this.#mostRows = mostRows;
    const titles = [`timestamp (${zone ?? 'UTC'})`, ...names, 'exact timestamp'];
    this.#start = sheetStart([TIME_WIDTH, ...keys.map(() => KEY_WIDTH), EXACT_WIDTH]) + headRow(titles);
    this.#sheet.text(this.#start);
  }

  /** Bytes written since `take`. */
  get length(): number {
    return this.#sheet.length;
  }

  /** Begins a row; `time` in µs. */
  row(time: number): void {
    this.#endRow();
    const sheet = this.#sheet;
    if (this.#rows === this.#mostRows) {
      sheet.text(SHEET_END);
      sheet.character(NEXT_SHEET);
      sheet.text(this.#start);
      this.#rows = 1;
    }
    this.#rows++;
    this.#number = String(this.#rows);
    this.#time = time;
    const wall = this.#zoned === null ? time : this.#zoned(time).wall;
    sheet.reserve(AROUND_BYTES);
    const at = writeAscii(sheet.view, writeFixed(sheet.view, sheet.length, ROW), this.#number);
    this.#end(at, ROW_BEGUN);
    if (!hasSerial(wall)) {
      this.#iso(this.#timeColumn, time);
      return;
    }
    const begun = this.#begin(this.#timeColumn, TIME);
    this.#end(writeSerial(sheet.view, begun, wall), VALUE_END);
  }

  /** A value of the row, in the column of a key; columns come in their order. */
  cell(column: number, value: number | boolean | string): void {
    if (typeof value === 'string') this.text(column, value);
    else if (typeof value === 'number') this.number(column, value);
    else this.truth(column, value);
  }

  number(column: number, value: number): void {
    if (isLongInteger(value)) {
      this.text(column, String(value));
      return;
    }
    const at = this.#begin(this.#columns[column]!, NUMBER);
    this.#end(
      value === 0 && Object.is(value, -0)
        ? writeAscii(this.#sheet.view, at, '-0')
        : writeNumber(this.#sheet.view, at, value, this.#decimals, column),
      VALUE_END,
    );
  }

  truth(column: number, value: boolean): void {
    const at = this.#begin(this.#columns[column]!, TRUTH);
    this.#end(writeAscii(this.#sheet.view, at, value ? '1' : '0'), VALUE_END);
  }

  text(column: number, text: string): void {
    const sheet = this.#sheet;
    const of = this.#columns[column]!;
    if (text.length <= SHORT_TEXT) {
      const begun = this.#begin(of, TEXT);
      const at = writePlain(sheet.view, begun, text);
      if (at >= 0) {
        this.#end(at, TEXT_END);
        return;
      }
    }
    const kept = cutText(text);
    sheet.length = this.#begin(of, keepsBlanks(kept) ? TEXT_WITH_BLANKS : TEXT);
    sheet.text(xmlText(kept));
    sheet.reserve(AROUND_BYTES);
    this.#end(sheet.length, TEXT_END);
  }

  /** The end of the last sheet; no more rows come. */
  end(): void {
    this.#endRow();
    this.#sheet.text(SHEET_END);
  }

  take(): Buffer<ArrayBuffer> {
    return this.#sheet.take();
  }

  #endRow(): void {
    const time = this.#time;
    if (time === null) return;
    this.#time = null;
    const isTold = this.#zoned === null && time % 1000 === 0 && hasSerial(time);
    if (!isTold) this.#iso(this.#exactColumn, time);
    this.#sheet.reserve(AROUND_BYTES);
    this.#end(this.#sheet.length, ROW_END);
  }

  #iso(column: FixedText, time: number): void {
    const at = this.#begin(column, TEXT);
    const { view } = this.#sheet;
    const end =
      this.#zoned === null ? writeCsvTime(view, at, time) : writeCsvZoned(view, at, this.#zoned(time));
    this.#end(end, TEXT_END);
  }

  /** Writes the beginning of a cell, and keeps room for the rest of a short one; returns where its value begins. */
  #begin(column: FixedText, kind: FixedText): number {
    const sheet = this.#sheet;
    sheet.reserve(AROUND_BYTES + Math.max(NUMBER_BYTES, CSV_TIME_BYTES, SHORT_TEXT));
    const at = writeFixed(sheet.view, sheet.length, column);
    return writeFixed(sheet.view, writeAscii(sheet.view, at, this.#number), kind);
  }

  #end(at: number, end: FixedText): void {
    this.#sheet.length = writeFixed(this.#sheet.view, at, end);
  }
}

const columnStart = (index: number) => fixedText(`<c r="${columnName(index)}`);

/** Writes the days since 1899-12-30 of a time in µs, with twelve digits: right to the µs as a double, too. */
function writeSerial(view: DataView, from: number, wall: number): number {
  const day = Math.floor(wall / DAY_US);
  const share = Math.round((wall - day * DAY_US) / (DAY_US / 1e12));
  const at = writeAscii(view, from, `${day + EPOCH_DAYS}.`);
  const high = Math.floor(share / 1e6);
  return writeSixDigits(view, writeSixDigits(view, at, high), share - high * 1e6);
}

/** Writes a text that needs no escape and no blanks kept; -1, and nothing to keep, for any other. */
function writePlain(view: DataView, from: number, text: string): number {
  let at = from;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const isInner = code === BLANK && i > 0 && i < text.length - 1;
    if (
      (code <= BLANK && !isInner) ||
      code > 126 ||
      code === AND ||
      code === LESS ||
      code === MORE ||
      code === LINE
    )
      return -1;
    view.setUint8(at++, code);
  }
  return at;
}

const BLANK = 32;
const AND = 38;
const LESS = 60;
const MORE = 62;
const LINE = 95;
