import { NEVER_SEEN, parseInstant, type Micros } from '#shared/values/time.ts';

/*
 * Times for people: local zone, ISO order, 24 hours, and as many fraction digits as the instant has. Their exact UTC
 * form comes from shared/values/time.ts.
 */

const two = (value: number) => String(value).padStart(2, '0');

/** Time zone of shown times: local, or UTC. */
export type Zone = 'local' | 'utc';

/** A date whose UTC fields are those of the zone. */
function fieldsIn(ms: number, zone: Zone): Date {
  if (zone === 'utc') return new Date(ms);
  const date = new Date(ms);
  const fields = new Date(0);
  fields.setUTCFullYear(date.getFullYear(), date.getMonth(), date.getDate());
  fields.setUTCHours(date.getHours(), date.getMinutes(), date.getSeconds(), date.getMilliseconds());
  return fields;
}

/** `2026-03-02`. */
export function formatDay(instant: Micros, zone: Zone = 'local'): string {
  const date = fieldsIn(Math.floor(instant / 1000), zone);
  const year = String(date.getUTCFullYear()).padStart(4, '0');
  return `${year}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
}

/** `21:30:21.202946`; the fraction is cut where only zeros follow. */
export function formatClock(instant: Micros, zone: Zone = 'local'): string {
  const ms = Math.floor(instant / 1000);
  const date = fieldsIn(ms, zone);
  const fraction = `${String(date.getUTCMilliseconds()).padStart(3, '0')}${String(instant - ms * 1000).padStart(3, '0')}`;
  const digits = fraction.replace(/0+$/, '');
  const clock = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  return digits ? `${clock}.${digits}` : clock;
}

/** `2026-03-02 21:30:21.202946` in the local zone. */
export function formatLocal(instant: Micros): string {
  return formatTime(instant, 'local');
}

/** Formats a time in either zone. */
export function formatTime(instant: Micros, zone: Zone): string {
  return `${formatDay(instant, zone)} ${formatClock(instant, zone)}`;
}

/** The offset of a zone at an instant: `UTC+01:00`; of UTC itself `UTC`. */
export function zoneOffset(instant: Micros, zone: Zone = 'local'): string {
  if (zone === 'utc') return 'UTC';
  const minutes = -new Date(Math.floor(instant / 1000)).getTimezoneOffset();
  const size = Math.abs(minutes);
  return `UTC${minutes < 0 ? '−' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** The IANA name of the local zone. */
export function localZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** `3 minutes ago`; within a minute `just now`. Both in µs. */
export function formatRelative(instant: Micros, now: Micros): string {
  const seconds = (instant - now) / 1e6;
  for (const [unit, size] of STEPS)
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  return 'just now';
}

/** When a device was last seen, in µs; null for never (docs/api.md, "Fields": the zero timestamp). */
export function lastSeenOf(device: { readonly last_seen: string }): Micros | null {
  return device.last_seen === NEVER_SEEN ? null : parseInstant(device.last_seen);
}

/** The service's clock where it goes otherwise than the machine's: its time at a moment of this page. */
let apart: { readonly now: Micros; readonly sinceMs: number; readonly rate: number } | null = null;

/** Goes by the service's clock from now on; null: by the machine's. */
export function goBy(clock: { readonly now: Micros; readonly rate: number } | null): void {
  apart = clock && { ...clock, sinceMs: performance.now() };
}

/** Whether the service's clock goes otherwise than the machine's. */
export const isApart = (): boolean => apart !== null;

/** The present of the service in µs. */
export function nowMicros(): Micros {
  if (apart === null) return Date.now() * 1000;
  const { now, sinceMs, rate } = apart;
  return now + Math.floor((performance.now() - sinceMs) * rate * 1000);
}
