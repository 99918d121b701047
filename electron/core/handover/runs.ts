import { createHash, type Hash } from 'node:crypto';

/*
 * Runs: stretches of a file, each with a hash, by which a check names what of the file is not as it was, and not only that something
 * is not. Where a run of lines ends is decided by the lines themselves (content-defined chunking): one line that is gone or was put in
 * moves no end but those around it. Bytes without lines have runs of a fixed length.
 */

/** Unit of a file's runs. */
export type RunUnit = 'lines' | 'bytes';

/** `length` in the unit of the file. */
export interface Run {
  readonly length: number;
  /** SHA-256 of its bytes, its first half in hex. */
  readonly hash: string;
  /** Of lines: a sum over them that does not depend on their order; empty for bytes. */
  readonly sum: string;
  /** Of lines: the time at the beginning of the first one; empty where none stands there. */
  readonly time: string;
}

export interface FileDigest {
  /** In hex. */
  readonly sha256: string;
  readonly bytes: number;
  readonly unit: RunUnit;
  readonly runs: readonly Run[];
}

/** A run of lines ends behind about each 256th, and at the latest behind so many. */
const ENDS = 0xff;
const MOST_LINES = 4096;
/** Bytes of a run without lines. */
const RUN_BYTES = 1 << 16;
/** As many bytes of a line are looked at for a time. */
const TIME_BYTES = 48;

const LINE_FEED = 0x0a;
const TIME = /^(?:\{"timestamp":")?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))[,;\t"\r\n]/;

/** Hash of a line's bytes (FNV-1a), from which both halves of its sum are mixed. */
const FNV = [0x811c9dc5, 0x01000193] as const;
const OTHER = 0x9747b28c;

/** The end of a line hash: so that its low bits depend on all of the line. */
function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
}

export interface LineHash {
  readonly low: number;
  readonly high: number;
}

const NO_SUM: LineHash = { low: 0, high: 0 };

/** Sums of line hashes, modulo 2^32 each. */
export const sumOf = (a: LineHash, b: LineHash): LineHash => ({
  low: (a.low + b.low) >>> 0,
  high: (a.high + b.high) >>> 0,
});
export const differenceOf = (a: LineHash, b: LineHash): LineHash => ({
  low: (a.low - b.low) >>> 0,
  high: (a.high - b.high) >>> 0,
});
export const sumText = ({ low, high }: LineHash): string =>
  high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
export const readSum = (text: string): LineHash =>
  text === ''
    ? NO_SUM
    : { high: Number.parseInt(text.slice(0, 8), 16), low: Number.parseInt(text.slice(8), 16) };

/** Gets each line's hash, for who asks which line it was. */
export type TakeLine = (hash: LineHash) => void;

/** Digests the bytes of a file as they pass. */
export class Digester {
  readonly #whole = createHash('sha256');
  readonly #unit: RunUnit;
  readonly #take: TakeLine | null;
  readonly #runs: Run[] = [];
  #bytes = 0;
  #run: Hash = createHash('sha256');
  /** Lines, or bytes, of the run so far; of lines whether one is open beside. */
  #length = 0;
  #isOpen = false;
  #line: number = FNV[0];
  #sumLow = 0;
  #sumHigh = 0;
  /** The beginning of the run's first line. */
  #head = '';
  #isHeadOver = false;

  constructor(unit: RunUnit, take: TakeLine | null = null) {
    this.#unit = unit;
    this.#take = take;
  }

  update(piece: Uint8Array): void {
    this.#whole.update(piece);
    this.#bytes += piece.length;
    if (this.#unit === 'lines') this.#updateLines(piece);
    else this.#updateBytes(piece);
  }

  end(): FileDigest {
    if (this.#unit === 'lines') {
      if (this.#isOpen) this.#endLine();
      if (this.#length > 0) this.#endRun();
    } else if (this.#length > 0) this.#endRun();
    return { sha256: this.#whole.digest('hex'), bytes: this.#bytes, unit: this.#unit, runs: this.#runs };
  }

  #updateBytes(piece: Uint8Array): void {
    for (let at = 0; at < piece.length;) {
      const to = Math.min(piece.length, at + RUN_BYTES - this.#length);
      this.#run.update(piece.subarray(at, to));
      this.#length += to - at;
      at = to;
      if (this.#length === RUN_BYTES) this.#endRun();
    }
  }

  #updateLines(piece: Uint8Array): void {
    let begun = 0;
    for (let at = 0; at < piece.length;) {
      if (!this.#isHeadOver) this.#lookForTime(piece, at);
      const found = piece.indexOf(LINE_FEED, at);
      const to = found === -1 ? piece.length : found + 1;
      let line = this.#line;
      for (let i = at; i < to; i++) line = Math.imul(line ^ piece[i]!, FNV[1]);
      this.#line = line;
      this.#isOpen = true;
      at = to;
      if (found === -1) break;
      if (this.#endLine() || this.#length >= MOST_LINES) {
        this.#run.update(piece.subarray(begun, at));
        begun = at;
        this.#endRun();
      }
    }
    if (begun < piece.length) this.#run.update(piece.subarray(begun));
  }

  #lookForTime(piece: Uint8Array, at: number): void {
    const part = piece.subarray(at, at + TIME_BYTES - this.#head.length);
    this.#head += Buffer.from(part.buffer, part.byteOffset, part.length).toString('latin1');
    this.#isHeadOver = this.#head.length >= TIME_BYTES || this.#head.includes('\n');
  }

  /** Returns whether the run ends with it. */
  #endLine(): boolean {
    const hash = { low: mixed(this.#line), high: mixed(this.#line ^ OTHER) };
    this.#sumLow = (this.#sumLow + hash.low) >>> 0;
    this.#sumHigh = (this.#sumHigh + hash.high) >>> 0;
    this.#take?.(hash);
    this.#length++;
    this.#isOpen = false;
    this.#line = FNV[0];
    return (hash.low & ENDS) === 0;
  }

  #endRun(): void {
    const isLines = this.#unit === 'lines';
    this.#runs.push({
      length: this.#length,
      hash: this.#run.digest('hex').slice(0, 32),
      sum: isLines ? sumText({ low: this.#sumLow, high: this.#sumHigh }) : '',
      time: TIME.exec(this.#head)?.[1] ?? '',
    });
    this.#run = createHash('sha256');
    this.#length = 0;
    this.#sumLow = 0;
    this.#sumHigh = 0;
    this.#head = '';
    this.#isHeadOver = false;
  }
}
