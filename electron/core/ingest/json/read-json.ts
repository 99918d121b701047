import { badRequest } from '../../base/errors.ts';
import { Records, type PieceReader, type ReaderOptions } from './reader.ts';
import { Unread } from './unread.ts';
import { ValueEnd } from './value-end.ts';

const BLANK = 32;
const TAB = 9;
const LF = 10;
const CR = 13;
const COMMA = 44;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;

const notJson = (why: string) => badRequest(`The body is not valid JSON: ${why}.`);
const isAnyEnd = () => true;

/** State of the reader: what comes next. */
type Place = 'beginning' | 'first' | 'value' | 'behind' | 'end';

/** Reads one JSON value or an array of them, without ever holding more of the array than one. */
export function readJson(options: ReaderOptions): PieceReader {
  const records = new Records({
    ...options,
    fault(fault) {
      if (fault.isSyntax && !isArray) throw notJson(fault.message);
      options.fault(fault);
    },
  });
  const unread = new Unread();
  const valueEnd = new ValueEnd();
  let place: Place = 'beginning';
  let isArray = false;

  /** Reads what has arrived, up to the first value that is not whole. */
  function read(isLast: boolean): void {
    while (skipBlanks()) {
      const byte = unread.bytes[unread.from];
      if (place === 'end') throw notJson(behindAll(isArray));
      if (place === 'behind') readBehind(byte);
      else if (place === 'beginning' && byte === OPEN_ARRAY) {
        unread.from++;
        isArray = true;
        place = 'first';
      } else if (place === 'first' && byte === CLOSE_ARRAY) {
        throw badRequest('The body is an empty array: send at least one record.');
      } else if (isArray && (byte === COMMA || byte === CLOSE_ARRAY)) {
        throw notJson(`a record is missing behind record ${records.count}`);
      } else if (!readValue(isLast)) return;
    }
  }

  function readBehind(byte: number | undefined): void {
    if (byte !== COMMA && byte !== CLOSE_ARRAY)
      throw notJson(`expected "," or "]" behind record ${records.count}`);
    unread.from++;
    place = byte === COMMA ? 'value' : 'end';
  }

  /** False where its end has not arrived. */
  function readValue(isLast: boolean): boolean {
    const { bytes, from, to } = unread;
    // One whose end had not come is not read again from its beginning with each piece.
    const { isUnderWay } = valueEnd;
    let end = isUnderWay ? -1 : records.plain(bytes, from, isAnyEnd);
    if (end === -1) {
      end = findEnd(isLast);
      if (end === -1) return false;
      const isPlain = isUnderWay && records.plain(bytes, from, (at) => at === end) !== -1;
      if (!isPlain) records.read(bytes, from, end);
    }
    unread.from = Math.min(end, to);
    place = isArray ? 'behind' : 'end';
    return true;
  }

  function findEnd(isLast: boolean): number {
    const { bytes, from, to } = unread;
    try {
      const end = valueEnd.find(bytes, from, to);
      // A word or a number alone ends with the text; whatever else does is cut.
      return end === -1 && isLast ? to : end;
    } catch (error) {
      records.refuse(error);
      throw error;
    }
  }

  function skipBlanks(): boolean {
    const { bytes, to } = unread;
    let { from } = unread;
    while (isBlank(bytes[from]!)) from++;
    unread.from = from;
    return from < to;
  }

  return {
    get count() {
      return records.count;
    },
    push(piece) {
      unread.push(piece);
      if (unread.hasBegun) read(false);
    },
    end() {
      read(true);
      if (place === 'beginning')
        throw badRequest('The body is empty: send one JSON object, or an array of them.');
      if (place !== 'end') throw notJson('it ends before its array does');
    },
    take: () => records.take(),
  };
}

const isBlank = (byte: number) => byte === BLANK || byte === LF || byte === CR || byte === TAB;

function behindAll(isArray: boolean): string {
  return isArray
    ? 'more follows behind the array'
    : 'more follows behind the object; send an array of objects, or one object a line as application/x-ndjson';
}
