import type { ByteWriter } from './bytes.ts';

/*
 * Whole numbers of a fixed width of bits, packed into 32-bit words, the low bits first. Wider than 32 bits: all low
 * words one after the other, then the high bits packed.
 */

const TWO_32 = 2 ** 32;

/** Bits that hold every whole number from 0 to `max`. */
export function bitsFor(max: number): number {
  return max < TWO_32 ? 32 - Math.clz32(max) : 64 - Math.clz32(Math.floor(max / TWO_32));
}

export function packedWords(count: number, width: number): number {
  if (width <= 32) return Math.ceil((count * width) / 32);
  return count + Math.ceil((count * (width - 32)) / 32);
}

/** Packs values[i] - least, each a whole number of at most `width` bits. */
export function packInto(
  out: ByteWriter,
  values: Float64Array,
  count: number,
  width: number,
  least: number,
): void {
  out.reserve(packedWords(count, width) * 4);
  if (width <= 32) return pack(out, values, count, width, least, 1);
  for (let i = 0; i < count; i++) out.u32((values[i]! - least) >>> 0);
  pack(out, values, count, width - 32, least, TWO_32);
}

/** Packs floor((value - least) / divisor), of which `width` bits are set at most. */
function pack(
  out: ByteWriter,
  values: Float64Array,
  count: number,
  width: number,
  least: number,
  divisor: number,
): void {
  if (width === 0) return;
  const { view } = out;
  let at = out.length;
  let word = 0;
  let filled = 0;
  for (let i = 0; i < count; i++) {
    const whole = values[i]! - least;
    const value = divisor === 1 ? whole >>> 0 : (whole / divisor) >>> 0;
    word |= value << filled;
    filled += width;
    if (filled >= 32) {
      view.setInt32(at, word, true);
      at += 4;
      filled -= 32;
      // Shifting by 32 shifts by 0: nothing is left over when the word ended with the value.
      word = filled === 0 ? 0 : value >>> (width - filled);
    }
  }
  if (filled > 0) {
    view.setInt32(at, word, true);
    at += 4;
  }
  out.length = at;
}

export function unpackInto(
  words: Int32Array,
  start: number,
  count: number,
  width: number,
  out: Float64Array,
  at: number,
): void {
  if (width <= 32) {
    unpack(words, start, count, width, out, at);
    return;
  }
  unpack(words, start + count, count, width - 32, out, at);
  for (let i = 0; i < count; i++) out[at + i] = out[at + i]! * TWO_32 + (words[start + i]! >>> 0);
}

function unpack(
  words: Int32Array,
  start: number,
  count: number,
  width: number,
  out: Float64Array,
  at: number,
): void {
  if (width === 0) {
    out.fill(0, at, at + count);
    return;
  }
  const mask = width === 32 ? -1 : (1 << width) - 1;
  if (32 % width === 0) {
    unpackWhole(words, start, count, width, mask, out, at);
    return;
  }
  let word = start;
  let used = 0;
  for (let i = 0; i < count; i++) {
    let value = words[word]! >>> used;
    used += width;
    if (used > 32) {
      used -= 32;
      value |= words[++word]! << (width - used);
    } else if (used === 32) {
      used = 0;
      word++;
    }
    out[at + i] = (value & mask) >>> 0;
  }
}

/** The same where no number lies in two words: 1, 2, 4, 8, 16 and 32 bits, most of what sensors need. */
function unpackWhole(
  words: Int32Array,
  start: number,
  count: number,
  width: number,
  mask: number,
  out: Float64Array,
  at: number,
): void {
  const end = at + count;
  for (let i = at, word = start; i < end; word++) {
    let packed = words[word]!;
    for (let last = Math.min(end, i + 32 / width); i < last; i++) {
      out[i] = (packed & mask) >>> 0;
      packed >>>= width;
    }
  }
}
