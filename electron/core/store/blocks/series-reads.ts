import { machineClock } from '../../base/machine-clock.ts';
import type { Series, SeriesKey } from '../store.ts';
import type { Readable } from './readable.ts';
import { usualInterval } from './series/interval.ts';
import { seriesOf, type SeriesQuery } from './series/series.ts';
import { Pace } from '../../turns/pace.ts';

/*
 * What charts ask for. Every key costs, so many of them are read a few at a time, and others get their turn in between;
 * few of them, which is what a chart mostly has, are read at once.
 */

/** Keys that are read at once. */
const FEW_KEYS = 8;
/** More at a time where so many take less than this, in ms. */
const READ_MS = 8;
const MOST_KEYS = 256;

/** Min, max, first and last of each key in each column of pixels, over what there is when it begins. */
export async function readSeries(device: Readable, query: SeriesQuery): Promise<Series> {
  const { range, width, keys } = query;
  if (keys.length <= FEW_KEYS) return device.read(() => seriesOf(device.sources(), query));
  const { sources, release } = device.snapshot();
  try {
    const drawn: SeriesKey[] = [];
    for await (const some of inSlices(keys))
      drawn.push(...device.read(() => seriesOf(sources, { range, width, keys: some })).keys);
    return { ...range, width, keys: drawn };
  } finally {
    await release();
  }
}

/** The usual interval of each key in µs, over what there is when it begins; NaN where it has no two numbers. */
export async function readIntervals(device: Readable, keys: readonly string[]): Promise<number[]> {
  if (keys.length <= FEW_KEYS) return device.read(() => intervalsOf(device, keys));
  const { sources, release } = device.snapshot();
  try {
    const intervals: number[] = [];
    for await (const some of inSlices(keys))
      intervals.push(...device.read(() => some.map((key) => usualInterval(sources, key))));
    return intervals;
  } finally {
    await release();
  }
}

function intervalsOf(device: Readable, keys: readonly string[]): number[] {
  const sources = device.sources();
  return keys.map((key) => usualInterval(sources, key));
}

/** Some keys after the other, as many as the ones before have shown to take `READ_MS`. */
async function* inSlices(keys: readonly string[]): AsyncGenerator<readonly string[]> {
  const pace = new Pace();
  let most = FEW_KEYS;
  for (let from = 0; from < keys.length;) {
    const began = machineClock.monotonicMs();
    yield keys.slice(from, from + most);
    from += most;
    const took = Math.max(machineClock.monotonicMs() - began, 0.01);
    most = Math.min(MOST_KEYS, Math.max(1, Math.floor((most * READ_MS) / took)), most * 4);
    await pace.pause();
  }
}
