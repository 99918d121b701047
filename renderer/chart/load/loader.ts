import type { View } from '#shared/domain/corrections.ts';
import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';
import { parseInstant } from '#shared/values/time.ts';
import type { KeyReading } from '#shared/bridge/wire.ts';
import { nowMicros } from '../../time.ts';
import type { Bounds } from '../records/columns.ts';
import type { FarOff } from '../records/far-off.ts';
import type { Picture } from '../draw/picture.ts';
import { windowBetween, type TimeSpan } from '../time/window.ts';

/** What a chart shows: a device's keys, all of them or those of the last so many µs. */
export interface ChartQuery {
  readonly project_id: string;
  readonly device_id: string;
  readonly keys: readonly string[];
  readonly view: View;
  /** Also what is flagged as bad or a test, which the corrected view leaves out. */
  readonly flagged?: 'keep';
  /** Up to now. Absent: from the first record to the last. */
  readonly span?: number;
  /** Also the few records that lie far from all others. */
  readonly far: boolean;
}

/** What the technician looks at: a window, or everything, at so many pixels of width. */
export interface Look {
  readonly window: TimeSpan | null;
  readonly width: number;
}

/** What has come of a query. */
export interface ChartData {
  readonly state: 'loading' | 'ready' | 'cancelled' | 'error';
  readonly error: string | null;
  /** Null until something has come. */
  readonly picture: Picture | null;
  /** All that the query asks for; null while there is none of it. */
  readonly whole: TimeSpan | null;
  /** What to show of it; null is all. Follows the look, as soon as there is a picture for it or that takes too long. */
  readonly window: TimeSpan | null;
  /** The few records far from all others, whether or not they are shown; null where there are none. */
  readonly far: FarOff | null;
  /** Of each key, over all that has come. */
  readonly bounds: readonly Bounds[];
  /** The newest number of each key. */
  readonly newest: readonly (KeyReading | null)[];
  /** Records that were loaded; of very many, those in the window. */
  readonly points: number;
  /** Records that are being loaded; null where it is not known, or where they are not loaded one by one. */
  readonly total: number | null;
}

/** One way to get at a query's data; it tells what came through the `Show` it was made with. */
export interface ChartLoader {
  /** The device stored something: `summary` has just been read. */
  follow(summary: DeviceSummary): void;
  look(look: Look): void;
  /** Shows a look at once, in place of `look`, where nothing has to be asked for it; returns whether it did. */
  glance(look: Look): boolean;
  /** A window that will probably be looked at next; absent where each is there at once. */
  expect?(window: TimeSpan): void;
  /** Ends all work. What has come stays, and may still be looked at. */
  stop(): void;
}

export type Show = (news: Partial<ChartData>) => void;

/** The time that a query asks for: up to now, or from the first record to the last; null while there is no record. */
export function timeOf({ span }: ChartQuery, { first, last }: DeviceSummary): TimeSpan | null {
  const [from, to] = [parseInstant(first ?? ''), parseInstant(last ?? '')];
  if (from === null || to === null) return null;
  if (span === undefined) return windowBetween(from, to);
  const now = nowMicros();
  return { from: now - span, to: now };
}

/** A device that has more records than this is asked for what a window shows, not for the records. */
const MOST_LOADED = 500_000;
/** A window that holds no more records than this is drawn from the records themselves. */
export const FEW = 50_000;

export const isLarge = ({ records }: DeviceSummary): boolean => records > MOST_LOADED;

/** Fewer records leave so much of a plot to the line that leads into it that what lies before them is to be known. */
const LEAST_ALONE = 100;

/**
 * Whether a query is asked for what a window shows: of many records, unless it is of so short a time that few of them, and not next to
 * none, are to be expected in it.
 */
export function needsSpans({ flagged, span }: ChartQuery, summary: DeviceSummary): boolean {
  // Of what is only flagged little is drawn: no window needs more than what it shows.
  if (flagged) return true;
  if (!isLarge(summary)) return false;
  const [first, last] = [parseInstant(summary.first ?? ''), parseInstant(summary.last ?? '')];
  if (span === undefined || first === null || last === null) return true;
  const expected = summary.records * (span / Math.max(span, last - first));
  return expected < LEAST_ALONE || expected > FEW;
}

const SHORTEST_STEP_MS = 1_000;
const LONGEST_STEP_MS = 60_000;

/** Calls `move` whenever the last so many µs have moved on by about a pixel, with the ms of that, until `signal` says so. */
export function keepMoving({ span }: ChartQuery, signal: AbortSignal, move: (step: number) => void): void {
  if (span === undefined) return;
  const step = Math.min(LONGEST_STEP_MS, Math.max(SHORTEST_STEP_MS, span / 1000 / 1000));
  const timer = setInterval(() => move(step), step);
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}
