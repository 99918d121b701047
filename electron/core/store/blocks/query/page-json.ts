import type { Borrowed } from '../../store.ts';
import type { RowBatch } from './cursor.ts';
import { PerFilling } from './per-filling.ts';
import { writeAscii } from '../codec/ascii.ts';
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
import type { RowSlice } from '../block/row-slice.ts';

const COMMA = 44;
const CLOSE_BRACE = 125;
/** Texts of at most so many characters are written without a detour through the runtime, if they need no escape. */
const SHORT_TEXT = 64;
const KEPT_KEYS = 4096;

const keyTexts = new Map<string, FixedText>();

/** `,"key":` in UTF-8. */
function keyText(key: string): FixedText {
  let text = keyTexts.get(key);
  if (text === undefined) {
    if (keyTexts.size >= KEPT_KEYS) keyTexts.clear();
    text = fixedText(`,${JSON.stringify(key)}:`);
    keyTexts.set(key, text);
  }
  return text;
}

/** A slice with what is written before each value, and the decimals that numbers of each column had last. */
interface Layout {
  readonly slice: RowSlice;
  readonly prefixes: readonly FixedText[];
  readonly decimals: number[];
  /** Bytes that a record takes at most, its texts apart. */
  readonly width: number;
}

const SHEET_BYTES = 1 << 16;
/** Kept free before and behind a text that is lent. */
const ROOM = 256;
const START = ROOM;
/** Kept for pages to come, none of them much larger than most pages need. */
const SPARE_SHEETS = 8;
const KEPT_BYTES = 1 << 18;

/** Buffer of a page. */
interface PageBuffer {
  readonly bytes: Buffer<ArrayBuffer>;
  readonly view: DataView;
}

function newSheet(length: number): PageBuffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, length) };
}

/** Writes records as the JSON bytes that JSON.stringify would give, straight into reused buffers. */
export class PageJson {
  #sheet: PageBuffer;
  /** Where the text ends. */
  #length = START;
  readonly #spare: PageBuffer[] = [];
  readonly #layouts = new PerFilling(layoutOf);

  constructor(capacity = SHEET_BYTES) {
    this.#sheet = newSheet(START + capacity);
  }

  /** Bytes of the text. */
  get length(): number {
    return this.#length - START;
  }

  /** A copy of what was written; the next text begins. */
  take(): Buffer<ArrayBuffer> {
    const taken = Buffer.allocUnsafeSlow(this.length);
    this.#sheet.bytes.copy(taken, 0, START, this.#length);
    this.#length = START;
    return taken;
  }

  /** Lends the written text where it lies, with some room around it; the next text begins elsewhere. */
  lend(): Borrowed {
    this.#reserve(ROOM);
    let sheet: PageBuffer | null = this.#sheet;
    const lent = {
      memory: sheet.bytes,
      from: START,
      to: this.#length,
      release: () => {
        if (sheet !== null && sheet.bytes.length <= KEPT_BYTES && this.#spare.length < SPARE_SHEETS)
          this.#spare.push(sheet);
        sheet = null;
      },
    };
    this.#sheet = this.#spare.pop() ?? newSheet(SHEET_BYTES);
    this.#length = START;
    return lent;
  }

  /** Drops what a failed read left. */
  restart(): void {
    this.#length = START;
  }

  character(code: number): void {
    this.#reserve(1);
    this.#sheet.view.setUint8(this.#length++, code);
  }

  /** Appends bytes that were written before. */
  bytes(written: Uint8Array): void {
    this.#reserve(written.length);
    this.#sheet.bytes.set(written, this.#length);
    this.#length += written.length;
  }

  /** Records separated by commas; `more` says that some came before. */
  records(batch: RowBatch, more: boolean): void {
    for (let i = 0; i < batch.size; i++) {
      if (more || i > 0) this.character(COMMA);
      this.#record(this.#layouts.of(batch.sliceAt(i)), batch.rowAt(i));
    }
  }

  #record({ slice, prefixes, decimals, width }: Layout, row: number): void {
    this.#reserve(width);
    let { view } = this.#sheet;
    let at = writeTimestamp(view, this.#length, slice.times[row]!);
    const { columns } = slice;
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i]!;
      const kind = column.kinds[row]!;
      if (kind === ABSENT) continue;
      at = writeFixed(view, at, prefixes[i]!);
      if (kind === NUMBER) {
        at = writeNumber(view, at, column.numbers[row]!, decimals, i);
      } else if (kind === BOOLEAN) {
        at = writeAscii(view, at, column.numbers[row] === 1 ? 'true' : 'false');
      } else {
        this.#length = at;
        this.#text(column.texts[row]!, width);
        ({ view } = this.#sheet);
        at = this.#length;
      }
    }
    view.setUint8(at, CLOSE_BRACE);
    this.#length = at + 1;
  }

  /** Writes a text and keeps room for the rest of its record. */
  #text(text: string, rest: number): void {
    if (text.length <= SHORT_TEXT) {
      this.#reserve(SHORT_TEXT + 2 + rest);
      const at = writePlainText(this.#sheet.view, this.#length, text);
      if (at >= 0) {
        this.#length = at;
        return;
      }
    }
    const json = JSON.stringify(text);
    this.#reserve(json.length * 3 + rest);
    this.#length += this.#sheet.bytes.write(json, this.#length, 'utf8');
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    const { bytes } = this.#sheet;
    if (needed <= bytes.length) return;
    const grown = newSheet(Math.max(needed, bytes.length * 2));
    bytes.copy(grown.bytes, 0, 0, this.#length);
    this.#sheet = grown;
  }
}

function layoutOf(slice: RowSlice): Layout {
  const prefixes = slice.columns.map((column) => keyText(column.key));
  return {
    slice,
    prefixes,
    decimals: prefixes.map(() => 1),
    width: prefixes.reduce((width, prefix) => width + prefix.length + NUMBER_BYTES, TIMESTAMP_BYTES + 1),
  };
}
