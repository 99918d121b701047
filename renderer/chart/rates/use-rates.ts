import { useEffect, useMemo, useState } from 'react';
import type { KeyStatistics } from '#shared/operations/records/statistics.ts';
import type { Rate } from '#shared/domain/rates.ts';
import { statisticsOfDifference } from '../compare/difference-statistics.ts';
import { PAUSE_FACTOR } from '../draw/line.ts';
import type { Picture } from '../draw/picture.ts';
import type { ChartData } from '../load/loader.ts';
import { rowsIn } from '../records/far-off.ts';
import { isSameSpan, type TimeSpan } from '../time/window.ts';
import { lookOfSeries, useCounted, type CountedOf, type Counting } from './counted.ts';
import { ratedPicture, type RatesByKey } from './rated-picture.ts';

const NO_RATES: RatesByKey = new Map();
type Asked = Readonly<Record<string, Rate>>;

/** What a chart shows of its data, with the keys that are asked for as differences per time. */
export function useRates(
  data: ChartData,
  keys: readonly string[],
  asked: Asked | undefined,
  of: CountedOf,
): { readonly data: ChartData; readonly rates: RatesByKey; readonly counting: Counting } {
  const { picture, bounds, newest } = data;
  const counting = useCounted(of, keys, asked, lookOfSeries(picture));
  const { counted } = counting;
  const shown = useMemo(
    () => (asked ? ratedPicture({ picture, bounds, newest }, keys, asked, counted) : null),
    [picture, bounds, newest, keys, asked, counted],
  );
  const rated = useMemo(() => {
    if (!shown) return { data, rates: NO_RATES };
    const { rates, ...others } = shown;
    return { data: { ...data, ...others }, rates };
  }, [data, shown]);
  return { ...rated, counting };
}

/** Before it is reckoned: the picture goes first, and of a window that is still being moved nothing is. */
const REST_MS = 250;

interface Drawn {
  readonly picture: Picture | null;
  readonly keys: readonly string[];
  readonly rates: RatesByKey;
  /** µs of silence that are a gap, where somebody has said so; one a key. */
  readonly gaps: readonly (number | null)[];
}

interface Measured extends Drawn {
  readonly asked: Asked | undefined;
  readonly of: CountedOf;
  /** Null: nothing is reckoned. */
  readonly window: TimeSpan | null;
}

type Figures = ReadonlyMap<string, KeyStatistics>;
const NO_FIGURES: Figures = new Map();

/** What differences per time come to in a window, by key; null until that is known of this very window. */
export function useRateStatistics(measured: Measured): Figures | null {
  const { picture, keys, asked, of, rates, window } = measured;
  const ofRecords = useFiguresOfRecords(measured);
  const look = lookOfSeries(picture);
  // The picture has its own.
  const isPicture = look !== null && isSameSpan(look.window, window);
  const apart = look && window && !isPicture ? { window, width: 1 } : null;
  const { counted } = useCounted(of, keys, asked, apart);
  if (look === null || window === null) return ofRecords;
  if (isPicture) return figuresOfPicture(rates, window);
  const isOfIt = counted?.start === Math.round(window.from) && counted.end === Math.round(window.to);
  return isOfIt ? new Map(counted.keys.map(({ key, statistics }) => [key, statistics])) : null;
}

/** What was known stays while a window grows by what comes in. */
function figuresOfPicture(rates: RatesByKey, { from, to }: TimeSpan): Figures | null {
  const figures = [...rates].flatMap(([key, found]): [string, KeyStatistics][] =>
    found && 'statistics' in found && found.span.from === from && found.span.to <= to
      ? [[key, found.statistics]]
      : [],
  );
  return figures.length === rates.size ? new Map(figures) : null;
}

/** The same of the records at hand. */
function useFiguresOfRecords({ picture, keys, rates, gaps, window }: Measured): Figures | null {
  const [found, setFound] = useState<{ readonly of: TimeSpan; readonly figures: Figures } | null>(null);
  const isIdle = rates.size === 0 || window === null;
  useEffect(() => {
    if (isIdle) return;
    const timer = setTimeout(
      () => setFound({ of: window, figures: figuresOf({ picture, keys, rates, gaps }, window) }),
      REST_MS,
    );
    return () => clearTimeout(timer);
  }, [isIdle, picture, keys, rates, gaps, window]);
  if (isIdle) return NO_FIGURES;
  return found && isSameSpan(found.of, window) ? found.figures : null;
}

function figuresOf({ picture, keys, rates, gaps }: Drawn, window: TimeSpan): Figures {
  const figures = new Map<string, KeyStatistics>();
  if (picture?.kind !== 'records') return figures;
  const { timestamps } = picture.view;
  const { first, end } = rowsIn(timestamps, window);
  for (const [place, key] of keys.entries()) {
    const found = rates.get(key);
    if (!found || !('values' in found)) continue;
    const interval = picture.facts[place]?.interval ?? null;
    const pause = gaps[place] ?? (interval === null ? Infinity : interval * PAUSE_FACTOR);
    const [times, values, starts]: [number[], number[], number[]] = [[], [], []];
    for (let row = first; row < end; row++) {
      const value = found.values[row] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      const time = timestamps[row] ?? 0;
      if (time - (times.at(-1) ?? time) > pause) starts.push(times.length);
      times.push(time);
      values.push(value);
    }
    figures.set(key, statisticsOfDifference(key, { times, values, starts }, window));
  }
  return figures;
}

/** Figures of the service, with those of differences in the place of the stored numbers'. */
export function withRates(stored: Figures, rates: RatesByKey, figures: Figures | null): Figures {
  if (rates.size === 0) return stored;
  const others = [...stored].filter(([key]) => !rates.has(key));
  return new Map([...others, ...(figures ?? [])]);
}
