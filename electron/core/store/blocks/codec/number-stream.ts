import { bitsFor, packedWords, unpackInto } from './bit-packing.ts';
import { malformed } from './bytes.ts';
import {
  CONSTANT,
  DELTA,
  FRAME,
  GROUP,
  LINE,
  MAX_DECIMALS,
  MAX_SCALE,
  POWERS,
  RAW,
} from './number-format.ts';

/** Fields of a parsed group header, side by side in one array. */
const FIELDS = 9;
const MODE = 0;
const SCALE = 1;
const MIN = 2;
const SPAN = 3;
const FIRST = 4;
const BASE = 5;
const RISE = 6;
const WIDTH = 7;
const WORD = 8;

/** Groups of a stream of a block: their headers are copied from a blank, which is quicker than to fill them. */
const KEPT_GROUPS = 8;
const blank = blankOf(KEPT_GROUPS);

function blankOf(groups: number): number[] {
  return Array.from({ length: groups * FIELDS }, () => 0.5);
}

const spare = new Float64Array(GROUP);
const doubles = new Float64Array(1);
const halves = new Uint32Array(doubles.buffer);

/** Reads numbers group by group. */
export class NumberStream {
  readonly count: number;
  /** Where the stream ends in the bytes. */
  readonly end: number;
  readonly #headers: number[];
  readonly #words: Int32Array;

  /** The stream starts at `at`, a multiple of 4, in `bytes`, which start at one too; `words` are the same bytes. */
  constructor(bytes: Buffer, words: Int32Array, at: number, count: number) {
    const groups = Math.ceil(count / GROUP);
    // Not a typed array: those of more than 64 bytes cost a call into C++ each. And doubles from the start: an array of
    // whole numbers would be made anew when the first other one comes.
    const headers = groups <= KEPT_GROUPS ? blank.slice(0, groups * FIELDS) : blankOf(groups);
    this.count = count;
    this.#headers = headers;
    this.#words = words;
    source = bytes;
    place = at;
    let length = 0;
    for (let group = 0, h = 0; group < groups; group++, h += FIELDS) {
      headers[h + WORD] = length;
      length += readHeader(headers, h, Math.min(GROUP, count - group * GROUP));
    }
    const start = Math.ceil(place / 4);
    for (let h = WORD; h < headers.length; h += FIELDS) headers[h] = headers[h]! + start;
    this.end = (start + length) * 4;
    if (!(this.end <= bytes.length)) throw malformed();
  }

  min(group: number): number {
    return this.#scaled(group, this.#headers[group * FIELDS + MIN]!);
  }

