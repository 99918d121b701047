import { formatClock, formatDay, type Zone } from '../../time.ts';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

/**
 * Labels of the time axis, 24 hours: the clock as fine as the step needs, and the day below it where it begins or
 * changes. `ticks` and `step` in ms.
 */
export function timeLabels(ticks: readonly number[], step: number, zone: Zone = 'local'): string[] {
  let lastDay = '';
  return ticks.map((tick) => {
    const day = formatDay(tick * 1000, zone);
    if (step >= DAY_MS) return day;
    const clock = formatClock(Math.round(tick) * 1000, zone);
    const shown = step >= 60 * SECOND_MS ? clock.slice(0, 5) : clock;
    const label = day === lastDay ? shown : `${shown}\n${day}`;
    lastDay = day;
    return label;
  });
}
