import { RecordFault } from '../record.ts';

/*
 * Where a JSON value ends, found without reading it: what it holds is judged by JSON.parse, whose memory grows with every
 * value and level, so both are bounded here (docs/running.md, "Limits").
 */

const MOST_LEVELS = 16;
/** Of one record, those that are null and so absent included. */
const MOST_VALUES = 65_536;
export const MOST_RECORD_BYTES = 16 * 1024 * 1024;

const QUOTE = 34;
const COMMA = 44;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const BLANK = 32;

/** Finds the end of one value after the other in a text that arrives piece by piece; each byte is looked at once. */
export class ValueEnd {
  /** Bytes of the value that were looked at. */
  #seen = 0;
  #levels = 0;
  #values = 0;
  #inText = false;

  /** Whether a value was looked at whose end has not come yet. */
  get isUnderWay(): boolean {
    return this.#seen > 0;
  }

  /**
   * Where the value that begins at `from` ends; -1 where more has to arrive first, and then the next call goes on with the
   * same value, wherever it lies by then. Throws RecordFault on one that is too large or too deep.
   */
  find(bytes: Uint8Array, from: number, to: number): number {
    let at = from + this.#seen;
    for (; at < to; at++) {
      const byte = bytes[at]!;
      if (this.#inText) {
        if (byte === BACKSLASH) at++;
        else if (byte === QUOTE) {
          this.#inText = false;
          if (this.#levels === 0) return this.#end(at + 1);
        }
      } else if (byte === QUOTE) this.#inText = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        this.#countValue();
        if (++this.#levels > MOST_LEVELS) throw new RecordFault('objects and arrays may be nested 4 deep');
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        // Whether it is the right one, JSON.parse says.
        if (this.#levels === 0) return this.#end(at);
        if (--this.#levels === 0) return this.#end(at + 1);
      } else if (byte === COMMA) {
        if (this.#levels === 0) return this.#end(at);
        this.#countValue();
      } else if (byte <= BLANK && this.#levels === 0) return this.#end(at);
    }
    this.#seen = at - from;
    if (this.#seen > MOST_RECORD_BYTES) throw new RecordFault('must be at most 16 MiB of JSON');
    return -1;
  }

  #countValue(): void {
    if (++this.#values > MOST_VALUES)
      throw new RecordFault(`must list at most ${MOST_VALUES} values, those that are null included`);
  }

  #end(at: number): number {
    this.#seen = this.#levels = this.#values = 0;
    this.#inText = false;
    return at;
  }
}