  max(group: number): number {
    const h = group * FIELDS;
    if (this.#headers[h + MODE] === RAW) return this.#headers[h + SPAN]!;
    return this.#scaled(group, this.#headers[h + MIN]! + this.#headers[h + SPAN]!);
  }

  /** How far two neighbours of a group may lie apart, where its numbers never fall: a bound that its header tells. */
  longestStep(group: number): number {
    const h = group * FIELDS;
    const headers = this.#headers;
    const [mode, scale] = [headers[h + MODE]!, headers[h + SCALE]!];
    const span = this.max(group) - this.min(group);
    if ((mode !== DELTA && mode !== LINE) || (scale > 0 && scale <= MAX_DECIMALS)) return span;
    const all = Math.min(GROUP, this.count - group * GROUP);
    const least = mode === DELTA ? headers[h + BASE]! - 1 : Math.floor(headers[h + RISE]! / (all - 1));
    const multiple = scale === 0 ? 1 : POWERS[(scale - MAX_DECIMALS) * 3]!;
    return Math.min(span, (least + 2 ** headers[h + WIDTH]!) * multiple);
  }

  /** Puts the numbers of a group at out[at], or not many more than the first `most`, and returns how many. */
  group(group: number, out: Float64Array, at: number, most = GROUP): number {
    const h = group * FIELDS;
    const headers = this.#headers;
    const all = Math.min(GROUP, this.count - group * GROUP);
    // Wide numbers lie in two parts, of which the second begins behind all of the first.
    const n = headers[h + WIDTH]! > 32 ? all : Math.min(all, most);
    const mode = headers[h + MODE]!;
    const min = headers[h + MIN]!;
    const word = headers[h + WORD]!;
    const width = headers[h + WIDTH]!;
    if (mode === CONSTANT) {
      out.fill(this.#scaled(group, min), at, at + n);
      return n;
    }
    if (mode === RAW) {
      for (let i = 0; i < n; i++) {
        halves[0] = this.#words[word + 2 * i]!;
        halves[1] = this.#words[word + 2 * i + 1]!;
        out[at + i] = doubles[0]!;
      }
      return n;
    }
    const scale = headers[h + SCALE]!;
    const power = scale <= MAX_DECIMALS ? POWERS[scale]! : 1;
    const multiple = scale <= MAX_DECIMALS ? 1 : POWERS[(scale - MAX_DECIMALS) * 3]!;
    const end = at + n;
    if (mode === FRAME) {
      unpackInto(this.#words, word, n, width, out, at);
      for (let i = at; i < end; i++) out[i] = ((out[i]! + min) / power) * multiple;
    } else if (mode === DELTA) {
      const least = headers[h + BASE]!;
      let value = min + headers[h + FIRST]!;
      unpackInto(this.#words, word, n - 1, width, out, at + 1);
      out[at] = (value / power) * multiple;
      for (let i = at + 1; i < end; i++) {
        value += least + out[i]!;
        out[i] = (value / power) * multiple;
      }
    } else {
      const slope = headers[h + RISE]! / (all - 1);
      const start = min + headers[h + FIRST]! + headers[h + BASE]!;
      unpackInto(this.#words, word, n, width, out, at);
      for (let i = at; i < end; i++)
        out[i] = ((start + Math.round((i - at) * slope) + out[i]!) / power) * multiple;
    }
    return n;
  }

  /** Puts the numbers [from, to) at out[at]. */
  range(from: number, to: number, out: Float64Array, at: number): void {
    for (let start = from - (from % GROUP); start < to; start += GROUP) {
      const group = start / GROUP;
      if (start >= from && Math.min(start + GROUP, this.count) <= to) {
        this.group(group, out, at + start - from);
      } else {
        const last = Math.min(to, start + GROUP);
        this.group(group, spare, 0, last - start);
        for (let i = Math.max(from, start); i < last; i++) out[at + i - from] = spare[i - start]!;
      }
    }
  }

  #scaled(group: number, integer: number): number {
    const h = group * FIELDS;
    if (this.#headers[h + MODE] === RAW) return integer;
    const scale = this.#headers[h + SCALE]!;
    if (scale > MAX_DECIMALS) return integer * POWERS[(scale - MAX_DECIMALS) * 3]!;
    return integer / POWERS[scale]!;
  }
}

// Where headers are read from. Millions of them are read for one chart: state of the module costs least.
let source: Uint8Array = new Uint8Array(0);
let place = 0;

/** Parses one header into its fields and returns how many words of data belong to it. */
function readHeader(headers: number[], h: number, n: number): number {
  const code = source[place++]!;
  const mode = code & 7;
  headers[h + MODE] = mode;
  headers[h + SCALE] = code >>> 3;
  headers[h + SPAN] = headers[h + WIDTH] = 0;
  if (!(mode <= RAW && code >>> 3 <= MAX_SCALE)) throw malformed();
  if (mode === RAW) {
    headers[h + MIN] = readDouble();
    headers[h + SPAN] = readDouble();
    return 2 * n;
  }
  headers[h + MIN] = readSigned();
  if (mode === CONSTANT) return 0;
  const span = readVarint();
  headers[h + SPAN] = span;
  if (mode === FRAME) {
    const width = bitsFor(span);
    headers[h + WIDTH] = width;
    return packedWords(n, width);
  }
  headers[h + FIRST] = readVarint();
  headers[h + BASE] = readSigned();
  const width = source[place++]!;
  if (!(width <= 53)) throw malformed();
  headers[h + WIDTH] = width;
  if (mode === DELTA) return packedWords(n - 1, width);
  headers[h + RISE] = readVarint();
  return packedWords(n, width);
}

/** As ByteReader reads them; past the end comes NaN, which no check lets pass. */
function readVarint(): number {
  let byte = source[place++]!;
  if (byte < 128) return byte;
  let value = byte & 127;
  let scale = 128;
  do {
    byte = source[place++]!;
    value += (byte & 127) * scale;
    scale *= 128;
  } while (byte > 127);
  return value;
}

function readSigned(): number {
  const first = source[place++]!;
  let magnitude = (first & 127) >>> 1;
  if (first > 127) magnitude += readVarint() * 64;
  return (first & 1) === 1 ? -magnitude : magnitude;
}

function readDouble(): number {
  const view = new DataView(source.buffer, source.byteOffset + place, 8);
  place += 8;
  return view.getFloat64(0, true);
}
