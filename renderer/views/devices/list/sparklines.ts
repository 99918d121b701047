import { create } from 'zustand';
import { formatMicros, parseInstant, type Micros } from '#shared/values/time.ts';
import { ask } from '../../../bridge/ask.ts';
import { nowMicros } from '../../../time.ts';

/*
 * The last day of a key of each device in sight: read one at a time, and not at all what was scrolled away before its
 * turn. What was read is kept for a while: who scrolls back sees it at once.
 */

export const COLUMNS = 96;
const DAY_US = 86_400e6;
/** A device that stores all the time is read again only so often. */
const FRESH_MS = 30_000;
const MOST_KEPT = 500;

/** Trend by column of pixels; null for an empty one. */
export interface Trend {
  readonly end: Micros;
  readonly min: readonly (number | null)[];
  readonly max: readonly (number | null)[];
}

export interface TrendOf {
  readonly project_id: string;
  readonly device_id: string;
  readonly key: string;
  /** The newest record's time: where that is long ago, the day before it is shown. */
  readonly newest: string | null;
}

interface Kept {
  readonly trend: Trend | null;
  readonly newest: string | null;
  readonly readAt: number;
}

export const useTrends = create<{ readonly kept: ReadonlyMap<string, Kept> }>(() => ({ kept: new Map() }));

export const trendName = ({ device_id, key }: Pick<TrendOf, 'device_id' | 'key'>) => `${device_id}/${key}`;

/** In the order in which they came into sight. */
const waiting = new Map<string, TrendOf>();
let isReading = false;

/** Asks for a trend that came into sight; returns what gives that up. */
export function wantTrend(of: TrendOf): () => void {
  const name = trendName(of);
  const known = useTrends.getState().kept.get(name);
  if (known?.newest === of.newest) return () => {};
  const rest = known ? FRESH_MS - (performance.now() - known.readAt) : 0;
  const timer = setTimeout(
    () => {
      waiting.set(name, of);
      void readNext();
    },
    Math.max(0, rest),
  );
  return () => {
    clearTimeout(timer);
    waiting.delete(name);
  };
}

async function readNext(): Promise<void> {
  if (isReading) return;
  isReading = true;
  for (let [next] = waiting; next !== undefined; [next] = waiting) {
    const [name, of] = next;
    waiting.delete(name);
    // Where it cannot be read there is nothing to see; what is wrong is said where the list itself is read.
    const trend = await readTrend(of).catch(() => null);
    const kept = new Map(useTrends.getState().kept);
    kept.delete(name);
    kept.set(name, { trend, newest: of.newest, readAt: performance.now() });
    for (const oldest of kept.keys()) if (kept.size > MOST_KEPT) kept.delete(oldest);
    useTrends.setState({ kept });
  }
  isReading = false;
}

async function readTrend({ project_id, device_id, key, newest }: TrendOf): Promise<Trend | null> {
  const last = newest === null ? null : parseInstant(newest);
  if (last === null) return null;
  const now = nowMicros();
  // One of the future, or of long ago, is the end of its own day.
  const end = last > now || now - last > DAY_US ? last : now;
  const range = { start: formatMicros(end - DAY_US), end: formatMicros(end) };
  const series = await ask('series.get', { project_id, device_id, keys: key, width: COLUMNS, ...range });
  const [found] = series.keys;
  return found ? { end, min: found.min, max: found.max } : null;
}
