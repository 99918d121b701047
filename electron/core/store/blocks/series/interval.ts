import type { Micros } from '#shared/values/time.ts';
import type { KeyTable } from '../block/key-table.ts';
import { ABSENT, TEXT } from '../block/cell-kind.ts';
import { RowSlice } from '../block/row-slice.ts';
import { CorrectedRows } from '../corrections/corrected-rows.ts';
import { DerivedRows } from '../corrections/derived-rows.ts';
import { MergedRows } from '../corrections/merged-rows.ts';
import { Run } from '../query/run.ts';
import type { SortedRows } from '../query/sorted-rows.ts';

/*
 * How long usually passes between a number of a key and its next one: a chart breaks a line where it is silent for much
 * longer. The median of all of its records, not of those that a window shows, so that a break stays one while a
 * technician zooms. Of a run some blocks are looked into, once: what they say is kept as long as the index that led to them.
 */

/** Blocks of a run that are looked into. */
const SAMPLED_BLOCKS = 12;
/** Intervals kept of a run, evenly spread over the sorted ones. */
const QUANTILES = 33;

const slice = new RowSlice();
const samples = new WeakMap<KeyTable, { readonly count: number; readonly sample: Float64Array }>();

/** The usual interval of a key in µs; NaN where no two of its numbers have times of their own. */
export function usualInterval(sources: readonly SortedRows[], key: string): number {
  const [only] = sources;
  if (only instanceof DerivedRows) {
    const operand = only.derived.storedOperand(key);
    return operand === null ? NaN : usualInterval(only.sources, operand);
  }
  const weighted: Weighted[] = [];
  for (const source of sources) {
    if (source.rows === 0) continue;
    const { sample, numbers } = sampledOf(source, key);
    for (const interval of sample) weighted.push({ interval, weight: numbers / sample.length });
  }
  // A number a file and less: what lies between the files is all there is to tell.
  return weightedMedian(weighted.length > 0 ? weighted : betweenSources(sources, key));
}

function sampledOf(source: SortedRows, key: string): Sampled {
  if (source instanceof CorrectedRows) return correctedSample(source, key);
  return source instanceof Run ? ofRun(source, key) : ofRows(source, key);
}

/** Of rows that are read through corrections the sample is that of the stored ones, at the rate of the corrected clock. */
function correctedSample({ inner, rows, clock }: CorrectedRows, key: string): Sampled {
  const { sample, numbers } = inner instanceof MergedRows ? mergedSample(inner, key) : sampledOf(inner, key);
  const share = rows / inner.rows;
  const rate = clock?.rate ?? 1;
  return {
    sample: rate === 1 ? sample : sample.map((interval) => interval * rate),
    numbers: numbers * share,
  };
}

/** What lies between two numbers of different sources is left out. */
function mergedSample({ sources }: MergedRows, key: string): Sampled {
  const all = sources.map((source) => sampledOf(source, key));
  return {
    sample: quantilesOf(all.flatMap(({ sample }) => [...sample])),
    numbers: all.reduce((sum, { numbers }) => sum + numbers, 0),
  };
}

interface Weighted {
  /** µs. */
  readonly interval: number;
  readonly weight: number;
}

function weightedMedian(weighted: Weighted[]): number {
  weighted.sort((a, b) => a.interval - b.interval);
  let rest = weighted.reduce((sum, { weight }) => sum + weight, 0) / 2;
  for (const { interval, weight } of weighted) if ((rest -= weight) <= 0) return interval;
  return weighted.at(-1)?.interval ?? NaN;
}

interface Sampled {
  /** Intervals in µs, ascending. */
  readonly sample: Float64Array;
  /** How many numbers it stands for. */
  readonly numbers: number;
}

const NOTHING: Sampled = { sample: new Float64Array(), numbers: 0 };

function ofRun(run: Run, key: string): Sampled {
  const keyTable = run.keyTable(key);
  if (keyTable === undefined || keyTable.numeric === 0) return NOTHING;
  const numbers = keyTable.numeric;
  const known = samples.get(keyTable);
  if (known?.count === keyTable.count) return { sample: known.sample, numbers };
  const sample = sampleOf(run, keyTable, key);
  if (run.isSettled) samples.set(keyTable, { count: keyTable.count, sample });
  return { sample, numbers };
}

function sampleOf(run: Run, keyTable: KeyTable, key: string): Float64Array {
  const { count } = keyTable;
  const looked = Math.min(count, SAMPLED_BLOCKS);
  const intervals: number[] = [];
  for (let n = 0; n < looked; n++) {
    const entry = Math.floor((n * count) / looked);
    const numeric = keyTable.numericOf(entry);
    if (numeric === 0) continue;
    if (numeric > 1) {
      const block = run.block(keyTable.blockOf(entry));
      for (const interval of intervalsOf(timesIn(block, key, block.rows))) intervals.push(interval);
    }
    if (entry + 1 < count && keyTable.numericOf(entry + 1) > 0) {
      const interval = keyTable.firstTimeOf(entry + 1) - keyTable.lastTimeOf(entry);
      if (interval > 0) intervals.push(interval);
    }
  }
  return quantilesOf(intervals);
}

function ofRows(source: SortedRows, key: string): Sampled {
  const times = timesIn(source, key, source.rows);
  return { sample: quantilesOf(intervalsOf(times)), numbers: times.length };
}

function betweenSources(sources: readonly SortedRows[], key: string): Weighted[] {
  const ends = sources.flatMap((source) => endsIn(source, key));
  return intervalsOf(ends.toSorted((a, b) => a - b)).map((interval) => ({ interval, weight: 1 }));
}

/** The instants of a key's numbers at the ends of what a source is made of. */
function endsIn(source: SortedRows, key: string): Micros[] {
  if (source.rows === 0) return [];
  if (source instanceof CorrectedRows)
    return endsIn(source.inner, key)
      .filter((time) => time >= source.span.from && time <= source.span.to)
      .map((time) => source.correctedTime(time));
  if (source instanceof MergedRows) return source.sources.flatMap((part) => endsIn(part, key));
  if (!(source instanceof Run)) return timesIn(source, key, source.rows);
  const keyTable = source.keyTable(key);
  if (keyTable === undefined) return [];
  const entries = Array.from({ length: keyTable.count }, (_, entry) => entry);
  return entries
    .filter((entry) => keyTable.numericOf(entry) > 0)
    .flatMap((entry) => [keyTable.firstTimeOf(entry), keyTable.lastTimeOf(entry)]);
}

/** The instants of a key's numbers in a source or a block. */
function timesIn(rows: Pick<SortedRows, 'readInto'>, key: string, count: number): number[] {
  rows.readInto(slice, 0, count, { keys: new Set([key]), received: false });
  const [cells] = slice.columns;
  const times: number[] = [];
  if (cells !== undefined)
    for (let row = 0; row < count; row++)
      if (cells.kinds[row] !== ABSENT && cells.kinds[row] !== TEXT) times.push(slice.times[row]!);
  return times;
}

function intervalsOf(times: readonly number[]): number[] {
  return times.map((time, i) => time - (times[i - 1] ?? time)).filter((interval) => interval > 0);
}

function quantilesOf(intervals: readonly number[]): Float64Array {
  const sorted = Float64Array.from(intervals).toSorted();
  if (sorted.length <= QUANTILES) return sorted;
  return Float64Array.from(
    { length: QUANTILES },
    (_, i) => sorted[Math.floor((i * (sorted.length - 1)) / (QUANTILES - 1))]!,
  );
}
