import type { Examination } from '#shared/operations/records/records.ts';

type Course = Examination['course'];
export type KeyCourse = Course['keys'][number];

/** A silence of so many usual steps breaks the line, as charts have it. */
const GAP = 10;

/**
 * A key of a file as the `d` of an SVG path, in the order of its rows along their times: rows that step back in time go back in the
 * picture. From the smallest to the largest number of each stretch; empty where it has no number.
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
  const steps: string[] = [];
  let before: number | null = null;
  for (const [at, bottom] of least.entries()) {
    const top = most[at];
    if (bottom === null || top === null || top === undefined) continue;
    const step = before === null ? Infinity : Math.abs((times[at] ?? 0) - (times[before] ?? 0));
    // By turns up and down: which came first is not known, and one way alone would draw teeth.
    const [from, to] = at % 2 === 0 ? [bottom, top] : [top, bottom];
    steps.push(`${before === null || step > GAP * usual ? 'M' : 'L'}${x(at)} ${y(from)}`);
    // A point alone has a width, so that it is seen.
    steps.push(top === bottom ? 'h.01' : `L${x(at)} ${y(to)}`);
    before = at;
  }
  return steps.join('');
}

function usualStep(times: readonly number[]): number {
  const steps = times.slice(1).map((time, at) => Math.abs(time - (times[at] ?? time)));
  return steps.toSorted((a, b) => a - b)[steps.length >> 1] ?? Infinity;
}

const round = (number: number) => Math.round(number * 10) / 10;
