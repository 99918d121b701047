import { bitsFor, packInto } from './bit-packing.ts';
import type { ByteWriter } from './bytes.ts';
import { CONSTANT, DELTA, FRAME, GROUP, LINE, MAX_DECIMALS, POWERS, RAW } from './number-format.ts';

const MULTIPLES = [1e6, 1e3];

const integers = new Float64Array(GROUP);
const offsets = new Float64Array(GROUP);

/** Appends values[from, to): the headers of all groups, zeros up to a multiple of 4, then their packed words. */
export function writeNumbers(
  values: Float64Array,
  from: number,
  to: number,
  out: ByteWriter,
  words: ByteWriter,
): void {
  words.length = 0;
  for (let at = from; at < to; at += GROUP) writeGroup(values, at, Math.min(GROUP, to - at), out, words);
  out.align(4);
  out.raw(words.written());
}

function writeGroup(values: Float64Array, from: number, n: number, out: ByteWriter, words: ByteWriter): void {
  const scale = toIntegers(values, from, n);
  let min = integers[0]!;
  let max = min;
  let least = Infinity;
  let most = -Infinity;
  for (let i = 1, before = min; i < n; i++) {
    const value = integers[i]!;
    if (value < min) min = value;
    else if (value > max) max = value;
    const step = value - before;
    if (step < least) least = step;
    if (step > most) most = step;
    before = value;
  }
  const span = max - min;
  if (scale < 0 || span > Number.MAX_SAFE_INTEGER) return writeRaw(values, from, n, out, words);
  if (span === 0) return writeHeader(CONSTANT, scale, min, span, out);

  const first = integers[0]!;
  const frameWidth = bitsFor(span);
  const stepWidth = bitsFor(most - least);
  let mode = FRAME;
  let width = frameWidth;
  if (most - least <= Number.MAX_SAFE_INTEGER && stepWidth * (n - 1) + 24 < frameWidth * n) {
    mode = DELTA;
    width = stepWidth;
  }
  // A line pays where times tick with jitter: only values that never fall are tried.
  let base = least;
  if (least >= 0 && width > 1 && Math.abs(min) + 2 * span <= Number.MAX_SAFE_INTEGER) {
    const residual = fitLine(n);
    if (residual.width * n + 32 < width * n) {
      mode = LINE;
      width = residual.width;
      base = residual.least;
    }
  }
  writeHeader(mode, scale, min, span, out);
  if (mode === FRAME) return packInto(words, integers, n, width, min);
  out.varint(first - min);
  out.signed(base);
  out.u8(width);
  if (mode === LINE) {
    out.varint(integers[n - 1]! - first);
    packInto(words, offsets, n, width, base);
    return;
  }
  for (let i = 1; i < n; i++) offsets[i - 1] = integers[i]! - integers[i - 1]!;
  packInto(words, offsets, n - 1, width, base);
}

function writeHeader(mode: number, scale: number, min: number, span: number, out: ByteWriter): void {
  out.u8(mode | (scale << 3));
  out.signed(min);
  if (mode !== CONSTANT) out.varint(span);
}

function writeRaw(values: Float64Array, from: number, n: number, out: ByteWriter, words: ByteWriter): void {
  let min = values[from]!;
  let max = min;
  for (let i = 1; i < n; i++) {
    const value = values[from + i]!;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  out.u8(RAW);
  out.f64(min);
  out.f64(max);
  for (let i = 0; i < n; i++) words.f64(values[from + i]!);
}

/** Leaves the distances from the line through the first and last integer in `offsets`. */
function fitLine(n: number): { least: number; width: number } {
  const first = integers[0]!;
  const slope = (integers[n - 1]! - first) / (n - 1);
  let least = 0;
  let most = 0;
  for (let i = 0; i < n; i++) {
    const distance = integers[i]! - first - Math.round(i * slope);
    if (distance < least) least = distance;
    if (distance > most) most = distance;
    offsets[i] = distance;
  }
  return { least, width: bitsFor(most - least) };
}

/** Fills `integers` and returns the scale code, or -1 when a value has no such form. */
function toIntegers(values: Float64Array, from: number, n: number): number {
  let decimals = 0;
  let power = 1;
  let i = 0;
  for (; i < n; i++) {
    const value = values[from + i]!;
    if (Math.floor(value) !== value || isOutside(value)) break;
    integers[i] = value;
  }
  /** Integers before this one were made with fewer decimals. */
  let since = 0;
  for (; i < n; i++) {
    const value = values[from + i]!;
    let integer = Math.round(value * power);
    while (integer / power !== value) {
      if (decimals === MAX_DECIMALS) return -1;
      power = POWERS[++decimals]!;
      integer = Math.round(value * power);
      since = i;
    }
    if (isOutside(integer)) return -1;
    integers[i] = integer;
  }
  for (i = 0; i < since; i++) {
    const integer = Math.round(values[from + i]! * power);
    if (integer / power !== values[from + i]! || Math.abs(integer) > Number.MAX_SAFE_INTEGER) return -1;
    integers[i] = integer;
  }
  if (decimals > 0) return decimals;
  for (const multiple of MULTIPLES)
    if (divideBy(multiple, n)) return MAX_DECIMALS + (multiple === 1e3 ? 1 : 2);
  return 0;
}

/** Whether a number without decimals is no safe integer; -0, which equals 0 in every comparison but one, is none. */
function isOutside(value: number): boolean {
  return (
    value > Number.MAX_SAFE_INTEGER ||
    value < -Number.MAX_SAFE_INTEGER ||
    (value === 0 && Object.is(value, -0))
  );
}

function divideBy(divisor: number, n: number): boolean {
  for (let i = 0; i < n; i++) if (Math.floor(integers[i]! / divisor) * divisor !== integers[i]) return false;
  for (let i = 0; i < n; i++) integers[i] = integers[i]! / divisor;
  return true;
}
