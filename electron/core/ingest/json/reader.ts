import type { Refusal } from '../../base/errors.ts';
import { parseJson } from '#shared/values/json.ts';
import type { Micros } from '#shared/values/time.ts';
import { RecordFault } from '../record.ts';
import { toRecord } from '../to-record.ts';
import { Batches, type Batch } from './batches.ts';

/** Why a record is refused, and which one it is. */
export interface Fault {
  /** From 1, among those of the text. */
  readonly record: number;
  readonly message: string;
  /** Whether it is no JSON at all. */
  readonly isSyntax: boolean;
}

/** A text of records that arrives piece by piece. */
export interface PieceReader {
  /** Records read so far. */
  readonly count: number;
  /** Takes a piece; throws a 400 Refusal. */
  push(piece: Uint8Array): void;
  /** The text ends; throws a 400 Refusal. */
  end(): void;
  /** Returns the batches read since the last call, in order. Columns are lent until the next call. */
  take(): readonly Batch[];
}

export interface ReaderOptions {
  /** The time of records without `timestamp`. */
  readonly received: Micros;
  /** Throws, or leaves the record out. */
  readonly fault: (fault: Fault) => void;
  /** Returns the error that ends reading: bytes that are not UTF-8, or a line of more than 16 MiB. */
  readonly stop: (why: 'encoding' | 'length') => Refusal;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const REPLACEMENT = '\uFFFD';

/** The text of bytes that are UTF-8; throws a TypeError on others. */
function utf8(bytes: Buffer, from: number, to: number): string {
  const text = bytes.toString('utf8', from, to);
  // Quicker than a decoder that refuses, which says then whether it was written or stands for what is no UTF-8.
  return text.includes(REPLACEMENT) ? decoder.decode(bytes.subarray(from, to)) : text;
}

/** Reads one record after the other the careful way, and counts them. */
export class Records {
  count = 0;
  readonly #batches: Batches;
  readonly #options: ReaderOptions;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#batches = new Batches(options.received);
  }

  /** As `Batches.plain`. */
  plain(bytes: Buffer, from: number, isEnd: (end: number) => boolean): number {
    const end = this.#batches.plain(bytes, from, isEnd);
    if (end !== -1) this.count++;
    return end;
  }

  /** As `Batches.take`. */
  take(): readonly Batch[] {
    return this.#batches.take();
  }

  /** Reads the record at [from, to). */
  read(bytes: Buffer, from: number, to: number): void {
    this.count++;
    try {
      const record = toRecord(parseJson(this.#text(bytes, from, to)), this.#options.received);
      this.#batches.add(record, bytes, from, to);
    } catch (error) {
      this.#fault(error);
    }
  }

  /** The record that comes next has a fault, which its text already shows. */
  refuse(error: unknown): void {
    this.count++;
    this.#fault(error);
  }

  #text(bytes: Buffer, from: number, to: number): string {
    try {
      return utf8(bytes, from, to);
    } catch {
      throw this.#options.stop('encoding');
    }
  }

  #fault(error: unknown): void {
    if (!(error instanceof RecordFault || error instanceof SyntaxError)) throw error;
    const { message } = error;
    this.#options.fault({ record: this.count, message, isSyntax: error instanceof SyntaxError });
  }
}
