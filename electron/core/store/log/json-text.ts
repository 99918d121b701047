/*
 * JSON text of single values as bytes: each function writes at a place and answers the next. Digits of a number that
 * is an integer / 10^k come from that integer: with at most 15 digits it is the shortest text that reads back as the
 * same double (any two decimals of 15 digits are different doubles), which is what JSON.stringify writes.
 */

const ZERO = 48;
const DOT = 46;
const MINUS = 45;
const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;
const LETTER_Z = 90;

/** `00` to `99`. */
const PAIRS = new Uint8Array(200);
for (let i = 0; i < 100; i++) {
  PAIRS[2 * i] = ZERO + Math.floor(i / 10);
  PAIRS[2 * i + 1] = ZERO + (i % 10);
}

const POWERS = Float64Array.from({ length: 10 }, (_, k) => 10 ** k);
export const MAX_DECIMALS = 9;
const MAX_DIGITS = 1e15;
/** The longest number: `-1.2345678901234567e+308`. */
export const NUMBER_BYTES = 32;
const DAY = 86_400_000_000;
const DATE_AT = '{"timestamp":"'.length;
const TIME_AT = DATE_AT + '2026-03-02T'.length;
/** `{"timestamp":"2026-03-02T20:30:21.202946Z"` */
export const TIMESTAMP_BYTES = TIME_AT + '20:30:21.202946Z"'.length;

/** The start of a record up to the hour, which most records share with the one before. */
const start = Buffer.from('{"timestamp":"0000-00-00T', 'latin1');
let startDay = NaN;

/** `{"timestamp":"2026-03-02T20:30:21.202946Z"` of an instant in µs. */
export function writeTimestamp(bytes: Uint8Array, from: number, time: number): number {
  const day = Math.floor(time / DAY);
  if (day !== startDay) {
    start.write(new Date(day * 86_400_000).toISOString(), DATE_AT, TIME_AT - DATE_AT, 'latin1');
    startDay = day;
  }
  for (let i = 0; i < TIME_AT; i++) bytes[from + i] = start[i]!;
  const inDay = time - day * DAY;
  const second = Math.floor(inDay / 1e6) | 0;
  const micros = (inDay - second * 1e6) | 0;
  const minute = (second / 60) | 0;
  const hour = (minute / 60) | 0;
  const thousands = (micros / 100) | 0;
  const tenThousands = (thousands / 100) | 0;
  let at = from + TIME_AT;
  writePair(bytes, at, hour);
  bytes[at + 2] = COLON;
  writePair(bytes, at + 3, minute - hour * 60);
  bytes[at + 5] = COLON;
  writePair(bytes, at + 6, second - minute * 60);
  bytes[at + 8] = DOT;
  writePair(bytes, at + 9, tenThousands);
  writePair(bytes, at + 11, thousands - tenThousands * 100);
  writePair(bytes, at + 13, micros - thousands * 100);
  at += 15;
  bytes[at] = LETTER_Z;
  bytes[at + 1] = QUOTE;
  return at + 2;
}

/**
 * How many decimals a number has, tried from `guess` on; -1 when it is no integer / 10^k of at most 15 digits. A whole
 * number has 0, whatever the guess.
 */
export function decimalsOf(value: number, guess: number): number {
  if (Math.floor(value) === value && value < MAX_DIGITS && value > -MAX_DIGITS) return 0;
  if (value < 1e-6 && value > -1e-6) return -1;
  for (let k = guess > 0 ? guess : 1; k <= MAX_DECIMALS; k++) {
    const power = POWERS[k]!;
    const integer = Math.round(value * power);
    if (integer >= MAX_DIGITS || integer <= -MAX_DIGITS) return -1;
    if (integer / power === value) return k;
  }
  return -1;
}

/** Writes a number of so many decimals, as `decimalsOf` found; zeros at its end are left out. */
export function writeDecimal(bytes: Uint8Array, from: number, value: number, decimals: number): number {
  if (decimals === 0) return writeWhole(bytes, from, value);
  const power = POWERS[decimals]!;
  let rest = Math.round(value * power);
  let at = from;
  if (rest < 0) {
    bytes[at++] = MINUS;
    rest = -rest;
  }
  const whole = Math.floor(rest / power);
  at = writeWhole(bytes, at, whole);
  bytes[at] = DOT;
  let fraction = (rest - whole * power) | 0;
  let kept = 0;
  for (let k = decimals; k > 0; k--) {
    const tens = (fraction / 10) | 0;
    const digit = fraction - tens * 10;
    if (kept === 0 && digit !== 0) kept = k;
    bytes[at + k] = ZERO + digit;
    fraction = tens;
  }
  return at + kept + 1;
}

/** Writes a whole number of at most 15 digits. -0 is `0`, as JSON has it. */
function writeWhole(bytes: Uint8Array, from: number, value: number): number {
  let at = from;
  let rest = value;
  if (rest < 0) {
    bytes[at++] = MINUS;
    rest = -rest;
  }
  if (rest < 1e9) return writeSmall(bytes, at, rest | 0);
  const high = Math.floor(rest / 1e8);
  at = writeSmall(bytes, at, high | 0);
  let low = (rest - high * 1e8) | 0;
  for (let i = 6; i >= 0; i -= 2) {
    const hundreds = (low / 100) | 0;
    writePair(bytes, at + i, low - hundreds * 100);
    low = hundreds;
  }
  return at + 8;
}

function writeSmall(bytes: Uint8Array, from: number, value: number): number {
  if (value < 10) {
    bytes[from] = ZERO + value;
    return from + 1;
  }
  if (value < 100) {
    writePair(bytes, from, value);
    return from + 2;
  }
  const end = from + digitsOf(value);
  let at = end;
  let rest = value;
  for (; rest >= 100;) {
    const hundreds = (rest / 100) | 0;
    at -= 2;
    writePair(bytes, at, rest - hundreds * 100);
    rest = hundreds;
  }
  if (rest >= 10) writePair(bytes, at - 2, rest);
  else bytes[at - 1] = ZERO + rest;
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

function writePair(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = PAIRS[2 * value]!;
  bytes[at + 1] = PAIRS[2 * value + 1]!;
}

/** Writes characters below 128. */
export function writeAscii(bytes: Uint8Array, from: number, text: string): number {
  for (let i = 0; i < text.length; i++) bytes[from + i] = text.charCodeAt(i);
  return from + text.length;
}

/** Writes a text that needs no escape, in quotes; -1, and nothing to keep, for any other. */
export function writePlainText(bytes: Uint8Array, from: number, text: string): number {
  let at = from;
  bytes[at++] = QUOTE;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 32 || code > 126 || code === QUOTE || code === BACKSLASH) return -1;
    bytes[at++] = code;
  }
  bytes[at++] = QUOTE;
  return at;
}
