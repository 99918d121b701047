/** Least and most of each column; null where it holds nothing. */
export interface TrendColumns {
  readonly min: readonly (number | null)[];
  readonly max: readonly (number | null)[];
}

/** Empty columns in a row that are a gap: a device that stores every quarter of an hour has some between its records. */
const GAP = 6;

/** The trend as the `d` of an SVG path: from the least to the most of each column, a gap where nothing was stored for long. */
export function trendPath({ min, max }: TrendColumns, height: number): string {
  const numbers = [...min, ...max].filter((number) => number !== null);
  if (numbers.length === 0) return '';
  const least = numbers.reduce((a, b) => Math.min(a, b));
  const most = numbers.reduce((a, b) => Math.max(a, b));
  const y = (value: number) =>
    most === least ? height / 2 : height - 1 - ((value - least) / (most - least)) * (height - 2);
  const steps: string[] = [];
  let before = -Infinity;
  let isAlone = false;
  for (const [x, low] of min.entries()) {
    const high = max[x];
    if (low === null || high === null || high === undefined) continue;
    const isNew = x - before > GAP;
    if (isNew && isAlone) steps.push('h1');
    steps.push(`${isNew ? 'M' : 'L'}${x} ${round(y(low))}`);
    if (high !== low) steps.push(`L${x} ${round(y(high))}`);
    isAlone = isNew && high === low;
    before = x;
  }
  if (isAlone) steps.push('h1');
  return steps.join('');
}

const round = (number: number) => Math.round(number * 10) / 10;
