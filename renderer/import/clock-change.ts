import type { Doubt, Inspection } from '#shared/operations/records/records.ts';
import { parseInstant, type Micros } from '#shared/values/time.ts';
import { zoneLabel } from './zones.ts';

/** Instants between the first and the last row whose offsets are looked at: a change lasts for months. */
const LOOKS = 64;

/** The offset of a zone at an instant, as it is named: `UTC+02:00`. */
function offsetAt(format: Intl.DateTimeFormat, at: Micros): string {
  const parts = format.formatToParts(at / 1000);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  return name === 'GMT' || name === 'GMT+00:00' ? 'UTC' : name.replace('GMT', 'UTC');
}

/** The offsets that clocks of a zone stood at from `first` to `last`, the first one first. */
export function offsetsBetween(zone: string, first: Micros, last: Micros): readonly string[] {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  const instants = Array.from({ length: LOOKS + 1 }, (_, at) => first + ((last - first) / LOOKS) * at);
  return [...new Set(instants.map((instant) => offsetAt(format, instant)))];
}

/**
 * Where clocks of the zone changed while a file was written: whether the logger's clock was changed, too, which nothing in
 * the file tells. The service asks it of the rows that it has looked at. Null where the question does not arise.
 */
export function clockChange(inspection: Inspection, zone: string | undefined): Doubt | null {
  const { zone_needed: isNeeded, start_needed: isElapsed, doubts } = inspection;
  const [first, last] = [parseInstant(inspection.first ?? ''), parseInstant(inspection.last ?? '')];
  const asked = doubts.find(({ setting }) => setting === 'zone');
  if (asked) return asked.options.length > 1 ? asked : null;
  const isFixed = zone === undefined || /^UTC([+-]|$)/.test(zone);
  if (!isNeeded || isElapsed || isFixed || first === null || last === null) return null;
  const offsets = offsetsBetween(zone, first, last);
  if (offsets.length < 2) return null;
  return {
    setting: 'zone',
    columns: [],
    options: [zone, ...offsets],
    message: `Clocks in ${zone} changed while this file was written. Was the logger’s clock changed, too? Most loggers stay on one offset: ${offsets.map(zoneLabel).join(', or ')}.`,
  };
}
