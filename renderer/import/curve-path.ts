import type { Examination } from '#shared/operations/records/records.ts';

type Course = Examination['course'];
export type KeyCourse = Course['keys'][number];

/** A silence of so many usual steps breaks the line, as charts have it. */
const GAP = 10;

/**
 * A key of a file as the `d` of an SVG path, in the order of its rows along their times: rows that step back in time go back in the
 * picture. An area from the smallest to the largest number of each stretch, as thin as a line where the two are one; empty where it
 * has no number.
 */
export function curvePath(
  times: readonly number[],
  { least, most }: Pick<KeyCourse, 'least' | 'most'>,
  width: number,
  height: number,
): string {
  const numbers = [...least, ...most].filter((number) => number !== null);
  if (numbers.length === 0) return '';
  const [low, high] = [numbers.reduce((a, b) => Math.min(a, b)), numbers.reduce((a, b) => Math.max(a, b))];
  const first = times.reduce((a, b) => Math.min(a, b), Infinity);
  const span = times.reduce((a, b) => Math.max(a, b), -Infinity) - first;
  const usual = usualStep(times);
  const x = (at: number) => round(span === 0 ? width / 2 : (((times[at] ?? 0) - first) / span) * width);
  // Halves: the difference of the largest doubles is none.
  const y = (value: number) =>
    round(
      high === low ? height / 2 : height - 1 - ((value / 2 - low / 2) / (high / 2 - low / 2)) * (height - 2),
    );
  const areas: Stretch[][] = [];
  let before: number | null = null;
  for (const [at, bottom] of least.entries()) {
    const top = most[at];
    if (bottom === null || top === null || top === undefined) continue;
    const isFirst = before === null || Math.abs((times[at] ?? 0) - (times[before] ?? 0)) > GAP * usual;
    if (isFirst) areas.push([]);
    areas.at(-1)?.push({ x: x(at), top: y(top), bottom: y(bottom) });
    before = at;
  }
  return areas.map(areaPath).join('');
}

interface Stretch {
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
}

/** Forward along the tops, back along the bottoms. */
function areaPath(stretches: readonly Stretch[]): string {
  const tops = stretches.map(({ x, top }) => `${x} ${top}`);
  const bottoms = stretches.toReversed().map(({ x, bottom }) => `${x} ${bottom}`);
  // A point alone has a width, so that it is seen.
  return `M${tops.join('L')}${stretches.length === 1 ? 'h.01' : ''}L${bottoms.join('L')}Z`;
}

function usualStep(times: readonly number[]): number {
  const steps = times.slice(1).map((time, at) => Math.abs(time - (times[at] ?? time)));
  return steps.toSorted((a, b) => a - b)[steps.length >> 1] ?? Infinity;
}

const round = (number: number) => Math.round(number * 10) / 10;
