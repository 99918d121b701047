import { Records, type PieceReader, type ReaderOptions } from './reader.ts';
import { Unread } from './unread.ts';
import { MOST_RECORD_BYTES, ValueEnd } from './value-end.ts';

const LF = 10;
const CR = 13;
const OPEN_OBJECT = 123;
/** Lines that are longer are looked at before they are read. */
const SHORT_LINE = 1 << 14;

/** Newline-delimited JSON: a record a line, which ends as LF, CRLF or CR; JSON has none of these inside. */
export interface LineReader extends PieceReader {
  /** The line that is being read, from 1. */
  readonly line: number;
}

/** Lines of nothing but blanks are passed over. */
export function readLines(options: ReaderOptions): LineReader {
  const records = new Records(options);
  const unread = new Unread();
  let line = 1;
  /** No line ends before it, counted from the beginning of what is unread. */
  let looked = 0;

  const isLineEnd = (end: number) => {
    const byte = unread.bytes[end];
    return byte === LF || (byte === CR && end + 1 < unread.to);
  };

  /** Reads the lines that have ended. */
  function read(): void {
    for (;;) {
      const { bytes, from, to } = unread;
      // One whose end had not come is not read again from its beginning with each piece.
      let end = looked > 0 ? -1 : records.plain(bytes, from, isLineEnd);
      if (end === -1) {
        end = findEnd(bytes, from + looked, to);
        if (end === -1) {
          // A CR at the very end is looked at again, with what follows it.
          looked = Math.max(0, to - from - 1);
          if (looked > MOST_RECORD_BYTES) throw options.stop('length');
          return;
        }
        const isPlain = looked > 0 && records.plain(bytes, from, (at) => at === end) !== -1;
        if (!isPlain) readLine(bytes, from, end);
      }
      passEnd(bytes, end);
    }
  }

  function passEnd(bytes: Buffer, end: number): void {
    unread.from = end + (bytes[end] === CR && bytes[end + 1] === LF ? 2 : 1);
    looked = 0;
    line++;
  }

  function readLine(bytes: Buffer, from: number, to: number): void {
    if (bytes[from] !== OPEN_OBJECT && isEmpty(bytes, from, to)) return;
    if (to - from > SHORT_LINE) {
      try {
        new ValueEnd().find(bytes, from, to);
      } catch (error) {
        records.refuse(error);
        return;
      }
    }
    records.read(bytes, from, to);
  }

  return {
    get count() {
      return records.count;
    },
    get line() {
      return line;
    },
    push(piece) {
      unread.push(piece);
      if (unread.hasBegun) read();
    },
    end() {
      read();
      const { bytes, from, to } = unread;
      // A CR at the very end, too.
      const end = to > from && bytes[to - 1] === CR ? to - 1 : to;
      if (end > from) readLine(bytes, from, end);
      unread.from = to;
    },
    take: () => records.take(),
  };
}

/** The first LF or CR; a CR at the very end may still have its LF to come. */
function findEnd(bytes: Buffer, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte === LF) return at;
    if (byte === CR) return at + 1 < to ? at : -1;
  }
  return -1;
}

function isEmpty(bytes: Buffer, from: number, to: number): boolean {
  return bytes.toString('utf8', from, to).trim() === '';
}
