import { TREND_HOURS } from '#shared/operations/records/series.ts';
import { middleOf } from './comparison.ts';
import type { Level } from './trends.ts';

/*
 * Levels of the same span: the mean of a day of which hours are silent lies where the rest of the day does, which says nothing of
 * the device.
 */

/**
 * Returns the levels that devices are compared by. Of one whose day lacks hours it is the usual level of all, moved by how far it
 * lies, in the hours that it has, from what is usual in these.
 */
export function alikeLevels(all: ReadonlyMap<string, Level>): ReadonlyMap<string, number> {
  const lacking = [...all].filter(([, { hours }]) => hours !== null && hours.includes(null));
  const levels = new Map([...all].map(([id, { level }]) => [id, level]));
  if (lacking.length === 0) return levels;
  const usual = usualHours(all);
  const day = meanOf(usual.filter((hour) => hour !== null));
  for (const [id, { hours }] of lacking) {
    const distances = (hours ?? []).flatMap((hour, at) => {
      const of = usual[at] ?? null;
      return hour === null || of === null ? [] : hour - of;
    });
    levels.set(id, day + meanOf(distances));
  }
  return levels;
}

/** The median of each hour of the day; null where no device has it. */
function usualHours(all: ReadonlyMap<string, Level>): (number | null)[] {
  const days = [...all.values()];
  return Array.from({ length: TREND_HOURS }, (_, at) => {
    const known = days.flatMap(({ hours }) => hours?.[at] ?? []);
    return known.length === 0 ? null : middleOf(Float64Array.from(known).toSorted());
  });
}

const meanOf = (numbers: readonly number[]) =>
  numbers.reduce((sum, number) => sum + number / numbers.length, 0);
