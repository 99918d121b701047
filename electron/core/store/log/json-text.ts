/*
 * JSON text of single values as bytes: each function writes at a place and answers the next. Digits of a number that
 * is an integer / 10^k come from that integer: with at most 15 digits it is the shortest text that reads back as the
 * same double (any two decimals of 15 digits are different doubles), which is what JSON.stringify writes.
 *
 * Fixed texts go out four bytes at a time and may write up to three bytes too many: what follows overwrites them, and
 * room for them is part of what each value reserves.
 */

const ZERO = 48;
const DOT = 46;
const MINUS = 45;
const QUOTE = 34;
const BACKSLASH = 92;
/** `Z"` as one number of two bytes. */
const Z_QUOTE = 0x225a;

/** `00` to `99`, each as one number of two bytes. */
const PAIRS = Uint16Array.from({ length: 100 }, (_, i) => {
  const [tens, ones] = [Math.floor(i / 10), i % 10];
  return ((ZERO + ones) << 8) | (ZERO + tens);
});

const POWERS = Float64Array.from({ length: 10 }, (_, k) => 10 ** k);
const MAX_DECIMALS = 9;
const MAX_DIGITS = 1e15;
/** The longest number: `-1.2345678901234567e+308`; and what fixed texts write too many. */
export const NUMBER_BYTES = 32;
const DAY = 86_400_000_000;
const MINUTE = 60_000_000;
const DATE_AT = '{"timestamp":"'.length;
const TIME_AT = DATE_AT + '2026-03-02T'.length;
const SECOND_AT = TIME_AT + '20:30:'.length;
/** `{"timestamp":"2026-03-02T20:30:21.202946Z"` and what fixed texts write too many. */
export const TIMESTAMP_BYTES = SECOND_AT + '21.202946Z"'.length + 3;

/** A text that is written as it is, in numbers of four bytes. */
export interface FixedText {
  readonly words: Int32Array;
  readonly length: number;
}

export function fixedText(text: string): FixedText {
  const length = Buffer.byteLength(text);
  const bytes = Buffer.alloc(Math.ceil(length / 4) * 4);
  bytes.write(text);
  const words = Int32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readInt32LE(4 * i));
  return { words, length };
}

export function writeFixed(view: DataView, at: number, { words, length }: FixedText): number {
  for (let i = 0; i < words.length; i++) view.setInt32(at + 4 * i, words[i]!, true);
  return at + length;
}

/** The start of a record up to its second, which most records share with the one before. */
const start = Buffer.from('{"timestamp":"0000-00-00T00:00:0', 'latin1');
const startView = new DataView(start.buffer, start.byteOffset, start.length);
const startWords = new Int32Array(start.length / 4);
let startDay = NaN;
let startMinute = NaN;

function startAt(minute: number): void {
  const day = Math.floor(minute / 1440);
  if (day !== startDay) {
    start.write(new Date((day * DAY) / 1000).toISOString(), DATE_AT, TIME_AT - DATE_AT, 'latin1');
    startDay = day;
  }
  const inDay = minute - day * 1440;
  const hour = (inDay / 60) | 0;
  writePair(startView, TIME_AT, hour);
  writePair(startView, TIME_AT + 3, inDay - hour * 60);
  for (let i = 0; i < startWords.length; i++) startWords[i] = startView.getInt32(4 * i, true);
  startMinute = minute;
}

/** `{"timestamp":"2026-03-02T20:30:21.202946Z"` of an instant in µs. */
export function writeTimestamp(view: DataView, from: number, time: number): number {
  const minute = Math.floor(time / MINUTE);
  if (minute !== startMinute) startAt(minute);
  for (let i = 0; i < startWords.length; i++) view.setInt32(from + 4 * i, startWords[i]!, true);
  const inMinute = (time - minute * MINUTE) | 0;
  const second = (inMinute / 1_000_000) | 0;
  const micros = inMinute - second * 1_000_000;
  const hundreds = (micros / 100) | 0;
  const tenThousands = (hundreds / 100) | 0;
  const at = from + SECOND_AT;
  writePair(view, at, second);
  view.setUint8(at + 2, DOT);
  writePair(view, at + 3, tenThousands);
  writePair(view, at + 5, hundreds - tenThousands * 100);
  writePair(view, at + 7, micros - hundreds * 100);
  view.setUint16(at + 9, Z_QUOTE, true);
  return at + 11;
}

