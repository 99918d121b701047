import type { Micros } from '#shared/values/time.ts';
import type { KeyReading, SeriesPicture, SeriesPictureKey } from '#shared/bridge/wire.ts';
import type { ColumnView } from '../../records/columns.ts';
import { rowBefore, rowFrom } from '../../draw/draw-records.ts';
import { columnAt } from '../../draw/draw-series.ts';
import type { Picture } from '../../draw/picture.ts';
import { firstNotBefore } from '../../time/window.ts';
import { formatSpan } from '../../../format.ts';

/** What a readout says. */
export interface Readout {
  readonly from: Micros;
  /** The end of a span; null for an instant. */
  readonly to: Micros | null;
  /** One a key. */
  readonly values: readonly ReadValue[];
}

export interface ReadValue {
  /** None, one, or the smallest and the largest of what a column of pixels holds. */
  readonly numbers: readonly number[];
  /** How far from the instant it was read, such as `30 s before`; null where that is less than usually passes between two. */
  readonly age: string | null;
}

/**
 * Each key's own number closest to the cursor; where records are summarised, what the column of pixels under it holds.
 * Without a cursor (null) the newest ones. Null where there is nothing.
 */
export function readoutOf(
  picture: Picture | null,
  newest: readonly (KeyReading | null)[],
  cursor: number | null,
): Readout | null {
  if (picture === null) return null;
  if (cursor === null) return ofReadings(picture, newest, Math.max(...newest.map(instantOf)));
  if (picture.kind === 'series') return ofColumn(picture.series, cursor);
  const readings = readingsAt(picture.view, cursor);
  const instant = readings
    .map(instantOf)
    .reduce((best, at) => (isCloser(at, best, cursor) ? at : best), Infinity);
  return ofReadings(picture, readings, instant);
}

/** The number of each key that the words for the cursor speak of, to be marked; none where they speak of many. */
export function markedAt(picture: Picture | null, cursor: number | null): readonly (KeyReading | null)[] {
  return cursor === null || picture?.kind !== 'records' ? [] : readingsAt(picture.view, cursor);
}

/** Each key's number closest to an instant: of a column of pixels without a record at hand the last one it holds. */
export function readAt(picture: Picture | null, instant: number): readonly (KeyReading | null)[] {
  if (picture === null) return [];
  if (picture.kind === 'records')
    return picture.view.columns.map((column) => closestTo(picture.view, column, instant));
  const { series } = picture;
  const column = columnAt(series, instant);
  return series.keys.map(({ counts, last, lastTimes }) =>
    counts[column] ? { instant: lastTimes[column] ?? 0, value: last[column] ?? 0 } : null,
  );
}

/** Each key's number closest to the instant at which any has the one closest to the cursor. */
function readingsAt(view: ColumnView, cursor: number): (KeyReading | null)[] {
  const closest = view.columns.map((column) => closestTo(view, column, cursor));
  const instant = closest
    .map(instantOf)
    .reduce((best, at) => (isCloser(at, best, cursor) ? at : best), Infinity);
  // Of what was read at one instant all is said, whatever else a key has at the other side of the cursor.
  return view.columns.map((column) => closestTo(view, column, instant));
}

const instantOf = (reading: KeyReading | null) => reading?.instant ?? -Infinity;
const isCloser = (at: number, than: number, to: number) => Math.abs(at - to) < Math.abs(than - to);

function ofReadings(
  picture: Picture,
  readings: readonly (KeyReading | null)[],
  instant: number,
): Readout | null {
  if (!Number.isFinite(instant)) return null;
  return {
    from: instant,
    to: null,
    values: readings.map((reading, key) =>
      reading === null ? NOTHING : valueOf(reading, reading.instant - instant, intervalOf(picture, key)),
    ),
  };
}

/** The key's number closest in time; of two as close the earlier one. Null where it has none. */
function closestTo({ timestamps }: ColumnView, column: Float64Array, instant: number): KeyReading | null {
  const at = firstNotBefore(timestamps, instant);
  const [before, after] = [rowBefore(column, at), rowFrom(column, at)];
  const row =
    after !== -1 && (before === -1 || isCloser(timestamps[after] ?? 0, timestamps[before] ?? 0, instant))
      ? after
      : before;
  return row === -1 ? null : { instant: timestamps[row] ?? 0, value: column[row] ?? 0 };
}

const SECOND = 1_000_000;
const MILLISECOND = 1_000;

function ofColumn(series: SeriesPicture, cursor: number): Readout {
  const column = columnAt(series, cursor);
  const width = (series.end - series.start + 1) / series.width;
  const from = series.start + column * width;
  // The edges of pixels mean nothing in themselves: as many digits as tell two of them apart.
  const unit = width >= 2 * SECOND ? SECOND : MILLISECOND;
  const rounded = (instant: number) => Math.round(instant / unit) * unit;
  return {
    from: rounded(from),
    to: rounded(from + width),
    values: series.keys.map((key) => {
      if ((key.counts[column] ?? 0) === 0) return valueNear(key, column, from, from + width);
      const [least = 0, most = 0] = [key.min[column], key.max[column]];
      return { numbers: least === most ? [least] : [least, most], age: null };
    }),
  };
}

/** The key's number closest to a column of pixels without one. */
function valueNear(key: SeriesPictureKey, column: number, from: number, to: number): ReadValue {
  const { counts, first, last, firstTimes, lastTimes } = key;
  let [left, right] = [column, column];
  while (left >= 0 && counts[left] === 0) left--;
  while (right < counts.length && counts[right] === 0) right++;
  const before = left < 0 ? key.before : { instant: lastTimes[left] ?? 0, value: last[left] ?? 0 };
  const after =
    right === counts.length ? key.after : { instant: firstTimes[right] ?? 0, value: first[right] ?? 0 };
  const [since, until] = [from - (before?.instant ?? -Infinity), (after?.instant ?? Infinity) - to];
  if (before && since <= until) return valueOf(before, -since, key.interval);
  return after ? valueOf(after, until, key.interval) : NOTHING;
}

function intervalOf(picture: Picture, key: number): number | null {
  const { interval = null } = (picture.kind === 'series' ? picture.series.keys : picture.facts)[key] ?? {};
  return interval;
}

const NOTHING: ReadValue = { numbers: [], age: null };

/** `distance` in µs: negative before the instant that is looked at. */
function valueOf({ value }: KeyReading, distance: number, interval: number | null): ReadValue {
  const isNear = Math.abs(distance) <= (interval ?? 0);
  return {
    numbers: Number.isNaN(value) ? [] : [value],
    age: isNear ? null : `${formatSpan(Math.abs(distance))} ${distance < 0 ? 'before' : 'after'}`,
  };
}
