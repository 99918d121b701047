import type { TimeSpan } from './window.ts';

/** What of all time a chart asks for: everything, or the last so long up to now (`6h`, `30d`), which moves on. */
export type Range = string;

export const ALL: Range = 'all';

/** Ranges that are a click away. */
export const RANGES: readonly { readonly value: Range; readonly label: string }[] = [
  { value: ALL, label: 'All time' },
  { value: '30d', label: 'Last 30 days' },
  { value: '7d', label: 'Last 7 days' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '6h', label: 'Last 6 hours' },
  { value: '1h', label: 'Last hour' },
  { value: '15m', label: 'Last 15 minutes' },
  { value: '5m', label: 'Last 5 minutes' },
  { value: '1m', label: 'Last minute' },
  { value: '30s', label: 'Last 30 seconds' },
];

const UNITS: readonly (readonly [short: string, long: string, span: number])[] = [
  ['w', 'week', 604_800e6],
  ['d', 'day', 86_400e6],
  ['h', 'hour', 3_600e6],
  ['m', 'minute', 60e6],
  ['s', 'second', 1e6],
];

/** The µs of a range up to now; null for all time, and for what is no range. */
export function spanOfRange(range: Range): number | null {
  const [, amount, unit] = /^([1-9]\d{0,5})(w|d|h|m|s)$/.exec(range) ?? [];
  const known = UNITS.find(([short]) => short === unit);
  return known === undefined ? null : Number(amount) * known[2];
}

/** The range of so many µs up to now, in the largest unit that says it in whole numbers; null below a second. */
export function rangeOfSpan(span: number): Range | null {
  const unit = UNITS.find(([short, , size]) => short !== 'w' && span >= size && span % size === 0);
  return unit ? `${span / unit[2]}${unit[0]}` : null;
}

export function isRange(text: string): boolean {
  return text === ALL || spanOfRange(text) !== null;
}

/** `Last 24 hours`, `Last hour`, `All time`. */
export function labelOfRange(range: Range): string {
  const known = RANGES.find(({ value }) => value === range);
  if (known) return known.label;
  const [, amount = '', unit = ''] = /^(\d+)(\w)$/.exec(range) ?? [];
  const long = UNITS.find(([short]) => short === unit)?.[1] ?? '';
  return amount === '1' ? `Last ${long}` : `Last ${amount} ${long}s`;
}

/** The span of as much time right before (−1) or after (1). */
export function shifted({ from, to }: TimeSpan, by: -1 | 1): TimeSpan {
  const length = to - from;
  return { from: from + by * length, to: to + by * length };
}
