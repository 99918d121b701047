/** Least and most of each column; null where it holds nothing. */
export interface TrendColumns {
  readonly min: readonly (number | null)[];
  readonly max: readonly (number | null)[];
}

/** Empty columns in a row that are a gap: a device that stores every quarter of an hour has some between its records. */
const GAP = 6;

/** Range of values that a trend is drawn in. */
interface TrendScale {
  readonly least: number;
  readonly most: number;
}

/**
 * The trend as the `d` of an SVG path: from the least to the most of each column, a gap where nothing was stored for long.
 * Without a scale it fills the height; what lies beyond a scale runs along its edge.
 */
export function trendPath({ min, max }: TrendColumns, height: number, scale?: TrendScale): string {
  const numbers = [...min, ...max].filter((number) => number !== null);
  if (numbers.length === 0) return '';
  const y = trendY(
    scale ?? {
      least: numbers.reduce((a, b) => Math.min(a, b)),
      most: numbers.reduce((a, b) => Math.max(a, b)),
    },
    height,
  );
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

/** Returns where a value lies below the upper edge; one beyond the scale lies on the nearer edge. */
export function trendY({ least, most }: TrendScale, height: number): (value: number) => number {
  return (value) => {
    const part = most === least ? Math.sign(value - least) / 2 + 0.5 : (value - least) / (most - least);
    return height - 1 - Math.min(1, Math.max(0, part)) * (height - 2);
  };
}

const round = (number: number) => Math.round(number * 10) / 10;
