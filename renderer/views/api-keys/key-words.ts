import type { Permission } from '#shared/schemas.ts';
import { parseInstant, type Micros } from '#shared/time.ts';
import { formatLocal, zoneOffset } from '../../time.ts';

/** What each permission lets the holder of a key do. */
export const PERMISSIONS: Readonly<Record<Permission, string>> = {
  read: 'Read projects, devices and data',
  write: 'Create devices',
  delete: 'Delete projects, devices and data',
  admin: 'Everything beyond /v2: projects, keys, import, export',
};

const EXPIRY_RULE = 'expires_at must be a date such as 2027-01-31 or 2027-01-31 18:00';
const LOCAL = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?$/;

/**
 * Reads when a key is to end: a day or a time of the local zone, or an ISO 8601 time with its own. Null for an empty
 * text: never. Throws with the rule where it is no such time, or one that no clock here shows.
 */
export function readExpiry(text: string): Micros | null {
  const given = text.trim();
  if (given === '') return null;
  const instant = parseInstant(given) ?? readLocal(given);
  if (instant === null) throw new Error(`${EXPIRY_RULE}, got "${given}"`);
  return instant;
}

function readLocal(text: string): Micros | null {
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
      ? 'A day or a time, such as 2027-01-31 18:00; empty means never'
      : `Ends at ${formatLocal(at)} (${zoneOffset(at)})`;
  } catch {
    return 'A day or a time, such as 2027-01-31 18:00';
  }
}

/** `It can only read`; `It can read, write and delete`. */
export function describePermissions(permissions: readonly Permission[]): string {
  const [first = '', ...others] = permissions;
  if (others.length === 0) return first === 'admin' ? 'It can only administer' : `It can only ${first}`;
  const verbs = permissions.map((one) => (one === 'admin' ? 'administer' : one));
  return `It can ${verbs.slice(0, -1).join(', ')} and ${verbs.at(-1)}`;
}
