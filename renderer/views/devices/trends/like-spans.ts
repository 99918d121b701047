import { TREND_HOURS } from '#shared/operations/records/series.ts';
import { compareLevels, deviationOf, middleOf, type Comparison, type Deviation } from './comparison.ts';
import type { Level } from './trends.ts';

/*
 * Levels of the same span: the mean of a day of which hours are silent lies where the rest of the day does, which says nothing of
 * the device.
 */

/** A deviation, and what it was measured by. */
export interface DayDeviation extends Deviation {
  readonly by: Comparison;
}

/**
 * Each set of hours has a comparison of its own, with others evenly chosen of more: levels of all these together, and the least
 * number of others of one.
 */
const MOST_LEVELS = 100_000;
const LEAST_OTHERS = 64;

type Hours = readonly (number | null)[];

interface Days {
  /** Comparison over the whole day; null: too few. */
  readonly by: Comparison | null;
  /** Null where too few have any of the hours of a day. */
  readonly measure: (level: Level) => DayDeviation | null;
}

/**
 * Compares days. Where one lacks hours its level counts among all as the usual one, moved by how far it lies, in the hours that it
 * has, from what is usual in these; it is itself measured by the levels that all have in its hours.
 */
export function compareDays(all: ReadonlyMap<string, Level>): Days {
  const known = [...all.values()].flatMap(({ hours }) => (hours === null ? [] : [hours]));
  const lacking = known.filter((hours) => !isWhole(hours));
  const usual = lacking.length === 0 ? [] : usualHours(known);
  const day = meanOf(usual.filter((hour) => hour !== null));
  const by = compareLevels(
    [...all.values()].map(({ level, hours }) =>
      hours === null || isWhole(hours) ? level : day + distanceOf(hours, usual),
    ),
  );
  const most = Math.max(LEAST_OTHERS, Math.floor(MOST_LEVELS / new Set(lacking.map(spanOf)).size));
  const step = Math.max(1, Math.ceil(known.length / most));
  const others = known.filter((_, at) => at % step === 0);
  const bySpan = new Map<number, Comparison | null>();
  const compareIn = (span: number, hours: Hours) => {
    const found = compareLevels(others.flatMap((other) => levelIn(span, other, usual) ?? []));
    return found && { ...found, hours: hours.filter((hour) => hour !== null).length };
  };
  const measure = ({ level, hours }: Level) => {
    if (by === null) return null;
    if (hours === null || isWhole(hours)) return { ...deviationOf(level, by), by };
    const span = spanOf(hours);
    const alike = bySpan.has(span) ? bySpan.get(span) : compareIn(span, hours);
    bySpan.set(span, alike ?? null);
    const own = levelIn(span, hours, usual);
    return !alike || own === null ? null : { ...deviationOf(own, alike), by: alike };
  };
  return { by, measure };
}

/** The hours that a day has, a bit each. */
const spanOf = (hours: Hours) =>
  hours.reduce<number>((span, hour, at) => (hour === null ? span : span | (1 << at)), 0);

/** The median of each hour of the day; null where no device has it. */
function usualHours(days: readonly Hours[]): Hours {
  return Array.from({ length: TREND_HOURS }, (_, at) => {
    const known = days.flatMap((hours) => hours[at] ?? []);
    return known.length === 0 ? null : middleOf(Float64Array.from(known).toSorted());
  });
}

const isWhole = (hours: Hours) => !hours.includes(null);

/**
 * The level of a day in the hours of a span; null where it has none of them. Where it lacks some it is what is usual in the span,
 * moved by how far the day lies from that in the others.
 */
function levelIn(span: number, hours: Hours, usual: Hours): number | null {
  let [count, shared] = [0, 0];
  for (let at = 0; at < TREND_HOURS; at++) {
    if ((span & (1 << at)) === 0) continue;
    count++;
    if (typeof hours[at] === 'number') shared++;
  }
  if (shared === 0) return null;
  // Each part of a mean is divided first: two of the largest doubles have no sum.
  let [own, base, distance] = [0, 0, 0];
  for (let at = 0; at < TREND_HOURS; at++) {
    if ((span & (1 << at)) === 0) continue;
    const [hour, of] = [hours[at] ?? null, usual[at] ?? 0];
    base += of / count;
    if (hour === null) continue;
    own += hour / count;
    distance += (hour - of) / shared;
  }
  return shared === count ? own : base + distance;
}

/** How far a day lies, in the hours that it has, from what is usual in these. */
function distanceOf(hours: Hours, usual: Hours): number {
  return meanOf(
    hours.flatMap((hour, at) => {
      const of = usual[at] ?? null;
      return hour === null || of === null ? [] : hour - of;
    }),
  );
}

const meanOf = (numbers: readonly number[]) =>
  numbers.reduce((sum, number) => sum + number / numbers.length, 0);
