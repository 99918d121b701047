import { packed, writeAscii, writeSixDigits } from './ascii.ts';

/*
 * JSON text of times and texts as bytes: each function writes at a place and returns the next.
 *
 * Fixed texts go out eight bytes at a time and may write up to seven bytes too many, which what follows overwrites: the
 * number or text behind each has more room than it needs. The eight bytes are written as a double, which leaves them as they
 * are: no UTF-8 has the bits of a NaN (a byte of 0xF0 or more before 0x7F or 0xFF).
 */

const QUOTE = 34;
const BACKSLASH = 92;
/** `Z"` as one number of two bytes. */
const Z_QUOTE = packed('Z"');

const DAY = 86_400_000_000;
const MINUTE = 60_000_000;
const DATE_AT = '{"timestamp":"'.length;
const TIME_AT = DATE_AT + '2026-03-02T'.length;
const SECOND_AT = TIME_AT + '20:30:'.length;
/** `{"timestamp":"2026-03-02T20:30:21.202946Z"`. */
export const TIMESTAMP_BYTES = SECOND_AT + '21.202946Z"'.length;

/** `00.` to `59.`, and `00:` to `59:`, each as one number of four bytes. */
const SECONDS = sixtyWith('.');
const MINUTES = sixtyWith(':');

function sixtyWith(mark: string): Int32Array {
  return Int32Array.from({ length: 60 }, (_, i) => packed(`${String(i).padStart(2, '0')}${mark}`));
}

/** A text that is written as it is, in doubles that have its bytes. */
export interface FixedText {
  readonly doubles: Float64Array;
  readonly length: number;
}

export function fixedText(text: string): FixedText {
  const length = Buffer.byteLength(text);
  const doubles = new Float64Array(Math.ceil(length / 8));
  Buffer.from(doubles.buffer).write(text);
  return { doubles, length };
}

export function writeFixed(view: DataView, at: number, { doubles, length }: FixedText): number {
  for (let i = 0; i < doubles.length; i++) view.setFloat64(at + 8 * i, doubles[i]!, IS_LITTLE_ENDIAN);
  return at + length;
}

/** Doubles are written as this machine has them, so that their bytes stay in order. */
const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** The start of a record up to its second, which most records share with the one before. */
const start = new Float64Array(4);
const startView = new DataView(start.buffer);
writeAscii(startView, 0, '{"timestamp":"0000-00-00T00:00:0');
let startDay = NaN;
let startMinute = NaN;

function startAt(minute: number): void {
  const day = Math.floor(minute / 1440);
  if (day !== startDay) {
    writeAscii(startView, DATE_AT, new Date((day * DAY) / 1000).toISOString().slice(0, TIME_AT - DATE_AT));
    startDay = day;
  }
  const inDay = minute - day * 1440;
  const hour = (inDay / 60) | 0;
  startView.setInt32(TIME_AT, MINUTES[hour]!, true);
  startView.setInt32(TIME_AT + 3, MINUTES[inDay - hour * 60]!, true);
  startMinute = minute;
}

/** `{"timestamp":"2026-03-02T20:30:21.202946Z"` of an instant in µs. */
export function writeTimestamp(view: DataView, from: number, time: number): number {
  const minute = Math.floor(time / MINUTE);
  if (minute !== startMinute) startAt(minute);
  for (let i = 0; i < 4; i++) view.setFloat64(from + 8 * i, start[i]!, IS_LITTLE_ENDIAN);
  const inMinute = (time - minute * MINUTE) | 0;
  const second = (inMinute / 1_000_000) | 0;
  const at = from + SECOND_AT;
  view.setInt32(at, SECONDS[second]!, true);
  writeSixDigits(view, at + 3, inMinute - second * 1_000_000);
  view.setUint16(at + 9, Z_QUOTE, true);
  return at + 11;
}

/** Writes a text that needs no escape, in quotes; -1, and nothing to keep, for any other. */
export function writePlainText(view: DataView, from: number, text: string): number {
  let at = from;
  view.setUint8(at++, QUOTE);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 32 || code > 126 || code === QUOTE || code === BACKSLASH) return -1;
    view.setUint8(at++, code);
  }
  view.setUint8(at++, QUOTE);
  return at;
}
