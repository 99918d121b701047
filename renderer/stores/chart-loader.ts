import type { DeviceSummary } from '#shared/operations/device-administration.ts';
import type { ColumnsRequest } from '#shared/wire.ts';
import type { Bounds, Reading } from '../chart/columns.ts';
import type { Picture } from '../chart/picture.ts';
import type { TimeWindow } from '../chart/window.ts';

/** What a chart shows: a device's keys since an instant (µs), or all of them. */
export interface ChartQuery {
  readonly project_id: string;
  readonly device_id: string;
  readonly keys: readonly string[];
  readonly start?: number;
}

/** What the technician looks at: a window, or everything, at so many pixels of width. */
export interface Look {
  readonly window: TimeWindow | null;
  readonly width: number;
}

/** What has come of a query. */
export interface ChartData {
  readonly state: 'loading' | 'ready' | 'cancelled' | 'error';
  readonly error: string | null;
  /** Null until something has come. */
  readonly picture: Picture | null;
  /** From the query's first record to its last; null while there is none. */
  readonly whole: TimeWindow | null;
  /** What to show of it; null is all. Follows the look, as soon as there is a picture for it or that takes too long. */
  readonly window: TimeWindow | null;
  /** Of each key, over all that has come. */
  readonly bounds: readonly Bounds[];
  readonly newest: Reading | null;
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
  /** Ends all work. What has come stays, and may still be looked at. */
  stop(): void;
}

export type Show = (news: Partial<ChartData>) => void;

export function requestOf({ start, ...request }: ChartQuery): ColumnsRequest {
  return start === undefined ? request : { ...request, start };
}
