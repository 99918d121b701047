import type { RowBatch } from './cursor.ts';
import {
  decimalsOf,
  NUMBER_BYTES,
  TIMESTAMP_BYTES,
  writeAscii,
  writeDecimal,
  writePlainText,
  writeTimestamp,
} from './json-text.ts';
import { ABSENT, BOOLEAN, NUMBER } from './row-buffer.ts';
import type { RowWindow } from './row-window.ts';

const COMMA = 44;
const CLOSE_BRACE = 125;
/** Texts of at most so many characters are written without a detour through the runtime, if they need no escape. */
const SHORT_TEXT = 64;
const KEPT_KEYS = 4096;

const keyTexts = new Map<string, Uint8Array>();

/** `,"key":` in UTF-8. */
function keyText(key: string): Uint8Array {
  let text = keyTexts.get(key);
  if (text === undefined) {
    if (keyTexts.size >= KEPT_KEYS) keyTexts.clear();
    text = Buffer.from(`,${JSON.stringify(key)}:`, 'utf8');
    keyTexts.set(key, text);
  }
  return text;
}

/** A window with what is written before each value, and the decimals that numbers of each column had last. */
interface Layout {
  readonly window: RowWindow;
  readonly prefixes: readonly Uint8Array[];
  readonly decimals: number[];
  /** Bytes that a record takes at most, its texts apart. */
  readonly width: number;
}

/** Writes records as the JSON bytes that JSON.stringify would give, straight into one reused buffer. */
export class PageJson {
  #bytes: Buffer<ArrayBuffer>;
  #length = 0;

  constructor(capacity = 1 << 16) {
    this.#bytes = Buffer.allocUnsafeSlow(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** A copy of what was written; the buffer starts anew. */
  take(): Buffer<ArrayBuffer> {
    const taken = Buffer.allocUnsafeSlow(this.#length);
    this.#bytes.copy(taken, 0, 0, this.#length);
    this.#length = 0;
    return taken;
  }

  /** Drops what a failed read left. */
  restart(): void {
    this.#length = 0;
  }

  character(code: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = code;
  }

  /** Records separated by commas; `more` says that some came before. */
  records(batch: RowBatch, more: boolean): void {
    let layout: Layout | undefined;
    const layouts: Layout[] = [];
    for (let i = 0; i < batch.size; i++) {
      const window = batch.windowAt(i);
      if (layout === undefined || layout.window !== window) {
        layout = layouts.find((known) => known.window === window);
        if (layout === undefined) layouts.push((layout = layoutOf(window)));
      }
      if (more || i > 0) this.character(COMMA);
      this.#record(layout, batch.rowAt(i));
    }
  }

  #record({ window, prefixes, decimals, width }: Layout, row: number): void {
    this.#reserve(width);
    let bytes = this.#bytes;
    let at = writeTimestamp(bytes, this.#length, window.times[row]!);
    const { columns } = window;
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i]!;
      const kind = column.kinds[row]!;
      if (kind === ABSENT) continue;
      const prefix = prefixes[i]!;
      bytes.set(prefix, at);
      at += prefix.length;
      if (kind === NUMBER) {
        const value = column.numbers[row]!;
        // A column of which one number has no short form is written by the runtime from there on.
        const guess = decimals[i]!;
        const found = guess < 0 ? -1 : decimalsOf(value, guess);
        if (found !== 0) decimals[i] = found;
        at = found < 0 ? writeAscii(bytes, at, numberText(value)) : writeDecimal(bytes, at, value, found);
      } else if (kind === BOOLEAN) {
        at = writeAscii(bytes, at, column.numbers[row] === 1 ? 'true' : 'false');
      } else {
        this.#length = at;
        this.#text(column.texts[row]!, width);
        bytes = this.#bytes;
        at = this.#length;
      }
    }
    bytes[at] = CLOSE_BRACE;
    this.#length = at + 1;
  }

  /** Writes a text and keeps room for the rest of its record. */
  #text(text: string, rest: number): void {
    if (text.length <= SHORT_TEXT) {
      this.#reserve(SHORT_TEXT + 2 + rest);
      const at = writePlainText(this.#bytes, this.#length, text);
      if (at >= 0) {
        this.#length = at;
        return;
      }
    }
    const json = JSON.stringify(text);
    this.#reserve(json.length * 3 + rest);
    this.#length += this.#bytes.write(json, this.#length, 'utf8');
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}

/** JSON has no text for -0. */
function numberText(value: number): string {
  return value === 0 ? '0' : String(value);
}

function layoutOf(window: RowWindow): Layout {
  const prefixes = window.columns.map((column) => keyText(column.key));
  return {
    window,
    prefixes,
    decimals: prefixes.map(() => 1),
    width: prefixes.reduce((width, prefix) => width + prefix.length + NUMBER_BYTES, TIMESTAMP_BYTES + 1),
  };
}
