import { parseInstant, type Micros } from '#shared/values/time.ts';
import { formatClock, formatDay, formatTime, zoneOffset, type Zone } from '../../time.ts';

/** `2026-11-19 19:45:00 – 20:45:00 (UTC+01:00)`: the day once where both ends have it. */
export function spanText(start: Micros, end: Micros | null, by: Zone = 'local'): string {
  const from = formatTime(start, by);
  const zone = zoneOffset(start, by);
  if (end === null) return `${from} (${zone})`;
  const to = formatDay(end, by) === formatDay(start, by) ? formatClock(end, by) : formatTime(end, by);
  const other = zoneOffset(end, by);
  return other === zone ? `${from} – ${to} (${zone})` : `${from} (${zone}) – ${to} (${other})`;
}

/** Returns the words of a span of the service's times; a malformed one stays as it is. */
export function spanTextOf(start: string, end: string | null, by: Zone = 'local'): string {
  const [from, to] = [parseInstant(start), end === null ? null : parseInstant(end)];
  return from === null || (end !== null && to === null) ? `${start} – ${end}` : spanText(from, to, by);
}
