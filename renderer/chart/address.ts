import { formatMicros, parseInstant } from '#shared/values/time.ts';
import type { Zone } from '../time.ts';
import { isWrap, PERS, type Falls, type Rate } from '#shared/domain/rates.ts';
import { Y_MODES, type AxisSpan, type YMode } from './scale/y-mode.ts';
import { ALL, isRange, type Range } from './time/range.ts';
import type { TimeSpan } from './time/window.ts';

/*
 * What a chart shows, as its address says it behind a "?", so that going back, loading again and a copied link show it again.
 * What an address says wrong counts as not said.
 */

/** Everything that is absent is as a chart has it at first. */
export interface ChartAddress {
  /** The keys that are in the legend. */
  readonly keys?: readonly string[];
  /** Those of them that are not drawn. */
  readonly hidden?: readonly string[];
  readonly range?: Range;
  /** The span that is looked at. */
  readonly window?: TimeSpan;
  /** Whether the few records that lie far from all others are shown. */
  readonly far?: boolean;
  readonly y?: YMode;
  /** Axes that were given their ends by hand: `left`, `right`, or of stacked panes their keys. */
  readonly fixed?: Readonly<Record<string, AxisSpan>>;
  /** Whether each key has a plot of its own; absent: as fits the keys. */
  readonly stacked?: boolean;
  /** Instants of the marks A and B, in µs. */
  readonly a?: number;
  readonly b?: number;
  readonly zone?: Zone;
  /** Keys that are shown as their difference per time. */
  readonly rates?: Readonly<Record<string, Rate>>;
}

/** Part of what a chart shows; null is as it was at first. */
export type ChartChange = { readonly [Part in keyof ChartAddress]?: ChartAddress[Part] | null };

export function changed(chart: ChartAddress | undefined, change: ChartChange): ChartAddress {
  return Object.fromEntries(Object.entries({ ...chart, ...change }).filter(([, value]) => value !== null));
}

/** More than a chart draws. */
const MOST_KEYS = 64;

/** Reads `keys=a,b&range=24h&from=…&to=…&y=zero&stacked=1&per=h:65536:count`. */
export function parseChartAddress(query: string): ChartAddress {
  const asked = new URLSearchParams(query);
  const instant = (name: string) => parseInstant(asked.get(name) ?? '');
  const keys = listOf(asked.get('keys'));
  const hidden = listOf(asked.get('hidden'));
  const range = asked.get('range') ?? ALL;
  const [from, to, a, b] = [instant('from'), instant('to'), instant('a'), instant('b')];
  const y = Y_MODES.find(({ value }) => value === asked.get('y'))?.value;
  const fixed = fixedOf(asked.get('axes'));
  const rates = ratesOf(asked.get('per'));
  const stacked = ['0', '1'].find((known) => known === asked.get('stacked'));
  return {
    ...(keys && { keys }),
    ...(hidden && hidden.length > 0 && { hidden }),
    ...(range !== ALL && isRange(range) && { range }),
    ...(from !== null && to !== null && from < to && { window: { from, to } }),
    ...(asked.get('far') === '1' && { far: true }),
    ...(y && y !== 'auto' && { y }),
    ...(fixed && { fixed }),
    ...(stacked && { stacked: stacked === '1' }),
    ...(a !== null && { a }),
    ...(b !== null && { b }),
    ...(asked.get('zone') === 'utc' && { zone: 'utc' }),
    ...(rates && { rates }),
  };
}

/** The text behind the "?"; empty for a chart as it is at first. */
export function chartAddressText(chart: ChartAddress): string {
  const { keys, hidden = [], range = ALL, window, far, y = 'auto', fixed = {}, rates = {} } = chart;
  const { stacked, a, b, zone } = chart;
  const per = Object.entries(rates).map(([key, rate]) =>
    [rate.per, rate.falls, key].map(encodeURIComponent).join(':'),
  );
  const axes = Object.entries(fixed).map(([axis, [low, high]]) =>
    [low, high, axis].map(encodeURIComponent).join(':'),
  );
  return [
    keys && `keys=${keys.map(encodeURIComponent).join(',')}`,
    hidden.length > 0 && `hidden=${hidden.map(encodeURIComponent).join(',')}`,
    range !== ALL && `range=${range}`,
    window && `from=${formatMicros(window.from)}&to=${formatMicros(window.to)}`,
    far && 'far=1',
    y !== 'auto' && `y=${y}`,
    axes.length > 0 && `axes=${axes.join(',')}`,
    stacked !== undefined && `stacked=${stacked ? '1' : '0'}`,
    a !== undefined && `a=${formatMicros(a)}`,
    b !== undefined && `b=${formatMicros(b)}`,
    zone === 'utc' && 'zone=utc',
    per.length > 0 && `per=${per.join(',')}`,
  ]
    .filter(Boolean)
    .join('&');
}

/** Keys hold no comma. */
function listOf(text: string | null): readonly string[] | null {
  return text === null ? null : [...new Set(text.split(',').filter(Boolean))].slice(0, MOST_KEYS);
}

/** Reads `0:100:left,-5:5:right`. */
function fixedOf(text: string | null): Readonly<Record<string, AxisSpan>> | null {
  const axes = (text ?? '').split(',').flatMap((part): [string, AxisSpan][] => {
    const [, low, high, axis] = /^([^:]+):([^:]+):(.+)$/s.exec(part) ?? [];
    const span = [Number(low), Number(high)] as const;
    return axis !== undefined && span.every(Number.isFinite) && span[0] < span[1] ? [[axis, span]] : [];
  });
  return axes.length > 0 ? Object.fromEntries(axes.slice(0, MOST_KEYS)) : null;
}

/** Reads `h:65536:count,min:reset:pulses,s:fall:level`. */
function ratesOf(text: string | null): Readonly<Record<string, Rate>> | null {
  const rates = (text ?? '').split(',').flatMap((part): [string, Rate][] => {
    const [, time, fall = '', key] = /^(\w+):(\w+):(.+)$/s.exec(part) ?? [];
    const per = PERS.find((known) => known === time);
    const falls = fallsOf(fall);
    return per && falls !== null && key !== undefined ? [[key, { per, falls }]] : [];
  });
  return rates.length > 0 ? Object.fromEntries(rates.slice(0, MOST_KEYS)) : null;
}

function fallsOf(text: string): Falls | null {
  if (text === 'reset' || text === 'fall') return text;
  return /^\d{1,16}$/.test(text) && isWrap(Number(text)) ? Number(text) : null;
}
