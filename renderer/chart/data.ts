import { create } from 'zustand';
import type { DeviceSummary } from '#shared/operations/devices.ts';
import { loadRecords } from './load-records.ts';
import { loadSpans } from './load-spans.ts';
import type { ChartData, ChartLoader, ChartQuery, Look } from './loader.ts';

/** A device that has more records than this is asked for what a window shows, not for the records. */
const MOST_LOADED = 500_000;
/** Pixels that a chart is wide until it has been laid out. */
export const FIRST_WIDTH = 800;

const NOTHING: ChartData = {
  state: 'loading',
  error: null,
  picture: null,
  whole: null,
  window: null,
  far: null,
  bounds: [],
  newest: [],
  points: 0,
  total: null,
};

/** The data of the chart on the screen. */
export const useChartData = create<ChartData>(() => NOTHING);

const { getState, setState } = useChartData;

let shown: { readonly query: ChartQuery; readonly loader: ChartLoader; summary: DeviceSummary } | null = null;
let look: Look = { window: null, width: FIRST_WIDTH };

/** Loads a query, in place of what is there. `summary` is what is known of the device. */
export function loadChart(query: ChartQuery, summary: DeviceSummary): void {
  shown?.loader.stop();
  setState({ ...NOTHING, window: look.window }, true);
  const loader = isLarge(summary)
    ? loadSpans(query, summary, look, setState)
    : loadRecords(query, summary, setState);
  shown = { query, loader, summary };
}

/** Loads the same query again. */
export function reloadChart(): void {
  if (shown) loadChart(shown.query, shown.summary);
}

/** Stops loading and keeps what came so far. */
export function cancelChart(): void {
  shown?.loader.stop();
  if (getState().state === 'loading') setState({ state: 'cancelled' });
}

/** Stops loading and following, because no one looks any more. */
export function leaveChart(): void {
  shown?.loader.stop();
  shown = null;
  setState(NOTHING, true);
}

/** Shows what the device stored since; `summary` has just been read. */
export function followChart(summary: DeviceSummary): void {
  if (!shown) return;
  if (isLarge(summary) !== isLarge(shown.summary)) return loadChart(shown.query, summary);
  shown.summary = summary;
  shown.loader.follow(summary);
}

/** The technician looks at another window, or at another width. */
export function lookAtChart(next: Look): void {
  look = next;
  shown?.loader.look(next);
}

function isLarge({ records }: DeviceSummary): boolean {
  return records > MOST_LOADED;
}
