import { formatMicros } from '../../../../../shared/values/time.ts';
import { packed, writeAscii, writeSixDigits } from './ascii.ts';
import type { Zoned } from '../../../base/zoned-time.ts';
import type { CsvStyle } from '../../store.ts';

/* CSV text of times and texts as bytes: each function writes at a place and returns the next. */

const QUOTE = 34;
const MINUTE = 60_000_000;
const Z = 90;
/** `2026-03-02T20:30:` */
const TO_MINUTE = 17;
/** `2026-03-02T20:30:21.202946+01:00`, and what is written too many before it is overwritten. */
export const CSV_TIME_BYTES = 32 + 8;

/** `00.` to `59.`, each as one number of four bytes. */
const SECONDS = Int32Array.from({ length: 60 }, (_, i) => packed(`${String(i).padStart(2, '0')}.`));

/** A time up to its seconds, which most rows share with the one before. */
const start = new Float64Array(3);
const startBytes = Buffer.from(start.buffer);
let startMinute = NaN;
/** Doubles are written as this machine has them, so that their bytes stay in order. */
const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** `2026-03-02T20:30:21.202946Z` of an instant in µs. */
export function writeCsvTime(view: DataView, from: number, time: number): number {
  const minute = Math.floor(time / MINUTE);
  if (minute !== startMinute) {
    startBytes.write(formatMicros(minute * MINUTE), 0, TO_MINUTE, 'latin1');
    startMinute = minute;
  }
  for (let i = 0; i < 3; i++) view.setFloat64(from + 8 * i, start[i]!, IS_LITTLE_ENDIAN);
  const inMinute = (time - minute * MINUTE) | 0;
  const second = (inMinute / 1_000_000) | 0;
  const at = from + TO_MINUTE;
  view.setInt32(at, SECONDS[second]!, true);
  writeSixDigits(view, at + 3, inMinute - second * 1_000_000);
  view.setUint8(at + 9, Z);
  return at + 10;
}

/** Writes a text of ASCII in quotes, which are doubled inside; -1, and nothing to keep, for any other. */
export function writeCsvAscii(view: DataView, from: number, text: string): number {
  let at = from;
  view.setUint8(at++, QUOTE);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) return -1;
    if (code === QUOTE) view.setUint8(at++, QUOTE);
    view.setUint8(at++, code);
  }
  view.setUint8(at++, QUOTE);
  return at;
}

/** A text as a field of CSV: in quotes, which are doubled inside (RFC 4180, section 2). */
export function csvText(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Beginnings of formulas in spreadsheets (OWASP, "CSV Injection"); quotes do not disarm them. */
const FORMULA = /^[=+\-@\t\r]/;

/** The text with an apostrophe before it where a spreadsheet takes it for a formula. */
export const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** `2026-03-02T21:30:21.202946+01:00`. */
export function writeCsvZoned(view: DataView, from: number, { wall, offset }: Zoned): number {
  return writeAscii(view, writeCsvTime(view, from, wall) - 1, offset);
}

/** Returns the head of a CSV file: whole lines, then the names of the columns. */
export function csvHead(keys: readonly string[], style: CsvStyle | undefined): string {
  const { names = keys, delimiter = ',', preface = '', escapesFormulas = false } = style ?? {};
  const titles = escapesFormulas ? names.map(escapeFormula) : names;
  return `${preface}timestamp${titles.map((title) => delimiter + csvText(title)).join('')}\r\n`;
}
