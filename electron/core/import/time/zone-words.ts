import { IANAZone } from 'luxon';
import { offsetText } from '../../base/zoned-time.ts';

/** A zone as files write it. */
export interface ZoneWord {
  /** In the IANA database, or an offset that holds all year. */
  readonly zone: string;
  /** What else the word may mean, as zones whose clocks are changed; empty where it has one meaning. */
  readonly others: readonly string[];
}

/** Names that people give to an offset, and what else they mean by them: clocks that are changed, or other continents. */
const NAMED: Readonly<Record<string, readonly [zone: string, ...others: string[]]>> = {
  WET: ['UTC+00:00', 'Europe/Lisbon'],
  WEST: ['UTC+01:00', 'Europe/Lisbon'],
  BST: ['UTC+01:00', 'Europe/London', 'UTC+06:00'],
  CET: ['UTC+01:00', 'Europe/Berlin'],
  MEZ: ['UTC+01:00', 'Europe/Berlin'],
  CEST: ['UTC+02:00', 'Europe/Berlin'],
  MESZ: ['UTC+02:00', 'Europe/Berlin'],
  EET: ['UTC+02:00', 'Europe/Helsinki'],
  EEST: ['UTC+03:00', 'Europe/Helsinki'],
  MSK: ['UTC+03:00'],
  IST: ['UTC+05:30', 'Europe/Dublin', 'Asia/Jerusalem'],
  SGT: ['UTC+08:00'],
  HKT: ['UTC+08:00'],
  AWST: ['UTC+08:00'],
  JST: ['UTC+09:00'],
  KST: ['UTC+09:00'],
  ACST: ['UTC+09:30', 'Australia/Adelaide'],
  AEST: ['UTC+10:00', 'Australia/Sydney'],
  AEDT: ['UTC+11:00', 'Australia/Sydney'],
  NZST: ['UTC+12:00', 'Pacific/Auckland'],
  NZDT: ['UTC+13:00', 'Pacific/Auckland'],
  AST: ['UTC-04:00', 'America/Halifax', 'UTC+03:00'],
  EST: ['UTC-05:00', 'America/New_York'],
  EDT: ['UTC-04:00', 'America/New_York'],
  CST: ['UTC-06:00', 'America/Chicago', 'UTC+08:00'],
  CDT: ['UTC-05:00', 'America/Chicago'],
  MST: ['UTC-07:00', 'America/Denver'],
  MDT: ['UTC-06:00', 'America/Denver'],
  PST: ['UTC-08:00', 'America/Los_Angeles'],
  PDT: ['UTC-07:00', 'America/Los_Angeles'],
  AKST: ['UTC-09:00', 'America/Anchorage'],
  AKDT: ['UTC-08:00', 'America/Anchorage'],
  HST: ['UTC-10:00'],
};

const OF_UTC = /^(UTC|GMT|Z)(?:\s?([+-])\s?(\d{1,2})(?::?([0-5]\d))?)?$/i;
const OFFSET = /^([+-])(\d{2}):?([0-5]\d)$/;
const PLACE = /^[A-Z][A-Za-z_]+\/[A-Z][A-Za-z_+\-\d/]+$/;

/** No clock is further from UTC, in minutes. */
const MOST_OFFSET = 14 * 60;

/** The zone that a word means, as "UTC+2", "+02:00", "Europe/Berlin" and "PST"; null for other words. */
export function zoneOfWord(written: string): ZoneWord | null {
  const word = written.trim();
  const utc = OF_UTC.exec(word);
  const [, sign, hours = '', minutes = '0'] = (utc ? utc.slice(1) : OFFSET.exec(word)) ?? [];
  if (utc && sign === undefined) return only('UTC');
  if (sign !== undefined)
    return zoneOfOffset((sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)), 'min');
  if (PLACE.test(word)) return IANAZone.isValidZone(word) ? only(word) : null;
  const [zone, ...others] = (Object.hasOwn(NAMED, word) && NAMED[word]) || [];
  return zone === undefined ? null : { zone, others };
}

const only = (zone: string): ZoneWord => ({ zone, others: [] });

/** The zone of so many minutes, hours or seconds east of UTC; null where no clock is so far from it. */
export function zoneOfOffset(number: number, unit: 'h' | 'min' | 's'): ZoneWord | null {
  const minutes = number * { h: 60, min: 1, s: 1 / 60 }[unit];
  if (!Number.isInteger(minutes) || Math.abs(minutes) > MOST_OFFSET) return null;
  return only(minutes === 0 ? 'UTC' : `UTC${offsetText(minutes)}`);
}

const IN_TEXT =
  /(?<![A-Za-z\d])((?:UTC|GMT)(?:\s?[+-]\s?\d{1,2}(?::?[0-5]\d)?)?|[A-Z][A-Za-z_]+\/[A-Z][A-Za-z_]+(?:\/[A-Z][A-Za-z_]+)?|[A-Z]{3,4}|[+-]\d{2}:?[0-5]\d)(?![A-Za-z\d:])/g;

/** The first zone that a text names; null where it names none. */
export function zoneInText(text: string): ZoneWord | null {
  for (const [word] of text.slice(0, MOST_CHARACTERS).matchAll(IN_TEXT)) {
    const zone = zoneOfWord(word);
    if (zone) return zone;
  }
  return null;
}

/** Longer texts are about something else. */
const MOST_CHARACTERS = 256;