/**
 * Writes a number as JSON.stringify does. `decimals[i]` is how many decimals the column had last, where to begin trying;
 * -1 where one of its numbers had no short form: those are written by the runtime from there on.
 */
export function writeNumber(
  view: DataView,
  from: number,
  value: number,
  decimals: number[],
  i: number,
): number {
  if (Math.floor(value) === value && value < MAX_DIGITS && value > -MAX_DIGITS)
    return writeWhole(view, from, value);
  let k = decimals[i]!;
  if (k >= 0 && (value >= 1e-6 || value <= -1e-6)) {
    for (; k <= MAX_DECIMALS; k++) {
      const power = POWERS[k]!;
      const integer = Math.round(value * power);
      if (integer >= MAX_DIGITS || integer <= -MAX_DIGITS) break;
      if (integer / power !== value) continue;
      decimals[i] = k;
      return writeDecimal(view, from, integer, k);
    }
  }
  decimals[i] = -1;
  return writeAscii(view, from, String(value));
}

/** Writes integer / 10^k, k > 0; zeros at its end are left out. */
function writeDecimal(view: DataView, from: number, integer: number, k: number): number {
  let at = from;
  let rest = integer;
  if (rest < 0) {
    view.setUint8(at++, MINUS);
    rest = -rest;
  }
  const power = POWERS[k]!;
  const whole = Math.floor(rest / power);
  at = writeWhole(view, at, whole);
  view.setUint8(at++, DOT);
  let fraction = (rest - whole * power) | 0;
  let digits = k;
  for (; fraction % 10 === 0; digits--) fraction = (fraction / 10) | 0;
  let last = at + digits;
  for (let left = digits; left > 1; left -= 2) {
    const hundreds = (fraction / 100) | 0;
    last -= 2;
    writePair(view, last, fraction - hundreds * 100);
    fraction = hundreds;
  }
  if (last > at) view.setUint8(at, ZERO + fraction);
  return at + digits;
}

/** Writes a whole number of at most 15 digits. -0 is `0`, as JSON has it. */
function writeWhole(view: DataView, from: number, value: number): number {
  let at = from;
  let rest = value;
  if (rest < 0) {
    view.setUint8(at++, MINUS);
    rest = -rest;
  }
  if (rest < 1e9) return writeSmall(view, at, rest | 0);
  const high = Math.floor(rest / 1e8);
  at = writeSmall(view, at, high | 0);
  let low = (rest - high * 1e8) | 0;
  for (let i = 6; i >= 0; i -= 2) {
    const hundreds = (low / 100) | 0;
    writePair(view, at + i, low - hundreds * 100);
    low = hundreds;
  }
  return at + 8;
}

function writeSmall(view: DataView, from: number, value: number): number {
  if (value < 10) {
    view.setUint8(from, ZERO + value);
    return from + 1;
  }
  if (value < 100) {
    writePair(view, from, value);
    return from + 2;
  }
  const end = from + digitsOf(value);
  let at = end;
  let rest = value;
  for (; rest >= 100;) {
    const hundreds = (rest / 100) | 0;
    at -= 2;
    writePair(view, at, rest - hundreds * 100);
    rest = hundreds;
  }
  if (rest >= 10) writePair(view, at - 2, rest);
  else view.setUint8(at - 1, ZERO + rest);
  return end;
}

function digitsOf(value: number): number {
  if (value < 1000) return 3;
  if (value < 10_000) return 4;
  if (value < 100_000) return 5;
  if (value < 1_000_000) return 6;
  if (value < 10_000_000) return 7;
  return value < 100_000_000 ? 8 : 9;
}

function writePair(view: DataView, at: number, value: number): void {
  view.setUint16(at, PAIRS[value]!, true);
}

/** Writes characters below 128. */
export function writeAscii(view: DataView, from: number, text: string): number {
  for (let i = 0; i < text.length; i++) view.setUint8(from + i, text.charCodeAt(i));
  return from + text.length;
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
