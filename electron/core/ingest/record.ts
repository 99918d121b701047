import { FIRST_RECORD_TIME, LAST_RECORD_TIME, parseInstant, type Micros } from '#shared/values/time.ts';
import { quote } from '#shared/values/validate.ts';

/*
 * What a record may be (docs/api.md, "How devices store data"), whichever way it comes in: as a payload or from a file.
 * Lengths are UTF-16 code units.
 */

export const MAX_KEYS = 256;
export const MAX_KEY_LENGTH = 128;
/** Longer ones would make a page of records too large for a window to read at once. */
export const MAX_TEXT_LENGTH = 65_536;

/** Fault of one record. Its reader puts the record's number before the message. */
export class RecordFault extends Error {
  override readonly name = 'RecordFault';
}

/** Why a data key is refused, or null when it is fine. */
export function keyFault(key: string): string | null {
  if (key === '') return 'a key must not be empty';
  if (key === 'timestamp') return 'the key "timestamp" is kept for the time of the record';
  if (key.length > MAX_KEY_LENGTH)
    return `a key must be at most ${MAX_KEY_LENGTH} characters, got ${quote(key)} with ${key.length}`;
  if (key.includes(',')) return `a key must not contain ",", got ${quote(key)}`;
  return null;
}

/** Passes on a text that a record may hold; throws RecordFault on one that is too long. */
export function checkedText(key: string, text: string): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  throw new RecordFault(
    `the text of ${quote(key)} must be at most 65,536 characters, got ${quote(text)} with ${text.length}`,
  );
}

export function tooManyKeys(): RecordFault {
  return new RecordFault(`a record holds at most ${MAX_KEYS} keys`);
}

const TIME_RULE =
  'must be an ISO 8601 time with "Z" or an offset, such as "2026-03-02T20:30:21.202946Z", or whole milliseconds since 1970';

/** Reads a record's `timestamp`. Throws RecordFault on anything but ISO 8601 or whole epoch ms from 1700 to 2200. */
export function recordTime(timestamp: unknown): Micros {
  if (typeof timestamp === 'string') {
    const time = parseInstant(timestamp);
    if (time !== null) return checkedTime(time, timestamp);
  } else if (Number.isInteger(timestamp)) return checkedTime((timestamp as number) * 1000, timestamp);
  throw new RecordFault(`timestamp ${TIME_RULE}, got ${quote(timestamp)}`);
}

/** Passes on a time that a record may carry; throws RecordFault on others. `text` is how the sender wrote it. */
export function checkedTime(time: Micros, text: unknown): Micros {
  if (time >= FIRST_RECORD_TIME && time <= LAST_RECORD_TIME) return time;
  throw new RecordFault(`timestamp must lie in the years 1700 to 2200, got ${quote(text)}`);
}
