import type { Surveyed, ExcursionsQuery } from '#core/survey/excursions.ts';
import { naiveRuns } from '../../unit/survey/naive-survey.ts';

/* docs/local-api.md, "Excursions", worked out the plainest way over all readings of a key. */

export interface Reading {
  readonly time: number;
  readonly value: number;
}

type Side = 'inside' | 'above' | 'below';

interface Told extends Reading {
  readonly side: Side;
  /** Until when it holds; null: nobody knows, since the next one comes too late, or never. */
  readonly until: number | null;
}

/** `readings`: all of a key, oldest first. */
export function naiveExcursions(readings: readonly Reading[], query: ExcursionsQuery): Surveyed {
  const { range, normal, pause, most, width } = query;
  const { start, end } = range;
  const { low, high } = normal;
  const told = readings.map(({ time, value }, i): Told => {
    const next = readings[i + 1]?.time;
    const isHeld = next !== undefined && (pause === null || next - time <= pause);
    const side = high !== null && value > high ? 'above' : low !== null && value < low ? 'below' : 'inside';
    return { time, value: value + 0, side, until: isHeld ? next : null };
  });
  const within = (from: number, to: number) => Math.max(0, Math.min(to, end) - Math.max(from, start));
  const held = (sides: readonly Side[]) =>
    told.reduce(
      (sum, { time, side, until }) => sum + (sides.includes(side) ? within(time, until ?? time) : 0),
      0,
    );
  const silences = [
    [-Infinity, told[0]?.time ?? Infinity] as const,
    ...told.flatMap(({ time, until }, i) =>
      until === null ? [[time, told[i + 1]?.time ?? Infinity] as const] : [],
    ),
  ].filter(([from, to]) => within(from, to) > 0);
  const gaps = silences.map(([from, to]) => ({ start: Math.max(from, start), end: Math.min(to, end) }));
  const excursions = groupsOf(told).flatMap((group) => {
    const counted = group.filter(
      ({ time, until }) => time <= end && (time >= start || (until !== null && until > start)),
    );
    const [first] = counted;
    const last = group.at(-1);
    if (!first || !last || first.side === 'inside') return [];
    const values = counted.map(({ value }) => value);
    const worst = first.side === 'above' ? Math.max(...values) : Math.min(...values);
    return [
      {
        start: Math.max(first.time, start),
        end: Math.min(last.until ?? last.time, end),
        worst,
        at: counted.find(({ value }) => value === worst)?.time ?? Number.NaN,
        side: first.side,
      },
    ];
  });
  return {
    inside: held(['inside']),
    outside: held(['above', 'below']),
    notMeasured: gaps.reduce((sum, gap) => sum + gap.end - gap.start, 0),
    excursions: { count: excursions.length, list: excursions.slice(0, most) },
    gaps: { count: gaps.length, list: gaps.slice(0, most) },
    runs: width === null ? [] : naiveRuns(statesOf(told, start, end), range, width),
  };
}

/** Readings at one end that follow one another, each held until the next one. */
function groupsOf(told: readonly Told[]): Told[][] {
  const groups: Told[][] = [];
  for (const [i, one] of told.entries()) {
    const before = told[i - 1];
    const follows = before?.side === one.side && before.until !== null;
    if (follows) groups.at(-1)?.push(one);
    else groups.push([one]);
  }
  return groups;
}

/** As texts: what held when. */
function statesOf(told: readonly Told[], start: number, end: number) {
  const none = { time: start, value: 'not_measured' };
  const begins = end > start && (told[0]?.time ?? Infinity) > start;
  return [
    ...(begins ? [none] : []),
    ...told.flatMap(({ time, side, until }) => [
      { time, value: side },
      ...(until === null && time < end ? [{ ...none, time }] : []),
    ]),
  ];
}
