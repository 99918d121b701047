import type { Permission } from '#shared/schema/schemas.ts';
import { parseInstant, type Micros } from '#shared/values/time.ts';
import { formatLocal, nowMicros, zoneOffset } from '../../time.ts';

/** Permissions, with their meaning for the holder of a key. */
export const PERMISSIONS: Readonly<Record<Permission, string>> = {
  read: 'Read projects, devices and data',
  write: 'Create devices; data are stored with each device’s own token',
  delete: 'Delete projects, devices and data',
  admin: 'Everything beyond /v2: projects, keys, import, export',
};

/** Rule of the field. */
const EXPIRY_RULE =
  'Takes how long it holds (30 days, 2 weeks, 1 year), “tomorrow”, a day (2027-01-31, 31.12.2027) or a day and a time (2027-01-31 18:00)';
const LOCAL = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?$/;
/** Day, month and year, as they are written with points: with slashes either may be first. */
const WITH_POINTS = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?=$|[T ])/;
const HOLDS = /^(?:in )?(\d{1,4}) (hour|day|week|month|year)s?$/i;

/**
 * Reads when a key is to end: how long from `now` on, a day or a time of the local zone, or an ISO 8601 time with its own.
 * Null for an empty text: never. Throws with the rule where it is no such time, or one that no clock here shows.
 */
export function readExpiry(text: string, now = nowMicros()): Micros | null {
  const given = text.trim();
  if (given === '') return null;
  const instant =
    parseInstant(given) ?? readLocal(given) ?? readFrom(given.toLowerCase(), new Date(now / 1000));
  if (instant === null) throw new ExpiryError(`${EXPIRY_RULE}. Got “${given}”.`);
  return instant;
}

/** Error of the field, in its words. */
export class ExpiryError extends Error {
  override readonly name = 'ExpiryError';
}

/** A length of time from now on, by the calendar; `tomorrow` begins at midnight. */
function readFrom(text: string, now: Date): Micros | null {
  if (text === 'tomorrow')
    return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime() * 1000;
  const [, digits, unit = ''] = HOLDS.exec(text) ?? [];
  const amount = Number(digits);
  if (!(amount > 0)) return null;
  if (unit === 'hour') return (now.getTime() + amount * 3_600_000) * 1000;
  const end = new Date(now);
  if (unit === 'day' || unit === 'week') end.setDate(end.getDate() + amount * (unit === 'week' ? 7 : 1));
  else {
    const months = amount * (unit === 'year' ? 12 : 1);
    const day = end.getDate();
    end.setDate(1);
    end.setMonth(end.getMonth() + months);
    // A month after 31 January is the end of February.
    end.setDate(Math.min(day, new Date(end.getFullYear(), end.getMonth() + 1, 0).getDate()));
  }
  return Math.floor(end.getTime() / 1000) * 1e6;
}

const two = (part: string) => part.padStart(2, '0');

function readLocal(said: string): Micros | null {
  const text = said.replace(
    WITH_POINTS,
    (_, day: string, month: string, year: string) => `${year}-${two(month)}-${two(day)}`,
  );
  const match = LOCAL.exec(text);
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const instant = new Date(year, month - 1, day, hour, minute, second).getTime() * 1000;
  // 31 February, 25 o'clock, and times that a change of the clock leaves out are read as others.
  const parts = match.slice(1).map((part) => part ?? '00');
  const shown = `${parts.slice(0, 3).join('-')} ${parts.slice(3).join(':')}`;
  return Number.isNaN(instant) || formatLocal(instant) !== shown ? null : instant;
}

/** `2027-01-31 18:00:00 (UTC+01:00)`; what is wrong with it; or what may be written. */
export function describeExpiry(text: string): string {
  try {
    const at = readExpiry(text);
    return at === null
      ? '30 days, tomorrow, or a day or a time such as 2027-01-31 18:00; empty means never'
      : `Ends at ${formatLocal(at)} (${zoneOffset(at)})`;
  } catch {
    return '30 days, tomorrow, or a day or a time such as 2027-01-31 18:00';
  }
}

/** `It can only read`; `It can read, write and delete`. */
export function describePermissions(permissions: readonly Permission[]): string {
  const [first = '', ...others] = permissions;
  if (others.length === 0) return first === 'admin' ? 'It can only administer' : `It can only ${first}`;
  const verbs = permissions.map((one) => (one === 'admin' ? 'administer' : one));
  return `It can ${verbs.slice(0, -1).join(', ')} and ${verbs.at(-1)}`;
}
