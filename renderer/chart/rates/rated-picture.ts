import type { KeyReading, RatesPicture, RatesPictureKey, SeriesPictureKey } from '#shared/bridge/wire.ts';
import type { Rate } from '#shared/domain/rates.ts';
import { boundsOf as boundsOfSeries, newestOf } from '../draw/draw-series.ts';
import type { Picture } from '../draw/picture.ts';
import type { ChartData } from '../load/loader.ts';
import { boundsIn, type Bounds } from '../records/columns.ts';
import type { TimeSpan } from '../time/window.ts';
import { ratesOf, type Rates } from './rate.ts';
import { reframed } from './reframed.ts';

/** Differences that the service took of a span, whose records are too many to be at hand. */
export interface CountedRates extends Pick<RatesPictureKey, 'wraps' | 'resets' | 'statistics'> {
  readonly span: TimeSpan;
}

/** Of each key that is a difference; null where they are not there yet. */
export type RatesByKey = ReadonlyMap<string, Rates | CountedRates | null>;

type Shown = Pick<ChartData, 'picture' | 'bounds' | 'newest'>;

/**
 * What is shown of the keys, in the order of the picture. The rest of what a chart has stays. `counted` is what the service took of
 * many records last, perhaps of another span; null where nothing has come.
 */
export function ratedPicture(
  { picture, bounds, newest }: Shown,
  keys: readonly string[],
  asked: Readonly<Record<string, Rate>>,
  counted: RatesPicture | null,
): Shown & { readonly rates: RatesByKey } {
  const rates = new Map<string, Rates | CountedRates | null>();
  const of = (place: number) => asked[keys[place] ?? ''];
  if (picture === null) return { picture, bounds, newest, rates };
  if (picture.kind === 'series') {
    const { series } = picture;
    const shown = series.keys.map((key, place) => {
      const name = keys[place] ?? '';
      if (!of(place)) return key;
      const found = counted?.keys.find((one) => one.key === name && one.counts.length > 0);
      rates.set(name, counted && found ? countedOf(found, counted) : null);
      return counted && found ? reframed(found, counted, series) : blank(key);
    });
    const ends = shown.map((key) => newestOf({ keys: [key] }, ALL_TIME)[0] ?? null);
    return {
      picture: { kind: 'series', series: { ...series, keys: shown } },
      bounds: bounds.map((known, place) =>
        of(place)
          ? (boundsOfSeries({ keys: shown.slice(place, place + 1) }, ALL_TIME)[0] ?? NO_BOUNDS)
          : known,
      ),
      newest: newest.map((known, place) => {
        const end = ends[place] ?? null;
        return of(place) ? (end?.instant === known?.instant ? end : null) : known;
      }),
      rates,
    };
  }
  const { timestamps } = picture.view;
  const columns = picture.view.columns.map((column, place) => {
    const rate = of(place);
    if (!rate) return column;
    const found = ratesOf(timestamps, column, rate);
    rates.set(keys[place] ?? '', found);
    return found.values;
  });
  return {
    picture: {
      kind: 'records',
      view: { timestamps, columns },
      facts: picture.facts.map((known, place) =>
        of(place) ? { ...known, before: null, after: null } : known,
      ),
    },
    bounds: bounds.map((known, place) => (of(place) ? boundsOf(timestamps, columns[place]) : known)),
    newest: newest.map((known, place) => (of(place) ? newestRate(picture, columns, place, known) : known)),
    rates,
  };
}

const ALL_TIME: TimeSpan = { from: -Infinity, to: Infinity };

const countedOf = (
  { wraps, resets, statistics }: RatesPictureKey,
  { start, end }: RatesPicture,
): CountedRates => ({ wraps, resets, statistics, span: { from: start, to: end } });

const NO_BOUNDS: Bounds = { min: Infinity, max: -Infinity };

function boundsOf(timestamps: Float64Array, column: Float64Array | undefined): Bounds {
  const [found = NO_BOUNDS] = column ? boundsIn({ timestamps, columns: [column] }, 0, column.length) : [];
  return found;
}

/** The difference up to the newest number, where that is at hand. */
function newestRate(
  picture: Extract<Picture, { kind: 'records' }>,
  columns: readonly Float64Array[],
  place: number,
  newest: KeyReading | null,
): KeyReading | null {
  const { timestamps, columns: stored } = picture.view;
  let row = timestamps.length - 1;
  while (
    row >= 0 &&
    ((timestamps[row] ?? 0) > (newest?.instant ?? -Infinity) || Number.isNaN(stored[place]?.[row]))
  )
    row--;
  const value = columns[place]?.[row] ?? Number.NaN;
  if (newest === null || timestamps[row] !== newest.instant || Number.isNaN(value)) return null;
  return { instant: newest.instant, value };
}

/** A key that has nothing in sight. */
function blank(key: SeriesPictureKey): SeriesPictureKey {
  return { ...key, before: null, after: null, counts: new Uint32Array(key.counts.length) };
}
