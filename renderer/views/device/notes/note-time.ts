import { parseInstant, type Micros } from '#shared/values/time.ts';
import { formatLocal } from '../../../time.ts';

const LOCAL = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,6}))?)?)?$/;

export const NOTE_TIME_RULE =
  'A time such as 2026-11-19 18:00 or 2026-11-19 18:00:05.25, or one with a zone.';

/** Reads a day or a time of the local zone, or an ISO 8601 time with its own; null where it is none that a clock here shows. */
export function readNoteTime(text: string): Micros | null {
  const given = text.trim();
  const exact = parseInstant(given.replace(' ', 'T'));
  if (exact !== null) return exact;
  const match = LOCAL.exec(given);
  if (!match) return null;
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00', fraction = ''] = match;
  const date = new Date(+year, +month - 1, +day, +hour, +minute, +second);
  const whole = date.getTime() * 1000;
  // 31 February, 25 o'clock, and times that a change of the clock leaves out are read as others.
  if (Number.isNaN(whole) || formatLocal(whole) !== `${year}-${month}-${day} ${hour}:${minute}:${second}`)
    return null;
  return whole + Number(fraction.padEnd(6, '0'));
}
