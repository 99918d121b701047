import { formatMicros, parseInstant } from '#shared/time.ts';
import type { TimeSpan } from './window.ts';

/*
 * What a chart shows, as its address says it behind a "?", so that going back, loading again and a copied link show it again.
 * What an address says wrong counts as not said.
 */

const HOUR_US = 3_600e6;
export const RANGES = [
  { value: 'all', label: 'All time', span: null },
  { value: '30d', label: 'Last 30 days', span: 720 * HOUR_US },
  { value: '7d', label: 'Last 7 days', span: 168 * HOUR_US },
  { value: '24h', label: 'Last 24 hours', span: 24 * HOUR_US },
  { value: '1h', label: 'Last hour', span: HOUR_US },
] as const;

export type Range = (typeof RANGES)[number]['value'];

/** Everything that is absent is as a chart has it at first. */
export interface ChartAddress {
  /** The keys that are drawn. */
  readonly keys?: readonly string[];
  readonly range?: Range;
  /** The span that is looked at. */
  readonly window?: TimeSpan;
  /** Whether the few records that lie far from all others are shown. */
  readonly far?: boolean;
}

/** More than a chart draws. */
const MOST_KEYS = 64;

/** Reads `keys=a,b&range=24h&from=…&to=…&far=1`. */
export function parseChartAddress(query: string): ChartAddress {
  const asked = new URLSearchParams(query);
  // Keys hold no comma.
  const keys = asked.get('keys')?.split(',').filter(Boolean);
  const range = RANGES.find(({ value }) => value === asked.get('range'))?.value;
  const [from, to] = [parseInstant(asked.get('from') ?? ''), parseInstant(asked.get('to') ?? '')];
  return {
    ...(keys && { keys: [...new Set(keys)].slice(0, MOST_KEYS) }),
    ...(range && range !== 'all' && { range }),
    ...(from !== null && to !== null && from < to && { window: { from, to } }),
    ...(asked.get('far') === '1' && { far: true }),
  };
}

/** The text behind the "?"; empty for a chart as it is at first. */
export function chartAddressText({ keys, range, window, far }: ChartAddress): string {
  return [
    keys && `keys=${keys.map(encodeURIComponent).join(',')}`,
    range && range !== 'all' && `range=${range}`,
    window && `from=${formatMicros(window.from)}&to=${formatMicros(window.to)}`,
    far && 'far=1',
  ]
    .filter(Boolean)
    .join('&');
}
