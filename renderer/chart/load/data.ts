import { create, type StoreApi, type UseBoundStore } from 'zustand';
import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';
import { bridge } from '../../bridge/bridge.ts';
import { onConnectionMade } from '../../bridge/connection.ts';
import { loadRecords } from './load-records.ts';
import { loadSpans } from './load-spans.ts';
import {
  isLarge,
  needsSpans,
  type ChartData,
  type ChartLoader,
  type ChartQuery,
  type Look,
  type Show,
} from './loader.ts';
import type { TimeSpan } from '../time/window.ts';

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

/** The data of one device's lines on a chart, kept fresh from `load` to `leave`. A chart of several devices has one for each. */
export interface ChartSource {
  /** What has come; a hook and a store. */
  readonly useData: UseBoundStore<StoreApi<ChartData>>;
  /** Loads a query, in place of what is there. `summary` is what is known of the device. */
  load(query: ChartQuery, summary: DeviceSummary): void;
  /** Loads the same query again. */
  reload(): void;
  /** Stops loading and keeps what came so far. */
  cancel(): void;
  /** Stops loading and following, because no one looks any more. */
  leave(): void;
  /** Shows what the device stored since; `summary` has just been read. */
  follow(summary: DeviceSummary): void;
  /** The technician looks at another window, or at another width. */
  look(next: Look): void;
  /**
   * The technician is about to look at another window: where nothing has to be asked for it, it is shown at once, so that what else
   * changes by it is drawn together with it. `look` follows.
   */
  glance(window: TimeSpan | null): void;
  /** The technician will probably look at this window next. */
  expect(window: TimeSpan): void;
}

/** `isStill`: what has come stays as it was then, whatever is stored, removed or corrected behind it. */
export function createChartSource({ isStill = false } = {}): ChartSource {
  const useData = create<ChartData>(() => NOTHING);
  const { getState, setState } = useData;
  let shown: {
    readonly query: ChartQuery;
    readonly loader: ChartLoader;
    readonly isBySpans: boolean;
    summary: DeviceSummary;
  } | null = null;
  let look: Look = { window: null, width: FIRST_WIDTH };
  let stopListening: (() => void) | null = null;

  function begin(
    query: ChartQuery,
    summary: DeviceSummary,
    show: Show,
    { isBySpans = needsSpans(query, summary), isStale = false } = {},
  ): void {
    const tooMany = () => {
      if (shown?.loader !== loader) return;
      loader.stop();
      begin(query, shown.summary, show, { isBySpans: true });
    };
    const loader = isBySpans
      ? loadSpans(query, summary, look, show)
      : loadRecords(query, summary, look, show, { tooMany, isStale });
    shown = { query, loader, isBySpans, summary };
  }

  /** `isStale`: the device may have changed since the summary was read. */
  function load(query: ChartQuery, summary: DeviceSummary, isStale: boolean): void {
    shown?.loader.stop();
    setState({ ...NOTHING, window: look.window }, true);
    begin(query, summary, setState, { isStale });
  }

  /** Hears of what changes records that are there already; `follow` brings those that come. */
  function listen({ project_id, device_id, view }: ChartQuery): void {
    stopListening?.();
    const ofDevice = { project_id, device_id };
    const stops = [onConnectionMade(readAgain)];
    if (!isStill) stops.push(bridge.subscribe('records.removed', reload, ofDevice));
    if (!isStill && view !== 'raw') stops.push(bridge.subscribe('corrections.changed', refresh, ofDevice));
    stopListening = () => stops.forEach((stop) => stop());
  }

  function reload(): void {
    if (shown) load(shown.query, shown.summary, true);
  }

  /** Loads the same query again; what is there stays until all of the new is. */
  function refresh(): void {
    if (!shown) return;
    const { query, summary, loader, isBySpans } = shown;
    loader.stop();
    begin(query, summary, onceReady(setState), { isBySpans, isStale: true });
  }

  function readAgain(): void {
    const { state, error } = getState();
    if (error !== null) reload();
    else if (!isStill && state !== 'cancelled') refresh();
  }

  return {
    useData,
    load(query, summary) {
      listen(query);
      load(query, summary, false);
    },
    reload,
    cancel() {
      shown?.loader.stop();
      if (getState().state === 'loading') setState({ state: 'cancelled' });
    },
    leave() {
      shown?.loader.stop();
      shown = null;
      stopListening?.();
      stopListening = null;
      setState(NOTHING, true);
    },
    follow(summary) {
      if (!shown) return;
      const { query, isBySpans } = shown;
      const isOther = isBySpans ? isLarge(shown.summary) && !isLarge(summary) : needsSpans(query, summary);
      if (isOther) return load(query, summary, false);
      shown.summary = summary;
      shown.loader.follow(summary);
    },
    look(next) {
      look = next;
      shown?.loader.look(next);
    },
    glance(window) {
      const next = { window, width: look.width };
      if (shown?.loader.glance(next)) look = next;
    },
    expect(window) {
      shown?.loader.expect?.(window);
    },
  };
}

/** Tells nothing before all has come, or cannot. */
function onceReady(show: Show): Show {
  let isReady = false;
  return (news) => {
    isReady ||= news.state === 'ready' || news.state === 'error';
    if (isReady) show(news);
  };
}

/** Of the device on the screen. */
export const deviceChart = createChartSource();
