import { columnStarts } from '#shared/values/pixel-columns.ts';
import type { DataRecord } from '#shared/schema/schemas.ts';
import type { Micros, TimeRange } from '#shared/values/time.ts';
import type { ColumnPage, KeyReading, SeriesPicture } from '#shared/bridge/wire.ts';
import { badRequest } from '../../../base/errors.ts';
import { Accumulator } from '../../../store/blocks/series/accumulator.ts';
import { columnAt } from '../../../store/blocks/series/pixel-columns.ts';
import { timeOf, type Place, type Ten } from './ten.ts';

/* Charts of a service that has pages of records alone. */

/** Records that are read for one chart: twenty pages, a few seconds. */
export const MOST_OF_CHART = 200_000;
const PAGE = 10_000;
/** Gaps between numbers that are looked at for the usual one. */
const MOST_GAPS = 10_000;

interface Asked extends TimeRange {
  readonly keys: readonly string[];
}

/** A device's records as columns, newest first; returns how many there were. Throws a 400 Refusal where they are too many. */
export async function* columnsOf(
  ten: Ten,
  place: Place,
  { keys, start, end }: Asked,
  signal?: AbortSignal,
): AsyncGenerator<ColumnPage, { records: number }, undefined> {
  let range = rangeOf(start, end);
  let offset = 0;
  for (let page = 1; ; page++) {
    const { records, total } = await ten.page(place, { page, limit: PAGE, range, keys }, signal);
    const known = total ?? offset + records.length;
    if (known > MOST_OF_CHART) throw tooMany(known);
    const newest = records[0];
    // Ranks count from the newest record, so newer ones that arrive meanwhile must stay outside.
    if (offset === 0 && newest) range = { ...range, end: timeOf(newest) };
    yield {
      offset,
      total: known,
      timestamps: Float64Array.from(records, timeOf),
      columns: keys.map((key) => Float64Array.from(records, (record) => numberIn(record, key))),
    };
    offset += records.length;
    if (records.length < PAGE) return { records: offset };
  }
}

/** Resolves with the series of each column of pixels. Throws a 400 Refusal for too many records. */
export async function pictureOf(
  ten: Ten,
  place: Place,
  { keys, width, start: from, end: until }: Asked & { readonly width: number },
  signal?: AbortSignal,
): Promise<SeriesPicture> {
  const times: Float64Array[] = [];
  const columns: (readonly Float64Array[])[] = [];
  for await (const page of columnsOf(ten, place, { keys, ...rangeOf(from, until) }, signal)) {
    times.push(page.timestamps);
    columns.push(page.columns);
  }
  const newest = times[0]?.[0];
  const oldest = times.findLast(({ length }) => length > 0)?.at(-1);
  const start = from ?? oldest ?? until ?? 0;
  const end = until ?? Math.max(start, newest ?? start);
  const outside = await readOutside(ten, place, { start, end }, signal);
  const starts = columnStarts(start, end, width);
  return {
    start,
    end,
    width,
    keys: keys.map((key, index) => {
      const into = new Accumulator(key, width);
      const gaps: number[] = [];
      let last: Micros | null = null;
      // Oldest first, as an accumulator wants those of one instant.
      for (let piece = times.length - 1; piece >= 0; piece--) {
        const [at, values] = [
          times[piece] ?? new Float64Array(),
          columns[piece]?.[index] ?? new Float64Array(),
        ];
        for (let row = at.length - 1; row >= 0; row--) {
          const [time = NaN, value = NaN] = [at[row], values[row]];
          if (Number.isNaN(value)) continue;
          into.addPoint(columnAt(starts, time, 0), time, value);
          if (last !== null && time > last && gaps.length < MOST_GAPS) gaps.push(time - last);
          last = time;
        }
      }
      into.addOutside(readingOf(outside.before, key), readingOf(outside.after, key));
      return { ...into.result(), interval: median(gaps) };
    }),
  };
}

/** The records beside a span, as far as one page tells. */
async function readOutside(
  ten: Ten,
  place: Place,
  { start, end }: Required<TimeRange>,
  signal?: AbortSignal,
): Promise<{ readonly before: DataRecord | null; readonly after: DataRecord | null }> {
  const before = await ten.at(place, 1, { end: start - 1 }, signal);
  const later = { start: end + 1 };
  const { records, total } = await ten.page(place, { page: 1, limit: 1, range: later }, signal);
  // The oldest of those that follow is on their last page, where the service says which that is.
  const after =
    total === null || total < 2 ? (records[0] ?? null) : await ten.at(place, total, later, signal);
  return { before, after };
}

const rangeOf = (start: Micros | undefined, end: Micros | undefined): TimeRange => ({
  ...(start !== undefined && { start }),
  ...(end !== undefined && { end }),
});

function tooMany(records: number) {
  return badRequest(
    `This service gives records by pages alone, and a chart of it holds at most ${MOST_OF_CHART} of them, got ${records}: choose a shorter span, or look at the table`,
  );
}

/** NaN where the record has no number there; a boolean is 1 or 0, as in any chart. */
export function numberIn(record: DataRecord, key: string): number {
  const value = Object.hasOwn(record, key) ? record[key] : undefined;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' ? value : NaN;
}

function readingOf(record: DataRecord | null, key: string): KeyReading | null {
  const value = record ? numberIn(record, key) : NaN;
  return record === null || Number.isNaN(value) ? null : { instant: timeOf(record), value };
}

function median(gaps: readonly number[]): number | null {
  return gaps.toSorted((a, b) => a - b)[gaps.length >> 1] ?? null;
}
