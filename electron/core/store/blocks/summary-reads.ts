import type { Micros } from '#shared/values/time.ts';
import { Pace } from '../../turns/pace.ts';
import type { DeviceSummary, Extent, KeySummary } from '../store.ts';
import { byCodeUnits } from './block/row-slice.ts';
import { CorrectedRows } from './corrections/corrected-rows.ts';
import { correctedCounts } from './corrections/counts.ts';
import { DerivedRows } from './corrections/derived-rows.ts';
import { Run } from './query/run.ts';
import { BufferedRows, type SortedRows } from './query/sorted-rows.ts';
import { Timeline } from './query/timeline.ts';
import type { Readable } from './readable.ts';

/*
 * How much a device holds, and of which keys. Every key of every source counts, so others get their turn in between. It is
 * told as it was when it was asked: what comes or goes meanwhile does not count, and files stay until the end.
 */

/** Counts after which the clock is looked at. */
const COUNTS_A_LOOK = 256;

/** Rejects as the signal's reason. */
export async function readSummary(device: Readable, signal?: AbortSignal): Promise<DeviceSummary> {
  const { lastSeen, purgedAt, bytes } = device;
  const { sources, release } = device.snapshot();
  try {
    const keys = await countKeys(device, sources, signal);
    // After the keys, whose reading may have found rows to be damaged.
    return { ...spanOf(new Timeline(sources)), bytes, lastSeen, purgedAt, keys };
  } finally {
    await release();
  }
}

/** Distinct keys in UTF-16 code unit order. Rejects as the signal's reason. */
export async function readKeys(device: Readable, signal?: AbortSignal): Promise<string[]> {
  const { sources, release } = device.snapshot();
  try {
    return (await countKeys(device, sources, signal)).map(({ key }) => key);
  } finally {
    await release();
  }
}

/** Returns the keys at once, unordered and with repeats. */
export function readKeysNow(device: Readable): string[] {
  return device.read(() =>
    device.sources().flatMap((source) => {
      const counts = source instanceof Run ? [...source.keyCounts()] : bufferedCounts(source);
      return counts.filter(({ count }) => count > 0).map(({ key }) => key);
    }),
  );
}

export function readExtent(device: Readable): Extent {
  return device.read(() => ({ ...spanOf(device.timeline()), bytes: device.bytes }));
}

function spanOf({ rows, clusters }: Timeline): Omit<Extent, 'bytes'> {
  let last: Micros | null = null;
  for (const cluster of clusters) last = Math.max(last ?? cluster.last, cluster.last);
  return { records: rows, first: clusters[0]?.first ?? null, last };
}

interface Counted extends KeySummary {
  count: number;
  numeric: number;
}

async function countKeys(
  device: Readable,
  sources: readonly SortedRows[],
  signal: AbortSignal | undefined,
): Promise<KeySummary[]> {
  const byKey = new Map<string, Counted>();
  const add = (counts: Iterable<KeySummary>) => {
    for (const { key, count, numeric } of counts) {
      const known = byKey.get(key);
      if (known === undefined) {
        byKey.set(key, { key, count, numeric });
      } else {
        known.count += count;
        known.numeric += numeric;
      }
    }
  };
  const stored = sources.flatMap(partsOf);
  // Before anyone else has a turn: more rows may come into the same columns.
  for (const source of stored) add(bufferedCounts(source));
  const pace = new Pace();
  for (const source of stored)
    if (!(source instanceof BufferedRows)) add(await device.retrying(() => countsOf(source, pace, signal)));
  for (const source of sources)
    if (source instanceof DerivedRows)
      for (const about of source.derived.counts(byKey)) byKey.set(about.key, { ...about });
  return [...byKey.values()].filter(({ count }) => count > 0).toSorted((a, b) => byCodeUnits(a.key, b.key));
}

/** Of rows that are in no block yet: at most some dozens of blocks' worth. */
function bufferedCounts(source: SortedRows): readonly KeySummary[] {
  return source instanceof BufferedRows ? source.buffer.columns : [];
}

const partsOf = (source: SortedRows): readonly SortedRows[] =>
  source instanceof DerivedRows ? source.sources : [source];

/** Asks for all that counting the keys of a source reads, so that it is at hand then. */
export function askForCounts(source: SortedRows): void {
  for (const part of partsOf(source))
    if (part instanceof Run) part.keyCounts();
    else if (part instanceof CorrectedRows) for (const _ of correctedCounts(part));
}

function countsIn(source: SortedRows): Iterable<KeySummary> {
  if (source instanceof CorrectedRows) return correctedCounts(source);
  return source instanceof Run ? source.keyCounts() : [];
}

/** All of a source, in slices of time: where one of its blocks turns out to be damaged, none of what came before it counts. */
async function countsOf(
  source: SortedRows,
  pace: Pace,
  signal: AbortSignal | undefined,
): Promise<KeySummary[]> {
  const counts: KeySummary[] = [];
  for (const count of countsIn(source)) {
    if (counts.push(count) % COUNTS_A_LOOK !== 0) continue;
    if (await pace.pause()) signal?.throwIfAborted();
  }
  if (await pace.pause()) signal?.throwIfAborted();
  return counts;
}
