import type { KeySummary, Series, SeriesKey, Viewed } from '../store/store.ts';
import { badRequest } from '../base/errors.ts';
import { PICTURES } from '../survey/pictures.ts';
import { surveyDevice } from '../survey/survey-device.ts';
import type { TimeRange } from '#shared/values/time.ts';
import type { Context } from './context.ts';

/** Columns of pixels of all keys together (docs/running.md, "Limits"): so much is drawn, held and sent in a moment. */
const MOST_COLUMNS = 1_000_000;

/** Records of which derived keys are reckoned at once. */
const FEW_RECORDS = 65_536;

/** Asker of a series: its API key, where it has one, and the signal of its going away. */
export interface Asker extends Pick<Context, 'records' | 'clock' | 'surveys'> {
  readonly key_id: string | null;
  readonly signal: AbortSignal | undefined;
}

/** Query of series.get; absent ends are the first and the last record, absent keys every key with numbers. */
export interface SeriesQuery {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly keys?: readonly string[] | undefined;
  readonly width: number;
}

/**
 * Reads the series of a device. One that ends before the first record begins where it ends, and has no points. Of keys
 * that the device does not have nothing is made: all their columns have no length. Throws a 400 Refusal where keys times
 * width is too much.
 */
export async function readSeries(
  device: Viewed,
  { start: from, end: until, keys, width }: SeriesQuery,
  asker: Asker,
): Promise<Series> {
  const { records, clock } = asker;
  const { first, last, keys: known, records: count } = await records.summary(device, asker.signal);
  const start = from ?? Math.min(first ?? clock.now(), until ?? Infinity);
  const end = until ?? Math.max(start, last ?? start);
  const drawn = drawable(keys, known);
  requireColumns(drawn.length, width);
  const query = { range: { start, end }, keys: drawn, width };
  const series =
    count <= FEW_RECORDS ? await records.series(device, query) : await drawMany(device, query, asker);
  if (keys === undefined || drawn.length === keys.length) return series;
  const byKey = new Map(series.keys.map((key) => [key.key, key]));
  return { ...series, keys: keys.map((key) => byKey.get(key) ?? nothingOf(key)) };
}

/** Throws a 400 Refusal where keys times width is too much. */
export function requireColumns(keys: number, width: number): void {
  if (keys * width > MOST_COLUMNS)
    throw badRequest(
      `keys times width must be at most ${MOST_COLUMNS}, got ${keys} keys of ${width} columns; ask for a smaller width or fewer keys`,
    );
}

/** Derived keys of many records are surveyed beside the others, whose summaries tell most of a picture. */
async function drawMany(
  device: Viewed,
  {
    range,
    keys,
    width,
  }: { readonly range: Required<TimeRange>; readonly keys: readonly string[]; readonly width: number },
  { records, surveys, key_id, signal }: Asker,
): Promise<Series> {
  const derived = keys.filter((key) => isDerived(device, key));
  const stored = keys.filter((key) => !derived.includes(key));
  const series = await records.series(device, { range, keys: stored, width });
  if (derived.length === 0) return series;
  const { last } = await records.within(device, { end: range.start - 1 });
  const { first } = await records.within(device, { start: range.end + 1 });
  const around = { start: last ?? range.start, end: first ?? range.end };
  const pictures = await surveyDevice(
    PICTURES,
    { range: around, keys: derived, span: range, width },
    { records, device, semaphore: surveys.of(key_id), signal },
  );
  const byKey = new Map([...series.keys, ...pictures].map((one) => [one.key, one]));
  return { ...series, keys: keys.map((key) => byKey.get(key)!) };
}

const isDerived = (device: Viewed, key: string) =>
  typeof device !== 'string' &&
  device.lens.corrections.some((each) => each.kind === 'derived' && each.key === key);

/** The asked keys that the device has, each once; without asked ones those with numbers. */
function drawable(keys: readonly string[] | undefined, known: readonly KeySummary[]): string[] {
  if (keys === undefined) return known.filter(({ numeric }) => numeric > 0).map(({ key }) => key);
  const names = new Set(known.map(({ key }) => key));
  return [...new Set(keys)].filter((key) => names.has(key));
}

/** Columns of a key that the device does not have: none. */
export function nothingOf(key: string): SeriesKey {
  const none = new Float64Array();
  return {
    key,
    counts: new Uint32Array(),
    min: none,
    max: none,
    first: none,
    last: none,
    firstTimes: none,
    lastTimes: none,
    before: null,
    after: null,
  };
}
