import { FIRST_RECORD_TIME, LAST_RECORD_TIME, type Micros } from '#shared/values/time.ts';
import { ABSENT, BOOLEAN, NUMBER, RecordColumns, TEXT } from '../../store/record-columns.ts';
import { digitOf, NO_NUMBER, readNumber } from '../number.ts';
import { MAX_TEXT_LENGTH } from '../record.ts';
import { readPlainTime, timeEnd } from './plain-time.ts';
import type { Shape } from './shape.ts';

/** Rows that are read before they are passed on. */
const MOST_ROWS = 1024;
/** UTF-16 code units of their texts. */
const MOST_TEXT = 1 << 20;

/** Why a record cannot be read so: what stands between its values, or a value. */
const OTHER_SHAPE = -1;
export const ODD_VALUE = -2;

const QUOTE = 34;
const BACKSLASH = 92;
const BLANK = 32;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const ASCII_END = 128;
const LETTER_F = 102;
const LETTER_N = 110;
const LETTER_T = 116;
/** "true", "alse" and "null" as little-endian words: of "false" what follows its first letter. */
const TRUE_WORD = 0x65757274;
const ALSE_WORD = 0x65736c61;
const NULL_WORD = 0x6c6c756e;

/**
 * Reads records of one shape from bytes to columns. Whatever is not written in the plainest way (texts that are not ASCII
 * or hold escapes, times with an offset, a value that is refused) it leaves to the careful way, JSON.parse and `toRecord`.
 */
export class PlainRecords {
  readonly shape: Shape;
  columns: RecordColumns;
  readonly #received: Micros;
  readonly #spare: RecordColumns[] = [];
  /** The text that each column had last: many repeat it. */
  readonly #last: string[];
  #textLength = 0;
  /** Length of the texts of the row that was read last. */
  #rowText = 0;

  constructor(shape: Shape, received: Micros) {
    this.shape = shape;
    this.#received = received;
    this.#last = shape.keys.map(() => '');
    this.columns = this.#newColumns();
  }

  get isFull(): boolean {
    return this.columns.isFull || this.#textLength > MOST_TEXT;
  }

  /** Makes the record that was read last one of the columns. */
  keep(): void {
    this.columns.size++;
    this.#textLength += this.#rowText;
  }

  /** Gives the columns away, and goes on with others. */
  take(): RecordColumns {
    const taken = this.columns;
    this.columns = this.#spare.pop() ?? this.#newColumns();
    this.#textLength = 0;
    return taken;
  }

  /** Drops the rows. */
  clear(): void {
    this.columns.clear();
    this.#textLength = 0;
  }

  /** Takes columns back that are not read any more. */
  giveBack(columns: RecordColumns): void {
    columns.clear();
    this.#spare.push(columns);
  }

  /**
   * Reads the record that begins at `from` into the row behind the last one, and returns where it ends; OTHER_SHAPE
   * or ODD_VALUE where it is not plain or not whole. Behind the bytes of the text stands a 0.
   */
  read(bytes: Buffer, from: number): number {
    const { text, ends, time } = this.shape;
    const { columns, times, size: row } = this.columns;
    const fields = ends.length - 1;
    let at = from;
    let part = 0;
    let column = 0;
    let present = 0;
    let instant = this.#received;
    this.#rowText = 0;
    for (let field = 0; field < fields; field++) {
      for (const end = ends[field]!; part < end; part++) if (bytes[at++] !== text[part]) return OTHER_SHAPE;
      const first = bytes[at]!;
      if (field === time) {
        if (first === QUOTE) {
          instant = readPlainTime(bytes, at);
          at = timeEnd.at;
        } else if (first === LETTER_N) {
          if (wordAt(bytes, at) !== NULL_WORD) return ODD_VALUE;
          at += 4;
        } else {
          at = readJsonNumber(bytes, at, times, row);
          if (at === NO_NUMBER) return ODD_VALUE;
          instant = times[row]! * 1000;
          if (!Number.isSafeInteger(instant / 1000)) return ODD_VALUE;
        }
        if (!(instant >= FIRST_RECORD_TIME && instant <= LAST_RECORD_TIME)) return ODD_VALUE;
        continue;
      }
      const { kinds, numbers, texts } = columns[column]!;
      if (first === QUOTE) {
        const end = this.#readText(bytes, at + 1, column);
        if (end === ODD_VALUE) return ODD_VALUE;
        kinds[row] = TEXT;
        texts[row] = this.#last[column]!;
        at = end;
      } else if (first === LETTER_T || first === LETTER_F) {
        const isTrue = first === LETTER_T;
        if (!isTrue) at++;
        if (wordAt(bytes, at) !== (isTrue ? TRUE_WORD : ALSE_WORD)) return ODD_VALUE;
        kinds[row] = BOOLEAN;
        numbers[row] = isTrue ? 1 : 0;
        at += 4;
      } else if (first === LETTER_N) {
        if (wordAt(bytes, at) !== NULL_WORD) return ODD_VALUE;
        kinds[row] = ABSENT;
        present--;
        at += 4;
      } else {
        at = readJsonNumber(bytes, at, numbers, row);
        if (at === NO_NUMBER) return ODD_VALUE;
        kinds[row] = NUMBER;
      }
      present++;
      column++;
    }
    for (const end = ends[fields]!; part < end; part++) if (bytes[at++] !== text[part]) return OTHER_SHAPE;
    if (present === 0) return ODD_VALUE;
    times[row] = instant;
    return at;
  }

  /** Reads the text whose first character is at `from` into `#last`; returns where it ends behind its quote. */
  #readText(bytes: Buffer, from: number, column: number): number {
    const last = this.#last[column]!;
    let at = from;
    let isLast = true;
    for (let byte = bytes[at]!; byte !== QUOTE; byte = bytes[++at]!) {
      if (byte < BLANK || byte === BACKSLASH || byte >= ASCII_END) return ODD_VALUE;
      if (byte !== last.charCodeAt(at - from)) isLast = false;
    }
    const length = at - from;
    if (length > MAX_TEXT_LENGTH) return ODD_VALUE;
    if (!isLast || length !== last.length) this.#last[column] = bytes.toString('latin1', from, at);
    this.#rowText += length;
    return at + 1;
  }

  #newColumns(): RecordColumns {
    return new RecordColumns(this.shape.keys, this.#received, MOST_ROWS);
  }
}

/** RFC 8259, section 6: no zeros before other digits. */
function readJsonNumber(bytes: Buffer, from: number, numbers: Float64Array, index: number): number {
  const start = bytes[from] === MINUS ? from + 1 : from;
  if (bytes[start] === ZERO && digitOf(bytes[start + 1]) < 10) return NO_NUMBER;
  return readNumber(bytes, from, POINT, true, numbers, index);
}

/** Four bytes, of which none is read behind the 0 at the end of the text. */
function wordAt(bytes: Buffer, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
}
