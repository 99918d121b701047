import type { KeyReading, SeriesPictureKey } from '#shared/bridge/wire.ts';
import type { Picture } from '../draw/picture.ts';
import type { ChartData } from '../load/loader.ts';
import { boundsIn, type Bounds } from '../records/columns.ts';
import { ratesOf, type Rate, type Rates } from './rate.ts';

/** Of each key that is a difference; null where so many records are in sight that they are summarised. */
export type RatesByKey = ReadonlyMap<string, Rates | null>;

type Shown = Pick<ChartData, 'picture' | 'bounds' | 'newest'>;

/** What is shown of the keys, in the order of the picture. The rest of what a chart has stays. */
export function ratedPicture(
  { picture, bounds, newest }: Shown,
  keys: readonly string[],
  asked: Readonly<Record<string, Rate>>,
): Shown & { readonly rates: RatesByKey } {
  const rates = new Map<string, Rates | null>();
  const of = (place: number) => asked[keys[place] ?? ''];
  if (picture === null) return { picture, bounds, newest, rates };
  if (picture.kind === 'series') {
    for (const key of keys) if (asked[key]) rates.set(key, null);
    const shown = picture.series.keys.map((key, place) => (of(place) ? blank(key) : key));
    return {
      picture: { kind: 'series', series: { ...picture.series, keys: shown } },
      bounds: bounds.map((known, place) => (of(place) ? NO_BOUNDS : known)),
      newest: newest.map((known, place) => (of(place) ? null : known)),
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
