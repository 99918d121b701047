import type { CellColumn } from '../../../store/store.ts';
import { ABSENT, BOOLEAN, NUMBER, TEXT } from '../../../store/record-columns.ts';
import { digitOf } from '../../../ingest/number.ts';
import type { Quoting } from '../cell.ts';
import { KNOWN, type ColumnReader } from '../column-reader.ts';
import type { StyleContext } from '../column-style.ts';
import { readPlainNumber } from './number.ts';
import { BLANK, cellEnd, CR, LF, MINUS, ODD, POINT, QUOTE } from './place.ts';

/** Longer texts are read with all care: how long one may be is decided there. */
const MOST_TEXT_BYTES = 1024;
/** Words for a truth are no longer. */
const MOST_TRUTH = 5;
const UPPER_CASE = 0xdf;
const A = 65;
const Z = 90;
const NOT_ASCII = 128;
/** No byte: a mark that no number has. */
export const NONE = -1;

/** Reads the values of one column from bytes, where `ColumnReader.read` would learn nothing from their texts. */
export class PlainColumn {
  readonly #reader: ColumnReader;
  readonly #cells: CellColumn;
  readonly #quoting: Quoting;
  readonly #delimiter: number;
  /** The mark of numbers that stand there without quotes, 0 for whole ones alone; NONE where a number needs a second look. */
  bare = NONE;
  /** No word that is more than a text is longer. */
  readonly #mostWord: number;
  #takesNumbers = false;
  #quotedNumbers = false;
  #takesTexts = false;
  #only: 'texts' | 'verbatim' | null = null;
  /** Of fractions; 0 for none. */
  #mark = 0;
  /** The same outside quotes, where the delimiter ends a field. */
  #bareMark = 0;

  constructor(
    reader: ColumnReader,
    cells: CellColumn,
    { quoting, missing }: Pick<StyleContext, 'quoting' | 'missing'>,
    delimiter: number,
  ) {
    this.#mostWord = Math.max(MOST_TRUTH, missing.longest);
    this.#reader = reader;
    this.#cells = cells;
    this.#quoting = quoting;
    this.#delimiter = delimiter;
  }

  /** Learns what the reader knows of the column by now. */
  refresh(): void {
    const { numbers, texts, only, quotedNumbers } = this.#reader.plain();
    this.#quotedNumbers = quotedNumbers;
    this.#takesNumbers = numbers !== 'none' && only === null;
    this.#takesTexts = texts;
    this.#only = only;
    this.#mark = numbers === '.' || numbers === ',' ? numbers.charCodeAt(0) : 0;
    this.#bareMark = this.#mark === this.#delimiter ? 0 : this.#mark;
    this.bare = this.#takesNumbers ? this.#bareMark : NONE;
  }

  /** Reads the cell at `from` into a row; returns where it ends, or ODD. */
  read(bytes: Buffer, from: number, row: number, isAscii: boolean): number {
    const byte = bytes[from]!;
    // Most cells are such; what else there is to know takes longer than to read them.
    if (this.#takesNumbers && beginsNumber(byte)) return this.#number(bytes, from, row, this.#bareMark);
    if (byte === this.#delimiter || byte === LF || byte === CR) {
      this.#cells.kinds[row] = ABSENT;
      return from;
    }
    const quoted = byte === QUOTE;
    if (quoted && this.#quoting !== 'nothing')
      return this.#quotedNumbers ? ODD : this.#text(bytes, from, row, isAscii, true);
    if (this.#only !== null || !beginsNumber(quoted ? bytes[from + 1]! : byte))
      return this.#text(bytes, from, row, isAscii, quoted);
    if (!this.#takesNumbers) return ODD;
    return cellEnd(bytes, this.#number(bytes, from + 1, row, this.#mark), true);
  }

  #number(bytes: Buffer, from: number, row: number, mark: number): number {
    this.#cells.kinds[row] = NUMBER;
    return readPlainNumber(bytes, from, mark, mark === POINT, this.#cells.numbers, row);
  }

  #text(bytes: Buffer, from: number, row: number, isAscii: boolean, quoted: boolean): number {
    const start = quoted ? from + 1 : from;
    const behind = quoted ? this.#quoteEnd(bytes, start) : this.#bareEnd(bytes, start);
    if (behind === ODD || behind - start > MOST_TEXT_BYTES) return ODD;
    const next = quoted ? behind + 1 : behind;
    let end = behind;
    if (!quoted) while (end > start && bytes[end - 1] === BLANK) end--;
    const text = bytes.toString(isAscii ? 'latin1' : 'utf8', start, end);
    // Other blanks than the usual one.
    if (text.trim().length !== text.length) return ODD;
    const { kinds, numbers, texts } = this.#cells;
    if (!(quoted && this.#quoting !== 'nothing') && !(this.#only === 'verbatim' && text !== '')) {
      if (this.#only === null && end > start && !mayBeginWord(bytes[start]!)) return ODD;
      const word = text.length <= this.#mostWord ? this.#reader.word(text) : text;
      if (word === KNOWN) return ODD;
      if (word === undefined) {
        kinds[row] = ABSENT;
        return next;
      }
      if (typeof word === 'boolean' && this.#only === null) {
        kinds[row] = BOOLEAN;
        numbers[row] = word ? 1 : 0;
        return next;
      }
    }
    if (!this.#takesTexts || (quoted && this.#reader.isMissingQuoted(text))) return ODD;
    kinds[row] = TEXT;
    texts[row] = text;
    return next;
  }

  /** Where a field without quotes ends; ODD where quotes stand in it. */
  #bareEnd(bytes: Buffer, from: number): number {
    let at = from;
    for (let byte = bytes[at]!; byte !== this.#delimiter && byte !== LF && byte !== CR; byte = bytes[++at]!)
      if (byte === QUOTE) return ODD;
    return at;
  }

  /** Where the quote stands that ends a field; ODD where a line ends first. */
  #quoteEnd(bytes: Buffer, from: number): number {
    let at = from;
    for (let byte = bytes[at]!; byte !== QUOTE; byte = bytes[++at]!)
      if (byte === LF || byte === CR || (byte === this.#delimiter && this.#quoting === 'need')) return ODD;
    return at;
  }

  /** Tells the reader what the rows [from, to) hold. */
  settle(from: number, to: number): void {
    const { kinds } = this.#cells;
    let [numbers, texts] = [0, 0];
    for (let row = from; row < to; row++) {
      const kind = kinds[row];
      if (kind === NUMBER) numbers++;
      else if (kind === TEXT) texts++;
    }
    this.#reader.saw(numbers, texts);
  }
}

const beginsNumber = (byte: number) => digitOf(byte) < 10 || byte === MINUS;

const MINUS_SIGN = 0xe2;

/** A letter: no number begins with one. The sign "−" of numbers begins as other signs of U+2000 to U+2FFF do. */
function mayBeginWord(byte: number): boolean {
  const upper = byte & UPPER_CASE;
  return (upper >= A && upper <= Z) || (byte >= NOT_ASCII && byte !== MINUS_SIGN);
}
